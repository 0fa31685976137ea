"""A flagged query minimised while its finding is still reproduced."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Reduction(models.Model):
    """The search for the smallest query that still has the finding of a flagged run. Both queries are kept."""

    class State(models.TextChoices):
        """Where the search is, or how it ended."""

        PLANNED = "planned", "Planned"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        NOT_SEEN_AGAIN = "not_seen_again", "The finding was not reproduced"
        STOPPED = "stopped", "Stopped"

    OPEN_STATES = (State.PLANNED, State.RUNNING)

    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="reductions", db_index=False)
    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="+", help_text="The run whose finding is minimised."
    )
    check_name = models.CharField("check", max_length=60)
    state = models.CharField(max_length=20, choices=State.choices, default=State.PLANNED)
    askings_at_most = models.PositiveIntegerField()
    askings = models.PositiveIntegerField(default=0)
    smallest = models.JSONField(null=True, blank=True, help_text="The query's parts that are left, as asked.")
    smallest_text = models.TextField(blank=True)
    kept = models.JSONField(default=list, blank=True, help_text="Positions, from 0, of the parts that matter.")
    is_minimal = models.BooleanField(
        default=False, help_text="Nothing more can be left out; otherwise the budget ran out."
    )
    result = models.TextField(blank=True, help_text="The answer to the smallest query, cut at 256 KiB.")
    source_used = models.CharField(max_length=200, blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    owner = models.CharField(max_length=200, blank=True, help_text="The process that works on it.")
    deaths = models.PositiveSmallIntegerField(default=0, help_text="Workers that died while they worked on it.")
    created_at = models.DateTimeField()
    last_sign_at = models.DateTimeField(null=True, blank=True, help_text="When its worker last gave a sign of life.")
    finished_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, help_text="Why it ended, where that needs an explanation.")

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["combination", "-id"], name="reduction_of_combination"),
            models.Index(fields=["id"], condition=Q(state="planned"), name="reduction_planned"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["combination"], condition=Q(state__in=["planned", "running"]), name="one_open_reduction"
            )
        ]

    def __str__(self) -> str:
        return self.smallest_text or f"reduction {self.pk}"
