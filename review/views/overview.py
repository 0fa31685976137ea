"""A wall screen: what waits, what is broken now, and whether testing is running."""

from datetime import timedelta

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.charts import FlagCount, bars
from review.contexts.overview import OverviewPage
from review.views.pages import Request, show, viewer
from review.views.standing import standing
from selftest import selectors
from selftest.selectors import queue as lists

DAYS = 30
NEWEST_FLAGS = 5


@require_safe
@viewer
def overview(request: Request) -> HttpResponse:
    now = timezone.now()
    at = lists.version()
    how_it_goes, health = standing(at)
    days = selectors.flagged_by_day(now.date() - timedelta(days=DAYS - 1))
    page = OverviewPage.of(
        standing=how_it_goes,
        health=health,
        flagged_now=selectors.flagged_now(at.left_out),
        clusters=selectors.worker_clusters(),
        days=bars([FlagCount(day, "", flags) for day, flags in days.items() if flags], now.date(), DAYS),
        newest=list(selectors.newest_flags(at.left_out)[:NEWEST_FLAGS]),
    )
    return show(request, "review/overview.html", page, partial="wall")
