"""`/drift` and the page of one series: figures over windows, alerts with both distributions, what can be decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean, median

from django.utils import timezone

from review.charts.distributions import Course, Distributions, WindowFigure, course, distributions
from review.charts.scale import latency_words
from review.contexts.choices import PageLink, target_links
from review.page_urls import numbered_url, page_url, with_query
from selftest.evaluation import drift_reading as reading
from selftest.evaluation.core.drift import REFERENCE_VALUES, WINDOW_VALUES, Metric
from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries, DriftWindow
from selftest.models import Target
from selftest.reading.targets import target_names

ENDED_ALERTS = 10
WINDOW_LINES = 30
STORY_LINES = 20
METRICS = {
    Metric.LATENCY: ("Latency", "How long an answer took; the median of a window."),
    Metric.SECTIONS: ("Sections per part", "Sections of the answer for each part of the query, on average."),
    Metric.EMPTY: ("Empty sections", "The share of an answer's sections that hold nothing, on average."),
    Metric.EXPLAINED: ("Explained", "The share of answers with a finding that was explained."),
    Metric.FAITHFULNESS: ("Faithfulness", "What the grader says of an answer, on average. Advice."),
    Metric.COVERAGE: ("Coverage", "What the grader says of an answer, on average. Advice."),
}
STATES = {
    "learning": "learning",
    "waiting": "no window yet",
    "calm": "as before",
    "suspect": "suspect",
    "drift": "drift",
}


def url_of(target: str, is_cached: bool = False) -> str:
    """The page of a target, of its cached answers or of the others."""
    return with_query(page_url("drift"), {"target": target} | ({"cached": "yes"} if is_cached else {}))


def series_url(pk: int) -> str:
    """The page of one series."""
    return numbered_url("drift-series", pk)


@dataclass(frozen=True)
class SeriesName:
    """Which values: of a recipe, a metric, and from the cache or not."""

    recipe: str
    metric: str
    cached: str
    page: str

    @classmethod
    def of(cls, row: DriftSeries) -> "SeriesName":
        """In words."""
        name = METRICS[Metric(row.metric)][0]
        return cls(row.recipe_name, name, "cached" if row.cached else "not cached", series_url(row.pk))


@dataclass(frozen=True)
class SeriesLine:
    """A small multiple. figure: of the newest window; course: None without a reference, of which `progress` tells."""

    name: SeriesName
    state: str
    words: str
    figure: str
    progress: str
    course: Course | None

    @classmethod
    def of(cls, row: DriftSeries, windows: Sequence[DriftWindow]) -> "SeriesLine":
        """windows: the newest first."""
        state = reading.state_of(row)
        if not row.reference:
            progress = f"{len(row.pending)} of {REFERENCE_VALUES} values"
            return cls(SeriesName.of(row), state, STATES[state], "", progress, None)
        figures = [WindowFigure(_figure(row, window), window.verdict) for window in reversed(windows)]
        drawn = course(figures, _usual(row, row.reference), lambda value: _words(row, value))
        figure = _words(row, figures[-1].value) if figures else ""
        progress = f"{len(row.pending)} of {WINDOW_VALUES} values"
        return cls(SeriesName.of(row), state, STATES[state], figure, progress, drawn)


@dataclass(frozen=True)
class MetricGroup:
    """All series of one metric."""

    name: str
    says: str
    lines: tuple[SeriesLine, ...]


@dataclass(frozen=True)
class AlertLine:
    """drawn: both distributions as they were when it began."""

    name: SeriesName
    moved: str
    certainty: str
    drawn: Distributions
    began_at: datetime
    ended_at: datetime | None
    end: str
    reset_at: str

    @classmethod
    def of(cls, row: DriftAlert) -> "AlertLine":
        """In words."""
        series = row.series
        reference, window = _usual(series, row.reference), _usual(series, row.window)
        drawn = distributions(
            row.reference,
            row.window,
            lambda value: _words(series, value),
            is_latency=series.metric == Metric.LATENCY,
        )
        return cls(
            SeriesName.of(series),
            f"{_words(series, reference)} → {_words(series, window)}",
            _chance(row.p_value),
            drawn,
            row.began_at,
            row.ended_at,
            row.get_end_display() if row.end else "",
            numbered_url("reset-drift", series.pk),
        )


@dataclass(frozen=True)
class ProposalLine:
    """That all references of the target start again."""

    what: str
    at: datetime
    accept_at: str
    refuse_at: str

    @classmethod
    def of(cls, row: DriftProposal) -> "ProposalLine":
        """With where it is decided."""
        urls = (numbered_url(name, row.pk) for name in ("accept-references", "refuse-references"))
        return cls(row.what, row.created_at, *urls)


@dataclass(frozen=True)
class DriftPage:
    """target: "" before the first one. tabs: cached answers and the others."""

    target: str
    targets: tuple[PageLink, ...]
    tabs: tuple[PageLink, ...]
    here: str
    may_reset: bool
    proposal: ProposalLine | None
    alerts: tuple[AlertLine, ...]
    ended: tuple[AlertLine, ...]
    groups: tuple[MetricGroup, ...]
    sums: str
    sizes: str = f"{REFERENCE_VALUES} values, in windows of {WINDOW_VALUES} or more"


@dataclass(frozen=True)
class WindowLine:
    """A window in the table of a series."""

    at: datetime
    size: int
    figure: str
    spread: str
    distance: str
    verdict: str


@dataclass(frozen=True)
class EventLine:
    """What happened to a series, or to all of its target."""

    at: datetime
    who: str
    what: str
    note: str


@dataclass(frozen=True)
class SeriesPage:
    """reset_at: where a form resets the reference, "" without a reference, or where the reader may not."""

    line: SeriesLine
    target: str
    back: str
    says: str
    figure: str
    reference: str
    reference_at: datetime | None
    reset_at: str
    may_reset: bool
    here: str
    alerts: tuple[AlertLine, ...]
    windows: tuple[WindowLine, ...]
    story: tuple[EventLine, ...]


def drift_page(target: Target | None, is_cached: bool, may_reset: bool) -> DriftPage:
    """All that is watched of a target."""
    if target is None:
        return DriftPage("", (), (), page_url("drift"), may_reset, None, (), (), (), "")
    rows = reading.series_with_windows(target, is_cached, timezone.now())
    proposal = reading.open_proposal(target)
    return DriftPage(
        target=target.name,
        targets=target_links(target_names(), target, url_of),
        tabs=tuple(
            PageLink(words, url_of(target.name, cached), cached is is_cached)
            for words, cached in (("Asked of the sources", False), ("From the cache", True))
        ),
        here=url_of(target.name, is_cached),
        may_reset=may_reset,
        proposal=ProposalLine.of(proposal) if proposal else None,
        alerts=tuple(map(AlertLine.of, reading.alerts(target, is_open=True))),
        ended=tuple(map(AlertLine.of, reading.alerts(target, is_open=False)[:ENDED_ALERTS])),
        groups=tuple(
            MetricGroup(name, says, lines)
            for metric, (name, says) in METRICS.items()
            if (lines := _lines(rows, metric))
        ),
        sums=_sums(rows),
    )


def series_page(row: DriftSeries, may_reset: bool) -> SeriesPage:
    """One series: its windows, its alerts, what happened to it."""
    windows = list(reading.windows_of(row).order_by("-id")[:WINDOW_LINES])
    reset_at = numbered_url("reset-drift", row.pk) if may_reset and row.reference else ""
    return SeriesPage(
        line=SeriesLine.of(row, windows),
        target=row.target.name,
        back=url_of(row.target.name, row.cached),
        says=METRICS[Metric(row.metric)][1],
        figure="Median" if row.metric == Metric.LATENCY else "Average",
        reference=_words(row, _usual(row, row.reference)) if row.reference else "",
        reference_at=row.reference_at,
        reset_at=reset_at,
        may_reset=False,  # once on this page is enough: by `reset_at`
        here=series_url(row.pk),
        alerts=tuple(map(AlertLine.of, reading.alerts_of(row)[:ENDED_ALERTS])),
        windows=tuple(_window_line(row, window) for window in windows),
        story=tuple(
            EventLine(event.at, event.actor, event.get_kind_display(), event.note)
            for event in reading.story_of(row)[:STORY_LINES]
        ),
    )


def event_words(row: DriftEvent) -> tuple[str, str, str]:
    """For the feed: what was done, on what, and the page of that."""
    if row.series is None:
        return row.get_kind_display(), row.target.name, url_of(row.target.name)
    name = SeriesName.of(row.series)
    return row.get_kind_display(), f"{name.metric} of {name.recipe}, {name.cached}", name.page


def _lines(rows: Sequence[DriftSeries], metric: Metric) -> tuple[SeriesLine, ...]:
    """Those that say something first."""
    lines = [SeriesLine.of(row, row.shown) for row in rows if row.metric == metric]  # type: ignore[attr-defined]
    order = ("drift", "suspect", "calm", "waiting", "learning")
    return tuple(sorted(lines, key=lambda line: order.index(line.state)))


def _sums(rows: Sequence[DriftSeries]) -> str:
    counts = reading.counts(rows)
    return ", ".join(f"{count:,} {STATES[state]}" for state, count in counts.items() if count)


def _window_line(row: DriftSeries, window: DriftWindow) -> WindowLine:
    spread = f"{_words(row, window.low)} to {_words(row, window.high)}"
    distance = f"{window.distance:.2f} {'up' if window.is_up else 'down'}"
    return WindowLine(
        window.at, window.size, _words(row, _figure(row, window)), spread, distance, STATES[window.verdict]
    )


def _figure(row: DriftSeries, window: DriftWindow) -> float:
    return window.median if row.metric == Metric.LATENCY else window.mean


def _usual(row: DriftSeries, values: Sequence[float]) -> float:
    return median(values) if row.metric == Metric.LATENCY else fmean(values)


def _words(row: DriftSeries, value: float) -> str:
    if row.metric == Metric.LATENCY:
        return latency_words(value)
    return f"{100 * value:.0f} %" if row.metric in (Metric.EMPTY, Metric.EXPLAINED) else f"{value:.2f}"


def _chance(p_value: float) -> str:
    return "by chance less than once in a million" if p_value < 1e-6 else f"by chance once in {1 / p_value:,.0f}"
