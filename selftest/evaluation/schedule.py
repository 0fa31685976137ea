"""The row of django-q2 that has golden sets asked: there while it is on, gone while it is off."""

from django.utils import timezone
from django_q.models import Schedule

from selftest.evaluation.models import EvaluationSettings
from selftest.models import Actor

SCHEDULE_NAME = "golden sets"
SCHEDULED_TASK = "selftest.tasks.ask_golden_sets"
Every = EvaluationSettings.Every
TYPES = {Every.DAY: Schedule.DAILY, Every.WEEK: Schedule.WEEKLY}


def follow_settings() -> None:
    """Makes the schedule agree with the settings. A row that is there keeps its time."""
    every = Every(EvaluationSettings.get_solo().asks_every)
    if every is Every.NEVER:
        Schedule.objects.filter(name=SCHEDULE_NAME).delete()
        return
    columns = {"func": SCHEDULED_TASK, "schedule_type": TYPES[every], "repeats": -1}
    if not Schedule.objects.filter(name=SCHEDULE_NAME).update(**columns):
        Schedule.objects.create(name=SCHEDULE_NAME, next_run=timezone.now(), **columns)


def put_in_force(settings: EvaluationSettings, actor: Actor) -> None:
    """Saves these settings and updates the schedule; the history names `actor`."""
    settings._history_user = actor.user  # read by the history
    settings.save()
    follow_settings()
