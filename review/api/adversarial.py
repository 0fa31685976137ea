"""/adversarial/…: the endpoints of the specification, kept exactly so that existing scripts keep working."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from ninja.responses import Status

from review.api.auth import KEY_OR_SESSION, OPEN_IN_SCHEMA, OpenReading, actor_of, is_recognised, target_asked_for
from review.api.errors import ApiError
from review.api.pagination import DEFAULT_LIMIT, Limit
from review.api.schemas import DismissedOut, FlaggedOut, QueuedOut, TriggerOut, UndismissedOut, errors
from review.api.values import DefaultTarget, QueryOrBody, RowId, ShortText, Text
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.cycles.triggering import trigger_later
from selftest.evaluation.grading import try_to_grade
from selftest.models import Cycle
from selftest.reading import queue
from selftest.reading.combination import combination_of
from selftest.reading.concealing import conceal_answers
from selftest.reading.targets import target_named, target_or_none
from selftest.reading.tuning import is_enabled
from selftest.reviewing import dismissal

router = Router(tags=["Queue and cycle"])

Fingerprint = Annotated[Text, QueryOrBody(..., description="The `fingerprint` of a flagged row, unchanged.")]
TargetName = Annotated[Text | None, QueryOrBody(None, description="Target name. Default: the default target.")]
SeenRun = Annotated[
    RowId | None,
    QueryOrBody(None, description="The `last_run_id` of the row you saw. Refused if it was flagged again since."),
]
Note = Annotated[ShortText | None, QueryOrBody(None, description="Reason. Shown in the activity of the combination.")]


@router.post(
    "/trigger",
    summary="Run a cycle",
    response={200: TriggerOut, 202: QueuedOut, **errors(403, 404, 409, 503)},
    exclude_unset=True,
)
def trigger(request: HttpRequest, target: TargetName = None, wait: bool = True) -> Status[dict[str, Any]]:
    """Run one cycle and wait for it to end. With `wait=false`, queue it for the worker and return at once."""
    found = target_or_none(target)
    if not is_enabled(found):
        return _ended("disabled")
    if found is None:
        found = target_named(None)  # says what to do where there is none
    cycle_request = CycleRequest(found, Cycle.Trigger.API)
    return _run_now(cycle_request) if wait else _queue(cycle_request)


def _queue(cycle_request: CycleRequest) -> Status[dict[str, Any]]:
    cycle = trigger_later(cycle_request)
    if cycle is None:
        return _ended("disabled")
    return Status(202, {"status": "queued", "cycle": str(cycle.pk)})


def _run_now(cycle_request: CycleRequest) -> Status[dict[str, Any]]:
    outcome = run_cycle(cycle_request)
    if outcome.cycle is not None:
        try_to_grade(outcome.cycle)
    match outcome.status.value:
        case "busy":
            raise ApiError(409, "busy", f"{outcome.note}; try again when it is over, or queue one with wait=false")
        case "interrupted":
            raise ApiError(503, "interrupted", outcome.note)
        case "target_unavailable":
            return _ended("target_unavailable", outcome.queries_run, outcome.flagged, note=outcome.note)
        case ended:
            return _ended(ended, outcome.queries_run, outcome.flagged)


def _ended(status: str, queries_run: int = 0, flagged: int = 0, **more: str) -> Status[dict[str, Any]]:
    return Status(200, {"status": status, "queries_run": queries_run, "flagged": flagged, **more})


@router.get(
    "/flagged",
    auth=[OpenReading(), *KEY_OR_SESSION],
    summary="The queue",
    response={200: FlaggedOut, **errors(404)},
    exclude_unset=True,
    openapi_extra=OPEN_IN_SCHEMA,
)
def flagged(
    request: HttpRequest, limit: Limit = DEFAULT_LIMIT, include_dismissed: bool = False, target: DefaultTarget = None
) -> dict[str, Any]:
    """Combinations that need review, most recent run first. With `include_dismissed=true`, also dismissed ones.

    Answers may contain private data: without a valid key or session, excerpts are empty, and a reason that would quote
    an answer says only what its check looks for.
    """
    found = target_asked_for(request, target)
    if not is_enabled(found):
        return {"status": "disabled", "count": 0, "flagged": []}
    rows = list(queue.flagged(include_dismissed, found)[:limit])
    if not is_recognised(request):
        conceal_answers(rows)
    return {"count": len(rows), "flagged": rows}


@router.post("/dismiss", summary="Dismiss a combination", response={200: DismissedOut, **errors(403, 404, 409)})
def dismiss(
    request: HttpRequest,
    fingerprint: Fingerprint,
    seen_run: SeenRun = None,
    target: TargetName = None,
    note: Note = None,
) -> dict[str, Any]:
    """Dismiss a flagged combination. It returns to the queue when it is flagged again. Nothing is deleted."""
    combination = combination_of(fingerprint, target_named(target))
    dismissal.dismiss(combination, actor_of(request), note or "", seen_run)
    return {"status": "dismissed", "fingerprint": fingerprint}


@router.post("/undismiss", summary="Restore a combination", response={200: UndismissedOut, **errors(403, 404, 409)})
def undismiss(
    request: HttpRequest, fingerprint: Fingerprint, target: TargetName = None, note: Note = None
) -> dict[str, Any]:
    """Return a dismissed combination to the queue."""
    combination = combination_of(fingerprint, target_named(target))
    dismissal.undismiss(combination, actor_of(request), note or "")
    return {"status": "undismissed", "fingerprint": fingerprint}
