"""What is told to people outside the pages: events, the channels that they go to, and each way to a channel."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from selftest.models.encrypted import EncryptedTextField

HOURLY_LIMIT = 12
MOST_AN_HOUR = 1_000


class Channel(models.Model):
    """Where notices go: one address, which of them it wants, and at most how many an hour."""

    class Kind(models.TextChoices):
        """How it is reached."""

        APPRISE = "apprise", "Apprise: Slack, mail, Teams, ntfy …"
        WEBHOOK = "webhook", "Signed webhook"

    class Weekday(models.IntegerChoices):
        """As Python counts them."""

        MONDAY = 0
        TUESDAY = 1
        WEDNESDAY = 2
        THURSDAY = 3
        FRIDAY = 4
        SATURDAY = 5
        SUNDAY = 6

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    enabled = models.BooleanField(default=True, help_text="Switched off, it gets no notices.")
    url = EncryptedTextField("URL", max_length=2000)
    secret = EncryptedTextField("signing secret", max_length=200, blank=True, default="")
    hourly_limit = models.PositiveIntegerField(
        "notices an hour",
        default=HOURLY_LIMIT,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_AN_HOUR)],
        help_text="At most. What comes beyond that is summed up in one notice when the hour is over.",
    )

    new_causes = models.BooleanField("a new cause", default=True)
    causes_back = models.BooleanField(
        "a cause that came back", default=True, help_text="One with a verdict has new flags."
    )
    later_due = models.BooleanField("a Later that is due", default=True, help_text="What was put off until now.")
    targets_away = models.BooleanField("a target away, or back", default=True)
    worker_missing = models.BooleanField(
        "the worker missing, or back", default=True, help_text="No worker gives signs of life for three minutes."
    )
    schedule_stale = models.BooleanField(
        "the schedule stale, or on time again", default=True, help_text="No cycle finishes for three intervals."
    )
    drift = models.BooleanField("drift", default=True, help_text="A figure of a target's answers is not what it was.")
    weekly_digest = models.BooleanField("a weekly digest", default=False)
    digest_weekday = models.PositiveSmallIntegerField("weekday", choices=Weekday.choices, default=Weekday.MONDAY)
    digest_hour = models.PositiveSmallIntegerField(
        "hour (UTC)", default=8, validators=[MaxValueValidator(23)], help_text="From 0 to 23."
    )

    created_at = models.DateTimeField(help_text="Nothing older is sent to it.")
    tested_at = models.DateTimeField(null=True, editable=False, help_text="When a test was last sent to it.")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Notice(models.Model):
    """One event, told once. Written when it is found, whether a channel wants it or not; never changed."""

    class Kind(models.TextChoices):
        """What happened; as a webhook's `type` has it."""

        CAUSE_NEW = "cause.new", "New cause"
        CAUSE_CAME_BACK = "cause.came_back", "Cause came back"
        CAUSE_LATER_DUE = "cause.later_due", "Later is due"
        FLAGS_LATER_DUE = "flags.later_due", "Flags are due"
        TARGET_AWAY = "target.away", "Target away"
        TARGET_BACK = "target.back", "Target back"
        WORKER_MISSING = "worker.missing", "No worker"
        WORKER_BACK = "worker.back", "Worker again"
        SCHEDULE_STALE = "schedule.stale", "No cycle finishes"
        SCHEDULE_RESUMED = "schedule.resumed", "Cycles finish again"
        DRIFT = "drift", "Drift"
        DIGEST = "digest", "Weekly digest"
        SUMMARY = "summary", "Summary of several"
        TEST = "test", "Test"

    kind = models.CharField(max_length=30, choices=Kind.choices)
    key = models.CharField(max_length=200, unique=True, help_text="Names the event, so that it is told once.")
    words = models.CharField(max_length=300, help_text="A title, on one line.")
    detail = models.TextField(blank=True)
    link = models.TextField(help_text="The path of the page about it.")
    facts = models.JSONField(default=dict, help_text="For programs: what a webhook's `data` has beyond the words.")
    target = models.ForeignKey("Target", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(help_text="When it happened.")

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["kind", "-id"], name="notice_newest_of_kind"),
            models.Index(fields=["created_at"], name="notice_by_age"),
        ]

    def __str__(self) -> str:
        return self.words


class Delivery(models.Model):
    """A notice on its way to a channel. A change of `state` is a compare-and-swap, so that it is sent once."""

    class State(models.TextChoices):
        """How far it came."""

        WAITING = "waiting", "Waiting"
        SENDING = "sending", "Being sent"
        HELD = "held", "Held for a summary"
        SENT = "sent", "Sent"
        SUMMED_UP = "summed_up", "Part of a summary"
        FAILED = "failed", "Given up"

    OPEN_STATES = (State.WAITING, State.SENDING, State.HELD)

    notice = models.ForeignKey("Notice", on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    channel = models.ForeignKey("Channel", on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    uid = models.UUIDField(
        default=uuid.uuid4, editable=False, help_text="The webhook-id: the same each time it is tried."
    )
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(help_text="When it is tried; while it is being sent, until when that may take.")
    tried_at = models.DateTimeField(null=True, blank=True, help_text="The last time.")
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, help_text="Why the last try failed.")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["notice", "channel"], name="delivered_once")]
        indexes = [
            models.Index(
                fields=["channel", "next_at"],
                condition=models.Q(state__in=["waiting", "sending", "held"]),
                name="delivery_open",
            ),
            models.Index(fields=["channel", "-sent_at"], name="delivery_last_sent"),
            models.Index(fields=["channel", "-tried_at"], name="delivery_last_tried"),
        ]

    def __str__(self) -> str:
        return f"{self.notice} to {self.channel}"
