"""The routers under test, and their vocabularies."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from selftest.models.encrypted import EncryptedTextField
from selftest.targets.limits import (
    DEFAULT_REQUESTS_AT_ONCE,
    DEFAULT_TIME_LIMIT_S,
    MAX_REQUESTS_AT_ONCE,
    MAX_REQUESTS_PER_SECOND,
    MAX_TIME_LIMIT_S,
    MIN_REQUESTS_PER_SECOND,
    MIN_TIME_LIMIT_S,
)

FIELD_PATH = RegexValidator(r"^[^.\s]+(\.[^.\s]+)*$", "a field name, or names joined by dots for a nested field")
PATH = RegexValidator(r"^/\S*$", "a path beginning with /")


class Target(models.Model):
    """A search router under test."""

    class Kind(models.TextChoices):
        """How the target is called."""

        REFERENCE = "reference", "Bundled reference router, in process"
        HTTP = "http", "HTTP search API"
        PYTHON = "python", "Python function, in process"

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    enabled = models.BooleanField(default=True, help_text="Switched off, it gets no queries.")
    is_default = models.BooleanField(default=False, help_text="Used where no target is named.")
    time_limit_s = models.FloatField(
        "time limit (s)",
        default=DEFAULT_TIME_LIMIT_S,
        validators=[MinValueValidator(MIN_TIME_LIMIT_S), MaxValueValidator(MAX_TIME_LIMIT_S)],
        help_text="A query without an answer by then counts as a crash.",
    )
    requests_at_once = models.PositiveSmallIntegerField(
        default=DEFAULT_REQUESTS_AT_ONCE,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_REQUESTS_AT_ONCE)],
        help_text="How many of ours the target answers at the same time. More make a cycle shorter and its answers "
        "slower; 1 for a target that can do no two things at once.",
    )
    requests_per_second = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(MIN_REQUESTS_PER_SECOND), MaxValueValidator(MAX_REQUESTS_PER_SECOND)],
        help_text="How many of ours it gets each second at most, from all workers together. Empty: no limit.",
    )

    base_url = models.CharField(max_length=500, blank=True, help_text="http://host:port, of an HTTP target")
    path = models.CharField(max_length=500, default="/search", validators=[PATH])
    health_path = models.CharField(
        max_length=500, default="/health", blank=True, validators=[PATH], help_text="Empty: only connects."
    )
    api_key = EncryptedTextField("API key", max_length=500, blank=True, default="")
    headers = models.TextField(
        blank=True, default="", help_text="Further headers of each request, one a line: Name: value"
    )
    secret_headers = EncryptedTextField(blank=True, default="")
    query_field = models.CharField(max_length=100, default="query", validators=[FIELD_PATH])
    source_field = models.CharField(max_length=100, default="source", validators=[FIELD_PATH])
    result_field = models.CharField(max_length=100, default="result", validators=[FIELD_PATH])
    source_used_field = models.CharField(max_length=100, default="source_used", validators=[FIELD_PATH])
    success_field = models.CharField(max_length=100, default="success", validators=[FIELD_PATH])
    error_field = models.CharField(max_length=100, default="error", validators=[FIELD_PATH])
    cached_field = models.CharField(max_length=100, default="cached", validators=[FIELD_PATH])

    dotted_path = models.CharField(max_length=300, blank=True, help_text="package.module.function, of a Python target")

    reference_faults = models.JSONField(
        default=list, blank=True, help_text="Names of faults to switch on in the bundled router."
    )
    reference_empty_rate = models.FloatField(
        default=0.0,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="Share of (source, question) pairs that the bundled router's sources have nothing on.",
    )

    history = HistoricalRecords(excluded_fields=["api_key", "secret_headers"])

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"],
                condition=Q(is_default=True),
                name="one_default_target",
                violation_error_message="Another target is the default already; change that one first.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class VocabularyVersion(models.Model):
    """One vocabulary document of a target; never changed, only replaced by the next."""

    target = models.ForeignKey("Target", on_delete=models.CASCADE, related_name="vocabularies")
    number = models.PositiveIntegerField(help_text="Counted for each target, from 1.")
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)
    births = models.JSONField(help_text="Ingredient → the number of the version that introduced it.")
    in_force = models.BooleanField(default=False)
    from_environment = models.BooleanField(default=False, help_text="Set by TARGET_VOCABULARY, or bundled.")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["target", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["target", "number"], name="vocabulary_number_once"),
            models.UniqueConstraint(fields=["target"], condition=Q(in_force=True), name="one_vocabulary_in_force"),
        ]

    def __str__(self) -> str:
        return f"{self.target} vocabulary {self.number}"
