"""When the next cycle is due."""

from django_q.models import Schedule

SCHEDULE_NAME = "adversarial test cycle"


def schedule() -> Schedule | None:
    """When the next cycle is due and how often; None where testing is switched off or never was set up."""
    return Schedule.objects.filter(name=SCHEDULE_NAME).first()
