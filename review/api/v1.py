"""/api/v1/…: combinations, runs, findings and cycles, and bulk review."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from django.conf import settings
from django.http import Http404, HttpRequest
from ninja import Path, Router
from ninja.params.models import Query as QueryParam
from ninja.responses import Status

from review.api.auth import actor_of
from review.api.errors import api_error
from review.api.pagination import DEFAULT_LIMIT, Cursor, Limit, Paging
from review.api.schemas import (
    CombinationOut,
    CombinationRow,
    CoverageOut,
    CycleOut,
    CycleRow,
    DismissIn,
    ExplainedOut,
    FlagRow,
    Page,
    ReductionOut,
    ReductionQueuedOut,
    ReviewIn,
    ReviewItem,
    ReviewOut,
    RunOut,
    RunRow,
    TargetOut,
    TuningOut,
    UndismissIn,
    errors,
)
from review.api.values import CycleState, DefaultTarget, RecipeName, RowId, RunState, ShortText, Text
from selftest.core.judging.findings import CheckName
from selftest.evaluation.reading import scores_document, scores_of
from selftest.models import Combination, Cycle, Run, Target
from selftest.reading import coverage as coverage_reading
from selftest.reading import cycles as cycles_reading
from selftest.reading import explained as explained_reading
from selftest.reading import listings
from selftest.reading.combination import combination_numbered, combination_of, story_of
from selftest.reading.listings import CombinationFilter, CombinationState
from selftest.reading.queue import findings_of
from selftest.reading.run import run_numbered
from selftest.reading.smallest_queries import reductions_of
from selftest.reading.targets import target_named
from selftest.reading.tuning import settings_in_force
from selftest.refusals import RefusedError
from selftest.reviewing.dismissal import change_verdict, judge_combination, restore_former_verdict, undismiss
from selftest.reviewing.judgement import Judgement, verdict_of
from selftest.reviewing.smallest_query_request import minimise

router = Router(tags=["Records"])

Number = Annotated[RowId, Path()]
OfTarget = Annotated[Text | None, QueryParam(None, description="Only this target. Default: all targets.")]


def _filter_target(name: str | None) -> Target | None:
    return None if name is None else target_named(name)


@router.get("/targets", summary="Targets", response={200: Page[TargetOut], **errors()})
def targets(request: HttpRequest, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT) -> dict[str, Any]:
    """List the routers under test. Their API keys are never returned."""
    return Paging("targets", cursor, limit).rising(listings.targets())


@router.get("/combinations", summary="Combinations", response={200: Page[CombinationRow], **errors(404)})
def combinations(
    request: HttpRequest,
    target: OfTarget = None,
    recipe: RecipeName | None = None,
    check: CheckName | None = None,
    state: CombinationState | None = None,
    text: ShortText | None = None,
    fingerprint: Text | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List combinations, newest first.

    `check`: any of its runs ever broke it. `text`: contained in its last query.
    """
    filters = CombinationFilter(_filter_target(target), recipe, check, state, text, fingerprint)
    return Paging("combinations", cursor, limit).newest_first(listings.combinations(filters))


@router.get(
    "/combinations/{int:combination_id}",
    summary="One combination with its activity",
    response={200: CombinationOut, **errors(404)},
)
def combination(
    request: HttpRequest, combination_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> Combination:
    """Get a combination with its activity. `cursor` and `limit` apply to the activity."""
    found = _combination(combination_id)
    paging = Paging("story", cursor, limit)
    found.story = paging.newest_first(story_of(found))  # type: ignore[attr-defined]  # read by CombinationOut
    return found


@router.post(
    "/combinations/{int:combination_id}/reduce",
    summary="Find the smallest query",
    response={200: ReductionQueuedOut, 202: ReductionQueuedOut, **errors(404, 409, 503)},
    exclude_unset=True,
)
def reduce(request: HttpRequest, combination_id: Number) -> Status[dict[str, Any]]:
    """Queue a search for the smallest query that still shows the last flag."""
    planned = minimise(_combination(combination_id), actor_of(request))
    if planned is None:
        return Status(200, {"status": "disabled"})
    return Status(202, {"status": "queued", "reduction": planned.pk})


@router.get(
    "/combinations/{int:combination_id}/reductions",
    summary="Searches for the smallest query",
    response={200: Page[ReductionOut], **errors(404)},
)
def reductions(
    request: HttpRequest, combination_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> dict[str, Any]:
    """List the searches for the smallest query of a combination, newest first."""
    rows = reductions_of(_combination(combination_id))
    return Paging(f"reductions {combination_id}", cursor, limit).newest_first(rows)


def _combination(combination_id: int) -> Combination:
    found = combination_numbered(combination_id)
    if found is None:
        raise Http404(f"there is no combination {combination_id}")
    return found


@router.get("/runs", summary="Runs", response={200: Page[RunRow], **errors(404)})
def runs(
    request: HttpRequest,
    target: OfTarget = None,
    cycle: RowId | None = None,
    combination: RowId | None = None,
    state: RunState | None = None,
    flagged: bool | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List all runs, newest first, without their answers."""
    filters: dict[str, Any] = {"cycle": cycle, "combination": combination}
    filters |= {"reason__isnull": None if flagged is None else not flagged}
    rows = listings.runs(_filter_target(target), state).filter(**_given(filters))
    return Paging("runs", cursor, limit).newest_first(rows)


@router.get("/runs/{int:run_id}", summary="One run with its answer", response={200: RunOut, **errors(404)})
def run(request: HttpRequest, run_id: Number) -> Run:
    """Get a run with its raw answer and all findings."""
    found = run_numbered(run_id)
    if found is None:
        raise Http404(f"there is no run {run_id}")
    found.findings = findings_of([run_id]).get(run_id, [])  # type: ignore[attr-defined]  # read by RunOut
    graded = scores_of([run_id]).get(run_id, [])
    found.graded = scores_document(map(vars, graded))  # type: ignore[attr-defined]  # as above
    found.flagged_by_graders = any(score.is_below for score in graded)  # type: ignore[attr-defined]  # as above
    return found


@router.get("/flags", summary="Broken promises", response={200: Page[FlagRow], **errors(404)})
def flags(
    request: HttpRequest,
    target: OfTarget = None,
    check: CheckName | None = None,
    combination: RowId | None = None,
    run: RowId | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List all broken promises, newest first, with their evidence."""
    filters: dict[str, Any] = {"check_name": check, "combination": combination, "run": run}
    rows = listings.flags(_filter_target(target)).filter(**_given(filters))
    return Paging("flags", cursor, limit).newest_first(rows)


@router.get("/explained", summary="Explained findings", response={200: Page[ExplainedOut], **errors(404)})
def explained(
    request: HttpRequest,
    target: OfTarget = None,
    source: ShortText | None = None,
    check: CheckName | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List all findings with a harmless explanation, newest first, with their evidence. None is flagged."""
    rows = explained_reading.explained(_filter_target(target), source or "", check)
    return Paging("explained", cursor, limit).newest_first(rows)


@router.get("/cycles", summary="Cycles", response={200: Page[CycleRow], **errors(404)})
def cycles(
    request: HttpRequest,
    target: OfTarget = None,
    state: CycleState | None = None,
    cursor: Cursor = None,
    limit: Limit = DEFAULT_LIMIT,
) -> dict[str, Any]:
    """List all cycles, newest first."""
    filters: dict[str, Any] = {"target": _filter_target(target), "state": state}
    rows = cycles_reading.cycles().select_related("vocabulary").filter(**_given(filters))
    return Paging("cycles", cursor, limit).newest_first(rows)


@router.get("/cycles/{int:cycle_id}", summary="One cycle with its runs", response={200: CycleOut, **errors(404)})
def cycle(request: HttpRequest, cycle_id: Number, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT) -> Cycle:
    """Get a cycle with its runs. `cursor` and `limit` apply to the runs."""
    found = cycles_reading.cycles().select_related("vocabulary").filter(pk=cycle_id).first()
    if found is None:
        raise Http404(f"there is no cycle {cycle_id}")
    paging = Paging(f"cycle {cycle_id}", cursor, limit)
    found.page = paging.rising(listings.runs().filter(cycle=found), "place")  # type: ignore[attr-defined]  # as above
    return found


@router.get("/coverage", summary="Coverage of each recipe", response={200: CoverageOut, **errors(404)})
def coverage(request: HttpRequest, target: DefaultTarget = None) -> dict[str, Any]:
    """How many of each recipe's possible combinations were tried, for one target and its vocabulary in force."""
    found = target_named(target)
    return {"target": found.name, "recipes": coverage_reading.coverage(found)}


@router.get("/tuning", summary="The settings in force", response={200: TuningOut, **errors()})
def tuning(request: HttpRequest) -> Any:
    """Get the settings in force. Change them in the admin."""
    found: Any = settings_in_force()
    found.enabled_by_environment = settings.ADVERSARIAL_TEST_ENABLED
    found.stale_grace_multiplier = settings.SNAPSHOT_STALE_GRACE_MULTIPLIER
    return found


@router.post("/review/dismiss", summary="Dismiss combinations", response={200: ReviewOut, **errors(400, 403, 404)})
def dismiss_all(request: HttpRequest, asked: DismissIn) -> dict[str, Any]:
    """Dismiss every item that can be dismissed, with one verdict for all or none, and return a result for each.

    An item that is dismissed with another verdict gets this one instead, if `verdict` is in the request.
    """
    actor, names_verdict = actor_of(request), "verdict" in asked.model_fields_set
    judgement = Judgement(asked.verdict, asked.reason or asked.note or "", asked.link)
    if asked.until is not None:
        date, version = asked.until.date, asked.until.target_version or ""
        judgement = replace(judgement, until_date=date, until_version=version)

    def act(row: Combination, item: ReviewItem) -> None:
        if names_verdict and row.review_status is not None:
            if verdict_of(row) != judgement.verdict:
                change_verdict(row, judgement, actor, item.seen_verdict or verdict_of(row))
        else:
            judge_combination(row, judgement, actor, item.seen_run)

    return _each(asked, "dismissed", act)


@router.post("/review/undismiss", summary="Restore combinations", response={200: ReviewOut, **errors(400, 403, 404)})
def undismiss_all(request: HttpRequest, asked: UndismissIn) -> dict[str, Any]:
    """Return every dismissed item to the queue, with a result for each. What was seen of an item is ignored.

    With `former_verdict`, items stay dismissed, and the last change of their verdict is undone.
    """
    actor, note = actor_of(request), asked.note or ""

    def act(row: Combination, item: ReviewItem) -> None:
        if asked.former_verdict:
            restore_former_verdict(row, actor)
        else:
            undismiss(row, actor, note)

    return _each(asked, "undismissed", act)


def _each(asked: ReviewIn, done: str, act: Callable[[Combination, ReviewItem], None]) -> dict[str, Any]:
    target = target_named(asked.target)
    results: list[dict[str, Any]] = []
    for item in asked.items:
        result: dict[str, Any] = {"fingerprint": item.fingerprint, "status": done, "error": None}
        try:
            act(combination_of(item.fingerprint, target), item)
        except RefusedError as error:
            result |= {"status": "failed", "error": api_error(error).body}
        results.append(result)
    failed = sum(result["error"] is not None for result in results)
    return {"done": len(results) - failed, "failed": failed, "results": results}


def _given(filters: dict[str, Any]) -> dict[str, Any]:
    return {column: value for column, value in filters.items() if value is not None}
