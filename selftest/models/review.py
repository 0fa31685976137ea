"""Who did what to which combination, and what the engine did to it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from selftest.models.actor import ENGINE
from selftest.models.cause import Cause


class ReviewEvent(models.Model):
    """One entry of a combination's activity; never changed."""

    class Kind(models.TextChoices):
        """What was done: by the engine the first four, by people the others."""

        FLAGGED = "flagged", "Flagged"
        CAME_BACK_CLEAN = "came_back_clean", "Came back clean"
        RESURFACED = "resurfaced", "Flagged again after its dismissal"
        DUE = "due", "Later is due"
        DISMISSED = "dismissed", "Dismissed"
        UNDISMISSED = "undismissed", "Dismissal undone"
        REJUDGED = "rejudged", "Verdict changed"
        CHANGED_BACK = "changed_back", "Change of verdict undone"
        REASONED = "reasoned", "Reason added"
        ASSIGNED = "taken", "Assigned"
        UNASSIGNED = "released", "Unassigned"
        NOTED = "noted", "Noted"
        REDUCED = "reduced", "Smallest query found"

    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="events", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    # Null, as of all events of earlier versions: a table as long as this one need not be written again for these.
    verdict = models.CharField(  # noqa: DJ001
        max_length=20,
        choices=Cause.Verdict.choices,
        null=True,
        blank=True,
        help_text="Of a dismissal; null: without one.",
    )
    link = models.URLField(max_length=500, null=True, blank=True, help_text="Where it is tracked.")  # noqa: DJ001
    before = models.JSONField(
        null=True,
        blank=True,
        help_text="Of a changed verdict: the columns of the one before, by name.",
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor = models.CharField(max_length=200, help_text="The name as it was then; engine: no person.")
    assignee = models.CharField(  # noqa: DJ001
        max_length=200, null=True, blank=True, help_text="Who it was assigned to, by the name of then; null: the actor."
    )
    note = models.TextField(blank=True)
    run = models.ForeignKey("Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    act = models.ForeignKey(
        "BulkAct",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Part of a bulk action.",
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["combination", "-id"], name="event_of_combination"),
            # What people did one by one, of which there is little among what the engine wrote.
            models.Index(fields=["-id"], condition=~Q(actor=ENGINE) & ~Q(act__isnull=False), name="event_of_people"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} by {self.actor}"
