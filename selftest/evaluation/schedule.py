"""The rows of django-q2 that have golden sets asked and vocabularies grow: there while on, gone while off."""

from django.utils import timezone
from django_q.models import Schedule

from selftest.evaluation.models import EvaluationSettings, VocabularyGrowth
from selftest.models import Actor

SCHEDULE_NAME = "golden sets"
SCHEDULED_TASK = "selftest.tasks.ask_golden_sets"
GROWTH = "growth of vocabularies"
GROWTH_TASK = "selftest.tasks.grow_vocabularies"
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


def follow_growth() -> None:
    """Makes the schedule agree with whether any vocabulary grows. A row that is there keeps its time."""
    rows = Schedule.objects.filter(name=GROWTH)
    if not VocabularyGrowth.objects.filter(is_on=True).exists():
        rows.delete()
        return
    columns = {"func": GROWTH_TASK, "schedule_type": Schedule.WEEKLY, "repeats": -1}
    if not rows.update(**columns):
        Schedule.objects.create(name=GROWTH, next_run=timezone.now(), **columns)
