"""One act upon many combinations, with what each was before."""

from django.conf import settings
from django.db import models

from selftest.models.combination import Combination


class BulkAct(models.Model):
    """A frozen list of combinations, and what is done to all of them. Undone, each gets back exactly what it was."""

    class Kind(models.TextChoices):
        DISMISS = "dismiss", "Dismiss"
        UNDISMISS = "undismiss", "Undo the dismissal"
        ASSIGN = "take", "Take"
        UNASSIGN = "release", "Release"

    class State(models.TextChoices):
        FROZEN = "frozen", "Waits for a yes"
        DONE = "done", "Done"
        UNDONE = "undone", "Undone"

    kind = models.CharField(max_length=20, choices=Kind.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.FROZEN)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor = models.CharField(max_length=200, help_text="The name as it was then.")
    note = models.TextField(blank=True)
    selection = models.TextField(blank=True, help_text="How the list came about, in words.")
    created_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} by {self.actor}"


class BulkItem(models.Model):
    """One combination of the list: what was seen of it, what it was before, what came of it."""

    class Outcome(models.TextChoices):
        WAITING = "waiting", "Not done yet"
        DONE = "done", "Done"
        SKIPPED = "skipped", "Changed since it was listed; left alone"
        UNDONE = "undone", "As it was before"
        KEPT = "kept", "Changed since; its undo was left out"

    act = models.ForeignKey(BulkAct, on_delete=models.CASCADE, related_name="items", db_index=False)
    combination = models.ForeignKey(Combination, on_delete=models.CASCADE, related_name="+")
    seen_run = models.BigIntegerField(null=True, help_text="Its last flagged run when it was listed.")
    outcome = models.CharField(max_length=20, choices=Outcome.choices, default=Outcome.WAITING)
    status_before = models.CharField(  # noqa: DJ001 - null: not reviewed, as the combination has it
        max_length=20, choices=Combination.ReviewStatus.choices, null=True, blank=True
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
