"""The row of django-q2 that starts the sweep: there while it is on, gone while it is off."""

from django.utils import timezone
from django_q.models import Schedule

from selftest.findings.models import FindingSettings
from selftest.models import Actor

SCHEDULE_NAME = "sweep of findings"
SCHEDULED_TASK = "selftest.tasks.sweep_findings"


def follow_settings() -> None:
    """Makes the schedule agree with the settings. A row that is there keeps its time."""
    if not FindingSettings.get_solo().sweeps:
        Schedule.objects.filter(name=SCHEDULE_NAME).delete()
        return
    columns = {"func": SCHEDULED_TASK, "schedule_type": Schedule.DAILY, "repeats": -1}
    if not Schedule.objects.filter(name=SCHEDULE_NAME).update(**columns):
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=timezone.now(), **columns)


def put_in_force(settings: FindingSettings, actor: Actor) -> None:
    """Saves these settings and updates the schedule; the history names `actor`."""
    settings._history_user = actor.user  # read by the history
    settings.save()
    follow_settings()
