"""How the testing itself is doing, for the pages that say so in a line."""

from datetime import datetime

from django.utils import timezone

from review.contexts.status_line import StatusLine, status_line
from selftest.operating.health import TestingStatus, is_late, testing_now
from selftest.reading import worker
from selftest.reading.cycles import newest_cycles, progress_of
from selftest.reading.schedule import schedule


def current_status() -> StatusLine:
    """As of this moment."""
    now = timezone.now()
    testing = testing_now(now)
    due = schedule()
    newest = list(newest_cycles())
    return status_line(
        is_disabled=testing.status is TestingStatus.DISABLED,
        is_stale=is_late(testing),
        last_run=testing.last_run,
        has_target=testing.default is not None,
        switched_off_target="" if testing.default is None or testing.default.enabled else testing.default.name,
        newest_cycles=newest,
        due=(_moment(due.next_run, now), due.minutes) if due else None,
        progress=progress_of(newest),
        now=now,
    )


def is_worker_missing(status: StatusLine) -> bool:
    """Asked only where something waits for the worker: to read its heartbeat writes to the cache."""
    waits = status.is_overdue or (status.open_cycle is not None and not status.asked)
    return waits and worker.worker_clusters() == 0


def _moment(next_run: datetime | None, now: datetime) -> datetime:
    return now if next_run is None else next_run
