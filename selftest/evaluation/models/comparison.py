"""The same queries asked of two targets, or of one before and after."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from selftest.evaluation.core.pairs import NAME_CHARACTERS

DEFAULT_QUERIES, MOST_QUERIES = 500, 5000


class Comparison(models.Model):
    """What was asked of two targets and where their answers differ. The differences are kept, the answers are not."""

    class State(models.TextChoices):
        """Where it is, or how it ended."""

        PLANNED = "planned", "Planned"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        STOPPED = "stopped", "Stopped"

    class Queries(models.TextChoices):
        """Which queries are asked, the newest first."""

        LAST = "last", "The last queries"
        FLAGGED = "flagged", "Queries with open flags"
        SET = "set", "A golden set"

    OPEN_STATES = (State.PLANNED, State.RUNNING)

    target = models.ForeignKey(
        "selftest.Target", on_delete=models.CASCADE, related_name="comparisons", help_text="What is new about it?"
    )
    against = models.ForeignKey(
        "selftest.Target",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="Asked the same. Empty: the answers that the target itself gave before are what it is held against.",
    )
    before_version = models.CharField(
        max_length=200, blank=True, help_text="Of the target, where it is held against its own answers."
    )
    queries = models.CharField(max_length=20, choices=Queries.choices, default=Queries.LAST)
    golden_set = models.ForeignKey(
        "GoldenSet",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Whose queries are asked.",
    )
    golden_set_name = models.CharField(
        max_length=NAME_CHARACTERS, blank=True, help_text="As it was then; the set itself may be deleted."
    )
    at_most = models.PositiveIntegerField(help_text="Queries.")
    state = models.CharField(max_length=20, choices=State.choices, default=State.PLANNED)
    planned = models.PositiveIntegerField(default=0, help_text="Queries that were found to be asked.")
    compared = models.PositiveIntegerField(default=0)
    differing = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0, help_text="To both targets.")
    groups = models.JSONField(default=list, blank=True, help_text="What queries that differ have in common.")
    differences = models.JSONField(default=list, blank=True, help_text="Of each query that differs.")
    latency = models.JSONField(null=True, blank=True, help_text="The change of the median in ms, with its interval.")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    actor = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    last_sign_at = models.DateTimeField(null=True, blank=True, help_text="When its worker last gave a sign of life.")
    finished_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, help_text="Why it ended early.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["target"], condition=Q(state__in=["planned", "running"]), name="one_open_comparison"
            )
        ]

    def __str__(self) -> str:
        return f"{self.target} against {self.against or self.before_version or 'its earlier answers'}"
