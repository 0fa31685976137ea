"""/api/v1/causes: what flags have in common, and what people decide about it."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Path, Router
from ninja.params.models import Query as QueryParam

from review.api.auth import actor_of
from review.api.cause_schemas import AssignIn, CauseOut, CausesOut, JudgeIn, ReopenIn
from review.api.errors import CODES, ApiError
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import CombinationRow, Page, errors
from review.api.values import RowId, Text
from review.contexts.records import cause_record
from review.roles import reviewers
from selftest.knowledge.promises import promise_sources
from selftest.models import Cause
from selftest.reading.causes import (
    CauseFilter,
    CauseState,
    ListedCause,
    cause_numbered,
    cause_to_act_on,
    combinations_of,
    in_full,
    listed_cause,
    listed_causes,
    shown_causes,
    story_of,
)
from selftest.reading.queue import queue_revision
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError
from selftest.reviewing import causes as reviewing
from selftest.reviewing.judgement import Judgement

router = Router(tags=["Causes"])

Number = Annotated[RowId, Path()]
OfTarget = Annotated[
    Text | None, QueryParam(None, description="Only this target. Default: all targets that are switched on.")
]


@router.get("", summary="Causes", response={200: CausesOut, **errors(404)})
def causes(
    request: HttpRequest,
    target: OfTarget = None,
    state: CauseState = CauseState.INBOX,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List causes, most open flags first.

    `inbox`: those that wait for a person, because they are not judged or were flagged since. `judged`: those with a
    verdict.
    """
    found = None if target is None else target_named(target)
    filters = CauseFilter(state=state, target="" if found is None else found.name)
    listing = f"causes {state} {'all' if found is None else found.pk}"
    listed = listed_causes(filters, queue_revision(), timezone.now())
    page = Paging(listing, cursor, limit).of_sorted(listed, attrgetter("order"))
    return {"causes": _rows(in_full(page["items"])), "next": page["next"]}


@router.get("/{int:cause_id}", summary="One cause with its story", response={200: CauseOut, **errors(404)})
def cause(
    request: HttpRequest, cause_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> dict[str, Any]:
    """Get a cause with its story, or the cause that it was merged into. `cursor` and `limit` apply to the story."""
    return _with_story(_cause(cause_id), cursor, limit)


@router.get(
    "/{int:cause_id}/flags", summary="Combinations of a cause", response={200: Page[CombinationRow], **errors(404)}
)
def flags_of_cause(
    request: HttpRequest, cause_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> dict[str, Any]:
    """List the combinations whose last flag has this cause, newest first."""
    found = _cause(cause_id)
    rows = combinations_of(found).select_related("target")
    return Paging(f"cause {found.pk} flags", cursor, limit).newest_first(rows)


@router.post("/{int:cause_id}/judge", summary="Judge a cause", response={200: CauseOut, **errors(400, 403, 404, 409)})
def judge_cause(request: HttpRequest, cause_id: Number, asked: JudgeIn) -> dict[str, Any]:
    """Give a verdict, or another one, and dismiss the combinations of the cause that no other open cause shows in.

    New flags bring the cause back; of one that is judged `later`, what `until` says does.
    """
    seen = asked.seen_verdict if "seen_verdict" in asked.model_fields_set else ...
    reviewing.judge(_cause_to_act_on(cause_id), _judgement(asked), actor_of(request), asked.seen_flags, seen)
    return _with_story(_cause(cause_id))


@router.post(
    "/{int:cause_id}/reopen", summary="Take a verdict back", response={200: CauseOut, **errors(400, 403, 404, 409)}
)
def reopen_cause(request: HttpRequest, cause_id: Number, asked: ReopenIn) -> dict[str, Any]:
    """Take the verdict back. What it dismissed returns to the queue.

    With `former_verdict`, it stays judged, and the last change of its verdict is undone.
    """
    found, actor = _cause_to_act_on(cause_id), actor_of(request)
    if asked.former_verdict:
        reviewing.restore_former_verdict(found, actor)
    else:
        reviewing.reopen(found, actor, asked.reason)
    return _with_story(_cause(cause_id))


@router.post("/{int:cause_id}/assign", summary="Assign a cause", response={200: CauseOut, **errors(400, 403, 404, 409)})
def assign_cause(request: HttpRequest, cause_id: Number, asked: AssignIn) -> dict[str, Any]:
    """Assign a cause to a user who may review, or to no one."""
    found = _cause_to_act_on(cause_id)
    assignee = None if asked.assignee is None else _reviewer(asked.assignee)
    reviewing.assign_cause(found, actor_of(request), assignee)
    return _with_story(_cause(cause_id))


def _cause(cause_id: int) -> Cause:
    found = cause_numbered(cause_id)
    if found is None:
        raise Http404(f"there is no cause {cause_id}")
    return found


def _cause_to_act_on(cause_id: int) -> Cause:
    return cause_to_act_on(cause_id) or _cause(cause_id)


def _judgement(asked: JudgeIn) -> Judgement:
    said = Judgement(asked.verdict, asked.reason, asked.link)
    if asked.until is None:
        return said
    date, new_flags, version = asked.until.date, asked.until.new_flags, asked.until.target_version or ""
    return replace(said, until_date=date, until_new_flags=new_flags, until_version=version)


def _reviewer(name: str) -> User:
    found = reviewers().filter(username=name).first()
    if found is not None:
        return found
    if not User.objects.filter(username=name).exists():
        raise UnknownError(f"unknown user {name!r}")
    message = f"assignee: {name!r} may not review; an admin can make that account a reviewer"
    raise ApiError(422, CODES[422], message, "assignee")


def _with_story(found: Cause, cursor: str | None = None, limit: int = DEFAULT_LIMIT) -> dict[str, Any]:
    [row] = _rows([listed_cause(found, queue_revision(), timezone.now())])
    check = next(iter(row["checks"]), "")
    said = promise_sources(found.target_id, [check]).get(check)
    return {
        **row,
        "promise_source": None if said is None else asdict(said),
        "story": Paging(f"cause {found.pk} story", cursor, limit).newest_first(story_of(found)),
    }


def _rows(listed: Sequence[ListedCause]) -> list[dict[str, Any]]:
    return [cause_record(one) for one in shown_causes(listed)]
