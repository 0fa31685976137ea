"""Gathers the entries of the queue: rows and groups, a page of them, and a row after it was acted on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.http import QueryDict
from django.utils import timezone

from review.contexts.bulk import done_word, toast_name
from review.contexts.cause_names import CauseLink
from review.contexts.findings import is_about_time, name_of_check
from review.contexts.queue import (
    NO_CAUSE_YET,
    TAB_NAMES,
    DoneToGroup,
    Entry,
    GroupAct,
    GroupAfter,
    GroupRow,
    QueueRow,
    RowAfter,
    TabLink,
    group_key,
)
from review.filters import as_query, queue_filter
from review.page_urls import combination_url, numbered_url, page_url, queue_url
from selftest.models import BulkAct, Combination
from selftest.reading import queue as lists
from selftest.reading.causes import cause_numbered
from selftest.reading.cursors import queue_page
from selftest.reading.dismissals import newest_dismissals
from selftest.reading.groups import Group, queue_groups
from selftest.reading.queue import (
    NO_CAUSE,
    Counts,
    Cursor,
    QueueFilter,
    QueueSnapshot,
    Tab,
    findings_of,
    queue_revision,
)
from selftest.reading.rows import causes_numbered, latest_latencies, rows_numbered

PAGE_ENTRIES = 20  # as many as a reader works through in a minute, and a page that is made quickly
LATENCIES = 10  # of a row, in its sparkline
PARTS_JOINED_BY = "~"  # of a cursor in a URL


def page_of_entries(snapshot: QueueSnapshot, after: Cursor | None, is_flat: bool) -> tuple[tuple[Entry, ...], str]:
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
    back = queue_url(as_query(filters))
    causes = causes_numbered(group.cause for group in groups if not group.only)
    made = (
        Entry(row=rows.get(group.only))
        if group.only
        else Entry(group=_group(group, CauseLink.of(causes.get(group.cause)), filters, targets, back))
        for group in groups
    )
    entries = tuple(entry for entry in made if entry.row or entry.group)
    return entries, _older(filters, [group.cursor for group in found_groups], is_flat)


def _older(filters: QueueFilter, cursors: Sequence[Cursor], is_flat: bool) -> str:
    """By the last entry's cursor, so that rows which come or go meanwhile neither repeat nor hide any."""
    if len(cursors) <= PAGE_ENTRIES:
        return ""
    after = PARTS_JOINED_BY.join(cursors[PAGE_ENTRIES - 1])
    return queue_url(
        as_query(filters, **({"flat": "1"} if is_flat and not filters.is_of_one_cause else {}), after=after)
    )


def row_of(pk: int, back: str) -> QueueRow | None:
    """The row of one combination as it stands now; None where it was never flagged."""
    found = rows_numbered([pk])
    if not found or not found[0].ever_flagged:
        return None
    return _rows(found, _filter_of(back))[pk]


def row_after(found: Combination, row: QueueRow, back: str, trouble: str, group_page: str | None) -> RowAfter:
    """The row that was acted on, in the list whose URL is `back`.

    group_page: the page on which it stood in an opened group, whose button comes with it; None where it did not.
    """
    filters = of_group = _filter_of(back)
    snapshot = QueueSnapshot(of_group, queue_revision(), timezone.now())
    group_act = None
    if group_page is not None:
        here = group_page if group_page.partition("?")[0] == page_url("queue") else back
        filters = _filter_of(here)
        key = group_key(found.target_id, found.flagged_check, found.cause_id)
        left = queue_groups(snapshot).groups
        group_act = GroupAct.of(key, left[0] if left else None, as_query(of_group), filters.tab is Tab.DISMISSED, here)
    counts = snapshot.with_filters(filters).counts
    return RowAfter(
        row=row,
        count=snapshot.to_review,
        tabs=tab_links(filters, counts),
        all_count=changed_by_all(filters, counts),
        names_targets=len(snapshot.revision.targets) > 1,
        names_causes=not of_group.is_of_one_cause,
        trouble=trouble,
        is_in_group=group_page is not None,
        group_act=group_act,
    )


def group_after(
    alone: QueueFilter, back: str, trouble: str, act: BulkAct | None = None, changed: int = 0
) -> GroupAfter:
    """A group of the list whose URL is `back`, of which alone this filter speaks, after a bulk act or its undo.

    act: None where the group stands again, or still. changed: how many rows it changed.
    """
    filters = _filter_of(back)
    snapshot = QueueSnapshot(alone, queue_revision(), timezone.now())
    targets = dict(snapshot.revision.targets)
    counts = snapshot.with_filters(filters).counts
    found = queue_groups(snapshot).groups
    cause = cause_numbered(alone.group or NO_CAUSE)
    link = CauseLink.of(cause)
    is_there = act is None and found
    return GroupAfter(
        group=_group(found[0], link, alone, targets, back) if is_there else None,
        done=None if is_there else _done(alone, link, targets, back, act, changed),
        count=snapshot.to_review,
        tabs=tab_links(filters, counts),
        all_count=changed_by_all(filters, counts),
        names_targets=len(targets) > 1,
        trouble=trouble,
    )


def _done(
    alone: QueueFilter,
    cause: CauseLink | None,
    targets: Mapping[int, str],
    back: str,
    act: BulkAct | None,
    changed: int,
) -> DoneToGroup:
    """act: None where nothing of the group is left in its list."""
    target = next((pk for pk, name in targets.items() if alone.target in ("", name)), 0)
    key = group_key(target, alone.check or "", alone.group)
    button = GroupAct.of(key, None, as_query(alone), alone.tab is Tab.DISMISSED, back)
    name, sentence = (cause.checks, cause.sentence) if cause else (name_of_check(alone.check or ""), NO_CAUSE_YET)
    if act is None:
        return DoneToGroup(button, "Nothing left", name, sentence, "", back, "")
    undo_at = numbered_url("undo-bulk", act.pk) if changed else ""
    words = f"{done_word(act)} {changed:,}"
    return DoneToGroup(button, words, name, sentence, toast_name(act), numbered_url("bulk", act.pk), undo_at)


def _filter_of(address: str) -> QueueFilter:
    return queue_filter(QueryDict(address.partition("?")[2]))


def tab_links(filters: QueueFilter, counts: Counts) -> tuple[TabLink, ...]:
    """Each tab with its count, through the same filters."""
    return tuple(
        TabLink(name, counts.of[tab], queue_url(as_query(replace(filters, tab=tab))), tab is filters.tab)
        for tab, name in TAB_NAMES.items()
    )


def changed_by_all(filters: QueueFilter, counts: Counts) -> int:
    """How many an act upon all of the list changes: the dismissed are put back, of any others the open dismissed."""
    return counts.of[Tab.DISMISSED] if filters.tab is Tab.DISMISSED else counts.open


def _rows(found: Sequence[Combination], filters: QueueFilter) -> dict[int, QueueRow]:
    flags = findings_of(row.last_flagged_run_id for row in found if row.last_flagged_run_id)
    timed = [row.pk for row in found if is_about_time(flags.get(row.last_flagged_run_id or 0, []))]
    latencies = latest_latencies(timed, LATENCIES) if timed else {}
    dismissals = newest_dismissals(row.pk for row in found if row.review_status)
    query = as_query(filters)
    back = queue_url(query)
    return {
        row.pk: QueueRow.of(
            row,
            flags.get(row.last_flagged_run_id or 0, []),
            latencies.get(row.pk, []),
            page=combination_url(row.pk, query),
            back=back,
            dismissal=dismissals.get(row.pk),
        )
        for row in found
    }


def _group(
    group: Group, cause: CauseLink | None, filters: QueueFilter, targets: Mapping[int, str], back: str
) -> GroupRow:
    target = targets.get(group.target, "")
    alone = replace(
        filters,
        check=filters.check if group.cause else lists.check_named(group.check),
        group=group.cause,
        target=target if len(targets) > 1 else filters.target,
    )
    act = GroupAct.of(
        group_key(group.target, group.check, group.cause),
        group,
        as_query(alone),
        filters.tab is Tab.DISMISSED,
        back,
    )
    return GroupRow.of(group, cause, target, queue_url(as_query(alone)), act)
