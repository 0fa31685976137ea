"""How well searches do. Everyone with a role sees the figures; the words of queries are for admins."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.charts.searches import DayCount, search_bars
from review.contexts.search_quality import (
    QualityPage,
    QueryLine,
    RatedLine,
    alert_lines,
    latency_figures,
    share_words,
)
from review.roles import MAY_SET_SEARCH
from review.views.pages import Request, show, viewer
from selftest.knowledge import quality
from selftest.knowledge.core.answers import SearchRequest
from selftest.knowledge.models import SearchSettings
from selftest.knowledge.searching import search


@require_safe
@viewer
def search_quality(request: Request) -> HttpResponse:
    """Searches of the last quality.SHOWN_DAYS days, ratings of all times, and the alerts that are open."""
    now = timezone.now()
    since = quality.days_ago(now, quality.SHOWN_DAYS)
    is_admin = request.user.has_perm(MAY_SET_SEARCH)
    share = quality.share_without_results(since)
    fruitless = quality.fruitless_queries(since, is_admin)
    mended = _mended(fruitless)
    low_rated = quality.low_rated(is_admin)
    days = [DayCount(row.day, row.searches, row.fruitless) for row in quality.days_of_searches(since)]
    alerts = [row for row in quality.open_alerts() if is_admin or row.kind != row.Kind.LOW_RATED]
    titles = {row.key: row.title for row in low_rated if row.title}
    titles |= {row.query_sha256: row.text for row in fruitless if row.text}
    p50, p95 = latency_figures(quality.latency(since))
    page = QualityPage(
        days=quality.SHOWN_DAYS,
        alerts=alert_lines(alerts, titles),
        is_watched=SearchSettings.get_solo().monitor,
        searches=f"{share.searches:,}",
        fruitless=share_words(share),
        typing=f"{quality.searches_while_typing(since):,}",
        p50=p50,
        p95=p95,
        trend=search_bars(days, now.date(), quality.SHOWN_DAYS),
        top=tuple(QueryLine.of(row, {}) for row in quality.top_queries(since, is_admin)),
        fruitless_queries=tuple(QueryLine.of(row, mended) for row in fruitless),
        low_rated=tuple(map(RatedLine.of, low_rated)),
        names_texts=is_admin,
    )
    return show(request, "review/search_quality.html", page)


def _mended(rows: Sequence[quality.QueryFigures]) -> dict[str, str]:
    """By SHA-256, what to search for instead of a query that finds nothing, where search knows of something."""
    answers = {row.query_sha256: search(SearchRequest(row.text, k=1, is_whole=False)) for row in rows if row.text}
    found = {name: answer.did_you_mean or next(iter(answer.suggestions), "") for name, answer in answers.items()}
    return {name: query for name, query in found.items() if query}
