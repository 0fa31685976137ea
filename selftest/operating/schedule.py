"""The row of django-q2 that starts cycles: there while testing is on, gone while it is off."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django_q.models import Schedule

from selftest.models import Cycle, Tuning
from selftest.reading.schedule import SCHEDULE_NAME

SCHEDULED_TASK = "selftest.tasks.scheduled_cycles"


def follow_tuning() -> None:
    """Makes the schedule agree with the settings: there while testing is on, at the interval in force; else gone.

    A row of an earlier version that calls another function is repaired, and its time stays.
    """
    tuning = Tuning.get_solo()
    if not (settings.ADVERSARIAL_TEST_ENABLED and tuning.enabled):
        Schedule.objects.filter(name=SCHEDULE_NAME).delete()
        return
    columns = {
        "func": SCHEDULED_TASK,
        "schedule_type": Schedule.MINUTES,
        "minutes": tuning.interval_minutes,
        "repeats": -1,
    }
    schedule = Schedule.objects.filter(name=SCHEDULE_NAME).first()
    if schedule is None:
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=_next_run(tuning), **columns)
    elif schedule.minutes != tuning.interval_minutes:
        Schedule.objects.filter(pk=schedule.pk).update(next_run=_next_run(tuning), **columns)
    elif schedule.func != SCHEDULED_TASK:
        Schedule.objects.filter(pk=schedule.pk).update(**columns)
    correct_next_run()


def correct_next_run() -> None:
    """Brings a next run that is more than an interval away, as a clock that was ahead leaves it, back to one."""
    latest = timezone.now() + timedelta(minutes=Tuning.get_solo().interval_minutes)
    Schedule.objects.filter(name=SCHEDULE_NAME, next_run__gt=latest).update(next_run=latest)


def _next_run(tuning: Tuning) -> datetime:
    """One interval after the last cycle was requested, or now where that has passed; one interval from now at most."""
    last = Cycle.objects.order_by("-id").values_list("created_at", flat=True).first()
    now = timezone.now()
    interval = timedelta(minutes=tuning.interval_minutes)
    return now if last is None else min(max(now, last + interval), now + interval)
