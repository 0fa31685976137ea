"""The row of django-q2 that starts the check for drift. While nothing is asked, the check finds nothing to read."""

from django.utils import timezone
from django_q.models import Schedule

SCHEDULE_NAME = "check for drift"
SCHEDULED_TASK = "selftest.tasks.check_drift"


def schedule_drift() -> None:
    """Makes the row where it is missing. One that is there keeps its time."""
    columns = {"func": SCHEDULED_TASK, "schedule_type": Schedule.HOURLY, "repeats": -1}
    if not Schedule.objects.filter(name=SCHEDULE_NAME).update(**columns):
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=timezone.now(), **columns)
