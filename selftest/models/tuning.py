"""The settings of the specification, on one row."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords
from solo.models import SingletonModel

from selftest.core.settings import NEW_QUERIES, SETTING_SPECS, SettingSpec

PROBES_PER_QUERY = 1.0
MOST_PROBES_PER_QUERY = 20  # more than any query has parts and repetitions
PROBE_HOURS = 24.0
SMALLEST_QUERIES = 1  # a search asks up to forty times
MOST_SMALLEST_QUERIES = 10
MOST_PROBE_HOURS = 720  # a month: a router has changed by then
KEEP_ANSWERS_DAYS = 30
MOST_KEEP_ANSWERS_DAYS = 3_650  # ten years; for longer than that, for ever

_BY_FIELD = {spec.field: spec for spec in SETTING_SPECS}


def _first(field: str) -> Any:
    """The environment's value at first start; an admin's later edit is kept."""
    return settings.ADVERSARIAL_TEST_FIRST_TUNING[field]


def first_interval_minutes() -> Any:
    """The default of `interval_minutes`."""
    return _first("interval_minutes")


def first_batch_size() -> Any:
    """The default of `batch_size`."""
    return _first("batch_size")


def first_multiplier() -> Any:
    """The default of `latency_outlier_multiplier`."""
    return _first("latency_outlier_multiplier")


def first_floor_ms() -> Any:
    """The default of `latency_outlier_floor_ms`."""
    return _first("latency_outlier_floor_ms")


def first_min_samples() -> Any:
    """The default of `latency_outlier_min_samples`."""
    return _first("latency_outlier_min_samples")


def _bounded(spec: SettingSpec) -> dict[str, Any]:
    bounds = [MinValueValidator(spec.least), MaxValueValidator(spec.most)]
    return {"validators": bounds, "help_text": f"{spec.meaning}: {spec.valid}."}


class Tuning(SingletonModel):  # type: ignore[misc]  # the library is untyped
    """What an admin may tune. Every change is kept with who made it and when."""

    enabled = models.BooleanField(
        default=True, help_text="Off: nothing is scheduled and nothing is asked, not even by hand."
    )
    interval_minutes = models.PositiveIntegerField(
        default=first_interval_minutes, **_bounded(_BY_FIELD["interval_minutes"])
    )
    batch_size = models.PositiveIntegerField(default=first_batch_size, **_bounded(_BY_FIELD["batch_size"]))
    latency_outlier_multiplier = models.FloatField(
        default=first_multiplier, **_bounded(_BY_FIELD["latency_outlier_multiplier"])
    )
    latency_outlier_floor_ms = models.PositiveIntegerField(
        default=first_floor_ms, **_bounded(_BY_FIELD["latency_outlier_floor_ms"])
    )
    latency_outlier_min_samples = models.PositiveIntegerField(
        default=first_min_samples, **_bounded(_BY_FIELD["latency_outlier_min_samples"])
    )
    explains = models.BooleanField(
        "relations and explanations",
        default=True,
        help_text="Off: only the specification's seven checks, nothing explained, and no probes.",
    )
    explains_conditions = models.BooleanField(
        "chosen sources of conditions explained",
        default=True,
        help_text="On: an unasked source is explained, not flagged, where the target sends a condition of the query"
        " alone to it too, both times that it is asked. Off: the letter of the check.",
    )
    checks_off = models.JSONField(
        "checks switched off", default=list, blank=True, help_text="Names of checks whose findings are ignored."
    )
    probes_per_query = models.FloatField(
        default=PROBES_PER_QUERY,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_PROBES_PER_QUERY)],
        help_text=f"Probes in a cycle, for each query of its batch: a number from 0 to {MOST_PROBES_PER_QUERY}."
        " What a cycle does not send, the next may, up to a quarter of its own."
        f" The first {NEW_QUERIES} queries of a target get three quarters more.",
    )
    probe_hours = models.FloatField(
        default=PROBE_HOURS,
        validators=[MinValueValidator(0), MaxValueValidator(MOST_PROBE_HOURS)],
        help_text="Hours for which the answer to a part alone is reused without asking again:"
        f" a number from 0 to {MOST_PROBE_HOURS}.",
    )
    smallest_queries = models.PositiveSmallIntegerField(
        "smallest queries looked for",
        default=SMALLEST_QUERIES,
        validators=[MaxValueValidator(MOST_SMALLEST_QUERIES)],
        help_text="Of so many new causes after each cycle, each with up to 40 requests:"
        f" a whole number from 0 to {MOST_SMALLEST_QUERIES}. 0: only where a person asks for it.",
    )
    keep_answers_days = models.PositiveSmallIntegerField(
        "days that clean answers are kept",
        default=KEEP_ANSWERS_DAYS,
        validators=[MaxValueValidator(MOST_KEEP_ANSWERS_DAYS)],
        help_text=f"A whole number from 0 to {MOST_KEEP_ANSWERS_DAYS}; 0: for ever. After that the raw answers of clean"
        " runs and of their probes are deleted, once those probes are no longer reused. All figures stay, and so does"
        " the answer to whatever was flagged, explained or reviewed.",
    )
    open_reads = models.BooleanField(
        "open reading",
        default=True,
        help_text="On: GET /health and GET /adversarial/flagged need no key. Without a key or a session they show the"
        " generated queries and their flags; excerpts of answers stay empty.",
    )

    history = HistoricalRecords()

    class Meta:
        verbose_name = "settings"
        verbose_name_plural = "settings"

    def __str__(self) -> str:
        return "Settings"
