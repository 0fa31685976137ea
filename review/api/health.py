"""/health: whether testing works, and the parts it depends on. 200 as long as this process can answer."""

from typing import Any

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router
from ninja.decorators import decorate_view

from review.api.auth import KEY_OR_SESSION, OPEN_IN_SCHEMA, OpenHealth, settings_of, target_asked_for
from review.api.deadline import within_deadline
from review.api.schemas import HealthOut, errors
from review.api.values import DefaultTarget
from selftest.operating.health import TestingHealth, TestingStatus, default_health, testing_health
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
@decorate_view(within_deadline)
def health(request: HttpRequest, target: DefaultTarget = None) -> dict[str, Any]:
    """Status of testing, database and worker, and what waits for a worker.

    `degraded`: testing is stale, the database or worker is unavailable, or something requested has not started within
    a minute. The figures are for one target.
    """
    testing = _testing(request, target)
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


def _testing(request: HttpRequest, target: str | None) -> TestingHealth | None:
    """None: the database is unavailable."""
    try:
        if target is None:
            return default_health(timezone.now(), settings_of(request))
        return testing_health(timezone.now(), target_asked_for(request, target))
    except AnyDatabaseError:
        return None


def _figures(testing: TestingHealth | None) -> TestingHealth | dict[str, Any]:
    """Only the status where testing is switched off. Without a database: stale, unless the environment says off."""
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
    return worker == "ok" or testing.status is TestingStatus.DISABLED  # while switched off, no worker is needed
