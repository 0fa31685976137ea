"""The queue: what waits for a person, the newest run first."""

from datetime import datetime

from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from review.contexts import Dismissal, QueuePage, Row
from review.views.pages import Request, number, show, viewer
from review.views.standing import standing
from selftest import selectors
from selftest.models import Combination, ReviewEvent, Target

PAGE_ROWS = 50
LATEST_DISMISSALS = 5
LATELY_EVENTS = 5_000  # of all stories: where nothing was dismissed among them, no long history is searched for it


@require_safe
@viewer
def queue(request: Request) -> HttpResponse:
    before = request.GET.get("before", "")
    waiting = selectors.flagged()
    if before:
        waiting = selectors.older_than(waiting, *_place(before))
    found = list(waiting[: PAGE_ROWS + 1])
    shown = found[:PAGE_ROWS]
    how_it_goes, health = standing()
    just_dismissed = _just_dismissed(request)
    page = QueuePage(
        count=health.flagged_for_review,
        rows=_rows(shown, reverse("queue") + (f"?{urlencode({'before': before})}" if before else "")),
        older=_older(shown[-1]) if len(found) > PAGE_ROWS else "",
        is_continuation=bool(before),
        standing=how_it_goes,
        names_targets=names_targets(),
        was_ever_flagged=bool(shown) or selectors.flagged(include_dismissed=True).exists(),
        dismissed=just_dismissed,
        lately=() if before else _dismissed_lately(but=just_dismissed),
    )
    return show(request, "review/queue.html", page, partial="rows")


def names_targets() -> bool:
    """Whether a row has to say whose it is."""
    return Target.objects.count() > 1


def _rows(shown: list[Combination], back: str) -> tuple[Row, ...]:
    flags = selectors.findings_of(c.last_flagged_run_id for c in shown if c.last_flagged_run_id)
    return tuple(Row.of(c, flags.get(c.last_flagged_run_id or 0, []), back) for c in shown)


def _older(last: Combination) -> str:
    """By the last row's place, so that rows which come or go meanwhile neither repeat nor hide any."""
    moment = last.last_run_timestamp
    before = f"{moment.isoformat() if moment else ''}_{last.pk}"
    return f"{reverse('queue')}?{urlencode({'before': before})}"


def _place(before: str) -> tuple[datetime, int]:
    moment, _, pk = before.rpartition("_")
    try:
        at = parse_datetime(moment)
    except ValueError:  # well formed, and no date
        at = None
    last_pk = number(pk, "before")
    if at is None or at.tzinfo is None or last_pk is None:
        raise BadRequest("before: not a place in the queue")
    return at, last_pk


def _just_dismissed(request: Request) -> Row | None:
    """What a form without JavaScript took off: shown once more on top, with its undo."""
    pk = number(request.GET.get("dismissed", ""), "dismissed")
    if pk is None:
        return None
    found: QuerySet[Combination] = selectors.flagged(include_dismissed=True).filter(
        pk=pk, review_status=Combination.ReviewStatus.DISMISSED
    )
    rows = _rows(list(found), reverse("queue"))
    return rows[0] if rows else None


def _dismissed_lately(but: Row | None) -> tuple[Dismissal, ...]:
    """The newest dismissals that still stand, each combination once, in one query; without the one shown on top."""
    dismissals = ReviewEvent.objects.filter(kind=ReviewEvent.Kind.DISMISSED)
    newest_event = Subquery(ReviewEvent.objects.order_by("-id").values("pk")[:1])
    again = dismissals.filter(combination=OuterRef("combination"), pk__gt=OuterRef("pk"))
    standing_ones = dismissals.filter(
        ~Exists(again),
        pk__gt=newest_event - LATELY_EVENTS,
        combination__review_status=Combination.ReviewStatus.DISMISSED,
    )
    if but is not None:
        standing_ones = standing_ones.exclude(combination=but.pk)
    events = standing_ones.select_related("combination").order_by("-id")[:LATEST_DISMISSALS]
    return tuple(map(Dismissal.of, events))
