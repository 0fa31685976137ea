"""The queue in groups: the rows whose first flag has the same cause are shown as one."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, QuerySet, Sum

from selftest.reading.queue import (
    NO_CAUSE,
    Counts,
    Cursor,
    InvalidCursorError,
    QueueFilter,
    QueueSnapshot,
    Sort,
    Tab,
    filtered_at,
    severity,
)

WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")
GROUP_NAME = re.compile(r"[0-9]+\.\w*")
CURSOR_LENGTHS = {Sort.NEWEST: 2, Sort.SEVERITY: 3, Sort.AGE: 2, Sort.FLAGGED: 3}
EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Group:
    """Rows of one target with the same cause; those without one, by check.

    cause: NO_CAUSE where they have none yet. check: the most severe of its rows. only: its only row where it has one.
    open, key_sum: how many of its rows are not dismissed (of the dismissed: are), and the sum of their keys, by which
    the same rows are known again. seen_run: the newest flagged run in it. order: what its list is sorted by, as whole
    numbers of which the least comes first, and the group's name.
    """

    target: int
    check: str
    cause: int
    count: int
    open: int
    key_sum: int
    seen_run: int
    only: int | None
    newest: datetime
    oldest: datetime
    order: tuple[tuple[int, ...], str]

    @property
    def cursor(self) -> Cursor:
        """By which its list is continued after it."""
        by, name = self.order
        return *map(str, by), name


@dataclass(frozen=True)
class QueueGroups:
    """The groups of a list, in its order, and the counts of all tabs, which the same query brings."""

    sort: Sort
    counts: Counts
    groups: tuple[Group, ...]

    def after(self, cursor: Cursor | None, limit: int) -> Sequence[Group]:
        """The next `limit` groups after a cursor. Raises InvalidCursorError for one of another list."""
        if cursor is None:
            return self.groups[:limit]
        if len(cursor) != CURSOR_LENGTHS[self.sort]:
            raise InvalidCursorError("not a cursor of this list")
        begin = bisect_right(self.groups, _order_of(cursor), key=attrgetter("order"))
        return self.groups[begin : begin + limit]


@lru_cache(maxsize=64)
def queue_groups(snapshot: QueueSnapshot) -> QueueGroups:
    """Grouped once for as long as nothing has changed."""
    filters = snapshot.filters
    of_all_tabs = snapshot.with_filters(replace(filters, tab=Tab.EVER, sort=Sort.NEWEST))
    buckets = buckets_of(of_all_tabs, counts_flags=filters.sort is Sort.FLAGGED)
    by_group: dict[str, list[Bucket]] = {}
    for bucket in buckets:
        if bucket.is_in(filters.tab):
            by_group.setdefault(group_name(bucket.target, bucket.check, bucket.cause), []).append(bucket)
    groups = [_group(filters, name, of_group) for name, of_group in by_group.items()]
    counts = Counts.of_tab(
        filters.tab,
        ever=sum(bucket.rows for bucket in buckets),
        review=sum(bucket.rows for bucket in buckets if bucket.is_open),
        now=sum(bucket.rows for bucket in buckets if bucket.is_now),
        now_open=sum(bucket.rows for bucket in buckets if bucket.is_now and bucket.is_open),
    )
    return QueueGroups(filters.sort, counts, tuple(sorted(groups, key=attrgetter("order"))))


class Bucket(NamedTuple):
    """The rows of a group with the same check that are in the same tabs. keys: the sum of their keys.

    rows: how many. most: how often the one that was flagged most often was, if that was counted.
    """

    target: int
    check: str
    cause: int | None
    status: str | None
    is_now: bool
    rows: int
    keys: int
    seen_run: int | None
    newest: datetime
    oldest: datetime
    most: int = 0

    @property
    def is_open(self) -> bool:
        """Whether its rows wait for a person."""
        return self.status is None

    def is_in(self, tab: Tab) -> bool:
        """Whether its rows are in this tab."""
        match tab:
            case Tab.REVIEW:
                return self.is_open
            case Tab.NOW:
                return self.is_now
            case Tab.EVER:
                return True
            case Tab.DISMISSED:
                return not self.is_open


@lru_cache(maxsize=64)
def buckets_of(snapshot: QueueSnapshot, counts_flags: bool) -> tuple[Bucket, ...]:
    """In one query over the rows of every tab. counts_flags: costs time for every row, so only where it is needed."""
    rows: QuerySet[Any, Any] = filtered_at(snapshot).values_list(
        "target", "flagged_check", "cause", "review_status", "currently_flagged"
    )
    figures = rows.annotate(
        rows=Count("*"),
        keys=Sum("pk"),
        seen_run=Max("last_flagged_run"),
        newest=Max("last_run_timestamp"),
        oldest=Min("first_flagged_timestamp"),
    )
    if counts_flags:
        figures = figures.annotate(most=Max("times_flagged"))
    return tuple(Bucket(*row) for row in figures)


def group_name(target: int, check: str, cause: int | None) -> str:
    """Tells the group of a row from all others. check: that its last flagged run failed first."""
    return f"{target}.{cause or check}"


def _group(filters: QueueFilter, name: str, buckets: Sequence[Bucket]) -> Group:
    check = max((bucket.check for bucket in buckets), key=severity)
    count = sum(bucket.rows for bucket in buckets)
    acted_on = buckets if filters.tab is Tab.DISMISSED else [bucket for bucket in buckets if bucket.is_open]
    newest = max(bucket.newest for bucket in buckets)
    oldest = min(bucket.oldest for bucket in buckets)
    return Group(
        target=buckets[0].target,
        check=check,
        cause=buckets[0].cause or NO_CAUSE,
        count=count,
        open=sum(bucket.rows for bucket in acted_on),
        key_sum=sum(bucket.keys for bucket in acted_on),
        seen_run=max(bucket.seen_run or 0 for bucket in buckets),
        only=buckets[0].keys if count == 1 else None,
        newest=newest,
        oldest=oldest,
        order=(_sorted_by(filters.sort, check, newest, oldest, buckets), name),
    )


def _sorted_by(
    sort: Sort, check: str, newest: datetime, oldest: datetime, buckets: Sequence[Bucket]
) -> tuple[int, ...]:
    match sort:
        case Sort.NEWEST:
            return (-_microseconds(newest),)
        case Sort.SEVERITY:
            return -severity(check), -_microseconds(newest)
        case Sort.AGE:
            return (_microseconds(oldest),)
        case Sort.FLAGGED:
            return -max(bucket.most for bucket in buckets), -_microseconds(newest)


def _order_of(cursor: Cursor) -> tuple[tuple[int, ...], str]:
    *by, name = cursor
    if not all(map(WHOLE_NUMBER.fullmatch, by)) or not GROUP_NAME.fullmatch(name):
        raise InvalidCursorError("not a cursor of this list")
    return tuple(map(int, by)), name


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
