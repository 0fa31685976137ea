"""/health: whether testing works, and what it needs. 200 for as long as this process can answer at all."""

from typing import Any

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from review.api.auth import KEY_OR_SESSION, OPEN_IN_SCHEMA, OpenHealth
from review.api.schemas import HealthOut, errors
from review.api.values import DefaultTarget
from selftest.operating.health import TestingHealth, TestingStatus, testing_health
from selftest.reading.targets import target_or_none
from selftest.reading.waiting_work import overdue
from selftest.reading.worker import worker_clusters

router = Router(tags=["Queue and cycle"])


@router.get(
    "/health",
    auth=[OpenHealth(), *KEY_OR_SESSION],
    summary="Health",
    response={200: HealthOut, **errors(404)},
    openapi_extra=OPEN_IN_SCHEMA,
)
def health(request: HttpRequest, target: DefaultTarget = None) -> dict[str, Any]:
    """Degraded: testing is stale, the database or the worker is away, or something requested is not started.

    The figures are those of one target.
    """
    testing = _testing(target)
    worker = _worker()
    late = _overdue(testing)
    return {
        "status": "ok" if _is_well(testing, worker["status"]) and not late else "degraded",
        "adversarial_testing": _figures(testing),
        "database": {"status": "unavailable" if testing is None else "ok"},
        "worker": worker,
        "waiting_too_long": late,
        "last_outage": None if testing is None else testing.last_outage,
    }


def _testing(target: str | None) -> TestingHealth | None:
    """None: the database is away."""
    try:
        return testing_health(timezone.now(), target_or_none(target))
    except AnyDatabaseError:
        return None


def _figures(testing: TestingHealth | None) -> TestingHealth | dict[str, Any]:
    """Switched off, the status alone. Without a database nothing is tested: stale, unless the environment says off."""
    is_off = testing.status is TestingStatus.DISABLED if testing else not settings.ADVERSARIAL_TEST_ENABLED
    if is_off:
        return {"status": TestingStatus.DISABLED}
    return testing or {
        "status": TestingStatus.STALE,
        "last_run": None,
        "minutes_since_last_run": None,
        "total_combinations_tried": None,
        "flagged_for_review": None,
    }


def _overdue(testing: TestingHealth | None) -> int | None:
    """None where that cannot be told; switched off, nothing is to be started."""
    if testing is None:
        return None
    if testing.status is TestingStatus.DISABLED:
        return 0
    try:
        return len(overdue(timezone.now()))
    except AnyDatabaseError:
        return None


def _worker() -> dict[str, Any]:
    clusters = worker_clusters()
    if clusters is None:
        return {"status": "unknown", "clusters": None}
    return {"status": "ok" if clusters else "missing", "clusters": clusters}


def _is_well(testing: TestingHealth | None, worker: str) -> bool:
    if testing is None or testing.status is TestingStatus.STALE:
        return False
    return worker == "ok" or testing.status is TestingStatus.DISABLED  # switched off, no worker is missed
