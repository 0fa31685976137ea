"""What a vocabulary may grow by, what people decided about it, and which targets' vocabularies grow by themselves."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

from selftest.models.encrypted import EncryptedTextField

MODEL_TIMEOUT_S = 60.0
MOST_MODEL_TIMEOUT_S = 300.0  # the task must end long before the cluster kills it
MODEL_CHARACTERS = 20_000  # some 5,000 tokens a week
MOST_MODEL_CHARACTERS = 200_000


class VocabularyGrowth(models.Model):
    """Which model proposes, once a week, what the vocabulary of a target may grow by. Every change is kept."""

    target = models.OneToOneField("selftest.Target", on_delete=models.CASCADE, related_name="growth")
    is_on = models.BooleanField(
        "propose every week", default=False, help_text="What is proposed waits on the target's page for a person."
    )
    model_url = models.URLField(
        "model's base URL", help_text="Of an OpenAI-compatible endpoint: https://host/v1. It is sent the vocabulary."
    )
    model_name = models.CharField("model", max_length=200)
    model_key = EncryptedTextField("model's API key", max_length=500, blank=True, default="")
    model_timeout_s = models.FloatField(
        "model's time limit (s)",
        default=MODEL_TIMEOUT_S,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_MODEL_TIMEOUT_S)],
        help_text=f"Of its answer: a number from 1 to {MOST_MODEL_TIMEOUT_S:g}.",
    )
    model_characters = models.PositiveIntegerField(
        "characters sent to the model",
        default=MODEL_CHARACTERS,
        validators=[MinValueValidator(1_000), MaxValueValidator(MOST_MODEL_CHARACTERS)],
        help_text=f"Each week, at most: a whole number from 1000 to {MOST_MODEL_CHARACTERS}. The rest is left out.",
    )

    history = HistoricalRecords(excluded_fields=["model_key"])

    class Meta:
        ordering = ["target"]
        verbose_name = "growth of a vocabulary"
        verbose_name_plural = "growth of vocabularies"

    def __str__(self) -> str:
        return f"Growth of the vocabulary of {self.target}"


class SuggestionDecision(models.Model):
    """That a person or a script accepted or refused some suggestions at once. Append-only."""

    class Act(models.TextChoices):
        """What was decided."""

        ACCEPTED = "accepted", "Accepted"
        REFUSED = "refused", "Refused"

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="+")
    act = models.CharField(max_length=10, choices=Act.choices)
    count = models.PositiveIntegerField(help_text="Of suggestions.")
    version = models.ForeignKey(
        "selftest.VocabularyVersion",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="That the accepted ones made.",
    )
    note = models.CharField("why", max_length=500, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.count}"


class Suggestion(models.Model):
    """A pair, condition or topic that a vocabulary may grow by, and how the target took it when it was tried once."""

    class State(models.TextChoices):
        """What became of it."""

        OPEN = "open", "Waits for a person"
        ACCEPTED = "accepted", "Accepted"
        REFUSED = "refused", "Refused"
        UNFIT = "unfit", "Unfit: left out by a check"

    class Kind(models.TextChoices):
        """What it is."""

        PAIR = "pair", "Pair"
        CONDITION = "condition", "Condition"
        TOPIC = "topic", "Topic"

    class Origin(models.TextChoices):
        """What proposed it."""

        MODEL = "model", "Language model"
        MINED = "mined", "The target's answers"

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="suggestions", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    text = models.CharField(max_length=200)
    proposed = models.CharField(max_length=200, help_text="The text before a person edited it.")
    origin = models.CharField(max_length=10, choices=Origin.choices)
    why = models.CharField(max_length=500, help_text="Where it was seen; of an unfit one the reason.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField()

    query = models.CharField(max_length=500, blank=True, help_text="With which it was tried; empty: it was not.")
    source_used = models.CharField(max_length=200, blank=True)
    latency_ms = models.FloatField(null=True)
    error = models.CharField(max_length=500, blank=True, help_text="Why it was not tried, or has no usable answer.")

    decision = models.ForeignKey("SuggestionDecision", null=True, on_delete=models.SET_NULL, related_name="suggestions")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["target", "state", "-id"], name="suggestion_of_target")]

    def __str__(self) -> str:
        return self.text
