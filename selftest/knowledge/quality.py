"""How well searches do: figures for the page *Search quality* and for its monitor. Nothing here changes a row.

A search is known by the SHA-256 of its query. Its text is told only where a person chose to have theirs kept, and only
to admins. What is asked while a query is still being typed counts for speed and as a figure of its own, and not for
what was found: half a word finds nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncDate

from selftest.core.judging.latency import quantile_ms
from selftest.knowledge.models import Chunk, Feedback, HistoryEntry, QualityAlert, Search

TYPING = "typing"  # the source of a search for a query that may not be whole yet
SHOWN_DAYS = 30
KEPT_DAYS = 90  # of searches; ratings are kept, as they are few and each is a person's word
LISTED = 10  # queries and results in a list of the page
TIMED_SEARCHES = 10_000  # the newest, for p50 and p95: more would cost the page its time and move neither
LEAST_LOW_RATINGS = 3  # fewer may be one reader's bad day
LEAST_FRUITLESS = 3  # how often the same query found nothing before it is listed


@dataclass(frozen=True)
class SearchDay:
    """A day with searches. fruitless: those of them that found nothing."""

    day: date
    searches: int
    fruitless: int


@dataclass(frozen=True)
class QueryFigures:
    """A query. text: "" where it is not known."""

    query_sha256: str
    text: str
    searches: int
    fruitless: int
    last_at: datetime


@dataclass(frozen=True)
class RatedResult:
    """A result that was rated as not helpful more often than as helpful. title, url: "" where it is gone."""

    key: str
    kind: str
    title: str
    url: str
    up: int
    down: int


@dataclass(frozen=True)
class Latency:
    """Of the newest searches, in ms; None without any."""

    searches: int
    p50_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True)
class Share:
    """How many of the searches found nothing."""

    searches: int
    fruitless: int

    @property
    def fraction(self) -> float:
        """0 without searches."""
        return self.fruitless / self.searches if self.searches else 0.0


def whole_searches(since: datetime) -> QuerySet[Search]:
    """Those of whole queries."""
    return Search.objects.filter(at__gte=since).exclude(source=TYPING).order_by()


def share_without_results(since: datetime) -> Share:
    """Of whole queries."""
    counts = whole_searches(since).aggregate(searches=Count("pk"), fruitless=Count("pk", filter=Q(results=0)))
    return Share(**counts)


def searches_while_typing(since: datetime) -> int:
    """How many."""
    return Search.objects.filter(at__gte=since, source=TYPING).count()


def days_of_searches(since: datetime) -> tuple[SearchDay, ...]:
    """Days in UTC with whole queries, the oldest first."""
    rows = (
        whole_searches(since)
        .annotate(day=TruncDate("at", tzinfo=UTC))
        .values("day")
        .annotate(searches=Count("pk"), fruitless=Count("pk", filter=Q(results=0)))
    )
    return tuple(SearchDay(**row) for row in rows.order_by("day"))


def latency(since: datetime) -> Latency:
    """Of all searches, those while typing too: a reader waits for each."""
    rows = Search.objects.filter(at__gte=since).order_by("-id").values_list("latency_ms", flat=True)
    times = list(rows[:TIMED_SEARCHES])
    if not times:
        return Latency(0, None, None)
    return Latency(len(times), quantile_ms(times, 0.5), quantile_ms(times, 0.95))


def top_queries(since: datetime, names_texts: bool, limit: int = LISTED) -> tuple[QueryFigures, ...]:
    """What is asked most often. names_texts: whether the reader may know what people chose to have kept."""
    return _named(_by_query(since).order_by("-searches", "query_sha256")[:limit], names_texts)


def fruitless_queries(
    since: datetime, names_texts: bool, limit: int = LISTED, least: int = LEAST_FRUITLESS
) -> tuple[QueryFigures, ...]:
    """Queries that never found anything, though asked `least` times, the most frequent first."""
    rows = _by_query(since).filter(most=0, searches__gte=least)
    return _named(rows.order_by("-searches", "query_sha256")[:limit], names_texts)


def _by_query(since: datetime) -> Any:  # rows of figures, of which Django's stubs know no fields
    return (
        whole_searches(since)
        .values("query_sha256")
        .annotate(
            searches=Count("pk"), fruitless=Count("pk", filter=Q(results=0)), most=Max("results"), last_at=Max("at")
        )
    )


def _named(rows: Iterable[Mapping[str, Any]], names_texts: bool) -> tuple[QueryFigures, ...]:
    found = list(rows)
    texts = _texts([row["query_sha256"] for row in found]) if names_texts else {}
    return tuple(
        QueryFigures(
            row["query_sha256"], texts.get(row["query_sha256"], ""), row["searches"], row["fruitless"], row["last_at"]
        )
        for row in found
    )


def _texts(hashes: Sequence[str]) -> dict[str, str]:
    """Of those that are in a kept history; the newest wording of each."""
    rows = HistoryEntry.objects.filter(query_sha256__in=hashes).order_by("at", "id")
    return dict(rows.values_list("query_sha256", "query"))


def low_rated(for_admin: bool, since: datetime | None = None, limit: int = LISTED) -> tuple[RatedResult, ...]:
    """Results that more readers found unhelpful than helpful, and LEAST_LOW_RATINGS at least; the worst first.

    for_admin: whether those are named, too, that only admins find.
    """
    ratings = Feedback.objects.filter(at__gte=since) if since else Feedback.objects.all()
    rows = (
        ratings.order_by()
        .values("chunk_key")
        .annotate(
            up=Count("pk", filter=Q(rating=Feedback.Rating.UP)),
            down=Count("pk", filter=Q(rating=Feedback.Rating.DOWN)),
            kind=Max("chunk_kind"),
        )
        .filter(down__gte=LEAST_LOW_RATINGS)
    )
    worst = sorted(
        (row for row in rows if row["down"] > row["up"]), key=lambda row: (row["up"] - row["down"], row["chunk_key"])
    )
    chunks = {chunk.key: chunk for chunk in Chunk.objects.filter(key__in=[row["chunk_key"] for row in worst])}
    found = []
    for row in worst:
        chunk = chunks.get(row["chunk_key"])
        if chunk is not None and chunk.for_admins and not for_admin:
            continue
        title, url = (chunk.title, chunk.url) if chunk else ("", "")
        found.append(RatedResult(row["chunk_key"], row["kind"], title, url, row["up"], row["down"]))
    return tuple(found[:limit])


def open_alerts() -> tuple[QualityAlert, ...]:
    """What the monitor found wrong and is so still, the newest first."""
    return tuple(QualityAlert.objects.filter(closed_at=None).order_by("-id"))


def days_ago(now: datetime, days: int) -> datetime:
    """The beginning, in UTC, of the first of the `days` days that end with today."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=days - 1)
