"""How far the hourly housekeeping is, when it is due, and for how long clean answers are kept."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from selftest.models import Housekeeping, Run, Tuning
from selftest.reading.tuning import settings_in_force
from selftest.storage.database_size import database_bytes

EVERY = timedelta(hours=1)
# A worker that is at it shows so with each batch, which takes well under a second.
CLAIM = timedelta(minutes=5)


def housekeeping() -> Housekeeping:
    """The one row, as it is now; before the first time, one that is not saved."""
    return Housekeeping.objects.first() or Housekeeping()


def is_claimed(row: Housekeeping, now: datetime) -> bool:
    """Whether a worker is at it. A claim that is too long is one of a clock that was ahead, and counts no more."""
    return row.claimed_until is not None and now <= row.claimed_until <= now + CLAIM


def is_due(row: Housekeeping, now: datetime) -> bool:
    """Whether a worker should begin. An end in the future is one of a clock that was ahead, and says nothing."""
    is_recent = row.finished_at is not None and now - EVERY < row.finished_at <= now
    return not (is_recent or is_claimed(row, now))


def kept_for(tuning: Tuning | None = None) -> timedelta | None:
    """How long a clean answer is kept; None: for ever. For as long as probes are reused, at least."""
    tuning = tuning or settings_in_force()
    if not tuning.keep_answers_days:
        return None
    return max(timedelta(days=tuning.keep_answers_days), timedelta(hours=tuning.probe_hours))


@dataclass(frozen=True)
class KeptAnswers:
    """days: 0 for ever. deleted: answers, since the beginning. runs: those that are too young to be looked through."""

    days: int
    looked_through_at: datetime | None
    deleted: int
    runs: int
    database_bytes: int


def kept_answers() -> KeptAnswers:
    """How much is kept. Runs are told by their numbers, so that none is read."""
    row, keep = housekeeping(), kept_for()
    newest: int = Run.objects.order_by().aggregate(newest=Max("pk"))["newest"] or 0
    return KeptAnswers(
        days=keep.days if keep else 0,
        looked_through_at=row.finished_at,
        deleted=row.answers_deleted,
        runs=max(0, newest - row.through_run),
        database_bytes=database_bytes(),
    )
