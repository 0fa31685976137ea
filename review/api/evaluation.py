"""/api/v1/pairs, the golden set, and /api/v1/reports, what came of asking it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router
from ninja.params.models import Query as QueryParam
from ninja.responses import Status

from review.api.auth import actor_of
from review.api.evaluation_schemas import (
    EditIn,
    PairIn,
    PairOut,
    PairsOut,
    PairWithVersions,
    ReportsOut,
    ReportWithResults,
    SeenIn,
)
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import errors
from review.api.values import RowId, ShortText, Text
from selftest.evaluation import promoting, reading, saving
from selftest.evaluation.core.pairs import PairKind
from selftest.evaluation.models import GoldenPair, PairVersion
from selftest.evaluation.promoting import Draft
from selftest.evaluation.reading import PairFilter, PairState
from selftest.evaluation.saving import default_set, ground_of
from selftest.models import Actor
from selftest.reading.causes import cause_numbered
from selftest.reading.combination import combination_numbered
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError, UnknownError

pairs_router = Router(tags=["Evaluation"])
reports_router = Router(tags=["Evaluation"])

Number = Annotated[RowId, Path()]
Change = Callable[[GoldenPair, Actor, str, int], PairVersion]


@pairs_router.get("", summary="The golden set", response={200: PairsOut, **errors(404)})
def pairs(
    request: HttpRequest,
    set: Annotated[Text | None, QueryParam(None, description="Only this set.")] = None,  # noqa: A002 - its name
    kind: PairKind | None = None,
    state: PairState = PairState.ACTIVE,
    q: Annotated[ShortText | None, QueryParam(None, description="Words that each stand in name or query.")] = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List pairs, newest first. `rebaseline`: those in use whose ground has moved."""
    filters = PairFilter(state, reading.set_named(set).name if set else "", kind or "", q or "")
    page = Paging(f"pairs {state}", cursor, limit).newest_first(reading.pairs(filters))
    moved = reading.moved_under(page["items"])
    return {"pairs": [reading.pair_document(row, moved[row.pk]) for row in page["items"]], "next": page["next"]}


@pairs_router.post("", summary="Promote a pair", response={201: PairOut, **errors(400, 404, 409)})
def promote_pair(request: HttpRequest, asked: PairIn) -> Status[dict[str, Any]]:
    """Make a pair: of a combination or a cause, read off its last good answer, or of your own."""
    draft = _draft(asked)
    content = asked.content or (draft.content if draft else None)
    if content is None:
        raise RefusedError("content: needed where neither combination nor cause is named")
    ground = draft.ground if draft else ground_of(target_named(asked.target))
    if draft is not None and content.query != draft.content.query:
        ground = replace(ground_of(ground.target), combination=ground.combination, cause=ground.cause)
    golden_set = reading.set_named(asked.set) if asked.set else default_set()
    row = saving.promote(golden_set, asked.name, content, ground, actor_of(request), asked.why)
    return Status(201, _answer(row.pk))


@pairs_router.get("/{int:pair_id}", summary="One pair", response={200: PairWithVersions, **errors(404)})
def pair(request: HttpRequest, pair_id: Number) -> dict[str, Any]:
    """Get a pair, archived or not, with all its versions."""
    versions = reading.versions_of(reading.pair_numbered(pair_id)).select_related("target")
    return {**_answer(pair_id), "versions": [reading.version_document(version) for version in versions]}


@pairs_router.post("/{int:pair_id}/edit", summary="Edit a pair", response={200: PairOut, **errors(400, 404, 409)})
def edit_pair(request: HttpRequest, pair_id: Number, asked: EditIn) -> dict[str, Any]:
    """Make its next version, on its target as that is now. The earlier ones are kept."""
    saving.edit(reading.pair_numbered(pair_id), asked.content, actor_of(request), asked.why, asked.seen)
    return _answer(pair_id)


@pairs_router.post(
    "/{int:pair_id}/rebaseline", summary="Rebaseline a pair", response={200: PairOut, **errors(400, 404, 409)}
)
def rebaseline_pair(request: HttpRequest, pair_id: Number, asked: SeenIn) -> dict[str, Any]:
    """Say that it expects the same of its target as that is now."""
    return _changed(request, pair_id, asked, saving.rebaseline)


@pairs_router.post("/{int:pair_id}/archive", summary="Archive a pair", response={200: PairOut, **errors(400, 404, 409)})
def archive_pair(request: HttpRequest, pair_id: Number, asked: SeenIn) -> dict[str, Any]:
    """Keep it, and ask it no more."""
    return _changed(request, pair_id, asked, saving.archive)


@pairs_router.post("/{int:pair_id}/restore", summary="Restore a pair", response={200: PairOut, **errors(400, 404, 409)})
def restore_pair(request: HttpRequest, pair_id: Number, asked: SeenIn) -> dict[str, Any]:
    """Ask it again."""
    return _changed(request, pair_id, asked, saving.restore)


@reports_router.get("", summary="Evaluation reports", response={200: ReportsOut, **errors(404)})
def reports(
    request: HttpRequest,
    set: Annotated[Text | None, QueryParam(None, description="Only this set.")] = None,  # noqa: A002 - its name
    target: Annotated[Text | None, QueryParam(None, description="Only on this target.")] = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List reports, newest first, without their pairs."""
    rows = reading.reports(reading.set_named(set) if set else None, target_named(target) if target else None)
    page = Paging("reports", cursor, limit).newest_first(rows)
    return {"reports": [reading.report_document(row) for row in page["items"]], "next": page["next"]}


@reports_router.get("/{int:report_id}", summary="One report", response={200: ReportWithResults, **errors(404)})
def report(request: HttpRequest, report_id: Number) -> dict[str, Any]:
    """Get a report with each pair: what was expected and seen, and what graders said of it."""
    found = reading.report_numbered(report_id)
    results = [
        {**reading.result_document(row), "scores": reading.scores_document(row.scores)}
        for row in reading.results_of(found)
    ]
    return {**reading.report_document(found), "results": results}


def _changed(request: HttpRequest, pair_id: int, asked: SeenIn, change: Change) -> dict[str, Any]:
    change(reading.pair_numbered(pair_id), actor_of(request), asked.why, asked.seen)
    return _answer(pair_id)


def _answer(pair_id: int) -> dict[str, Any]:
    row = reading.pair_numbered(pair_id)
    return reading.pair_document(row, reading.moved_under([row])[row.pk])


def _draft(asked: PairIn) -> Draft | None:
    if asked.combination is not None:
        combination = combination_numbered(asked.combination)
        if combination is None:
            raise UnknownError(f"there is no combination {asked.combination}")
        return promoting.draft_of_combination(combination)
    if asked.cause is not None:
        cause = cause_numbered(asked.cause)
        if cause is None:
            raise UnknownError(f"there is no cause {asked.cause}")
        return promoting.draft_of_cause(cause)
    return None
