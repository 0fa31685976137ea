"""Response bodies of the calls about drift."""

from typing import Any, Literal

from ninja import Field, Schema

from review.api.schemas import Page
from review.api.values import UtcTime
from selftest.evaluation import drift_reading as reading
from selftest.evaluation.core.drift import Metric, Verdict
from selftest.evaluation.models import DriftAlert, DriftSeries, DriftWindow

MetricName = Literal["latency", "sections", "empty", "explained", "faithfulness", "coverage"]
VerdictName = Literal["calm", "suspect", "drift"]
StateName = Literal["learning", "waiting", "calm", "suspect", "drift"]


class DriftSeriesRow(Schema):
    """What is watched: one metric of one recipe, of cached answers or of the others."""

    id: int
    target: str
    recipe: str
    metric: MetricName
    cached: bool
    state: StateName = Field(
        description="`learning`: without a reference; `waiting`: without a window; else what the newest window says."
    )
    reference_values: int
    reference_at: UtcTime | None
    last_window_at: UtcTime | None

    @classmethod
    def document(cls, row: DriftSeries) -> dict[str, Any]:
        """The fields of a series."""
        return {
            "id": row.pk,
            "target": row.target.name,
            "recipe": row.recipe_name,
            "metric": row.metric,
            "cached": row.cached,
            "state": reading.state_of(row),
            "reference_values": len(row.reference),
            "reference_at": row.reference_at,
            "last_window_at": row.last_at,
        }


class DriftWindowOut(Schema):
    """A window and what it says. low, high: its quartiles. distance: from the reference, 0 to 1."""

    id: int
    at: UtcTime
    size: int
    low: float
    median: float
    high: float
    mean: float
    distance: float
    is_up: bool
    p_value: float
    verdict: VerdictName

    @classmethod
    def document(cls, row: DriftWindow) -> dict[str, Any]:
        """The fields of a window."""
        return {name: getattr(row, "pk" if name == "id" else name) for name in cls.model_fields}


class DriftSeriesOut(DriftSeriesRow):
    """The same with its windows."""

    windows: Page[DriftWindowOut] = Field(description="Newest first.")


class DriftAlertOut(Schema):
    """A time of drift. `ended_at`: null while it lasts."""

    id: int
    series: DriftSeriesRow
    began_at: UtcTime
    ended_at: UtcTime | None
    end: Literal["calm", "reset"] | None
    distance: float
    is_up: bool
    p_value: float
    reference: list[float] = Field(description="The values that were held against each other when it began, rising.")
    window: list[float]

    @classmethod
    def document(cls, row: DriftAlert) -> dict[str, Any]:
        """The fields of an alert."""
        return {
            "id": row.pk,
            "series": DriftSeriesRow.document(row.series),
            "end": row.end or None,
            **{
                name: getattr(row, name)
                for name in ("began_at", "ended_at", "distance", "is_up", "p_value", "reference", "window")
            },
        }


assert set(MetricName.__args__) == set(Metric)  # type: ignore[attr-defined]  # noqa: S101 - a new one is missing here
assert set(VerdictName.__args__) == set(Verdict)  # type: ignore[attr-defined]  # noqa: S101
