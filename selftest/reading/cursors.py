"""The queue row by row: its orders, and the cursors after which the next page begins."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce, StrIndex

from selftest.models import Combination, Target
from selftest.models.combination import IN_QUEUE
from selftest.reading.queue import (
    LEAST_SEVERE_FIRST,
    Cursor,
    InvalidCursorError,
    QueueFilter,
    QueueSnapshot,
    Sort,
    Tab,
    in_tab,
    listed_targets,
    severity,
)

DIGITS = 18  # of a number that every database can look up

# Of all rows: how the indexes that are ordered by the newest run name what they hold.
INDEXED_AS = {
    Tab.REVIEW: IN_QUEUE,
    Tab.NOW: Q(currently_flagged=True),
    Tab.EVER: Q(ever_flagged=True),
    Tab.DISMISSED: Q(ever_flagged=True, review_status=Combination.ReviewStatus.DISMISSED),
}


@lru_cache(maxsize=512)
def queue_page(snapshot: QueueSnapshot, after: Cursor | None, limit: int) -> Sequence[tuple[int, Cursor]]:
    """Like entries_after(), sorted once for as long as nothing has changed."""
    return tuple(entries_after(snapshot.filters, snapshot.now, after, limit))


def entries_after(
    filters: QueueFilter, now: datetime, after: Cursor | None, limit: int, backwards: bool = False
) -> list[tuple[int, Cursor]]:
    """The next `limit` combinations after a cursor, by their keys, in the order of the filters, each with its cursor.

    backwards: those before it, the nearest first.
    """
    if filters.sort is Sort.NEWEST and not filters.is_narrow:
        # There is an index in this very order; any other list is sorted out of the narrow one.
        rows = Combination.objects.filter(INDEXED_AS[filters.tab]).order_by().annotate(newest=F("last_run_timestamp"))
        rows = rows.exclude(target__in=_left_out())
    else:
        # A value of its own, which no index is ordered by: to walk through that one would read the wide rows.
        rows = in_tab(filters, now).annotate(newest=Coalesce("last_run_timestamp", "first_flagged_timestamp"))
    if filters.sort is Sort.SEVERITY:
        rows = rows.annotate(severity=StrIndex(Value(LEAST_SEVERE_FIRST), F("flagged_check")))
    page = _page(rows, filters.sort, after, backwards).values_list(*(name for name, _, _ in SORTED_BY[filters.sort]))
    return [(row[-1], tuple(map(_as_text, row))) for row in page[:limit]]


def _left_out() -> list[int]:
    """As keys, and not as a condition upon targets: by that another index would be entered."""
    return list(Target.objects.exclude(pk__in=listed_targets().values("pk")).values_list("pk", flat=True))


def cursor_of(combination: Combination, sort: Sort) -> Cursor:
    """The cursor of this combination in a list sorted so, also where the list does not hold it."""
    if combination.last_run_timestamp is None or combination.first_flagged_timestamp is None:
        raise InvalidCursorError("it was never flagged, so it is not in the queue")
    values = {
        "newest": combination.last_run_timestamp,
        "severity": severity(combination.flagged_check),
        "first_flagged_timestamp": combination.first_flagged_timestamp,
        "times_flagged": combination.times_flagged,
        "pk": combination.pk,
    }
    return tuple(_as_text(values[name]) for name, _, _ in SORTED_BY[sort])


def entry_next_to(combination: Combination, filters: QueueFilter, now: datetime, backwards: bool = False) -> int | None:
    """The key of what comes after it in this list, or before it, also where the list does not hold it any more."""
    if not combination.ever_flagged:
        return None
    found = entries_after(filters, now, cursor_of(combination, filters.sort), 1, backwards)
    return found[0][0] if found else None


def _page(rows: QuerySet[Combination], sort: Sort, after: Cursor | None, backwards: bool) -> QuerySet[Combination]:
    """`rows` in order, after a cursor."""
    keys = [(name, falls != backwards, read) for name, falls, read in SORTED_BY[sort]]
    rows = rows.order_by(*(f"-{name}" if falls else name for name, falls, _ in keys))
    if after is None:
        return rows
    if len(after) != len(keys):
        raise InvalidCursorError("not a cursor of this list")
    beyond, equal = Q(), Q()
    for (name, falls, read), text in zip(keys, after, strict=True):
        value = read(text)
        beyond |= equal & Q(**{f"{name}__{'lt' if falls else 'gt'}": value})
        equal &= Q(**{name: value})
    first, falls, read = keys[0]
    bound = Q(**{f"{first}__{'lte' if falls else 'gte'}": read(after[0])})  # so that an index is entered here
    return rows.filter(bound, beyond)


def _as_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.utcoffset() != timedelta(0):  # as cursors are written; others may be out of a database's range
            raise InvalidCursorError(f"not a moment in UTC: {text}")
    except ValueError as fault:
        raise InvalidCursorError(f"not a moment: {text}") from fault
    return moment


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise InvalidCursorError(f"not a number: {text}")
    return int(text)


# The columns that a list is sorted by, whether they fall, and how they are read out of a cursor.
NEWEST, KEY = ("newest", True, _moment), ("pk", True, _number)
SORTED_BY: Mapping[Sort, Sequence[tuple[str, bool, Callable[[str], datetime | int]]]] = {
    Sort.NEWEST: (NEWEST, KEY),
    Sort.SEVERITY: (("severity", True, _number), NEWEST, KEY),
    Sort.AGE: (("first_flagged_timestamp", False, _moment), KEY),
    Sort.FLAGGED: (("times_flagged", True, _number), NEWEST, KEY),
}
