"""Latency verdicts from raw samples (ms). Pure: no clock, no database."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WINDOW_RUNS = 50  # the last uncached runs of a recipe: enough for a p95, recent enough to follow a router that changes


@dataclass(frozen=True)
class LatencyLimits:
    """When a run counts as an outlier. Defaults and meaning: the specification's settings table."""

    multiplier: float = 1.5
    floor_ms: float = 1000.0  # below this nothing is an outlier, however fast the others were
    min_samples: int = 10  # below this a p95 is little more than the maximum


@dataclass(frozen=True)
class LatencyVerdict:
    """An outlier and what it was measured against; all in ms but `samples`."""

    latency_ms: float
    p95_ms: float
    threshold_ms: float
    samples: int


def quantile_ms(samples_ms: Sequence[float], q: float) -> float:
    """The q-quantile of `samples_ms`, in ms.

    samples_ms: at least one, any order; q in [0, 1]. Raises ValueError otherwise.
    Source: Hyndman & Fan (1996), type 7.
    """
    if not samples_ms:
        raise ValueError("a quantile needs at least one sample")
    if not 0 <= q <= 1:
        raise ValueError(f"q is {q}; a quantile is asked for between 0 and 1")
    ordered = sorted(samples_ms)
    place = (len(ordered) - 1) * q
    low, high = math.floor(place), math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def latency_verdict(latency_ms: float, history_ms: Sequence[float], limits: LatencyLimits) -> LatencyVerdict | None:
    """The verdict on a run of `latency_ms`, or None where it is no outlier or too little is known.

    history_ms: earlier uncached runs of the same recipe, oldest first, without the run itself; the last
    WINDOW_RUNS count.
    """
    window = history_ms[-WINDOW_RUNS:]
    if len(window) < max(1, limits.min_samples):
        return None
    p95_ms = quantile_ms(window, 0.95)
    threshold_ms = max(limits.multiplier * p95_ms, limits.floor_ms)
    if latency_ms <= threshold_ms:
        return None
    return LatencyVerdict(latency_ms, p95_ms, threshold_ms, len(window))
