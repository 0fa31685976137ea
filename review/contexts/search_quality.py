"""`/search/quality`: how much is searched, what finds nothing, what readers find unhelpful, how fast it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from review.charts.scale import latency_words
from review.charts.searches import SearchBars
from review.contexts.choices import PageLink
from review.contexts.search import KIND_WORDS, Asked
from selftest.knowledge.core.answer_document import safe_url
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.models import QualityAlert
from selftest.knowledge.quality import Latency, QueryFigures, RatedResult, Share

HASH_CHARACTERS = 12  # of a query that is known by its SHA-256 alone
NOT_GIVEN = "–"


@dataclass(frozen=True)
class QueryLine:
    """A query. url: searches for it; "" where its words are not known. mended: another one to try, or None."""

    words: str
    url: str
    searches: int
    fruitless: int
    last_at: datetime
    mended: PageLink | None

    @classmethod
    def of(cls, row: QueryFigures, mended: Mapping[str, str]) -> "QueryLine":
        """mended: by SHA-256."""
        other = mended.get(row.query_sha256, "")
        return cls(
            row.text or row.query_sha256[:HASH_CHARACTERS],
            Asked(row.text).url() if row.text else "",
            row.searches,
            row.fruitless,
            row.last_at,
            PageLink(other, Asked(other).url(), is_chosen=False) if other else None,
        )


@dataclass(frozen=True)
class RatedLine:
    """A result. words: its title, or its id where it is gone."""

    words: str
    url: str
    kind: str
    up: int
    down: int

    @classmethod
    def of(cls, row: RatedResult) -> "RatedLine":
        """As it stands now."""
        kind = KIND_WORDS[Kind(row.kind)] if row.kind in set(Kind) else row.kind
        return cls(row.title or row.key, safe_url(row.url), kind, row.up, row.down)


@dataclass(frozen=True)
class AlertLine:
    """What the monitor found wrong."""

    words: str
    about: str
    figures: str
    opened_at: datetime


@dataclass(frozen=True)
class QualityPage:
    """names_texts: whether the reader sees queries that people chose to have kept."""

    days: int
    alerts: tuple[AlertLine, ...]
    is_watched: bool
    searches: str
    fruitless: str
    typing: str
    p50: str
    p95: str
    trend: SearchBars
    top: tuple[QueryLine, ...]
    fruitless_queries: tuple[QueryLine, ...]
    low_rated: tuple[RatedLine, ...]
    names_texts: bool


def alert_lines(rows: Sequence[QualityAlert], titles: Mapping[str, str]) -> tuple[AlertLine, ...]:
    """titles: by what an alert is about: the title of a result, the words of a query where they may be told."""
    return tuple(_alert(row, titles) for row in rows)


def share_words(share: Share) -> str:
    """`12 (3 %)`."""
    return f"{share.fruitless:,} ({100 * share.fraction:.0f} %)" if share.searches else NOT_GIVEN


def latency_figures(latency: Latency) -> tuple[str, str]:
    """p50 and p95 in words."""
    return tuple(NOT_GIVEN if ms is None else latency_words(ms) for ms in (latency.p50_ms, latency.p95_ms))  # type: ignore[return-value]  # two of them


def _alert(row: QualityAlert, titles: Mapping[str, str]) -> AlertLine:
    about = row.about and titles.get(row.about, row.about)
    if row.kind == QualityAlert.Kind.ZERO_RESULTS and row.about:
        words, about = "A query finds nothing", titles.get(row.about, row.about[:HASH_CHARACTERS])
    else:
        words = row.get_kind_display()
    return AlertLine(words, about, _figures(row.figures), row.opened_at)


def _figures(figures: Mapping[str, float]) -> str:
    if "fruitless" in figures:
        return f"{figures['fruitless']:,} of {figures['searches']:,} searches in a week"
    if "p95_ms" in figures:
        return f"p95 {latency_words(figures['p95_ms'])} over {figures['searches']:,} searches in a week"
    return f"{figures.get('down', 0):,} not helpful, {figures.get('up', 0):,} helpful"
