"""One query asked in a cycle."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import F, JSONField, Q, Value
from django.db.models.functions import Coalesce, NullIf

AS_ASKED = Coalesce(NullIf(F("query"), Value({}, JSONField())), F("combination__query"))  # Run.document of many
ASKED_COLUMNS = ("query", "query_text", "combination__query")  # that Run.document and Run.text are read from


def text_of(document: Mapping[str, Any]) -> str:
    """What is asked by these parts, as `Query.text` joins them."""
    return "".join(text for _, text, *_ in document["parts"]).strip()


class Run(models.Model):
    """A query as it was asked, and the whole answer. Saved as planned before it is asked; recorded once."""

    class State(models.TextChoices):
        """Where the run is, or how it ended."""

        PLANNED = "planned", "Planned"
        ASKING = "asking", "Asking"
        DONE = "done", "Done"
        SKIPPED = "skipped", "Skipped: never asked"
        INTERRUPTED = "interrupted", "Interrupted: asked, but no answer was recorded"

    cycle = models.ForeignKey("Cycle", on_delete=models.CASCADE, related_name="runs", db_index=False)
    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="runs")
    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="runs", db_index=False)
    recipe_name = models.CharField(max_length=100)
    place = models.PositiveIntegerField(help_text="Its position in the cycle, from 0.")
    query = models.JSONField(
        default=dict, blank=True, help_text="The parts, in order, as asked; empty: as its combination has them."
    )
    query_text = models.TextField(blank=True, help_text="What was asked; empty: the text of its parts.")
    novel = models.BooleanField(default=False, help_text="The first run planned for its combination.")
    state = models.CharField(max_length=20, choices=State.choices, default=State.PLANNED)
    asked_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    source_used = models.CharField(max_length=200, blank=True)
    latency_ms = models.FloatField(null=True, blank=True)
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    cached = models.BooleanField(default=False)
    error = models.TextField(blank=True, help_text="Why there was no usable answer.")
    own_error = models.TextField(blank=True, help_text="A failure of Gadfly itself; says nothing about the target.")
    result = models.TextField(blank=True, help_text="The answer, cut at 256 KiB.")
    result_length_bytes = models.PositiveBigIntegerField(null=True, blank=True, help_text="Of the whole answer.")
    result_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the whole answer; where the target has a secret, of the text without it.",
    )
    reason = models.TextField(null=True, blank=True, help_text="The first finding; null: clean.")  # noqa: DJ001

    unchecked = models.BooleanField(
        null=True,
        blank=True,
        help_text="Clean, but its parts were not checked: no probe was left. Unknown: not answered, or long ago.",
    )

    answer_deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="When the answer had been kept for long enough; empty: it was not deleted."
    )

    class Meta:
        # Every constraint and index serves the foreign key that it begins with.
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["cycle", "place"], name="run_place_once")]
        indexes = [
            models.Index(fields=["combination", "-id"], name="run_of_combination"),
            # Read instead of the column itself, which stands behind the answer.
            models.Index(fields=["combination", "-id"], condition=Q(unchecked=True), name="run_unchecked"),
            # Of few groups, each of which grows at its end, and is read from there: with -id, pages stay half empty.
            models.Index(
                fields=["target", "recipe_name", "id"],
                condition=Q(state="done", cached=False, error=""),
                name="run_latency_samples",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def document(self) -> dict[str, Any]:
        """The parts, in order, as asked."""
        found: dict[str, Any] = self.query or self.combination.query
        return found

    @property
    def text(self) -> str:
        """What was asked."""
        return self.query_text or text_of(self.document)
