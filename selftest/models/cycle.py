"""One batch of queries to one target."""

from django.db import models
from django.db.models import Q


class Cycle(models.Model):
    """From choosing a batch to its last recorded answer. Its seed, vocabulary and runs are enough to repeat it."""

    class State(models.TextChoices):
        """Where the cycle is, or how it ended."""

        PLANNED = "planned", "Planned"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        TARGET_UNAVAILABLE = "target_unavailable", "Target away"
        INTERRUPTED = "interrupted", "Interrupted"

    class Trigger(models.TextChoices):
        """What started the cycle."""

        SCHEDULE = "schedule", "Schedule"
        PAGE = "page", "Page"
        API = "api", "API"
        COMMAND = "command", "Command"

    OPEN_STATES = (State.PLANNED, State.RUNNING)

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="cycles")
    trigger = models.CharField(max_length=20, choices=Trigger.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.PLANNED)
    seed = models.BigIntegerField(help_text="Seeds the walks that this cycle opened and the order of its recipes.")
    recipes = models.JSONField(
        default=list, blank=True, help_text="Names of the recipes it was limited to; empty: all."
    )
    queries_wanted = models.PositiveIntegerField()
    # What it repeats; both empty: it chooses for itself.
    combination = models.ForeignKey(
        "Combination",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The only one that it asks, every time.",
    )
    replay_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="replays",
        help_text="The cycle whose queries it repeats, in their order.",
    )
    vocabulary = models.ForeignKey("VocabularyVersion", null=True, blank=True, on_delete=models.PROTECT)
    target_version = models.CharField(max_length=200, blank=True)

    # Counted from its runs when it ends.
    queries_run = models.PositiveIntegerField(default=0)
    flagged = models.PositiveIntegerField(default=0)
    novel = models.PositiveIntegerField(default=0, help_text="Combinations that were asked for the first time.")

    unchecked = models.PositiveIntegerField(
        null=True, blank=True, help_text="Clean runs whose parts were not checked. Unknown: of an earlier version."
    )
    probes_at_most = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="How many probes it may send. Unknown: none are sent, or of an earlier version.",
    )

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=200, blank=True, help_text="The process that runs it: host, id and start.")
    last_sign_at = models.DateTimeField(null=True, blank=True, help_text="When its worker last gave a sign of life.")
    deaths = models.PositiveSmallIntegerField(default=0, help_text="Workers that died while they worked on it.")
    note = models.TextField(blank=True, help_text="Why it ended, where that needs an explanation.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            # Starting a cycle locks its target: a second start fails here, on any machine.
            models.UniqueConstraint(fields=["target"], condition=Q(state="running"), name="one_running_cycle"),
        ]
        indexes = [
            models.Index(fields=["target", "-id"], condition=Q(state="finished"), name="cycle_newest_finished"),
            models.Index(fields=["target", "-id"], condition=~Q(target_version=""), name="cycle_newest_with_version"),
            models.Index(fields=["-finished_at"], condition=Q(state="finished"), name="cycle_last_finished_of_all"),
            models.Index(fields=["target", "-id"], condition=Q(state="target_unavailable"), name="cycle_last_outage"),
            models.Index(fields=["-id"], condition=Q(state="target_unavailable"), name="cycle_last_outage_of_all"),
            models.Index(fields=["id"], condition=Q(state="planned"), name="cycle_planned"),
        ]

    def __str__(self) -> str:
        return f"cycle {self.pk}"

    @property
    def repeats(self) -> bool:
        """Whether it asks queries that were chosen for it, rather than new ones."""
        return self.combination_id is not None or self.replay_of_id is not None
