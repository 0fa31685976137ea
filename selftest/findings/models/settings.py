"""How findings are compared, and whether and by what they are swept."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords
from solo.models import SingletonModel

from selftest.findings.core.beliefs import Profile
from selftest.models.encrypted import EncryptedTextField

MODEL_TIMEOUT_S = 30.0
MOST_MODEL_TIMEOUT_S = 300.0  # the task must end long before the cluster kills it
MODEL_CHARACTERS = 40_000  # some 10,000 tokens a day
MOST_MODEL_CHARACTERS = 400_000
EXAMPLE_REQUESTS = 100
FEWEST_EXAMPLE_REQUESTS = 10  # to ask one example five times, with some probes
MOST_EXAMPLE_REQUESTS = 5_000


def enough_or_none(requests: int) -> None:
    """0 switches the checks off. Raises ValidationError for what is too few to check anything by."""
    if 0 < requests < FEWEST_EXAMPLE_REQUESTS:
        raise ValidationError(f"0, or at least {FEWEST_EXAMPLE_REQUESTS}: one example may need so many.")


class FindingSettings(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """What an admin may set. Every change is kept with who made it and when."""

    profile = models.CharField(
        max_length=10,
        choices=[(str(Profile.V2), "v2: better rules"), (str(Profile.V1), "v1: the specification's own rules")],
        default=str(Profile.V2),
        help_text="By which rules a finding that is saved supersedes others.",
    )
    sweeps = models.BooleanField(
        "daily sweep", default=True, help_text="Off: contradictions that no save has seen are not looked for."
    )
    example_requests = models.PositiveIntegerField(
        "requests for examples",
        default=EXAMPLE_REQUESTS,
        validators=[enough_or_none, MaxValueValidator(MOST_EXAMPLE_REQUESTS)],
        help_text="That each target gets in a day, at most, to check the examples of claims: "
        f"{FEWEST_EXAMPLE_REQUESTS} to {MOST_EXAMPLE_REQUESTS}. 0: they are not checked.",
    )
    model_url = models.URLField(
        "model's base URL",
        blank=True,
        help_text="Of an OpenAI-compatible endpoint: https://host/v1. Empty: no language model is asked.",
    )
    model_name = models.CharField("model", max_length=200, blank=True)
    model_key = EncryptedTextField("model's API key", max_length=500, blank=True, default="")
    model_timeout_s = models.FloatField(
        "model's time limit (s)",
        default=MODEL_TIMEOUT_S,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_MODEL_TIMEOUT_S)],
        help_text=f"Of one answer: a number from 1 to {MOST_MODEL_TIMEOUT_S:g}.",
    )
    model_characters = models.PositiveIntegerField(
        "characters sent to the model",
        default=MODEL_CHARACTERS,
        validators=[MinValueValidator(1_000), MaxValueValidator(MOST_MODEL_CHARACTERS)],
        help_text=f"In one sweep, at most: a whole number from 1000 to {MOST_MODEL_CHARACTERS}. The rest is left out.",
    )

    history = HistoricalRecords(excluded_fields=["model_key"])

    class Meta:
        verbose_name = "settings of findings"
        verbose_name_plural = "settings of findings"

    def __str__(self) -> str:
        return "Settings of findings"
