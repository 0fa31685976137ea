"""The last latencies of a combination, small enough for a row. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from review.charts.scale import latency_words, log_axis, range_words

WIDTH_PX, HEIGHT_PX = 96, 24
MARGIN_PX = 4  # half of the largest mark, and its stroke
MOST_RUNS = 10


@dataclass(frozen=True)
class Sparkline:
    """Three paths in a view of 96 × 24, "" where there is nothing of the kind, and the same in words.

    dots: points that the stroke makes round. flags: triangles, one for each flagged run.
    """

    line: str
    dots: str
    flags: str
    words: str


def sparkline(latencies_ms: Sequence[float | None], flagged: Sequence[bool]) -> Sparkline:
    """Of runs oldest first, of which the last 10 count. None: a run without a latency, which leaves its place empty.

    flagged: whether a promise was broken, for each of `latencies_ms`. Raises ValueError if they differ in number.
    """
    runs = list(zip(latencies_ms, flagged, strict=True))[-MOST_RUNS:]
    timed_ms = [latency_ms for latency_ms, _ in runs if latency_ms is not None]
    if not timed_ms:
        return Sparkline("", "", "", "No latency yet")
    axis = log_axis(timed_ms)
    step = (WIDTH_PX - 2 * MARGIN_PX) / max(len(runs) - 1, 1)
    start = MARGIN_PX if len(runs) > 1 else WIDTH_PX / 2
    tall = HEIGHT_PX - 2 * MARGIN_PX
    line, dots, flags = [], [], []
    for place, (latency_ms, is_flagged) in enumerate(runs):
        if latency_ms is None:
            continue
        x, y = start + place * step, HEIGHT_PX - MARGIN_PX - axis.place(latency_ms) * tall
        line.append(f"{x:.1f} {y:.1f}")
        if is_flagged:
            flags.append(f"M{x:.1f} {y - 3:.1f}l3 5.5h-6z")
        else:
            dots.append(f"M{x:.1f} {y:.1f}h0")
    return Sparkline(
        line=f"M{'L'.join(line)}" if len(line) > 1 else "",
        dots="".join(dots),
        flags="".join(flags),
        words=_words(timed_ms, runs),
    )


def _words(timed_ms: Sequence[float], runs: Sequence[tuple[float | None, bool]]) -> str:
    flagged = sum(is_flagged for _, is_flagged in runs)
    last_ms = runs[-1][0]
    if len(runs) == 1:
        latency = f"Latency of the only run: {latency_words(timed_ms[0])}"
    else:
        last = "without an answer" if last_ms is None else latency_words(last_ms)
        latency = f"Latency of the last {len(runs)} runs: {range_words(timed_ms)}, last {last}"
    return f"{latency}; {flagged} flagged" if flagged else latency
