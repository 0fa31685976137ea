"""Axes: from milliseconds and counts to places, with ticks at 1, 2 and 5. Pure."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

# A logarithm has no zero: what is faster than 0.1 ms stands on the lower edge, and slower than 11 days on the upper.
_DECADES = range(-1, 9)
STEPS_MS = (*(float(f"{step}e{decade}") for decade in _DECADES for step in (1, 2, 5)), 1e9)
_ROUND = (1, 2, 3, 4, 5, 6, 8, 10)
STEPS_OF_A_DECADE = 3  # an axis spans no less: closer up, noise looks like news


@dataclass(frozen=True)
class Tick:
    """at: a percentage on an axis that runs across, pixels on one that runs up. is_minor: not on narrow screens."""

    words: str
    at: float
    is_minor: bool = False


@dataclass(frozen=True)
class LogAxis:
    """From `low_ms` to `high_ms`, both of STEPS_MS."""

    low_ms: float
    high_ms: float

    def place(self, latency_ms: float) -> float:
        """0 at the lower end, 1 at the upper; what lies beyond stands on the end."""
        within_ms = min(max(latency_ms, self.low_ms), self.high_ms)
        return math.log(within_ms / self.low_ms) / math.log(self.high_ms / self.low_ms)

    def ticks_ms(self, most: int) -> tuple[float, ...]:
        """At 1, 2 and 5; where these are more than `most`, at whole decades, then at every second of them."""
        first, last = STEPS_MS.index(self.low_ms), STEPS_MS.index(self.high_ms)
        every = 1
        while len(ticks := [STEPS_MS[i] for i in range(first, last + 1) if i % every == 0]) > most:
            every = STEPS_OF_A_DECADE if every == 1 else 2 * every
        return tuple(ticks)


def log_axis(latencies_ms: Sequence[float]) -> LogAxis:
    """Around all of `latencies_ms`, a decade at least. Raises ValueError for none."""
    last = len(STEPS_MS) - 1
    low = max(bisect_right(STEPS_MS, min(latencies_ms)) - 1, 0)
    high = min(bisect_left(STEPS_MS, max(latencies_ms)), last)
    while high - low < STEPS_OF_A_DECADE:
        low, high = max(low - 1, 0), min(high + 1, last)
    return LogAxis(STEPS_MS[low], STEPS_MS[high])


def count_ticks(most: int) -> tuple[int, ...]:
    """0, the smallest round number that `most` fits under, and their middle where that is a whole number."""
    decades = (10**decade for decade in range(len(str(most))))
    top = next(n * decade for decade in decades for n in _ROUND if n * decade >= most)
    return (0, top // 2, top) if top % 2 == 0 else (0, top)


def apart(upper: float, lower: float, gap: float, top: float, bottom: float) -> tuple[float, float]:
    """The places nearest to `upper` and `lower` that are `gap` apart, from `top` to `bottom` (y grows downwards)."""
    if lower - upper < gap:
        middle = (upper + lower) / 2
        upper, lower = middle - gap / 2, middle + gap / 2
    down = max(top - upper, 0)
    upper, lower = upper + down, lower + down
    up = max(lower - bottom, 0)
    return max(upper - up, top), lower - up


def latency_words(latency_ms: float) -> str:
    """Whole milliseconds, as the reasons write them; below 10, one decimal more."""
    if latency_ms >= 9.95 or latency_ms <= 0:
        return f"{latency_ms:.0f} ms"
    return f"{latency_ms:.1f} ms" if latency_ms >= 0.1 else "under 0.1 ms"


def tick_words(latency_ms: float) -> str:
    """A latency as an axis has it, without needless digits."""
    return f"{latency_ms / 1000:,.0f} s" if latency_ms >= 1000 else f"{latency_ms:g} ms"


def range_words(latencies_ms: Sequence[float]) -> str:
    """`30 to 412 ms`; the one value where all are the same. Raises ValueError for none."""
    low, high = latency_words(min(latencies_ms)), latency_words(max(latencies_ms))
    return high if low == high else f"{low.removesuffix(' ms')} to {high}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 run`, `2 runs`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
