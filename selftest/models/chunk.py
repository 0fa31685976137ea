"""What keeps all workers together to a target's limits: a cycle's chunks, the pace of requests, and their queue."""

from django.db import models

from selftest.models.cycle import Cycle


class Chunk(models.Model):
    """Some runs of a cycle that is spread over workers, in the cycle's order; asked by one worker at a time."""

    class State(models.TextChoices):
        """Where the chunk is."""

        PLANNED = "planned", "Planned"
        RUNNING = "running", "Running"
        OVER = "over", "Over"

    OPEN_STATES = (State.PLANNED, State.RUNNING)

    cycle = models.ForeignKey("Cycle", on_delete=models.CASCADE, related_name="chunks", db_index=False)
    first_place = models.PositiveIntegerField(help_text="Of its first run in the cycle.")
    last_place = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.PLANNED)
    requests_at_once = models.PositiveSmallIntegerField(
        default=0, help_text="Its share, while it runs, of what the target answers at the same time."
    )
    owner = models.CharField(max_length=200, blank=True, help_text="The process that asks it: host, id and start.")
    last_sign_at = models.DateTimeField(null=True, blank=True, help_text="When its worker last gave a sign of life.")
    deaths = models.PositiveSmallIntegerField(default=0, help_text="Workers that died while they asked it.")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(
        max_length=20, choices=Cycle.State.choices, blank=True, help_text="How its cycle ends, as far as it can tell."
    )
    note = models.TextField(blank=True, help_text="Why it ended before all was asked.")

    class Meta:
        ordering = ["cycle", "first_place"]
        constraints = [models.UniqueConstraint(fields=["cycle", "first_place"], name="chunk_place_once")]
        indexes = [models.Index(fields=["cycle"], condition=~models.Q(state="over"), name="chunk_open")]

    def __str__(self) -> str:
        return f"queries {self.first_place + 1} to {self.last_place + 1} of cycle {self.cycle_id}"

    @property
    def places(self) -> tuple[int, int]:
        """Of its first and its last run in the cycle."""
        return self.first_place, self.last_place


class RequestPace(models.Model):
    """When the next request to a target is due that may have only so many a second, whichever worker sends it."""

    target = models.OneToOneField("Target", on_delete=models.CASCADE, primary_key=True, related_name="+")
    next_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.target_id}: {self.next_at}"


class QueuedRequest(models.Model):
    """A request outside cycles, from when it waits for its turn until it is answered. The first ones are open."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="+")
    owner = models.CharField(max_length=200, help_text="The process that sends it: host, id and start.")
    is_open = models.BooleanField(default=False, help_text="Sent, or about to be.")
    last_sign_at = models.DateTimeField(help_text="Of the process that sends it.")

    def __str__(self) -> str:
        return f"request {self.pk} to {self.target_id}"
