"""The schedule follows the settings: present when on, absent when off."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django_q.models import Schedule

from selftest.models import (
    Cycle,
    Tuning,
)
from selftest.reading.schedule import SCHEDULE_NAME

SCHEDULED_TASK = "selftest.tasks.scheduled_cycles"


def follow_tuning() -> None:
    """Makes the schedule say what the settings say: present when on, absent when off, at the interval in force."""
    tuning = Tuning.get_solo()
    if not (settings.ADVERSARIAL_TEST_ENABLED and tuning.enabled):
        Schedule.objects.filter(name=SCHEDULE_NAME).delete()
        return
    wanted = {
        "func": SCHEDULED_TASK,
        "schedule_type": Schedule.MINUTES,
        "minutes": tuning.interval_minutes,
        "repeats": -1,
    }
    schedule = Schedule.objects.filter(name=SCHEDULE_NAME).first()
    if schedule is None:
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=_next_run(tuning), **wanted)
    elif schedule.minutes != tuning.interval_minutes:
        Schedule.objects.filter(pk=schedule.pk).update(next_run=_next_run(tuning), **wanted)


def _next_run(tuning: Tuning) -> datetime:
    """One interval after the last cycle was called for, or now where that has passed."""
    last = Cycle.objects.order_by("-id").values_list("created_at", flat=True).first()
    now = timezone.now()
    return now if last is None else max(now, last + timedelta(minutes=tuning.interval_minutes))
