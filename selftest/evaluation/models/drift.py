"""What is watched for drift: series of values, their frozen references, their windows, and what came of it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from selftest.evaluation.core.drift import Metric, Verdict


class DriftWatch(models.Model):
    """How far the cycles of a target were read. Its row is written first by each change: one at a time."""

    target = models.OneToOneField("selftest.Target", on_delete=models.CASCADE, related_name="+")
    last_cycle = models.BigIntegerField(default=0, help_text="The newest whose values were taken.")
    changes = models.PositiveBigIntegerField(default=0)
    version = models.CharField(max_length=200, blank=True, help_text="Of the target, that the references are of.")
    vocabulary = models.ForeignKey(
        "selftest.VocabularyVersion", null=True, on_delete=models.SET_NULL, related_name="+", help_text="The same."
    )

    def __str__(self) -> str:
        return f"Drift of {self.target}"


class DriftSeries(models.Model):
    """One metric of one recipe of a target, of answers from its cache or of the others. `last_*`: its newest window."""

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    recipe_name = models.CharField(max_length=100)
    metric = models.CharField(max_length=20, choices=[(str(one), str(one)) for one in Metric])
    cached = models.BooleanField()
    pending = models.JSONField(default=list, blank=True, help_text="Values that no window and no reference holds yet.")
    reference = models.JSONField(default=list, blank=True, help_text="Frozen; empty: not enough values yet.")
    reference_at = models.DateTimeField(null=True, blank=True)
    last_at = models.DateTimeField(null=True, blank=True)
    last_p = models.FloatField(null=True, blank=True)
    last_values = models.JSONField(
        default=list, blank=True, help_text="The next window is looked at together with them."
    )
    last_verdict = models.CharField(max_length=10, blank=True, choices=[(str(one), str(one)) for one in Verdict])
    calm_windows = models.PositiveIntegerField(default=0, help_text="In a row, up to the newest.")

    class Meta:
        verbose_name_plural = "drift series"
        ordering = ["metric", "recipe_name", "cached"]
        permissions = [("reset_drift", "Can reset references of drift, and decide on proposals of new ones")]
        constraints = [
            models.UniqueConstraint(fields=["target", "recipe_name", "metric", "cached"], name="drift_series_once")
        ]

    def __str__(self) -> str:
        return f"{self.recipe_name}: {self.metric}, {'cached' if self.cached else 'not cached'}"


class DriftWindow(models.Model):
    """Values that came one after another, in figures. Never changed."""

    series = models.ForeignKey("DriftSeries", on_delete=models.CASCADE, related_name="windows", db_index=False)
    at = models.DateTimeField()
    size = models.PositiveIntegerField(help_text="How many values.")
    low = models.FloatField(help_text="The lower quartile.")
    median = models.FloatField()
    high = models.FloatField(help_text="The upper quartile.")
    mean = models.FloatField()
    distance = models.FloatField(help_text="From the reference, 0 to 1.")
    is_up = models.BooleanField(help_text="Its values are the larger ones where the distance is.")
    p_value = models.FloatField()
    verdict = models.CharField(max_length=10, choices=[(str(one), str(one)) for one in Verdict])

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["series", "-id"], name="drift_window_of_series"),
            models.Index(fields=["at"], name="drift_window_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.verdict}: {self.distance:.2f}"


class DriftAlert(models.Model):
    """A time of drift of one series, with both distributions as they were when it began. Kept when it has ended."""

    class End(models.TextChoices):
        """What ended it."""

        CALM = "calm", "As before again"
        RESET = "reset", "The reference was reset"

    series = models.ForeignKey("DriftSeries", on_delete=models.CASCADE, related_name="alerts")
    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    began_at = models.DateTimeField()
    reference = models.JSONField()
    window = models.JSONField(help_text="The values of the window by which it began.")
    distance = models.FloatField()
    is_up = models.BooleanField()
    p_value = models.FloatField()
    ended_at = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=10, blank=True, choices=End.choices)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["series"], condition=Q(ended_at=None), name="drift_alert_open_once")
        ]
        indexes = [models.Index(fields=["target", "-id"], name="drift_alert_of_target")]

    def __str__(self) -> str:
        return f"Drift of {self.series}"


class DriftProposal(models.Model):
    """That the references of a target start again, as its version or its vocabulary is another. A person decides."""

    class State(models.TextChoices):
        """What became of it."""

        OPEN = "open", "Awaits a decision"
        ACCEPTED = "accepted", "Accepted"
        REFUSED = "refused", "Refused"
        OVERTAKEN = "overtaken", "Overtaken by another version"

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.CharField(max_length=200, blank=True)
    vocabulary = models.ForeignKey("selftest.VocabularyVersion", null=True, on_delete=models.SET_NULL, related_name="+")
    what = models.CharField(max_length=500, help_text="What is another now, in words.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["target"], condition=Q(state="open"), name="drift_proposal_open_once")
        ]
        indexes = [models.Index(fields=["target", "-id"], name="drift_proposal_of_target")]

    def __str__(self) -> str:
        return self.what


class DriftEvent(models.Model):
    """What happened: by the engine or by a person. Never changed."""

    class Kind(models.TextChoices):
        """What it was."""

        BEGAN = "began", "Drift began"
        ENDED = "ended", "Drift ended"
        PROPOSED = "proposed", "New references proposed"
        RESET = "reset", "Reference reset"
        ACCEPTED = "accepted", "New references accepted"
        REFUSED = "refused", "New references refused"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+")
    series = models.ForeignKey(
        "DriftSeries", null=True, on_delete=models.CASCADE, related_name="events", help_text="Null: all of the target."
    )
    note = models.TextField(blank=True, help_text="Of a person the reason.")
    before = models.JSONField(null=True, blank=True, help_text="The reference that was reset.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} by {self.actor}"
