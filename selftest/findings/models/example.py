"""Examples of claims: what is asked of a target, what should be seen, and how that went."""

from django.db import models
from django.db.models import F

from selftest.findings.core.expectations import CheckOutcome, Expect


class Outcome(models.TextChoices):
    """What asking an example came to."""

    HOLDS = str(CheckOutcome.HOLDS), "Holds"
    BROKEN = str(CheckOutcome.BROKEN), "Does not hold"
    UNSTEADY = str(CheckOutcome.UNSTEADY), "Holds at times"
    UNANSWERED = str(CheckOutcome.UNANSWERED), "No usable answer"


class Example(models.Model):
    """What shows that a claim holds. Never changed, only replaced; what came of it last is kept with it.

    The query is kept as it was when the example was given, whatever becomes of the cause or the combination.
    """

    finding = models.OneToOneField("Finding", on_delete=models.CASCADE, related_name="example")
    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+")
    cause = models.ForeignKey(
        "selftest.Cause", null=True, on_delete=models.SET_NULL, related_name="+", help_text="Whose query it is."
    )
    combination = models.ForeignKey("selftest.Combination", null=True, on_delete=models.SET_NULL, related_name="+")
    query = models.JSONField(null=True, help_text="Its parts; null: it is free text.")
    query_text = models.TextField()
    expect = models.CharField(max_length=20, choices=[(str(kind), str(kind)) for kind in Expect])
    named = models.JSONField(help_text="The sources, the phrase or the check that should be seen, or not.")
    created_at = models.DateTimeField()

    tried_at = models.DateTimeField(null=True, help_text="By which it has its turn.")
    checked_at = models.DateTimeField(null=True)
    checked_version = models.CharField(max_length=200, blank=True, help_text="Of the target, then.")
    held_version = models.CharField(max_length=200, blank=True, help_text="Of the target, when it held last.")
    outcome = models.CharField(max_length=20, choices=Outcome.choices, blank=True)
    times_checked = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = [F("tried_at").asc(nulls_first=True), "id"]
        indexes = [models.Index(fields=["target", "tried_at"], name="example_of_target")]

    def __str__(self) -> str:
        return self.query_text


class ExampleCheck(models.Model):
    """One time that an example was asked: so many answers, of which so many were as expected."""

    example = models.ForeignKey("Example", on_delete=models.CASCADE, related_name="checks", db_index=False)
    at = models.DateTimeField()
    version = models.CharField(max_length=200, blank=True)
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    tries = models.PositiveSmallIntegerField()
    held = models.PositiveSmallIntegerField()
    note = models.TextField(blank=True, help_text="What was seen instead, or why there was nothing to see.")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["example", "-id"], name="check_of_example")]

    def __str__(self) -> str:
        return f"{self.held} of {self.tries}"


class CheckingRound(models.Model):
    """Who asks the examples of a target now, and how many requests that has taken today."""

    target = models.OneToOneField("selftest.Target", on_delete=models.CASCADE, related_name="+")
    owner = models.CharField(max_length=200, blank=True, help_text="The process that asks; empty: none does.")
    last_sign_at = models.DateTimeField(null=True)
    day = models.DateField(null=True)
    requests = models.PositiveIntegerField(default=0, help_text="On that day.")

    def __str__(self) -> str:
        return f"{self.requests} on {self.day}"
