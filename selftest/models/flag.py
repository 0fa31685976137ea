"""A promise that a run did not keep."""

from django.db import models


class Flag(models.Model):
    """One finding of one run, with its evidence. All of a run's are kept; the one at place 0 is the run's reason."""

    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="flags", db_index=False)
    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="flags", db_index=False)
    check_name = models.CharField("check", max_length=60)
    place = models.PositiveSmallIntegerField(help_text="Its position among the run's findings, from 0.")
    reason = models.TextField()
    evidence = models.JSONField(help_text="promised, seen and where")
    asked_again = models.PositiveSmallIntegerField(
        default=0, help_text="How many times the query was asked again at once."
    )
    seen_again = models.PositiveSmallIntegerField(default=0, help_text="How many of those reproduced it.")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["run", "place"]
        constraints = [models.UniqueConstraint(fields=["run", "check_name"], name="flag_once_per_check")]
        indexes = [models.Index(fields=["combination", "-id"], name="flag_of_combination")]

    def __str__(self) -> str:
        return self.reason
