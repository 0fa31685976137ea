"""A cause over the last cycles, small enough for a row: in how many of the queries that could show it, it did. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH_PX, HEIGHT_PX = 96, 24
BASE_PX = HEIGHT_PX - 3
TALLEST_PX = BASE_PX - 2
MOST_CYCLES = 24
LEAST_PX = 3.0  # one flag is seen beside hundreds


@dataclass(frozen=True)
class CycleCount:
    """runs: those of a cycle that could have shown it; flagged: those that did."""

    runs: int
    flagged: int


@dataclass(frozen=True)
class CycleBars:
    """Two paths in a view of 96 × 24, "" where there is nothing of the kind, and the same in words.

    flagged: a bar for each cycle that showed it, as tall as the share of its queries. clean: a dot for each that did
    not.
    """

    flagged: str
    clean: str
    words: str


def cycle_bars(counts: Sequence[CycleCount]) -> CycleBars | None:
    """counts: the oldest first, of which the last 24 count. None for fewer than two: one cycle shows no course."""
    shown = counts[-MOST_CYCLES:]
    if len(shown) < 2:
        return None
    step = WIDTH_PX / MOST_CYCLES
    left = WIDTH_PX - step * len(shown)
    flagged, clean = [], []
    for place, count in enumerate(shown):
        x = left + step * (place + 0.5)
        if count.flagged:
            tall = max(LEAST_PX, TALLEST_PX * count.flagged / max(count.runs, count.flagged))
            flagged.append(f"M{x:.1f} {BASE_PX}v{-tall:.1f}")
        else:
            clean.append(f"M{x:.1f} {BASE_PX}h0")
    return CycleBars("".join(flagged), "".join(clean), _words(shown))


def _words(shown: Sequence[CycleCount]) -> str:
    cycles = sum(count.flagged > 0 for count in shown)
    quiet = next((place for place, count in enumerate(reversed(shown)) if count.flagged), len(shown))
    newest = "and in the newest" if not quiet else f"not in the newest {quiet}" if quiet > 1 else "not in the newest"
    return f"seen in {cycles} of the last {len(shown)} cycles that could show it, {newest}"
