"""What /health reports about the testing itself: running, late, switched off, or never started."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.conf import settings

from selftest.models import Target
from selftest.reading.health import health_figures
from selftest.reading.queue import QueueRevision
from selftest.reading.status import is_enabled, tuning


class TestingStatus(StrEnum):
    """The values of `status` in `adversarial_testing`."""

    OK = "ok"
    STALE = "stale"
    NEVER_RAN = "never_ran"
    DISABLED = "disabled"  # switched off on purpose must not look like a job that silently stopped


@dataclass(frozen=True)
class TestingHealth:
    """The figures of `adversarial_testing`. Minutes are rounded down."""

    status: TestingStatus
    last_run: datetime | None
    minutes_since_last_run: int | None
    total_combinations_tried: int
    flagged_for_review: int
    last_outage: datetime | None


def testing_health(now: datetime, target: Target | None = None, revision: QueueRevision | None = None) -> TestingHealth:  # noqa: PT028 - not a test
    """Of `target`, or of all of them together. Stale: the last cycle is older than the interval times the grace.

    revision: of the queue, where it is known already.
    """
    figures = health_figures(target, revision)
    minutes = None if figures.last_run is None else int((now - figures.last_run).total_seconds() // 60)
    return TestingHealth(
        status=_status(minutes, target),
        last_run=figures.last_run,
        minutes_since_last_run=minutes,
        total_combinations_tried=figures.combinations_tried,
        flagged_for_review=figures.in_queue,
        last_outage=figures.last_outage.finished_at if figures.last_outage else None,
    )


def _status(minutes_since_last_run: int | None, target: Target | None) -> TestingStatus:
    if not is_enabled(target):
        return TestingStatus.DISABLED
    if minutes_since_last_run is None:
        return TestingStatus.NEVER_RAN
    grace_minutes = tuning().interval_minutes * settings.SNAPSHOT_STALE_GRACE_MULTIPLIER
    return TestingStatus.STALE if minutes_since_last_run > grace_minutes else TestingStatus.OK
