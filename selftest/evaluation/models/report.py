"""Reports: a golden set asked once, and what came of each pair."""

from django.db import models
from django.db.models import Q

from selftest.evaluation.core.pairs import NAME_CHARACTERS


class Report(models.Model):
    """A golden set, asked of a target. It passes or fails by structure alone."""

    class State(models.TextChoices):
        """Where it is, or how it ended."""

        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        TARGET_UNAVAILABLE = "target_unavailable", "Target unavailable"
        INTERRUPTED = "interrupted", "Interrupted"

    golden_set = models.ForeignKey("GoldenSet", on_delete=models.PROTECT, related_name="reports", db_index=False)
    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=20, choices=State.choices, default=State.RUNNING)
    note = models.TextField(blank=True)
    target_version = models.CharField(max_length=200, blank=True)
    vocabulary = models.ForeignKey("selftest.VocabularyVersion", null=True, on_delete=models.SET_NULL, related_name="+")
    pairs = models.PositiveIntegerField(default=0)
    broken = models.PositiveIntegerField(default=0, help_text="Pairs of which an expectation does not hold.")
    to_rebaseline = models.PositiveIntegerField(default=0, help_text="Pairs whose ground has moved.")
    actor = models.CharField(max_length=200)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["golden_set", "target", "-id"], name="report_of_set"),
            models.Index(fields=["started_at"], condition=Q(state="running"), name="report_running"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    @property
    def passes(self) -> bool:
        """Whether a gate lets it through: each pair was asked and held, on the ground that it was made on."""
        return self.state == self.State.FINISHED and not self.broken and not self.to_rebaseline


class PairResult(models.Model):
    """One pair in a report, with the whole answer."""

    class Outcome(models.TextChoices):
        """What came of it. A pair that is broken may have to be rebaselined as well."""

        HELD = "held", "Held"
        BROKEN = "broken", "Broken"
        REBASELINE = "rebaseline", "Rebaseline?"

    report = models.ForeignKey("Report", on_delete=models.CASCADE, related_name="results", db_index=False)
    version = models.ForeignKey("PairVersion", null=True, on_delete=models.SET_NULL, related_name="results")
    name = models.CharField(max_length=NAME_CHARACTERS)
    kind = models.CharField(max_length=20)
    query = models.TextField()
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    judged = models.JSONField(help_text="Each expectation: what was expected and seen, and whether it holds.")
    changes = models.JSONField(default=list, help_text="What has changed under it, a sentence each.")
    structure = models.JSONField(help_text="The sections of the answer by source, in order.")
    source_used = models.CharField(max_length=200, blank=True)
    latency_ms = models.FloatField()
    http_status = models.PositiveSmallIntegerField(null=True)
    cached = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    result = models.TextField(blank=True, help_text="The answer, cut at 256 KiB.")
    result_length_bytes = models.PositiveBigIntegerField()
    result_sha256 = models.CharField(max_length=64)
    answer_deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="When the answer had been kept for long enough; empty: it was not deleted."
    )
    scores = models.JSONField(default=list, help_text="What graders said: advice, no part of the outcome.")

    class Meta:
        ordering = ["report", "name"]
        constraints = [models.UniqueConstraint(fields=["report", "name"], name="pair_result_once")]
        indexes = [
            models.Index(fields=["report"], condition=Q(answer_deleted_at=None), name="pair_result_kept"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.outcome}"
