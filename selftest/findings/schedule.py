"""The rows of django-q2 that start the sweep and the checks of examples: there while they are on, gone while off."""

from django.utils import timezone
from django_q.models import Schedule

from selftest.findings.models import FindingSettings
from selftest.models import Actor

SWEEP = "sweep of findings"
EXAMPLES = "checks of examples"
TASKS = {SWEEP: "selftest.tasks.sweep_findings", EXAMPLES: "selftest.tasks.scheduled_example_checks"}
# An example is asked once a day; whether its target has another version is looked at every hour.
HOW_OFTEN = {SWEEP: Schedule.DAILY, EXAMPLES: Schedule.HOURLY}


def follow_settings() -> None:
    """Makes the schedules agree with the settings. A row that is there keeps its time."""
    settings = FindingSettings.get_solo()
    _follow(SWEEP, settings.sweeps)
    _follow(EXAMPLES, settings.example_requests > 0)


def _follow(name: str, is_on: bool) -> None:
    rows = Schedule.objects.filter(name=name)
    if not is_on:
        rows.delete()
        return
    columns = {"func": TASKS[name], "schedule_type": HOW_OFTEN[name], "repeats": -1}
    if not rows.update(**columns):
        Schedule.objects.create(name=name, next_run=timezone.now(), **columns)


def put_in_force(settings: FindingSettings, actor: Actor) -> None:
    """Saves these settings and updates the schedules; the history names `actor`."""
    settings._history_user = actor.user  # read by the history
    settings.save()
    follow_settings()
