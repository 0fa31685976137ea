"""The queue in groups: the rows whose first flag has the same cause are shown as one."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import attrgetter

from selftest.reading.flagged_rows import Bucket, moment_of
from selftest.reading.queue import (
    NO_CAUSE,
    Cursor,
    InvalidCursorError,
    QueueFilter,
    QueueSnapshot,
    Sort,
    Tab,
    is_in,
    severity,
)

WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")
GROUP_NAME = re.compile(r"[0-9]+\.\w*")
CURSOR_LENGTHS = {Sort.NEWEST: 2, Sort.SEVERITY: 3, Sort.AGE: 2, Sort.FLAGGED: 3}


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
    """The groups of a list, in its order."""

    sort: Sort
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
    by_group: dict[str, list[Bucket]] = {}
    for bucket in snapshot.buckets:
        kind = bucket.kind
        if is_in(filters.tab, kind):
            by_group.setdefault(group_name(kind.target, kind.check, kind.cause), []).append(bucket)
    groups = [_group(filters, name, of_group) for name, of_group in by_group.items()]
    return QueueGroups(filters.sort, tuple(sorted(groups, key=attrgetter("order"))))


def group_name(target: int, check: str, cause: int | None) -> str:
    """Tells the group of a row from all others. check: that its last flagged run failed first."""
    return f"{target}.{cause or check}"


def _group(filters: QueueFilter, name: str, buckets: Sequence[Bucket]) -> Group:
    first = buckets[0].kind
    check = max((bucket.kind.check for bucket in buckets), key=severity)
    count = sum(bucket.rows for bucket in buckets)
    acted_on = buckets if filters.tab is Tab.DISMISSED else [bucket for bucket in buckets if bucket.kind.is_open]
    newest = max(bucket.newest for bucket in buckets)
    oldest = min(bucket.oldest for bucket in buckets)
    return Group(
        target=first.target,
        check=check,
        cause=first.cause or NO_CAUSE,
        count=count,
        open=sum(bucket.rows for bucket in acted_on),
        key_sum=sum(bucket.keys for bucket in acted_on),
        seen_run=max(bucket.seen_run for bucket in buckets),
        only=buckets[0].keys if count == 1 else None,
        newest=moment_of(newest),
        oldest=moment_of(oldest),
        order=(_sorted_by(filters.sort, check, newest, oldest, buckets), name),
    )


def _sorted_by(sort: Sort, check: str, newest: int, oldest: int, buckets: Sequence[Bucket]) -> tuple[int, ...]:
    match sort:
        case Sort.NEWEST:
            return (-newest,)
        case Sort.SEVERITY:
            return -severity(check), -newest
        case Sort.AGE:
            return (oldest,)
        case Sort.FLAGGED:
            return -max(bucket.most for bucket in buckets), -newest


def _order_of(cursor: Cursor) -> tuple[tuple[int, ...], str]:
    *by, name = cursor
    if not all(map(WHOLE_NUMBER.fullmatch, by)) or not GROUP_NAME.fullmatch(name):
        raise InvalidCursorError("not a cursor of this list")
    return tuple(map(int, by)), name
