"""Why flags were raised: one row for all that have the same cause, with what a reviewer decided and its story."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Cause(models.Model):
    """Flags that are put down to the same mistake of a target. It lasts while they come and go.

    After each cycle flags are assigned again; the row that keeps most of its flags is the same cause. `sentence` and
    the counts beside it are of the last time.
    """

    class Verdict(models.TextChoices):
        """What a reviewer decided; null in the column: nothing yet."""

        CONFIRMED = "confirmed", "Confirmed"
        FALSE_ALARM = "false_alarm", "False alarm"
        ACCEPTED = "accepted", "Accepted"
        LATER = "later", "Later"
        DISMISSED = "dismissed", "Dismissed"

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="causes", db_index=False)
    symptom = models.CharField(max_length=200, help_text="What kind of mistake its flags are compared as.")
    predicate = models.JSONField(help_text="What the flagged queries have in common.")
    sentence = models.TextField(help_text="The same in words.")
    is_evident = models.BooleanField(help_text="Off: nothing explains these flags better than chance.")
    checks = models.JSONField(default=list, help_text="Names of the checks that it shows in, most flags first.")
    runs = models.PositiveIntegerField(default=0, help_text="Recent runs of which the predicate holds.")
    struck = models.PositiveIntegerField(default=0, help_text="Those of them that it flagged.")
    other_runs = models.PositiveIntegerField(default=0, help_text="Recent runs of which it does not hold.")
    other_struck = models.PositiveIntegerField(
        default=0, help_text="Those of them with such a mistake, whatever its cause."
    )
    flags = models.PositiveIntegerField(default=0, help_text="All that were ever put down to it and still are.")
    asked_again = models.PositiveIntegerField(default=0, help_text="How many times their queries were asked again.")
    seen_again = models.PositiveIntegerField(default=0, help_text="How many of those reproduced the flag.")
    example = models.ForeignKey(
        "Flag",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The one with the shortest query.",
    )
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged", help_text="What it became."
    )
    is_merged_by_hand = models.BooleanField(default=False, help_text="What is found like it goes where it went.")

    verdict = models.CharField(  # noqa: DJ001 - null: not judged, as for a combination
        max_length=20, choices=Verdict.choices, null=True, blank=True
    )
    judged_by = models.CharField(max_length=200, blank=True, help_text="The name as it was then.")
    judged_at = models.DateTimeField(null=True, blank=True)
    judged_through = models.BigIntegerField(default=0, help_text="The newest flag that the verdict is about.")
    new_flags = models.PositiveIntegerField(default=0, help_text="Since the verdict.")
    reason = models.TextField(blank=True)
    link = models.URLField(max_length=500, blank=True, help_text="Where it is tracked.")
    until_date = models.DateField(null=True, blank=True)
    until_new_flags = models.PositiveIntegerField(null=True, blank=True)
    until_version = models.CharField(
        max_length=200, blank=True, help_text="Of the target: this one, or, where it is the one it had, any other."
    )
    judged_version = models.CharField(max_length=200, blank=True, help_text="That the target had then.")
    act = models.ForeignKey(
        "BulkAct",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The dismissal of its combinations that came with the verdict.",
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["target", "-id"], condition=Q(merged_into=None), name="cause_of_target")]

    def __str__(self) -> str:
        return self.sentence


class CauseTally(models.Model):
    """What one cycle says of a cause. runs: those that could have shown it. flagged: those that did."""

    cause = models.ForeignKey("Cause", on_delete=models.CASCADE, related_name="tallies", db_index=False)
    cycle = models.ForeignKey("Cycle", on_delete=models.CASCADE, related_name="+")
    runs = models.PositiveIntegerField()
    flagged = models.PositiveIntegerField()

    class Meta:
        ordering = ["cause", "cycle"]
        constraints = [models.UniqueConstraint(fields=["cause", "cycle"], name="cause_tally_once")]

    def __str__(self) -> str:
        return f"{self.flagged} of {self.runs}"


class CauseEvent(models.Model):
    """One entry of a cause's story; never changed."""

    class Kind(models.TextChoices):
        """What happened: by the engine the first six, by people the others."""

        FOUND = "found", "Found"
        REWORDED = "reworded", "Now explained otherwise"
        SPLIT = "split", "Split"
        MERGED = "merged", "Merged"
        CAME_BACK = "came_back", "New flags after the verdict"
        SEEN_AGAIN = "seen_again", "Seen again"
        JUDGED = "judged", "Judged"
        REOPENED = "reopened", "Verdict undone"
        CHANGED_BACK = "changed_back", "Change of verdict undone"
        ASSIGNED = "assigned", "Assigned"
        UNASSIGNED = "unassigned", "Unassigned"
        MOVED = "moved", "Flags moved"
        REASONED = "reasoned", "Reason added"
        NOTED = "noted", "Noted"

    cause = models.ForeignKey("Cause", on_delete=models.CASCADE, related_name="events", db_index=False)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    verdict = models.CharField(max_length=20, choices=Cause.Verdict.choices, blank=True)
    before = models.JSONField(
        null=True,
        blank=True,
        help_text="Of a changed verdict: the columns of the one before, by name.",
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    actor = models.CharField(max_length=200, help_text="The name as it was then; engine: no person.")
    note = models.TextField(blank=True)
    other = models.ForeignKey(
        "Cause", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="What it came from."
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["cause", "-id"], name="event_of_cause")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} by {self.actor}"
