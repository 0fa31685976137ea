"""How search works, as an admin set it."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords
from solo.models import SingletonModel

from selftest.models.encrypted import EncryptedTextField


class SearchSettings(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """What an admin may set. Every change is kept with who made it and when."""

    class Encoder(models.TextChoices):
        """What turns text into vectors."""

        NONE = "none", "None: words alone"
        HASH = "hash", "Hashed words, without a model"
        ONNX = "onnx", "A sentence encoder in ONNX, from a folder"

    encoder = models.CharField(max_length=10, choices=Encoder.choices, default=Encoder.HASH)
    onnx_folder = models.CharField(
        max_length=500,
        blank=True,
        help_text="With model.onnx and tokenizer.json, such as all-MiniLM-L6-v2. Rebuild the index after a change.",
    )
    fuzzy = models.BooleanField(
        "mend misspelt words", default=True, help_text="Where fewer than three results have the words as typed."
    )
    fuzzy_similarity = models.FloatField(
        default=0.3,
        validators=[MinValueValidator(0.1), MaxValueValidator(1.0)],
        help_text="0.1 to 1, by shared trigrams.",
    )
    popularity_boost = models.BooleanField(default=False, help_text="What is opened often stands higher.")
    popularity_weight = models.FloatField(default=0.1, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    role_bias = models.BooleanField(
        "bias by role",
        default=False,
        help_text="Causes and findings stand higher for reviewers, doctor checks for admins.",
    )
    freshness_boost = models.BooleanField(
        default=False, help_text="What changed lately stands higher. Order then depends on the clock."
    )
    compose_answers = models.BooleanField(
        default=True, help_text="An answer of a few sentences above results, each with its source."
    )
    rephrase = models.BooleanField(
        "rephrase with a language model",
        default=False,
        help_text="Only of what is cited; what cites nothing is dropped.",
    )
    rephrase_timeout_ms = models.PositiveIntegerField(
        default=5_000, validators=[MinValueValidator(500), MaxValueValidator(30_000)]
    )
    model_url = models.URLField(
        "model's base URL",
        blank=True,
        help_text="Of an OpenAI-compatible endpoint: https://host/v1. Empty: no language model is asked.",
    )
    model_name = models.CharField("model", max_length=200, blank=True)
    model_key = EncryptedTextField("model's API key", max_length=500, blank=True, default="")
    documentation_hosts = models.TextField(
        "hosts of documentation",
        blank=True,
        help_text="One a line. A target's documentation is fetched from these alone.",
    )
    monitor = models.BooleanField(
        "watch the quality of searches", default=True, help_text="Once a day; alerts stand on the page Search quality."
    )
    monitor_zero_share = models.FloatField(
        "share without results that alerts", default=0.3, validators=[MinValueValidator(0.01), MaxValueValidator(1.0)]
    )

    history = HistoricalRecords(excluded_fields=["model_key"])

    class Meta:
        verbose_name = "settings of search"
        verbose_name_plural = "settings of search"

    def __str__(self) -> str:
        return "Settings of search"
