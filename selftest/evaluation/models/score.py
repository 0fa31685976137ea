"""What graders said of runs: advice beside them, never a flag."""

from django.db import models
from django.db.models import Q


class GraderScore(models.Model):
    """What one grader said of one run."""

    run = models.ForeignKey("selftest.Run", on_delete=models.CASCADE, related_name="scores", db_index=False)
    grader = models.CharField(max_length=60)
    value = models.FloatField(null=True, help_text="Null: the grader cannot say; the reason tells why.")
    label = models.CharField(max_length=60)
    reason = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=list)
    threshold = models.FloatField(null=True, help_text="In force when it was graded.")
    is_below = models.BooleanField(default=False, help_text="The value is below that threshold.")

    class Meta:
        ordering = ["run", "grader"]
        constraints = [models.UniqueConstraint(fields=["run", "grader"], name="score_once_per_grader")]
        indexes = [models.Index(fields=["-run"], condition=Q(is_below=True), name="score_below_threshold")]

    def __str__(self) -> str:
        return f"{self.grader}: {self.value}"
