"""When golden sets are asked, and whether runs are graded."""

from django.db import models
from simple_history.models import HistoricalRecords
from solo.models import SingletonModel


class EvaluationSettings(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """What an admin may set. Every change is kept with who made it and when."""

    class Every(models.TextChoices):
        """How often golden sets are asked by themselves."""

        NEVER = "never", "Never"
        DAY = "day", "Every day"
        WEEK = "week", "Every week"

    asks_every = models.CharField(
        "ask golden sets",
        max_length=10,
        choices=Every.choices,
        default=Every.NEVER,
        help_text="Each set of the default target, with a report. Off at first: it sends requests of its own.",
    )
    grades_runs = models.BooleanField(
        "grade runs", default=True, help_text="Scores beside each run of a cycle. They advise and flag nothing."
    )

    history = HistoricalRecords()

    class Meta:
        verbose_name = "settings of evaluation"
        verbose_name_plural = "settings of evaluation"

    def __str__(self) -> str:
        return "Settings of evaluation"
