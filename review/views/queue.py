"""The queue: what waits for a person, as tabs, filters and folded groups; and what came since it was looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

from django.core.exceptions import BadRequest
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from review.contexts.queue import (
    TAB_NAMES,
    Entry,
    FilterForm,
    GroupAct,
    GroupRow,
    LeftOut,
    News,
    QueuePage,
    Row,
    RowAfter,
    TabLink,
    ViewLink,
    group_key,
)
from review.contexts.testing_status import Standing
from review.filters import as_query, queue_filter
from review.models import SavedView
from review.page_urls import numbered, page_shown, plain
from review.roles import MAY_REVIEW
from review.views.pages import Request, number, show, viewer
from review.views.testing_status import standing
from selftest.models import Combination
from selftest.reading import queue as lists
from selftest.reading import worker
from selftest.reading.cursors import queue_page
from selftest.reading.groups import Group, queue_groups
from selftest.reading.queue import (
    Counts,
    Cursor,
    InvalidCursorError,
    QueueFilter,
    QueueSnapshot,
    Tab,
    findings_of,
    queue_revision,
)
from selftest.reading.rows import ingredient_names, latest_latencies, rows_numbered

PAGE_ENTRIES = 20  # what somebody works off in a minute, and a page that is made quickly
LATENCIES = 10  # of a row, in its sparkline
NO_CONTENT = 204
PARTS_JOINED_BY = "~"  # of a cursor in an address


@require_safe
@viewer
def queue(request: Request) -> HttpResponse:
    now = timezone.now()
    filters = queue_filter(request.GET)
    after = _cursor(request.GET.get("after", ""))
    snapshot = QueueSnapshot(filters, queue_revision(), now)
    how_it_goes, health = standing(snapshot.revision)
    is_flat = bool(filters.suspect) or request.GET.get("flat") == "1"
    counts = snapshot.counts if is_flat else queue_groups(snapshot).counts
    in_all = health.flagged_for_review if filters.tab is Tab.REVIEW else None
    if filters.is_narrow and in_all is None:
        in_all = snapshot.with_filters(QueueFilter(tab=filters.tab)).counts.of[filters.tab]
    try:
        entries, older = _entries(snapshot, after, is_flat)
    except InvalidCursorError as fault:
        raise BadRequest(f"after: {fault}") from fault
    query = as_query(filters)
    is_empty = not entries and after is None
    page = QueuePage(
        count=health.flagged_for_review,
        tabs=_tabs(filters, counts),
        form=FilterForm.of(
            filters,
            lists.sources_known(),
            [name for _, name in snapshot.revision.targets],
            [name for pk, name in snapshot.revision.targets if pk in snapshot.revision.left_out],
            _here(as_query(QueueFilter(tab=filters.tab))),
        ),
        left_out=tuple(
            LeftOut(name, count, _here(as_query(replace(filters, target=name))))
            for name, count in snapshot.counts_left_out.items()
        ),
        entries=entries,
        older=older,
        is_continuation=after is not None,
        is_in_group=request.GET.get("of") == "group",
        names_targets=len(snapshot.revision.targets) > 1,
        undoes=filters.tab is Tab.DISMISSED,
        all_count=_all_count(filters, counts),
        fields=tuple(_fields(filters).items()),
        hidden=in_all - counts.of[filters.tab] if filters.is_narrow and in_all is not None else 0,
        query=query,
        back=_here(query),
        views=_views(request, query),
        news=_news(filters, lists.newest_flagged_run(), 0, how_it_goes),
        standing=how_it_goes,
        dismissed_today=lists.dismissed_since(now.replace(hour=0, minute=0, second=0, microsecond=0))
        if is_empty
        else 0,
        was_ever_flagged=not is_empty or snapshot.with_filters(QueueFilter(tab=Tab.EVER)).counts.of[Tab.EVER] > 0,
        is_worker_missing=_is_worker_missing(how_it_goes),
        may_review=request.user.has_perm(MAY_REVIEW),
    )
    return show(request, "review/queue.html", page, partial="rows")


@require_safe
@viewer
def news(request: Request) -> HttpResponseBase:
    """What the page that asks does not know yet; 204 where that is nothing. Of a page alone: others get the list."""
    filters = queue_filter(request.GET)
    if not request.htmx:
        return redirect(_here(as_query(filters)))
    since = number(request.GET.get("since", ""), "since") or 0
    how_it_goes, _ = standing()
    found = _news(filters, since, lists.flagged_since(filters, since, timezone.now()), how_it_goes)
    if request.GET.get("seen") == _seen(found.flagged, how_it_goes):
        return HttpResponse(status=NO_CONTENT)
    return show(request, "review/queue.html", found, partial="news")


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
    filters = of_group = _filter_of(back)
    snapshot = QueueSnapshot(of_group, queue_revision(), timezone.now())
    is_in_group = "in_group" in request.POST
    group_act = None
    if is_in_group:
        here = page_shown(request) or back
        here = here if here.partition("?")[0] == plain("queue") else back
        filters = _filter_of(here)
        key = group_key(found.target_id, found.flagged_check, found.suspect_id)
        left = queue_groups(snapshot).groups
        group_act = GroupAct.of(key, left[0] if left else None, _fields(of_group), filters.tab is Tab.DISMISSED, here)
    counts = snapshot.with_filters(filters).counts
    return RowAfter(
        row=row,
        count=lists.review_count(None, snapshot.revision),
        tabs=_tabs(filters, counts),
        all_count=_all_count(filters, counts),
        names_targets=len(snapshot.revision.targets) > 1,
        trouble=trouble,
        is_in_group=is_in_group,
        group_act=group_act,
    )


def _tabs(filters: QueueFilter, counts: Counts) -> tuple[TabLink, ...]:
    return tuple(
        TabLink(name, counts.of[tab], _here(as_query(replace(filters, tab=tab))), tab is filters.tab)
        for tab, name in TAB_NAMES.items()
    )


def _all_count(filters: QueueFilter, counts: Counts) -> int:
    """How many an act upon all of the list changes: the dismissed are put back, of any others the open dismissed."""
    return counts.of[Tab.DISMISSED] if filters.tab is Tab.DISMISSED else counts.open


def _entries(snapshot: QueueSnapshot, after: Cursor | None, is_flat: bool) -> tuple[tuple[Entry, ...], str]:
    """The entries of one page, and where the next one is."""
    filters = snapshot.filters
    if is_flat:
        found = queue_page(snapshot, after, PAGE_ENTRIES + 1)
        rows = _rows(rows_numbered(pk for pk, _ in found[:PAGE_ENTRIES]), filters)
        entries = tuple(Entry(row=row) for row in rows.values())
        return entries, _older(filters, [cursor for _, cursor in found], is_flat)
    found_groups = queue_groups(snapshot).after(after, PAGE_ENTRIES + 1)
    groups = found_groups[:PAGE_ENTRIES]
    rows = _rows(rows_numbered(group.only for group in groups if group.only), filters)
    targets = dict(snapshot.revision.targets)
    names = ingredient_names(group.suspect for group in groups if not group.only)
    made = (
        Entry(row=rows.get(group.only))
        if group.only
        else Entry(group=_group(group, names.get(group.suspect or 0, ""), filters, targets))
        for group in groups
    )
    entries = tuple(entry for entry in made if entry.row or entry.group)
    return entries, _older(filters, [group.cursor for group in found_groups], is_flat)


def _rows(found: Sequence[Combination], filters: QueueFilter) -> dict[int, Row]:
    flags = findings_of(row.last_flagged_run_id for row in found if row.last_flagged_run_id)
    latencies = latest_latencies((row.pk for row in found), LATENCIES) if found else {}
    query = as_query(filters)
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


def _group(group: Group, suspect: str, filters: QueueFilter, targets: Mapping[int, str]) -> GroupRow:
    target = targets.get(group.target, "")
    alone = replace(
        filters,
        check=lists.check_named(group.check),
        suspect=suspect,
        target=target if len(targets) > 1 else filters.target,
    )
    page = _here(as_query(alone, **({} if suspect else {"flat": "1"})))
    key = group_key(group.target, group.check, group.suspect)
    # Without a suspect no filter finds these rows and no others, so they are acted on one by one.
    act = GroupAct.of(
        key,
        group if suspect else replace(group, open=0),
        _fields(alone),
        filters.tab is Tab.DISMISSED,
        _here(as_query(filters)),
    )
    return GroupRow.of(group, suspect, target, page, act)


def _fields(filters: QueueFilter) -> dict[str, str]:
    """The filter as hidden fields of a form."""
    named = {field.name: getattr(filters, field.name) for field in fields(QueueFilter)}
    return {name: str(value) for name, value in named.items() if value}


def _older(filters: QueueFilter, cursors: Sequence[Cursor], is_flat: bool) -> str:
    """By the last entry's cursor, so that rows which come or go meanwhile neither repeat nor hide any."""
    if len(cursors) <= PAGE_ENTRIES:
        return ""
    after = PARTS_JOINED_BY.join(cursors[PAGE_ENTRIES - 1])
    return _here(as_query(filters, **({"flat": "1"} if is_flat and not filters.suspect else {}), after=after))


def _cursor(after: str) -> Cursor | None:
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


def _news(filters: QueueFilter, since: int, flagged: int, how_it_goes: Standing) -> News:
    asked = urlencode({"since": str(since), "seen": _seen(flagged, how_it_goes)})
    query = as_query(filters)
    return News(
        flagged=flagged,
        address=f"{reverse('news')}?{query + '&' if query else ''}{asked}",
        show=_here(query),
        standing=how_it_goes,
    )


def _seen(flagged: int, how_it_goes: Standing) -> str:
    """Stands for all that the polled part of the page shows."""
    outages = ",".join(str(outage.cycle) for outage in how_it_goes.outages)
    return f"{flagged}.{how_it_goes.open_cycle or 0}.{how_it_goes.asked}.{how_it_goes.last_run or 0}.{outages}"


def _is_worker_missing(how_it_goes: Standing) -> bool:
    """Asked only where something waits for the worker: to read its heartbeat writes to the cache."""
    waits = how_it_goes.is_overdue or (how_it_goes.open_cycle is not None and not how_it_goes.asked)
    return waits and worker.worker_clusters() == 0
