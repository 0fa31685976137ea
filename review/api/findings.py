"""/api/v1/findings: what was learnt about targets. Saving one supersedes those that it contradicts."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router
from ninja.params.models import Query as QueryParam
from ninja.responses import Status

from review.api.auth import actor_of
from review.api.errors import CODES, ApiError
from review.api.finding_schemas import (
    AboutIn,
    DeletedOut,
    ExampleIn,
    FindingAnswer,
    FindingIn,
    FindingsOut,
    FindingWithStory,
    UndoIn,
)
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import errors
from review.api.values import RowId, ShortText, Text
from selftest.core.judging.findings import CheckName
from selftest.findings import reading, saving
from selftest.findings.core.expectations import Expect, Expectation
from selftest.findings.examples import ExampleDraft
from selftest.findings.reading import AboutFilter
from selftest.findings.saving import About, Draft
from selftest.models import Cause, Target
from selftest.reading.causes import cause_numbered
from selftest.reading.combination import combination_of
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError

router = Router(tags=["Findings"])

Number = Annotated[RowId, Path()]


@router.get("", summary="Findings", response={200: FindingsOut, **errors(404)})
def findings(
    request: HttpRequest,
    q: Annotated[ShortText | None, QueryParam(None, description="Words that each stand in the text.")] = None,
    category: Annotated[ShortText | None, QueryParam(None, description="This one and all below it.")] = None,
    target: Annotated[Text | None, QueryParam(None, description="Only about this target.")] = None,
    source: ShortText | None = None,
    check: CheckName | None = None,
    cause: Annotated[RowId | None, QueryParam(None, description="Or one that was merged into it.")] = None,
    combination: RowId | None = None,
    fingerprint: Text | None = None,
    include_superseded: bool = False,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List findings, newest first; superseded ones only with `include_superseded`."""
    about = AboutFilter(
        None if target is None else target_named(target),
        source or "",
        check or "",
        None if cause is None else _cause(cause),
        combination,
        fingerprint or "",
    )
    rows = reading.findings(q or "", category or "", include_superseded, about)
    rows = rows.select_related("target", "combination", "example__combination")
    page = Paging("findings", cursor, limit).newest_first(rows)
    return {"findings": [reading.finding_document(row) for row in page["items"]], "next": page["next"]}


@router.post("", summary="Save a finding", response={201: FindingAnswer, **errors(400, 404, 409)})
def save_finding(request: HttpRequest, asked: FindingIn) -> Status[dict[str, Any]]:
    """Save what was learnt, and supersede what it contradicts.

    A person's correction is not superseded by others: what contradicts it is saved superseded by it.
    """
    about = About() if asked.about is None else _about(asked.about)
    example = None if asked.example is None else _example(asked.example, about)
    draft = Draft(asked.category, asked.content, tuple(asked.tags), about, example)
    saved = saving.save_finding(draft, actor_of(request))
    return Status(201, reading.finding_answer(saved.finding, list(saved.acts)))


@router.get("/{int:finding_id}", summary="One finding with its story", response={200: FindingWithStory, **errors(404)})
def finding(
    request: HttpRequest, finding_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> dict[str, Any]:
    """Get a finding, superseded or not, with its story. `cursor` and `limit` apply to the story."""
    found = reading.finding_numbered(finding_id)
    story = Paging(f"finding {found.pk} story", cursor, limit).newest_first(reading.story_of(found.pk))
    story["items"] = [reading.act_document(act) for act in story["items"]]
    return {**reading.finding_answer(found), "story": story}


@router.delete("/{int:finding_id}", summary="Delete a finding", response={200: DeletedOut, **errors(404)})
def delete_finding(request: HttpRequest, finding_id: Number) -> dict[str, Any]:
    """Delete a finding for good. What it superseded is active again, unless another one contradicts it."""
    freed = saving.delete_finding(reading.finding_numbered(finding_id), actor_of(request))
    if freed is None:
        raise UnknownError(f"there is no finding {finding_id}")
    return {"deleted": finding_id, "freed": freed}


@router.post(
    "/{int:finding_id}/undo",
    summary="Undo what superseded a finding",
    response={200: FindingAnswer, **errors(400, 404, 409)},
)
def undo_finding(request: HttpRequest, finding_id: Number, asked: UndoIn | None = None) -> dict[str, Any]:
    """Make a superseded finding active again; of an active one, all that it superseded; or undo exactly `acts`.

    Both are told apart from then on: neither supersedes the other one again.
    """
    found = reading.finding_numbered(finding_id)
    saving.undo_of(found, actor_of(request), asked.acts if asked else None)
    return reading.finding_answer(reading.finding_numbered(finding_id))


@router.post(
    "/{int:finding_id}/example",
    summary="Give a claim an example",
    response={200: FindingAnswer, **errors(400, 404, 409)},
)
def put_example(request: HttpRequest, finding_id: Number, asked: ExampleIn) -> dict[str, Any]:
    """Give a claim an example, in place of the one that it has. The worker asks it within the hour."""
    found = reading.finding_numbered(finding_id)
    draft = _example(asked, About(target=found.target))
    saving.put_example(found, draft, actor_of(request))
    return reading.finding_answer(reading.finding_numbered(finding_id))


@router.delete("/{int:finding_id}/example", summary="Take an example off", response={200: FindingAnswer, **errors(404)})
def delete_example(request: HttpRequest, finding_id: Number) -> dict[str, Any]:
    """Take the example off a claim. Without one, nothing changes."""
    saving.drop_example(reading.finding_numbered(finding_id), actor_of(request))
    return reading.finding_answer(reading.finding_numbered(finding_id))


def _about(asked: AboutIn) -> About:
    cause = None if asked.cause is None else _cause(asked.cause)
    target = None if asked.target is None else target_named(asked.target)
    if cause is not None:
        target = _shared_target(cause, target)
    combination = None
    if asked.fingerprint is not None:
        combination = combination_of(asked.fingerprint, target or target_named(None))
        target = combination.target
    return About(target, asked.source or "", asked.check or "", cause, combination)


def _example(asked: ExampleIn, about: About) -> ExampleDraft:
    expected = Expectation(Expect(asked.expect), tuple(asked.named))
    cause = None if asked.cause is None else _cause(asked.cause)
    combination = None
    if asked.fingerprint is not None:
        combination = combination_of(asked.fingerprint, about.target or target_named(None))
    return ExampleDraft(expected, asked.query or "", cause, combination)


def _shared_target(cause: Cause, target: Target | None) -> Target:
    if target is None or cause.target_id == target.pk:
        return cause.target
    message = f"about.cause: cause {cause.pk} is of target {cause.target.name!r}, not {target.name!r}"
    raise ApiError(422, CODES[422], message, "about.cause")


def _cause(number: int) -> Cause:
    found = cause_numbered(number)
    if found is None:
        raise UnknownError(f"there is no cause {number}")
    return found
