"""The queue: what waits for a person, as tabs, filters and folded groups; and what came since it was looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from review.addresses import numbered, page_shown, plain
from review.contexts.queue import (
    TAB_NAMES,
    EmptyState,
    Entry,
    FilterForm,
    Group,
    GroupAct,
    LeftOut,
    News,
    QueuePage,
    Row,
    RowAfter,
    TabLink,
    ViewLink,
    group_key,
)
from review.contexts.standing import Standing
from review.filters import as_query, queue_filter
from review.models import SavedView
from review.roles import MAY_REVIEW
from review.views.pages import Request, number, show, viewer
from review.views.standing import standing
from selftest import selectors
from selftest.models import Combination
from selftest.selectors import queue as lists
from selftest.selectors import worker
from selftest.selectors.fold import Heap, fold
from selftest.selectors.places import InvalidPlaceError, Place, listed
from selftest.selectors.queue import Counts, QueueFilter, Tab, Version
from selftest.selectors.rows import ingredient_names, latest_latencies, rows_numbered

PAGE_ENTRIES = 20  # what one person works off in a minute, and a page that is made quickly
LATENCIES = 10  # of a row, in its sparkline
NO_CONTENT = 204
PARTS_JOINED_BY = "~"  # of a place in an address


@require_safe
@viewer
def queue(request: Request) -> HttpResponse:
    now = timezone.now()
    wanted = queue_filter(request.GET)
    after = _place(request.GET.get("after", ""))
    at = lists.version()
    how_it_goes, health = standing(at)
    is_flat = bool(wanted.suspect) or request.GET.get("flat") == "1"
    counts = lists.counts(wanted, now, at) if is_flat else fold(wanted, now, at).counts
    try:
        entries, older = _entries(wanted, after, is_flat, now, at)
    except InvalidPlaceError as fault:
        raise BadRequest(f"after: {fault}") from fault
    query = as_query(wanted)
    left_out = lists.counts_left_out(wanted, now, at)
    page = QueuePage(
        count=health.flagged_for_review,
        tabs=_tabs(wanted, counts),
        form=FilterForm.of(
            wanted,
            lists.sources_known(),
            [name for _, name in at.targets],
            [name for pk, name in at.targets if pk in at.left_out],
            _here(as_query(QueueFilter(tab=wanted.tab))),
        ),
        left_out=tuple(
            LeftOut(name, count, _here(as_query(replace(wanted, target=name)))) for name, count in left_out.items()
        ),
        entries=entries,
        older=older,
        is_continuation=after is not None,
        is_in_group=request.GET.get("of") == "group",
        names_targets=len(at.targets) > 1,
        undoes=wanted.tab is Tab.DISMISSED,
        all_count=_all_count(wanted, counts),
        fields=tuple(_fields(wanted).items()),
        query=query,
        back=_here(query),
        views=_views(request, query),
        news=_news(wanted, lists.newest_flagged_run(), 0, how_it_goes),
        standing=how_it_goes,
        is_worker_missing=_is_worker_missing(how_it_goes),
        empty=None if entries or after else _empty(request.user, wanted, how_it_goes, bool(left_out), now, at),
        may_review=request.user.has_perm(MAY_REVIEW),
    )
    return show(request, "review/queue.html", page, partial="rows")


def _empty(
    user: User, wanted: QueueFilter, how_it_goes: Standing, is_left_out: bool, now: datetime, at: Version
) -> EmptyState | None:
    """What the list says where it has no row; None where there is no target: all pages say that in the same words."""
    if not how_it_goes.has_target:
        return None
    if wanted.is_narrow:
        unfiltered = QueueFilter(tab=wanted.tab)
        if hidden := lists.counts(unfiltered, now, at).of[wanted.tab]:
            return EmptyState.filtered(hidden, _here(as_query(unfiltered)))
    was_ever_flagged = lists.counts(QueueFilter(tab=Tab.EVER), now, at).of[Tab.EVER] > 0
    if was_ever_flagged and wanted.tab is not Tab.DISMISSED:
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if dismissed := lists.dismissed_since(today):
            return EmptyState.done_today(wanted.tab, dismissed, how_it_goes)
    settings = reverse("admin:selftest_tuning_changelist") if user.is_staff else ""
    empty = EmptyState.of_tab(wanted.tab, how_it_goes, was_ever_flagged, is_left_out, settings)
    return empty if user.has_perm(MAY_REVIEW) else replace(empty, offers_cycle=False)


@require_safe
@viewer
def news(request: Request) -> HttpResponseBase:
    """What the page that asks does not know yet; 204 where that is nothing. Of a page alone: others get the list."""
    wanted = queue_filter(request.GET)
    if not request.htmx:
        return redirect(_here(as_query(wanted)))
    since = number(request.GET.get("since", ""), "since") or 0
    how_it_goes, _ = standing()
    found = _news(wanted, since, lists.flagged_since(wanted, since, timezone.now()), how_it_goes)
    if request.GET.get("seen") == _seen(found.flagged, how_it_goes):
        return HttpResponse(status=NO_CONTENT)
    return show(request, "review/queue.html", found, partial="news_alone")


def row_of(pk: int, back: str) -> Row | None:
    """The row of one combination as it stands now; None where it was never flagged."""
    found = rows_numbered([pk])
    if not found or not found[0].ever_flagged:
        return None
    return _rows(found, _filter_of(back))[pk]


def _filter_of(address: str) -> QueueFilter:
    return queue_filter(QueryDict(address.partition("?")[2]))


def row_after(request: Request, found: Combination, row: Row, back: str, trouble: str) -> RowAfter:
    """The row that was acted on, in the list whose address is `back`; from an opened group, with that one's button."""
    wanted = of_group = _filter_of(back)
    now, at = timezone.now(), lists.version()
    is_in_group = "in_group" in request.POST
    group_act = None
    if is_in_group:
        here = page_shown(request) or back
        here = here if here.partition("?")[0] == plain("queue") else back
        wanted = _filter_of(here)
        key = group_key(found.target_id, found.flagged_check, found.suspect_id)
        left = fold(of_group, now, at).heaps
        group_act = GroupAct.of(key, left[0] if left else None, _fields(of_group), wanted.tab is Tab.DISMISSED, here)
    counts = lists.counts(wanted, now, at)
    return RowAfter(
        row=row,
        count=lists.waiting(None, at),
        tabs=_tabs(wanted, counts),
        all_count=_all_count(wanted, counts),
        names_targets=len(at.targets) > 1,
        trouble=trouble,
        is_in_group=is_in_group,
        group_act=group_act,
    )


def _tabs(wanted: QueueFilter, counts: Counts) -> tuple[TabLink, ...]:
    return tuple(
        TabLink(name, counts.of[tab], _here(as_query(replace(wanted, tab=tab))), tab is wanted.tab)
        for tab, name in TAB_NAMES.items()
    )


def _all_count(wanted: QueueFilter, counts: Counts) -> int:
    """How many an act upon all of the list changes: the dismissed are restored, of any others the open dismissed."""
    return counts.of[Tab.DISMISSED] if wanted.tab is Tab.DISMISSED else counts.open


def _entries(
    wanted: QueueFilter, after: Place | None, is_flat: bool, now: datetime, at: Version
) -> tuple[tuple[Entry, ...], str]:
    """The entries of one page, and where the next one is."""
    if is_flat:
        found = listed(wanted, now, after, PAGE_ENTRIES + 1, at)
        rows = _rows(rows_numbered(pk for pk, _ in found[:PAGE_ENTRIES]), wanted)
        entries = tuple(Entry(row=row) for row in rows.values())
        return entries, _older(wanted, [place for _, place in found], is_flat)
    folded = fold(wanted, now, at).after(after, PAGE_ENTRIES + 1)
    heaps = folded[:PAGE_ENTRIES]
    rows = _rows(rows_numbered(heap.only for heap in heaps if heap.only), wanted)
    targets = dict(at.targets)
    names = ingredient_names(heap.suspect for heap in heaps if not heap.only)
    made = (
        Entry(row=rows.get(heap.only))
        if heap.only
        else Entry(group=_group(heap, names.get(heap.suspect or 0, ""), wanted, targets))
        for heap in heaps
    )
    entries = tuple(entry for entry in made if entry.row or entry.group)
    return entries, _older(wanted, [heap.place for heap in folded], is_flat)


def _rows(found: Sequence[Combination], wanted: QueueFilter) -> dict[int, Row]:
    flags = selectors.findings_of(row.last_flagged_run_id for row in found if row.last_flagged_run_id)
    latencies = latest_latencies((row.pk for row in found), LATENCIES) if found else {}
    query = as_query(wanted)
    back = _here(query)
    return {
        row.pk: Row.of(
            row,
            flags.get(row.last_flagged_run_id or 0, []),
            latencies.get(row.pk, []),
            page=numbered("combination", row.pk) + (f"?{query}" if query else ""),
            back=back,
        )
        for row in found
    }


def _group(heap: Heap, suspect: str, wanted: QueueFilter, targets: Mapping[int, str]) -> Group:
    target = targets.get(heap.target, "")
    alone = replace(
        wanted,
        check=lists.check_named(heap.check),
        suspect=suspect,
        target=target if len(targets) > 1 else wanted.target,
    )
    page = _here(as_query(alone, **({} if suspect else {"flat": "1"})))
    key = group_key(heap.target, heap.check, heap.suspect)
    # Without a suspect no filter finds these rows and no others, so they are acted on one by one.
    act = GroupAct.of(
        key,
        heap if suspect else replace(heap, open=0),
        _fields(alone),
        wanted.tab is Tab.DISMISSED,
        _here(as_query(wanted)),
    )
    return Group.of(heap, suspect, target, page, act)


def _fields(wanted: QueueFilter) -> dict[str, str]:
    """The filter as hidden fields of a form."""
    named = {field.name: getattr(wanted, field.name) for field in fields(QueueFilter)}
    return {name: str(value) for name, value in named.items() if value}


def _older(wanted: QueueFilter, places: Sequence[Place], is_flat: bool) -> str:
    """By the last entry's place, so that rows which come or go meanwhile neither repeat nor hide any."""
    if len(places) <= PAGE_ENTRIES:
        return ""
    after = PARTS_JOINED_BY.join(places[PAGE_ENTRIES - 1])
    return _here(as_query(wanted, **({"flat": "1"} if is_flat and not wanted.suspect else {}), after=after))


def _place(after: str) -> Place | None:
    return tuple(after.split(PARTS_JOINED_BY)) if after else None


def _here(query: str) -> str:
    return plain("queue") + (f"?{query}" if query else "")


def _views(request: Request, query: str) -> tuple[ViewLink, ...]:
    """One's own and those that others share, by name."""
    return tuple(
        ViewLink(
            pk=view.pk,
            name=view.name,
            address=_here(view.query),
            by="" if view.owner_id == request.user.pk else view.owner.get_username(),
            is_shared=view.is_shared,
            is_here=view.query == query,
        )
        for view in SavedView.seen_by(request.user)
    )


def _news(wanted: QueueFilter, since: int, flagged: int, how_it_goes: Standing) -> News:
    asked = urlencode({"since": str(since), "seen": _seen(flagged, how_it_goes)})
    query = as_query(wanted)
    return News(
        flagged=flagged,
        address=f"{reverse('news')}?{query + '&' if query else ''}{asked}",
        show=_here(query),
        standing=how_it_goes,
    )


def _seen(flagged: int, how_it_goes: Standing) -> str:
    """A token of all that the polled part of the page shows."""
    outages = ",".join(str(outage.cycle) for outage in how_it_goes.outages)
    return f"{flagged}.{how_it_goes.open_cycle or 0}.{how_it_goes.asked}.{how_it_goes.last_run or 0}.{outages}"


def _is_worker_missing(how_it_goes: Standing) -> bool:
    """Asked only where something waits for the worker: to read its heartbeat writes to the cache."""
    waits = how_it_goes.is_overdue or (how_it_goes.open_cycle is not None and not how_it_goes.asked)
    return waits and worker.worker_clusters() == 0
