"""When the next cycle is due, and since when cycles are."""

from datetime import datetime

from django.db.models import Count
from django_q.models import Schedule

from selftest.models import Cycle, Tuning
from selftest.reading.tuning import settings_in_force

SCHEDULE_NAME = "adversarial test cycle"


def schedule() -> Schedule | None:
    """When the next cycle is due and how often; None where testing is switched off or never was set up."""
    return Schedule.objects.filter(name=SCHEDULE_NAME).first()


def scheduled_since() -> datetime | None:
    """Since when the settings have testing on at the interval in force; None where they never had anything else."""
    interval = settings_in_force().interval_minutes
    others = Tuning.history.exclude(enabled=True, interval_minutes=interval)
    if (last_other := others.order_by("-history_id").first()) is None:
        return None
    since = Tuning.history.filter(history_id__gt=last_other.history_id).order_by("history_id").first()
    return None if since is None else since.history_date


def failed_cycles(since: datetime) -> int:
    """How many of the schedule were requested since then and ended without finishing: of the target with the most."""
    ended_early = (Cycle.State.INTERRUPTED, Cycle.State.TARGET_UNAVAILABLE)
    failed = Cycle.objects.filter(trigger=Cycle.Trigger.SCHEDULE, state__in=ended_early, created_at__gt=since)
    return max(
        failed.order_by().values("target").annotate(count=Count("pk")).values_list("count", flat=True), default=0
    )
