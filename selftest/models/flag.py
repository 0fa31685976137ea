"""A promise that a run did not keep."""

from django.db import models
from django.db.models import Q


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
    cause = models.ForeignKey(
        "Cause",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="found",
        db_index=False,
        help_text="What it is put down to; null: not assigned yet.",
    )
    is_latest = models.BooleanField(
        default=True, help_text="Of the last flagged run of its combination: what is counted of its cause."
    )
    is_placed_by_hand = models.BooleanField(default=False, help_text="A person chose the cause; it is left as it is.")

    class Meta:
        ordering = ["run", "place"]
        constraints = [models.UniqueConstraint(fields=["run", "check_name"], name="flag_once_per_check")]
        indexes = [
            models.Index(fields=["combination", "-id"], name="flag_of_combination"),
            models.Index(fields=["cause", "-id"], condition=Q(cause__isnull=False), name="flag_of_cause"),
            # What is counted of causes: read without the wide rows, and in the order in which it is counted.
            models.Index(
                fields=["cause", "combination"],
                condition=Q(cause__isnull=False, is_latest=True),
                name="flag_latest_of_cause",
            ),
            # Those that may have another cause than their combination's, which is that of its first flag.
            models.Index(
                fields=["cause", "combination"],
                condition=Q(cause__isnull=False, is_latest=True, place__gt=0),
                name="flag_latest_further",
            ),
            models.Index(
                fields=["cause", "check_name"], condition=Q(cause__isnull=False), name="flag_of_cause_by_check"
            ),
        ]

    def __str__(self) -> str:
        return self.reason
