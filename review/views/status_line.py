"""How the testing itself is doing, for the pages that say so in a line."""

from datetime import datetime

from django.utils import timezone

from review.contexts.status_line import StatusLine, status_line
from selftest.models import Target
from selftest.operating.health import TestingStatus, testing_status
from selftest.reading import worker
from selftest.reading.cycles import newest_cycles, progress_of
from selftest.reading.schedule import schedule
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError


def current_status() -> StatusLine:
    """As of this moment."""
    now = timezone.now()
    status, last_run, _ = testing_status(now)
    due = schedule()
    newest = list(newest_cycles())
    return status_line(
        is_disabled=status is TestingStatus.DISABLED,
        is_stale=status is TestingStatus.STALE,
        last_run=last_run,
        target=_default_target(),
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


def _default_target() -> Target | None:
    try:
        return target_named(None)
    except UnknownError:
        return None
