"""What is watched for drift, and what a window of it can say. Pure; how it is computed stands in drift_statistics.py.

Kept apart, so that a page that shows drift need not load scipy.
"""

from dataclasses import dataclass
from enum import StrEnum

REFERENCE_VALUES = 200  # the specification asks for 100 at least; with 100, false alarms are several times as many
WINDOW_VALUES = 40
MOST_WINDOW_VALUES = 400  # the newest of them: more show differences that are too small to matter
CALM_TO_END = 2  # windows in a row, as many as it takes to begin
LEAST_DISTANCE = 0.25
LEAST_MEDIAN_SHIFT = 0.2  # of the reference's median
ROUNDING = 1e-9  # a share of 40 and one of 200 that are equal differ by less


class Metric(StrEnum):
    """What is measured of each run. The values are stored."""

    LATENCY = "latency"
    SECTIONS = "sections"
    EMPTY = "empty"
    EXPLAINED = "explained"
    FAITHFULNESS = "faithfulness"
    COVERAGE = "coverage"


class Verdict(StrEnum):
    """What a window says. The values are stored."""

    CALM = "calm"
    SUSPECT = "suspect"
    DRIFT = "drift"


@dataclass(frozen=True)
class Comparison:
    """A window held against its reference.

    distance: the largest gap between the two cumulative distributions, from 0 to 1. is_up: where that gap is, the
    window's values are the larger ones. p_value: of a gap as large by chance.
    """

    distance: float
    is_up: bool
    p_value: float
    reference_median: float
    window_median: float

    @property
    def matters(self) -> bool:
        """Whether the difference is large enough to tell a person, however certain it is."""
        shift = abs(self.window_median - self.reference_median)
        moved = self.reference_median != 0 and shift >= LEAST_MEDIAN_SHIFT * abs(self.reference_median) - ROUNDING
        return self.distance >= LEAST_DISTANCE - ROUNDING or moved
