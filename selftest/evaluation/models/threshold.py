"""Below which score a person wants to be told."""

from django.db import models
from simple_history.models import HistoricalRecords


class Threshold(models.Model):
    """The least score of a grader that says nothing. Every change is kept with who made it and when."""

    grader = models.CharField(max_length=60, unique=True)
    value = models.FloatField()

    history = HistoricalRecords()

    class Meta:
        ordering = ["grader"]

    def __str__(self) -> str:
        return f"{self.grader}: {self.value:g}"
