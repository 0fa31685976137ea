"""The queue folded: rows with the same check and the same suspect as one."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count, F, Max, Min, QuerySet, Sum

from selftest.reading.cursors import SORTED_BY, InvalidPlaceError, Place, severity
from selftest.reading.queue import Counts, QueueFilter, Sort, Tab, Version, minute_of, narrowed

WHOLE_NUMBER = re.compile("-?[0-9]{1,18}")
HEAP_NAME = re.compile(r"[0-9]+\.\w*\.[0-9]+")
EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Heap:
    """Rows of one target with the same check and the same suspect: one cause, as far as can be told.

    only: its only row where it has one. open, key_sum: how many of its rows are not dismissed (of the dismissed: are),
    and the sum of their keys, by which the same rows are known again. seen_run: the newest flagged run in it.
    place: where it stands in its list: what that is sorted by, as whole numbers of which the least comes first, and
    what it is.
    """

    target: int
    check: str
    suspect: int | None
    count: int
    open: int
    key_sum: int
    seen_run: int
    only: int | None
    newest: datetime
    oldest: datetime
    place: Place


@dataclass(frozen=True)
class Fold:
    """A list folded into heaps, in its order, and the figures of all tabs, which the same look brings."""

    sort: Sort
    counts: Counts
    heaps: tuple[Heap, ...]

    def after(self, place: Place | None, limit: int) -> Sequence[Heap]:
        """The next `limit` heaps after a place. Raises InvalidPlaceError for what is none of this list's."""
        if place is None:
            return self.heaps[:limit]
        if len(place) != len(SORTED_BY[self.sort]):
            raise InvalidPlaceError("not a place in this list")
        begin = bisect_right(self.heaps, _standing(place), key=lambda heap: _standing(heap.place))
        return self.heaps[begin : begin + limit]


def fold(wanted: QueueFilter, now: datetime, at: Version) -> Fold:
    """Grouped once for as long as nothing has changed."""
    return _fold(wanted, minute_of(wanted, now), at)


@lru_cache(maxsize=64)
def _fold(wanted: QueueFilter, now: datetime, at: Version) -> Fold:
    of_all_tabs = replace(wanted, tab=Tab.EVER, sort=Sort.NEWEST)
    pieces = _pieces(of_all_tabs, now, at, counts_flags=wanted.sort is Sort.FLAGGED)
    whole: dict[tuple[int, str, int | None], list[_Piece]] = {}
    for piece in pieces:
        if piece.is_in(wanted.tab):
            whole.setdefault((piece.target, piece.check, piece.suspect), []).append(piece)
    heaps = [_heap(wanted, *of, parts) for of, parts in whole.items()]
    counts = Counts.of_tab(
        wanted.tab,
        ever=sum(piece.count for piece in pieces),
        review=sum(piece.count for piece in pieces if piece.is_open),
        now=sum(piece.count for piece in pieces if piece.is_now),
        now_open=sum(piece.count for piece in pieces if piece.is_now and piece.is_open),
    )
    return Fold(wanted.sort, counts, tuple(sorted(heaps, key=lambda heap: _standing(heap.place))))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Those rows of a heap that stand in the same tabs. keys: their sum. most: how often one of them was flagged,
    if that was counted.
    """

    target: int
    check: str
    suspect: int | None
    status: str | None
    is_now: bool
    count: int
    keys: int
    seen_run: int | None
    newest: datetime
    oldest: datetime
    most: int = 0

    @property
    def is_open(self) -> bool:
        return self.status is None

    def is_in(self, tab: Tab) -> bool:
        return {Tab.REVIEW: self.is_open, Tab.NOW: self.is_now, Tab.EVER: True, Tab.DISMISSED: not self.is_open}[tab]


@lru_cache(maxsize=64)
def _pieces(wanted: QueueFilter, now: datetime, at: Version, counts_flags: bool) -> tuple[_Piece, ...]:
    """In one look at the rows of every tab. Each figure is worked out for every row, so none is asked for in vain."""
    status = {"check": F("flagged_check"), "status": F("review_status"), "is_now": F("currently_flagged")}
    rows: QuerySet[Any, Any] = narrowed(wanted, now).values("target", "suspect", **status)
    figures = rows.annotate(
        count=Count("*"),
        keys=Sum("pk"),
        seen_run=Max("last_flagged_run"),
        newest=Max("last_run_timestamp"),
        oldest=Min("first_flagged_timestamp"),
    )
    if counts_flags:
        figures = figures.annotate(most=Max("times_flagged"))
    return tuple(_Piece(**row) for row in figures)


def _heap(wanted: QueueFilter, target: int, check: str, suspect: int | None, parts: Sequence[_Piece]) -> Heap:
    count = sum(piece.count for piece in parts)
    acted_on = parts if wanted.tab is Tab.DISMISSED else [piece for piece in parts if piece.is_open]
    newest = max(piece.newest for piece in parts)
    oldest = min(piece.oldest for piece in parts)
    newest_first = -_microseconds(newest)
    by = {
        Sort.NEWEST: (newest_first,),
        Sort.SEVERITY: (-severity(check), newest_first),
        Sort.AGE: (_microseconds(oldest),),
        Sort.FLAGGED: (-max(piece.most for piece in parts), newest_first),
    }[wanted.sort]
    return Heap(
        target=target,
        check=check,
        suspect=suspect,
        count=count,
        open=sum(piece.count for piece in acted_on),
        key_sum=sum(piece.keys for piece in acted_on),
        seen_run=max(piece.seen_run or 0 for piece in parts),
        only=parts[0].keys if count == 1 else None,
        newest=newest,
        oldest=oldest,
        place=(*map(str, by), f"{target}.{check}.{suspect or 0}"),
    )


def _standing(place: Place) -> tuple[tuple[int, ...], str]:
    *by, name = place
    if not all(map(WHOLE_NUMBER.fullmatch, by)) or not HEAP_NAME.fullmatch(name):
        raise InvalidPlaceError("not a place in this list")
    return tuple(map(int, by)), name


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
