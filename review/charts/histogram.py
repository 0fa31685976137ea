"""How latencies are spread: runs per range, the ranges of equal width on a log axis. Pure."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from review.charts.scale import (
    STEPS_MS,
    LogAxis,
    Tick,
    count_ticks,
    counted,
    latency_words,
    log_axis,
    range_words,
    tick_words,
)
from selftest.core.judging.latency import LatencyLimits, quantile_ms

HEIGHT_PX = 240
TOP_PX, BASE_PX = 48, 208  # above: a line of text for each quantile; below: the ticks
MOST_TICKS = 8
MOST_TICKS_NARROW = 5
LEAST_BAR_PX = 3.0  # a single run among thousands is seen
FINE_UP_TO = 100.0  # times its lower end: two decades, 20 ranges

# Ten to the decade, as preferred numbers have them (ISO 3): they hold 1, 2 and 5, so every tick is an edge.
_MANTISSAS = ("1", "1.25", "1.6", "2", "2.5", "3.15", "4", "5", "6.3", "8")
FINE_EDGES_MS = (*(float(f"{mantissa}e{decade}") for decade in range(-1, 9) for mantissa in _MANTISSAS), 1e9)


@dataclass(frozen=True)
class Bin:
    """x and width in percent, y and height in pixels. share: in percent of all runs."""

    words: str
    runs: int
    share: str
    x: float
    width: float
    y: float
    height: float


@dataclass(frozen=True)
class Quantile:
    """A line at `x` percent. is_left: its label ends at the line, because behind it is no room."""

    name: str
    words: str
    x: float
    top: int
    label_y: int
    is_left: bool


@dataclass(frozen=True)
class Histogram:
    """How often which latency was seen, on a logarithmic axis."""

    bins: tuple[Bin, ...]
    quantiles: tuple[Quantile, ...]
    ticks: tuple[Tick, ...]
    counts: tuple[Tick, ...]
    words: str
    note: str
    base: int = BASE_PX
    height: int = HEIGHT_PX


def histogram(latencies_ms: Sequence[float], min_samples: int = LatencyLimits.min_samples) -> Histogram:
    """Of `latencies_ms`, in any order. Below `min_samples` there is no p95, and the note says so."""
    if not latencies_ms:
        return Histogram((), (), (), (), "", "No run was timed yet.")
    axis = log_axis(latencies_ms)
    fine = axis.high_ms / axis.low_ms <= FINE_UP_TO
    edges_ms = [at for at in (FINE_EDGES_MS if fine else STEPS_MS) if axis.low_ms <= at <= axis.high_ms]
    runs = [0] * (len(edges_ms) - 1)
    for latency_ms in latencies_ms:
        runs[min(max(bisect_right(edges_ms, latency_ms) - 1, 0), len(runs) - 1)] += 1
    counts = count_ticks(max(runs))
    narrow_ms = axis.ticks_ms(MOST_TICKS_NARROW)
    has_p95 = len(latencies_ms) >= min_samples
    quantiles_ms = {"p50": quantile_ms(latencies_ms, 0.5)}
    if has_p95:
        quantiles_ms["p95"] = quantile_ms(latencies_ms, 0.95)
    phrases = [f"{counted(len(latencies_ms), 'run')}: {range_words(latencies_ms)}"]
    phrases += [f"{name} {latency_words(at_ms)}" for name, at_ms in quantiles_ms.items()]
    return Histogram(
        bins=tuple(
            _bin(axis, low_ms, high_ms, count, counts[-1], len(latencies_ms))
            for low_ms, high_ms, count in zip(edges_ms, edges_ms[1:], runs, strict=False)
        ),
        quantiles=tuple(_quantile(axis, name, at_ms) for name, at_ms in quantiles_ms.items()),
        ticks=tuple(
            Tick(tick_words(at_ms), _x(axis, at_ms), is_minor=at_ms not in narrow_ms)
            for at_ms in axis.ticks_ms(MOST_TICKS)
        ),
        counts=tuple(Tick(f"{count:,}", BASE_PX - _height(count, counts[-1])) for count in counts),
        words=", ".join(phrases),
        note="" if has_p95 else f"No p95 yet: it takes {counted(min_samples, 'timed run')}.",
    )


def _quantile(axis: LogAxis, name: str, at_ms: float) -> Quantile:
    """The p95's label stands above the line of the p50, and the p50's as a rule before its own: neither is crossed."""
    x = _x(axis, at_ms)
    top, is_left = (4, x > 60) if name == "p95" else (24, x >= 30)
    return Quantile(name, latency_words(at_ms), x, top, top + 12, is_left)


def _x(axis: LogAxis, latency_ms: float) -> float:
    return round(100 * axis.place(latency_ms), 2)


def _height(count: int, most: int) -> float:
    return round((BASE_PX - TOP_PX) * count / most, 1)


def _bin(axis: LogAxis, low_ms: float, high_ms: float, count: int, most: int, runs: int) -> Bin:
    x = _x(axis, low_ms)
    height = max(_height(count, most), LEAST_BAR_PX) if count else 0.0
    return Bin(
        words=f"{low_ms:,.10g} to {high_ms:,.10g} ms",
        runs=count,
        share=f"{100 * count / runs:.1f} %",
        x=x,
        width=round(_x(axis, high_ms) - x, 2),
        y=BASE_PX - height,
        height=height,
    )
