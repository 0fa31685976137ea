"""Probes: extra requests beyond the queries, and the findings that they explained."""

from django.db import models

from selftest.core.judging.probes import Purpose


class Probe(models.Model):
    """An extra request, such as one part of a query alone, with its whole answer. Append-only; never a run."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="probes", db_index=False)
    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="probes", help_text="The run that it was asked for."
    )
    purpose = models.CharField(max_length=20, choices=[(p.value, p.value) for p in Purpose])
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64, help_text="Indexed instead of the text.")
    source = models.CharField(
        max_length=200, blank=True, help_text="The source that a part points at; empty: not a part."
    )
    only = models.CharField(max_length=200, blank=True, help_text="The one source asked by name; empty: it was routed.")
    asked_at = models.DateTimeField()

    source_used = models.CharField(max_length=200, blank=True)
    latency_ms = models.FloatField()
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    cached = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    result = models.TextField(blank=True, help_text="The answer, cut at 256 KiB.")
    result_length_bytes = models.PositiveBigIntegerField()
    result_sha256 = models.CharField(max_length=64)
    empty_phrase = models.CharField(
        max_length=500, blank=True, help_text="The failure phrase that the answer is, if any."
    )

    answer_deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="When the answer had been kept for long enough; empty: it was not deleted."
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["target", "text_sha256", "-id"], name="probe_of_text"),
            # Of few sources: see run_latency_samples.
            models.Index(fields=["target", "source", "id"], name="probe_of_source"),
            # All that is summed per source: it is read from this narrow index and not the wide rows.
            models.Index(
                fields=["target", "source", "purpose", "id", "text_sha256", "empty_phrase"], name="probe_figures"
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Explanation(models.Model):
    """A finding with a harmless explanation: kept with its evidence, and not in the queue."""

    class Cause(models.TextChoices):
        """Why the finding is harmless."""

        EMPTY_ALONE = "empty_alone", "The source has nothing on that part alone either"
        STOOD_IN = "stood_in", "A documented fallback stood in"
        CHOSEN_ALONE = "chosen_alone", "The target sends the condition alone there too, each time"
        SAID_SO = "said_so", "The answer says how many requests it leaves out"
        EMPTY_ON_SUBJECT = "empty_on_subject", "The source has nothing on what that part may be about"

    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="explanations", db_index=False)
    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="explanations", db_index=False)
    combination = models.ForeignKey("Combination", on_delete=models.CASCADE, related_name="explanations")
    check_name = models.CharField("check", max_length=60)
    reason = models.TextField()
    evidence = models.JSONField(help_text="promised, seen and where, as for a flag, and the answers to single parts")
    cause = models.CharField(max_length=20, choices=Cause.choices)
    source = models.CharField(
        max_length=200, help_text="The source that was missing, or the first of several; or the one that was chosen."
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["run", "check_name"], name="explanation_once_per_check")]
        indexes = [
            models.Index(fields=["target", "-id"], name="explanation_of_target"),
            models.Index(fields=["target", "source", "-id"], name="explanation_of_source"),
            models.Index(fields=["target", "check_name", "-id"], name="explanation_of_check"),
            models.Index(fields=["target", "source", "check_name", "-id"], name="explanation_of_both"),
        ]

    def __str__(self) -> str:
        return self.reason


class SourceStability(models.Model):
    """How often a source of a target gave the same answer to the same question. Items are compared, not words.

    longest: the most items that a section of it had in a merged answer. answers: digests of the last questions to it,
    each with the digests of the lines of its answer; what stands in most of them is boilerplate. confirmed: kind of
    difference → how many were found to break a promise, and how many were looked into.
    """

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="stability", db_index=False)
    source = models.CharField(max_length=200)
    agreed = models.PositiveIntegerField(default=0)
    compared = models.PositiveIntegerField(default=0)
    longest = models.PositiveIntegerField(default=0)
    answers = models.JSONField(default=list, blank=True)
    confirmed = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["target", "source"]
        constraints = [models.UniqueConstraint(fields=["target", "source"], name="stability_once_per_source")]

    def __str__(self) -> str:
        return f"{self.source}: {self.agreed} of {self.compared}"
