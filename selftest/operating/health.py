"""What /health reports about the testing itself: running, late, switched off, or never started."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from selftest.models import ANY_CHECK, Cycle, Installation, RecipeTally, Target, Tuning
from selftest.reading.queue import QueueRevision, queue_revision, review_count
from selftest.reading.tuning import settings_in_force

_CYCLES = Cycle.objects.filter(target=OuterRef("pk")).order_by("-id")
_OUTAGES = _CYCLES.filter(state=Cycle.State.TARGET_UNAVAILABLE)
# Put together once: for every page and every call of /health that would take as long as to ask.
_FINISHED: QuerySet[Any] = Target.objects.order_by().values(
    "pk",
    "name",
    "enabled",
    "is_default",
    # The newest by number: by time, one from a clock that was ahead would hide those after it.
    finished_at=Subquery(_CYCLES.filter(state=Cycle.State.FINISHED).values("finished_at")[:1]),
    first_requested=Subquery(_CYCLES.order_by("id").values("created_at")[:1]),
)
_FINISHED_AND_AWAY = _FINISHED.annotate(
    outage=Subquery(_OUTAGES.values("pk")[:1]),
    away_at=Subquery(_OUTAGES.values("finished_at")[:1]),
    queue_changes=Subquery(Installation.objects.values("queue_changes")[:1]),
)
_History = Sequence[Mapping[str, Any]]  # rows of these, one for each target

CLOCK_TOLERANCE_MINUTES = 1  # by which another machine's clock may be ahead


class TestingStatus(StrEnum):
    """The values of `status` in `adversarial_testing`."""

    OK = "ok"
    STALE = "stale"
    NEVER_RAN = "never_ran"
    DISABLED = "disabled"  # switched off on purpose must not look like a job that silently stopped


@dataclass(frozen=True)
class TargetNow:
    """One target that is switched on, judged by itself. last_run: when its last cycle finished, `minutes` ago.

    first_requested: when its first cycle was.
    """

    pk: int
    name: str
    status: TestingStatus
    last_run: datetime | None
    minutes: int | None
    first_requested: datetime | None


@dataclass(frozen=True)
class TestingHealth:
    """The figures of `adversarial_testing`. Minutes are rounded down. targets: those switched on, by name."""

    status: TestingStatus
    last_run: datetime | None
    minutes_since_last_run: int | None
    total_combinations_tried: int
    flagged_for_review: int
    last_outage: datetime | None
    targets: tuple[TargetNow, ...]


class DefaultTarget(NamedTuple):
    """The one that is asked where no other is named."""

    name: str
    enabled: bool


@dataclass(frozen=True)
class TestingNow:
    """Of all targets together. last_run: when the last cycle finished, `minutes` ago. default: None where none is.

    targets: each that is switched on, by name.
    """

    status: TestingStatus
    last_run: datetime | None
    minutes: int | None
    default: DefaultTarget | None
    targets: tuple[TargetNow, ...]


def testing_health(now: datetime, target: Target | None = None, revision: QueueRevision | None = None) -> TestingHealth:  # noqa: PT028 - not a test
    """Of `target`, or of all of them together. Stale: the last cycle is older than the interval times the grace.

    Stale too where it seems to be in the future: the clock was ahead, so it says nothing of now. The next one does.
    revision: of the queue, where it is known already.
    """
    history = list(_FINISHED_AND_AWAY.all() if target is None else _FINISHED_AND_AWAY.filter(pk=target.pk))
    return _testing_health(now, history, None if target is None else target.pk, settings_in_force(), revision)


def default_health(now: datetime, tuning: Tuning) -> TestingHealth:
    """Of the target that is asked where no other is named. tuning: the settings in force."""
    history = list(_FINISHED_AND_AWAY.all())
    default = _default(history)
    if default is None:
        return _testing_health(now, [], None, tuning)
    return _testing_health(now, [default], default["pk"], tuning)


def _testing_health(
    now: datetime, history: _History, target: int | None, tuning: Tuning, revision: QueueRevision | None = None
) -> TestingHealth:
    """history: of `target`, the key of one, or else of all."""
    last_run = _last_run(history, now)
    minutes = _minutes(last_run, now)
    is_target_off = target is not None and not any(row["enabled"] for row in history)
    if revision is None:
        # What is counted of one target hangs on no other one.
        revision = QueueRevision(history[0]["queue_changes"], ()) if target and history else queue_revision()
    return TestingHealth(
        status=TestingStatus.DISABLED if is_target_off else _status(minutes, tuning),
        last_run=last_run,
        minutes_since_last_run=minutes,
        total_combinations_tried=combinations_tried(target),
        flagged_for_review=review_count(target, revision),
        last_outage=max(history, key=lambda row: row["outage"] or 0)["away_at"] if history else None,
        targets=_targets(history, now, tuning),
    )


def testing_now(now: datetime) -> TestingNow:
    """In two queries."""
    history = list(_FINISHED.all())
    last_run = _last_run(history, now)
    minutes = _minutes(last_run, now)
    tuning = settings_in_force()
    default = _default(history)
    return TestingNow(
        _status(minutes, tuning),
        last_run,
        minutes,
        None if default is None else DefaultTarget(default["name"], default["enabled"]),
        _targets(history, now, tuning),
    )


def is_late(testing: TestingHealth | TestingNow) -> bool:
    """Whether cycles no longer finish; where no target is on, none has to."""
    return testing.status is TestingStatus.STALE and bool(testing.targets)


def first_requested(targets: Sequence[TargetNow]) -> datetime | None:
    """When the first cycle of any of them was requested; None before that."""
    return min((target.first_requested for target in targets if target.first_requested), default=None)


def grace_minutes(tuning: Tuning) -> float:
    """How long ago the last cycle may have finished before it is stale."""
    return float(tuning.interval_minutes * settings.SNAPSHOT_STALE_GRACE_MULTIPLIER)


def combinations_tried(target: int | None = None) -> int:
    """Of the target of this key, or of all: summed over recipes and days, which are few, and not over combinations."""
    of_target = Q() if target is None else Q(target=target)
    tallies = RecipeTally.objects.filter(of_target, check_name=ANY_CHECK)
    return tallies.aggregate(total=Sum("novel"))["total"] or 0


def _default(history: _History) -> Mapping[str, Any] | None:
    return min(history, key=lambda row: (not row["is_default"], row["pk"]), default=None)


def _last_run(history: _History, now: datetime) -> datetime | None:
    """When the last cycle that asked its whole batch finished; in the future only where every target's seems to be."""
    ends: list[datetime] = [row["finished_at"] for row in history if row["finished_at"]]
    latest = now + timedelta(minutes=CLOCK_TOLERANCE_MINUTES)
    return max([end for end in ends if end <= latest] or ends, default=None)


def _minutes(last_run: datetime | None, now: datetime) -> int | None:
    return None if last_run is None else int((now - last_run).total_seconds() // 60)


def _targets(history: _History, now: datetime, tuning: Tuning) -> tuple[TargetNow, ...]:
    found = []
    for row in sorted(history, key=lambda row: row["name"]):
        if row["enabled"]:
            minutes = _minutes(row["finished_at"], now)
            status, times = _status(minutes, tuning), (row["finished_at"], minutes, row["first_requested"])
            found.append(TargetNow(row["pk"], row["name"], status, *times))
    return tuple(found)


def _status(minutes_since_last_run: int | None, tuning: Tuning) -> TestingStatus:
    if not (settings.ADVERSARIAL_TEST_ENABLED and tuning.enabled):
        return TestingStatus.DISABLED
    if minutes_since_last_run is None:
        return TestingStatus.NEVER_RAN
    is_recent = -CLOCK_TOLERANCE_MINUTES <= minutes_since_last_run <= grace_minutes(tuning)
    return TestingStatus.OK if is_recent else TestingStatus.STALE
