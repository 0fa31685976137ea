"""The queue: what waits for a person, as tabs, filters and groups; and what came since it was looked at."""

from dataclasses import replace
from time import monotonic

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from review import typed_fields
from review.contexts.assignees import assignable, assignee_names
from review.contexts.file_links import file_links
from review.contexts.news import News
from review.contexts.queue import (
    EmptyState,
    FilterForm,
    LeftOut,
    QueuePage,
    ViewLink,
)
from review.contexts.queue_entries import (
    PARTS_JOINED_BY,
    changed_by_all,
    page_of_entries,
    tab_links,
)
from review.contexts.status_line import StatusLine
from review.contexts.verdicts import JudgingForm
from review.filters import as_query, queue_filter
from review.models import SavedView
from review.page_urls import queue_url
from review.roles import MAY_REVIEW, reviewers
from review.views.pages import Request, number, show, viewer
from review.views.status_line import current_status, is_worker_missing
from selftest.operating.health import combinations_tried
from selftest.reading import queue as lists
from selftest.reading.causes import cause_numbered
from selftest.reading.queue import (
    NO_CAUSE,
    Cursor,
    InvalidCursorError,
    QueueFilter,
    QueueSnapshot,
    Sort,
    Tab,
    queue_revision,
)
from selftest.reading.sources import answering_sources

NO_CONTENT = 204
COUNTED_VIEWS = 20  # each is a query once anything has changed
COUNTING_S = (
    0.1  # that a page spends on them: of a long list each takes a while, and the next page continues from there
)


@require_safe
@viewer
def queue(request: Request) -> HttpResponseBase:
    """The list, with its tabs, filters and groups."""
    now = timezone.now()
    filters = queue_filter(request.GET)
    after = _cursor(request.GET.get("after", ""))
    wanted = filters.cause or filters.group or NO_CAUSE
    cause = None if wanted == NO_CAUSE else cause_numbered(wanted)
    if cause is not None and cause.pk not in (filters.cause, filters.group):  # it was merged: what it became
        became = replace(filters, cause=cause.pk) if filters.cause else replace(filters, group=cause.pk)
        return redirect(queue_url(as_query(became)))
    snapshot = QueueSnapshot(filters, queue_revision(), now)
    status = current_status()
    is_flat = filters.is_of_one_cause or request.GET.get("flat") == "1"
    counts = snapshot.counts
    try:
        entries, older = page_of_entries(snapshot, after, is_flat)
    except InvalidCursorError as fault:
        raise BadRequest(f"after: {fault}") from fault
    query, me = as_query(filters), request.user.get_username()
    people = [user.get_username() for user in reviewers()]
    left_out = snapshot.counts_left_out
    page = QueuePage(
        count=snapshot.to_review,
        tabs=tab_links(filters, counts),
        form=FilterForm.of(
            filters,
            answering_sources(),
            [name for _, name in snapshot.revision.targets],
            [name for pk, name in snapshot.revision.targets if pk in snapshot.revision.left_out],
            queue_url(as_query(QueueFilter(tab=filters.tab))),
            cause,
            assignee_names(people, me, filters.assignee),
        ),
        left_out=tuple(
            LeftOut(name, count, queue_url(as_query(replace(filters, target=name)))) for name, count in left_out.items()
        ),
        entries=entries,
        older=older,
        is_continuation=after is not None,
        is_in_group=request.GET.get("of") == "group",
        names_targets=len(snapshot.revision.targets) > 1,
        names_causes=not filters.is_of_one_cause,
        restores=filters.tab is Tab.DISMISSED,
        all_count=changed_by_all(filters, counts),
        query=query,
        back=queue_url(query),
        files=file_links("flags", query),
        views=_views(request.user, query, snapshot),
        news=News.of(query, lists.newest_flagged_run(snapshot.revision), 0, status),
        status=status,
        is_worker_missing=is_worker_missing(status),
        empty=None if entries or after else _empty(request.user, snapshot, status),
        may_review=request.user.has_perm(MAY_REVIEW),
        judging=replace(
            JudgingForm.of_several(snapshot.revision.has_versions, of_flags=True), typed=typed_fields.take(request)
        ),
        people=assignable(people, me, or_no_one=False),
    )
    return show(request, "review/queue.html", page, partial="rows")


def _empty(user: User, snapshot: QueueSnapshot, status: StatusLine) -> EmptyState | None:
    """What the list says where it has no row; None where there is no target: all pages say that in the same words."""
    if not status.has_target:
        return None
    filters, now = snapshot.filters, snapshot.now
    if filters.is_narrow:
        unfiltered = QueueFilter(tab=filters.tab)
        if hidden := snapshot.with_filters(unfiltered).counts.of[filters.tab]:
            return EmptyState.filtered(hidden, queue_url(as_query(unfiltered)))
    was_ever_flagged = snapshot.with_filters(QueueFilter(tab=Tab.EVER)).counts.of[Tab.EVER] > 0
    if was_ever_flagged and filters.tab is not Tab.DISMISSED:
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if dismissed := lists.dismissed_since(today):
            return EmptyState.done_today(filters.tab, dismissed, status)
    settings = reverse("admin:selftest_tuning_changelist") if user.is_staff else ""
    is_left_out = bool(snapshot.with_filters(QueueFilter(tab=_tab_of_all(filters.tab))).counts_left_out)
    empty = EmptyState.of_tab(filters.tab, status, combinations_tried(), was_ever_flagged, is_left_out, settings)
    return empty if user.has_perm(MAY_REVIEW) else replace(empty, offers_cycle=False)


def _tab_of_all(tab: Tab) -> Tab:
    """Dismissed flags are spoken of by themselves; of the others all that ever were count."""
    return tab if tab is Tab.DISMISSED else Tab.EVER


@require_safe
@viewer
def news(request: Request) -> HttpResponseBase:
    """What the page that asks does not know yet; 204 where that is nothing. Of a page alone: others get the list."""
    filters = queue_filter(request.GET)
    if not request.htmx:
        return redirect(queue_url(as_query(filters)))
    since = number(request.GET.get("since", ""), "since") or 0
    status = current_status()
    flagged = lists.flagged_since(filters, since, timezone.now())
    if request.GET.get("seen") == News.seen(flagged, status):
        return HttpResponse(status=NO_CONTENT)
    found = News.of(as_query(filters), since, flagged, status, of_causes=request.GET.get("of") == "causes")
    return show(request, "review/queue.html", found, partial="news_alone")


def _cursor(after: str) -> Cursor | None:
    return tuple(after.split(PARTS_JOINED_BY)) if after else None


def _views(user: User, query: str, snapshot: QueueSnapshot) -> tuple[ViewLink, ...]:
    """One's own and those that others share, by name; the first ones with how many rows they hold now."""
    until = monotonic() + COUNTING_S
    return tuple(
        ViewLink(
            pk=view.pk,
            name=view.name,
            address=queue_url(view.query),
            by="" if view.owner_id == user.pk else view.owner.get_username(),
            is_shared=view.is_shared,
            is_here=view.query == query,
            count=_count_of(view, snapshot) if place < COUNTED_VIEWS and monotonic() < until else None,
        )
        for place, view in enumerate(SavedView.seen_by(user))
    )


def _count_of(view: SavedView, snapshot: QueueSnapshot) -> int | None:
    """None where its filter is not valid any more, as of a check that is gone."""
    try:
        filters = queue_filter(QueryDict(view.query))
    except BadRequest:
        return None
    # Neither its tab nor its order changes what is counted, so views that differ in these alone share one count.
    return snapshot.with_filters(replace(filters, tab=Tab.REVIEW, sort=Sort.NEWEST)).counts.of[filters.tab]
