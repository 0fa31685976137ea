"""The latency history of a recipe: a dot per run against the p95 and the threshold. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from review.charts.scale import Tick, apart, counted, latency_words, log_axis, range_words, tick_words

HEIGHT_PX = 240
MARGIN_PX = 16  # the text of a tick and the largest mark fit in it
MARGIN_PERCENT = 3.0  # the largest mark fits in it on the narrowest screen
LABEL_PX = 34  # the label of a line: its name, and the figure below it
MOST_TICKS = 8
MOST_SAMPLES = 200


@dataclass(frozen=True)
class Sample:
    """A run that was timed: answered, and not from a cache."""

    run: int
    latency_ms: float
    at: datetime | None
    combination: int
    query: str
    is_flagged: bool = False

    @property
    def words(self) -> str:
        return latency_words(self.latency_ms)


@dataclass(frozen=True)
class Dot:
    """x in percent, y in pixels from the top. is_marked: of the combination that the chart is about."""

    sample: Sample
    x: float
    y: float
    is_marked: bool

    @property
    def words(self) -> str:
        flagged = ", flagged" if self.sample.is_flagged else ""
        marked = ", this combination" if self.is_marked else ""
        return f"Run {self.sample.run}: {self.sample.words}{flagged}{marked}"


@dataclass(frozen=True)
class Rule:
    """A line across the chart. label_y: the middle of its label, which stands clear of the other's."""

    name: str
    words: str
    kind: str
    y: float
    label_y: float


@dataclass(frozen=True)
class LatencyChart:
    """dots: oldest first; rows: the same newest first, for the table. note: why a line is missing, "" if none is."""

    dots: tuple[Dot, ...]
    rows: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    rules: tuple[Rule, ...]
    title: str
    words: str
    note: str
    has_marked: bool
    first: datetime | None = None
    last: datetime | None = None
    height: int = HEIGHT_PX


def latency_chart(
    samples: Sequence[Sample],
    marked: int | None,
    p95_ms: float | None,
    threshold_ms: float | None,
    min_samples: int,
) -> LatencyChart:
    """A dot for each of the last 200 `samples`, oldest first, evenly spaced.

    By order and not by time: runs come in cycles, and on an axis of time each cycle would be one cluster of dots with
    a gap behind it. marked: the combination whose runs stand out. p95_ms: None where fewer than `min_samples` are
    known.
    """
    samples = samples[-MOST_SAMPLES:]
    if not samples:
        return LatencyChart((), (), (), (), "Latency", "", "No run of this recipe was timed yet.", has_marked=False)
    latencies_ms = [sample.latency_ms for sample in samples]
    lines_ms = [line_ms for line_ms in (p95_ms, threshold_ms) if line_ms is not None]
    axis = log_axis([*latencies_ms, *lines_ms])

    def y(latency_ms: float) -> float:
        return round(HEIGHT_PX - MARGIN_PX - axis.place(latency_ms) * (HEIGHT_PX - 2 * MARGIN_PX), 1)

    step = (100 - 2 * MARGIN_PERCENT) / max(len(samples) - 1, 1)
    start = MARGIN_PERCENT if len(samples) > 1 else 50.0
    dots = tuple(
        Dot(sample, round(start + place * step, 2), y(sample.latency_ms), sample.combination == marked)
        for place, sample in enumerate(samples)
    )
    return LatencyChart(
        dots=dots,
        rows=dots[::-1],
        ticks=tuple(Tick(tick_words(at_ms), y(at_ms)) for at_ms in axis.ticks_ms(MOST_TICKS)),
        rules=_rules(p95_ms, threshold_ms, y(p95_ms or 0), y(threshold_ms or 0)),
        title=f"Latency of the last {len(samples)} runs" if len(samples) > 1 else "Latency of the only run",
        words=_words(latencies_ms, dots, p95_ms, threshold_ms),
        note="" if p95_ms is not None else _too_few(len(samples), min_samples),
        has_marked=any(dot.is_marked for dot in dots),
        first=samples[0].at,
        last=samples[-1].at,
    )


def _rules(p95_ms: float | None, threshold_ms: float | None, p95_y: float, threshold_y: float) -> tuple[Rule, ...]:
    rules = []
    if p95_ms is not None:
        rules.append(Rule("p95", latency_words(p95_ms), "p95", p95_y, p95_y))
    if threshold_ms is not None:
        rules.append(Rule("threshold", latency_words(threshold_ms), "threshold", threshold_y, threshold_y))
    rules.sort(key=lambda rule: rule.y)  # a multiplier below 1 puts the threshold under the p95
    if len(rules) < 2:
        return tuple(rules)
    upper, lower = rules
    half = LABEL_PX / 2
    upper_y, lower_y = apart(upper.y, lower.y, LABEL_PX, top=half, bottom=HEIGHT_PX - half)
    return (replace(upper, label_y=round(upper_y, 1)), replace(lower, label_y=round(lower_y, 1)))


def _words(latencies_ms: Sequence[float], dots: Sequence[Dot], p95_ms: float | None, threshold_ms: float | None) -> str:
    phrases = [range_words(latencies_ms)]
    if p95_ms is not None:
        phrases.append(f"p95 {latency_words(p95_ms)}")
    if threshold_ms is not None:
        phrases.append(f"an outlier above {latency_words(threshold_ms)}")
    if marked := sum(dot.is_marked for dot in dots):
        phrases.append(f"{marked} of this combination")
    if flagged := sum(dot.sample.is_flagged for dot in dots):
        phrases.append(f"{flagged} flagged")
    return ", ".join(phrases)


def _too_few(samples: int, min_samples: int) -> str:
    there = "there is 1" if samples == 1 else f"there are {samples}"
    return f"No p95 and no threshold yet: they take {counted(min_samples, 'timed run')}, and {there}."
