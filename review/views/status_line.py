"""How the testing itself is doing, for the pages that say so in a line."""

from datetime import datetime

from django.utils import timezone

from review.contexts.status_line import StatusLine, status_line
from selftest.models import Target
from selftest.operating.health import TestingHealth, TestingStatus, testing_health
from selftest.reading.cycles import newest_cycles, progress_of
from selftest.reading.queue import QueueRevision
from selftest.reading.schedule import schedule
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError


def current_status(revision: QueueRevision | None = None) -> tuple[StatusLine, TestingHealth]:
    """revision: of the queue, where it is known already."""
    now = timezone.now()
    health = testing_health(now, revision=revision)
    due = schedule()
    newest = list(newest_cycles())
    return (
        status_line(
            is_disabled=health.status is TestingStatus.DISABLED,
            is_stale=health.status is TestingStatus.STALE,
            last_run=health.last_run,
            combinations_tried=health.total_combinations_tried,
            target=_default_target(),
            newest_cycles=newest,
            due=(_moment(due.next_run, now), due.minutes) if due else None,
            progress=progress_of(newest),
            now=now,
        ),
        health,
    )


def _moment(next_run: datetime | None, now: datetime) -> datetime:
    return now if next_run is None else next_run


def _default_target() -> Target | None:
    try:
        return target_named(None)
    except UnknownError:
        return None
