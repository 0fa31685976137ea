"""From which score on an answer is good enough, as a person has set it."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

NAME_CHARACTERS = 60


class Threshold(models.Model):
    """One grader's threshold: a score below it is said to be low. Advice alone. Who, when and why are kept for ever."""

    grader = models.CharField(max_length=NAME_CHARACTERS, unique=True)
    value = models.FloatField(
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="A number from 0 to 1. A score below it is shown as low; nothing else follows from it.",
    )
    why = models.CharField(max_length=500, help_text="Why this value: what was measured, or what went wrong.")

    history = HistoricalRecords()

    class Meta:
        ordering = ["grader"]
        constraints = [
            models.CheckConstraint(condition=models.Q(value__range=(0, 1)), name="threshold_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.grader}: {self.value:g}"


def thresholds() -> dict[str, float]:
    """Name of a grader → its threshold. A grader that is not in it has none."""
    return dict(Threshold.objects.values_list("grader", "value"))
