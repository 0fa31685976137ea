"""One action on many combinations, with the state of each before it."""

from django.conf import settings
from django.db import models

from selftest.models.cause import Cause


class BulkAct(models.Model):
    """A frozen list of combinations and what is done to all of them. Undo gives each exactly the state it had."""

    class Kind(models.TextChoices):
        """What is done to each combination."""

        DISMISS = "dismiss", "Dismiss"
        UNDISMISS = "undismiss", "Undo the dismissal"
        ASSIGN = "take", "Assign"
        UNASSIGN = "release", "Unassign"

    class State(models.TextChoices):
        """How far the action is."""

        FROZEN = "frozen", "Awaiting confirmation"
        DONE = "done", "Done"
        UNDONE = "undone", "Undone"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.FROZEN)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor = models.CharField(max_length=200, help_text="The name as it was then.")
    note = models.TextField(blank=True)
    verdict = models.CharField(
        max_length=20, choices=Cause.Verdict.choices, blank=True, help_text="Of a dismissal; empty: without one."
    )
    link = models.URLField(max_length=500, blank=True, help_text="Where it is tracked.")
    until_date = models.DateField(null=True, blank=True)
    until_version = models.CharField(max_length=200, blank=True)
    until_other_version = models.BooleanField(default=False, help_text="Than the one that each target had then.")
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        help_text="Who all are assigned to; empty: the one who does it.",
    )
    cause = models.ForeignKey(
        "Cause",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        help_text="With whose verdict it came.",
    )
    selection = models.TextField(blank=True, help_text="How the list was selected, in words.")
    created_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} by {self.actor}"


class BulkItem(models.Model):
    """One combination of the list: what was seen of it, its state before, and the outcome."""

    class Outcome(models.TextChoices):
        """What happened to one combination of the list."""

        WAITING = "waiting", "Not done yet"
        DONE = "done", "Done"
        SKIPPED = "skipped", "Changed since it was listed; left alone"
        UNDONE = "undone", "As it was before"
        KEPT = "kept", "Changed since; not undone"

    act = models.ForeignKey("BulkAct", on_delete=models.CASCADE, related_name="items", db_index=False)
    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="+")
    seen_run = models.BigIntegerField(null=True, help_text="Its last flagged run when it was listed.")
    outcome = models.CharField(max_length=20, choices=Outcome.choices, default=Outcome.WAITING)
    # As Combination.ReviewStatus has them; null: not reviewed.
    status_before = models.CharField(  # noqa: DJ001
        max_length=20, choices=[("dismissed", "Dismissed")], null=True, blank=True
    )
    verdict_before = models.CharField(  # noqa: DJ001
        max_length=20, choices=Cause.Verdict.choices, null=True, blank=True
    )
    held_by_before = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    held_at_before = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["act", "id"]
        constraints = [models.UniqueConstraint(fields=["act", "combination"], name="bulk_item_once")]

    def __str__(self) -> str:
        return f"{self.combination_id}: {self.get_outcome_display()}"
