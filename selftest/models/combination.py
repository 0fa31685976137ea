"""What was tried: one row per set of ingredients, and how far the walks through them are."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from selftest.models.cause import Cause

IN_QUEUE = Q(ever_flagged=True, review_status__isnull=True)


class Combination(models.Model):
    """A set of ingredients and its results. Columns and their meaning: the specification.

    `first_flagged_*` are written once. `last_*` follow every run, so a clean one empties `last_flagged_reason`;
    the excerpt stays that of the last flagged run. Only a person's dismissal removes a row from the queue.
    """

    class ReviewStatus(models.TextChoices):
        """What a reviewer decided; null in the column: nothing yet."""

        DISMISSED = "dismissed", "Dismissed"

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="combinations", db_index=False)
    fingerprint = models.TextField()
    fingerprint_sha256 = models.CharField(max_length=64, help_text="Indexed instead of the fingerprint.")
    recipe_name = models.CharField(max_length=100)
    query = models.JSONField(help_text="The parts, in order, as first asked.")
    times_generated = models.PositiveIntegerField(default=0, help_text="Times asked and answered.")
    first_seen_timestamp = models.DateTimeField()

    last_query_text = models.TextField()
    last_source_used = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null: never asked
    last_latency_ms = models.FloatField(null=True, blank=True)
    last_flagged_reason = models.TextField(null=True, blank=True)  # noqa: DJ001 - null: the last run was clean
    last_run_timestamp = models.DateTimeField(null=True, blank=True)
    last_flagged_result_excerpt = models.TextField(null=True, blank=True)  # noqa: DJ001 - null: never flagged
    last_run = models.ForeignKey("Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    last_flagged_run = models.ForeignKey("Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    ever_flagged = models.BooleanField(default=False)
    currently_flagged = models.BooleanField(default=False)
    first_flagged_reason = models.TextField(null=True, blank=True)  # noqa: DJ001 - null: never flagged
    first_flagged_timestamp = models.DateTimeField(null=True, blank=True)
    review_status = models.CharField(  # noqa: DJ001 - null: not reviewed, as the specification has it
        max_length=20, choices=ReviewStatus.choices, null=True, blank=True
    )
    verdict = models.CharField(  # noqa: DJ001 - null: dismissed without one, or not dismissed
        max_length=20, choices=Cause.Verdict.choices, null=True, blank=True, help_text="That it was dismissed with."
    )
    # Of its last dismissal. They stay when it is back, so that to undo that is to have them again.
    dismissed_at = models.DateTimeField(null=True, blank=True)
    until_date = models.DateField(null=True, blank=True, help_text="Put off until then.")
    until_version = models.CharField(  # noqa: DJ001 - null: as of all rows that were never put off
        max_length=200,
        null=True,
        blank=True,
        help_text="Of the target: this one, or, where it is the one it had, any other.",
    )
    judged_version = models.CharField(  # noqa: DJ001
        max_length=200, null=True, blank=True, help_text="That the target had then."
    )

    # What the queue is sorted, filtered and grouped by, beside the columns of the specification.
    flagged_check = models.CharField(
        "check",
        max_length=60,
        blank=True,
        help_text="The first one that its last flagged run failed; empty: never flagged.",
    )
    times_flagged = models.PositiveIntegerField(default=0)
    ingredients: "models.ManyToManyField[Any, Any]" = models.ManyToManyField(
        "Ingredient", blank=True, related_name="combinations", help_text="Kept here only for what was ever flagged."
    )
    ingredient_keys = models.TextField(  # noqa: DJ001 - null: never flagged
        null=True,
        blank=True,
        editable=False,
        help_text="The keys of its ingredients, each between commas, which a narrow index can hold.",
    )
    cause = models.ForeignKey(
        "Cause",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        help_text="Of the first flag of its last flagged run; null: not assigned yet.",
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who is assigned to it.",
    )
    held_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        permissions = [("review_combination", "Can review: dismiss, undo, assign, note, run again")]
        constraints = [
            models.UniqueConstraint(fields=["target", "fingerprint_sha256"], name="combination_once_per_target"),
        ]
        indexes = [
            models.Index(fields=["-last_run_timestamp", "-id"], condition=IN_QUEUE, name="combination_queue"),
            models.Index(
                fields=["-last_run_timestamp", "-id"],
                condition=Q(ever_flagged=True),
                name="combination_ever_flagged",
            ),
            models.Index(
                fields=["target", "-last_run_timestamp", "-id"],
                condition=IN_QUEUE,
                name="combination_queue_of_target",
            ),
            models.Index(
                fields=["-last_run_timestamp", "-id"],
                condition=Q(currently_flagged=True),
                name="combination_flagged_now",
            ),
            models.Index(fields=["recipe_name", "id"], name="combination_of_recipe"),  # see run_latency_samples
            # What is found by its words or ingredients is looked up here by its key, and so is each flag that has
            # another cause than its combination.
            models.Index(
                fields=[
                    "id",
                    "review_status",
                    "currently_flagged",
                    "target",
                    "flagged_check",
                    "cause",
                    "last_run_timestamp",
                    "first_flagged_timestamp",
                    "times_flagged",
                    "recipe_name",
                    "last_source_used",
                    "last_flagged_run",
                ],
                condition=Q(ever_flagged=True),
                name="combination_review_by_key",
            ),
            # All that the queue counts, groups and sorts by: it then reads this narrow index and not the wide rows.
            # It begins with what the queue is grouped by, so that SQLite sorts nothing for that.
            models.Index(
                fields=[
                    "target",
                    "flagged_check",
                    "cause",
                    "review_status",
                    "currently_flagged",
                    "verdict",
                    "dismissed_at",
                    "last_run_timestamp",
                    "first_flagged_timestamp",
                    "times_flagged",
                    "recipe_name",
                    "last_source_used",
                    "held_by",
                    "ingredient_keys",
                    "last_flagged_run",
                    "id",
                ],
                condition=Q(ever_flagged=True),
                name="combination_review",
            ),
            # The same of one recipe, of which there are some twenty.
            models.Index(
                fields=[
                    "target",
                    "recipe_name",
                    "flagged_check",
                    "cause",
                    "review_status",
                    "currently_flagged",
                    "last_run_timestamp",
                    "first_flagged_timestamp",
                    "times_flagged",
                    "ingredient_keys",
                    "last_flagged_run",
                    "id",
                ],
                condition=Q(ever_flagged=True),
                name="combination_review_of_recipe",
            ),
            # The same of one cause, and all causes are counted in this order. As wide as the first: a list of one
            # cause is looked up here whatever else it is filtered by.
            models.Index(
                fields=[
                    "cause",
                    "target",
                    "flagged_check",
                    "review_status",
                    "currently_flagged",
                    "verdict",
                    "dismissed_at",
                    "last_run_timestamp",
                    "first_flagged_timestamp",
                    "times_flagged",
                    "recipe_name",
                    "last_source_used",
                    "held_by",
                    "ingredient_keys",
                    "last_flagged_run",
                    "id",
                ],
                condition=Q(ever_flagged=True, cause__isnull=False),
                name="combination_review_of_cause",
            ),
            # What no cycle has put down to a cause yet: nothing, as a rule, and every page of causes asks.
            models.Index(
                fields=["target"],
                condition=IN_QUEUE & Q(cause__isnull=True, last_flagged_run__isnull=False),
                name="combination_without_cause",
            ),
            # What comes back by itself at a date or with a version.
            models.Index(
                fields=["target", "until_date", "until_version"],
                condition=Q(verdict=Cause.Verdict.LATER),
                name="combination_put_off",
            ),
            # Asked next when nothing is new: the one asked longest ago.
            models.Index(fields=["target", "last_run_timestamp", "id"], name="combination_least_recent"),
            models.Index(fields=["target"], condition=Q(times_generated=0), name="combination_never_asked"),
        ]

    def __str__(self) -> str:
        return self.last_query_text


def ingredient_keys_of(ingredients: Iterable[int]) -> str:
    """The keys of ingredients as a combination keeps them, each between commas."""
    return f",{','.join(map(str, sorted(ingredients)))},"


def holds_ingredient(ingredient: int) -> GreaterThan:
    """The condition that a combination that was ever flagged has the ingredient of this key."""
    return GreaterThan(StrIndex("ingredient_keys", Value(f",{ingredient},")), 0)


class Walk(models.Model):
    """How far one layer of a recipe's combinations was walked; the values mean what core.generation.generator says."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="walks")
    identity = models.CharField(max_length=64)
    recipe_name = models.CharField(max_length=100)
    key = models.BigIntegerField()
    position = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "identity"], name="walk_once_per_layer")]

    def __str__(self) -> str:
        return f"{self.recipe_name}: {self.position}"
