"""A wall screen: what waits, what is broken now, and whether testing works."""

from datetime import timedelta

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review.charts.days import FlagCount, bars
from review.contexts.overview import OverviewPage
from review.views.pages import Request, show, viewer
from review.views.status_line import current_status
from selftest.operating.health import testing_health
from selftest.reading.overview import flagged_now, newest_flags
from selftest.reading.queue import queue_revision
from selftest.reading.recipes import flagged_by_day
from selftest.reading.worker import worker_clusters

DAYS = 30


@require_safe
@viewer
def overview(request: Request) -> HttpResponse:
    """The figures of a wall screen."""
    now = timezone.now()
    revision = queue_revision()
    days = flagged_by_day(now.date() - timedelta(days=DAYS - 1), revision.left_out)
    page = OverviewPage.of(
        status=current_status(),
        health=testing_health(now, revision=revision),
        flagged_now=flagged_now(revision.left_out),
        clusters=worker_clusters(),
        days=bars([FlagCount(day, "", flags) for day, flags in days.items() if flags], now.date(), DAYS),
        newest=list(newest_flags(revision.left_out)),
        leaves_out=bool(revision.left_out),
    )
    return show(request, "review/overview.html", page, partial="wall")
