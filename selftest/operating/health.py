"""What /health reports about the testing itself: running, late, switched off, or never started."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from selftest.models import ANY_CHECK, Cycle, RecipeTally, Target
from selftest.reading.queue import QueueRevision, queue_revision, review_count
from selftest.reading.tuning import is_enabled, settings_in_force

CLOCK_TOLERANCE_MINUTES = 1  # by which another machine's clock may be ahead


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

    Stale too where it seems to be in the future: the clock was ahead, so it says nothing of now. The next one does.
    revision: of the queue, where it is known already.
    """
    of_target = Q() if target is None else Q(target=target)
    status, last_run, minutes = testing_status(now, target)
    tallies = RecipeTally.objects.filter(of_target, check_name=ANY_CHECK)
    outages = Cycle.objects.filter(of_target, state=Cycle.State.TARGET_UNAVAILABLE)
    last_outage = outages.order_by("-id").first()
    return TestingHealth(
        status=status,
        last_run=last_run,
        minutes_since_last_run=minutes,
        # Summed over recipes and days, which are few, instead of counted over combinations, which are many.
        total_combinations_tried=tallies.aggregate(total=Sum("novel"))["total"] or 0,
        flagged_for_review=review_count(target, revision or queue_revision()),
        last_outage=last_outage.finished_at if last_outage else None,
    )


def testing_status(now: datetime, target: Target | None = None) -> tuple[TestingStatus, datetime | None, int | None]:  # noqa: PT028 - not a test
    """The status of `target`, or of all of them together; when the last cycle finished, and how many minutes ago."""
    last_run = _last_run(Target.objects.all() if target is None else Target.objects.filter(pk=target.pk), now)
    minutes = None if last_run is None else int((now - last_run).total_seconds() // 60)
    return _status(minutes, target), last_run, minutes


def _last_run(targets: QuerySet[Target], now: datetime) -> datetime | None:
    """When the last cycle that asked its whole batch finished; in the future only where every target's seems to be.

    Of each target the newest by number: by time, one from a clock that was ahead would hide those after it.
    """
    finished = Cycle.objects.filter(target=OuterRef("pk"), state=Cycle.State.FINISHED).order_by("-id")
    newest = targets.order_by().annotate(last_run=Subquery(finished.values("finished_at")[:1]))
    of_each = newest.exclude(last_run=None).values_list("last_run", flat=True)
    ends: list[datetime] = list(of_each)
    latest = now + timedelta(minutes=CLOCK_TOLERANCE_MINUTES)
    return max([end for end in ends if end <= latest] or ends, default=None)


def _status(minutes_since_last_run: int | None, target: Target | None) -> TestingStatus:
    if not is_enabled(target):
        return TestingStatus.DISABLED
    if minutes_since_last_run is None:
        return TestingStatus.NEVER_RAN
    grace_minutes = settings_in_force().interval_minutes * settings.SNAPSHOT_STALE_GRACE_MULTIPLIER
    is_recent = -CLOCK_TOLERANCE_MINUTES <= minutes_since_last_run <= grace_minutes
    return TestingStatus.OK if is_recent else TestingStatus.STALE
