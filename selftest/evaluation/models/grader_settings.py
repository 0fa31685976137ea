"""Which graders that need a model there are, and what they may cost."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords
from solo.models import SingletonModel

from selftest.models.encrypted import EncryptedTextField

JUDGE_TIMEOUT_S = 30.0
MOST_JUDGE_TIMEOUT_S = 300.0  # the task must end long before the cluster kills it
JUDGE_CHARACTERS = 400_000  # some 100,000 tokens
MOST_JUDGE_CHARACTERS = 10_000_000
RUBRIC = (
    "1.0: it answers every part of the query, from the sources alone. 0.5: it answers some parts, or says things that "
    "the sources do not. 0.0: it answers nothing, or contradicts the sources."
)


class GraderSettings(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """What an admin may set. Every change is kept with who made it and when."""

    nli_folder = models.CharField(
        "folder of an entailment model",
        max_length=500,
        blank=True,
        help_text="On the server: model.onnx, tokenizer.json and config.json. Empty: claims are compared by words.",
    )
    judge_is_on = models.BooleanField(
        "ask a language model to judge", default=False, help_text="Its scores are advice, and marked as a model's."
    )
    judge_url = models.URLField(
        "judge's base URL", blank=True, help_text="Of an OpenAI-compatible endpoint: https://host/v1."
    )
    judge_model = models.CharField("judge's model", max_length=200, blank=True)
    judge_key = EncryptedTextField("judge's API key", max_length=500, blank=True, default="")
    judge_rubric = models.TextField("rubric", default=RUBRIC, max_length=4_000, help_text="What each score means.")
    judge_timeout_s = models.FloatField(
        "judge's time limit (s)",
        default=JUDGE_TIMEOUT_S,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_JUDGE_TIMEOUT_S)],
        help_text=f"Of one answer: a number from 1 to {MOST_JUDGE_TIMEOUT_S:g}.",
    )
    judge_characters = models.PositiveIntegerField(
        "characters sent to the judge",
        default=JUDGE_CHARACTERS,
        validators=[MinValueValidator(1_000), MaxValueValidator(MOST_JUDGE_CHARACTERS)],
        help_text=f"In one batch, at most: a whole number from 1000 to {MOST_JUDGE_CHARACTERS}. "
        "What is left is not judged.",
    )

    history = HistoricalRecords(excluded_fields=["judge_key"])

    class Meta:
        verbose_name = "settings of graders"
        verbose_name_plural = "settings of graders"

    def __str__(self) -> str:
        return "Settings of graders"
