"""What people and scripts did to causes and combinations, newest first; a bulk act is one entry, its undo another.

Readers of further sources, as findings, are given by the caller.

What a verdict on a cause did to its combinations is no entry of its own: the verdict is.

The events of combinations are mostly the engine's, and are as many as there were flags. They are walked by their keys,
which is the order in which they were written: so an index is there for it, and a page reads from where the last one
ended. Of one person's there is an index, too. Where people did nothing for very long, the walk goes past all that the
engine wrote meanwhile; only an index of what is not the engine's would spare it that.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from selftest.models import ENGINE, BulkAct, BulkItem, CauseEvent, ReviewEvent
from selftest.reading.queue import InvalidCursorError
from selftest.storage.texts import storable

Outcome = BulkItem.Outcome
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DIGITS = 18  # of a number that every database can look up
LAST_SECOND = 253_402_300_799  # of the year 9999, the last that a moment can have


class Source(StrEnum):
    """Where entries come from."""

    COMBINATION = "combination"
    CAUSE = "cause"
    BULK = "bulk"
    UNDONE = "undone"  # bulk acts, by when they were undone
    FINDING = "finding"  # that were saved
    FINDING_ACT = "finding_act"  # what was done to findings
    SUGGESTION = "suggestion"  # for a vocabulary, that were accepted or refused
    DRIFT = "drift"  # its reader is handed in: the engine does not know of drift


@dataclass(frozen=True)
class Entry:
    """An act. row: of the model of its source. flags: how many combinations a bulk act has changed, or its undo."""

    source: Source
    row: Any
    at: datetime
    actor: str
    flags: int = 0


@dataclass(frozen=True)
class Position:
    """Of the last entry of a source that was shown."""

    at: datetime
    pk: int


@dataclass(frozen=True)
class ActivityCursor:
    """How far each source was shown; one that is not in it begins with its newest."""

    positions: Mapping[Source, Position]

    @classmethod
    def of_text(cls, text: str) -> "ActivityCursor":
        """As `text` writes it. Raises InvalidCursorError for anything else."""
        places = text.split("_") if text else [""] * len(Source)
        if len(places) != len(Source):
            raise InvalidCursorError("not a cursor of the activity")
        return cls({source: _position(place) for source, place in zip(Source, places, strict=True) if place})

    @property
    def text(self) -> str:
        """As an address has it."""
        return "_".join(_written(self.positions[source]) if source in self.positions else "" for source in Source)

    def after(self, shown: Sequence[Entry]) -> "ActivityCursor":
        """The cursor after these."""
        newer = {entry.source: Position(entry.at, entry.row.pk) for entry in shown}
        return ActivityCursor({**self.positions, **newer})


Reader = Callable[[str, User | None, Position | None], QuerySet[Any]]
NOTHING_MORE: Mapping[Source, Reader] = {}


def activity(who: str, cursor: ActivityCursor, limit: int, more: Mapping[Source, Reader] = NOTHING_MORE) -> list[Entry]:
    """The next `limit` entries after the cursor. who: the name of a person or script; empty: any. more: readers.

    A person's own are found by their account, also from before it was renamed.
    """
    user = User.objects.filter(username=storable(who)).first() if who else None
    entries = [
        [_entry(source, row) for row in read(who, user, cursor.positions.get(source))[:limit]]
        for source, read in {**READERS, **more}.items()
    ]
    merged = list(heapq.merge(*entries, key=lambda entry: entry.at, reverse=True))[:limit]
    return _counted(merged)


def done_by(who: str, user: User | None) -> Q:
    """What this one did. The engine's is left out by name: it has no account, and neither have scripts."""
    if user is not None:
        return Q(user=user)
    return Q(actor=storable(who), user=None) & ~Q(actor=ENGINE) if who else ~Q(actor=ENGINE)


def _of_combinations(who: str, user: User | None, after: Position | None) -> QuerySet[ReviewEvent]:
    # Said so that the index of acts, of which most events have none, is not taken for it.
    rows = ReviewEvent.objects.filter(done_by(who, user)).filter(~Q(act__isnull=False)).order_by("-id")
    rows = rows.select_related("combination").only(
        "kind", "actor", "note", "verdict", "before", "at", "combination__last_query_text", "combination__id"
    )
    return rows if after is None else rows.filter(pk__lt=after.pk)


def _of_causes(who: str, user: User | None, after: Position | None) -> QuerySet[CauseEvent]:
    rows = CauseEvent.objects.filter(done_by(who, user)).order_by("-id").select_related("cause")
    return rows if after is None else rows.filter(pk__lt=after.pk)


def _bulk_acts(who: str, user: User | None, after: Position | None) -> QuerySet[BulkAct]:
    rows = BulkAct.objects.filter(done_by(who, user), done_at__isnull=False, cause=None).order_by("-done_at", "-id")
    return rows if after is None else rows.filter(_before("done_at", after))


def _undone_acts(who: str, user: User | None, after: Position | None) -> QuerySet[BulkAct]:
    """With `undone_by`: the author of the newest event of the act."""
    of_act = ReviewEvent.objects.filter(act=OuterRef("pk")).order_by().values("act")
    rows = BulkAct.objects.filter(undone_at__isnull=False, cause=None).order_by("-undone_at", "-id")
    rows = rows.annotate(newest=Subquery(of_act.annotate(newest=Max("pk")).values("newest")))
    newest = ReviewEvent.objects.filter(pk=OuterRef("newest"))
    rows = rows.annotate(undone_by=Subquery(newest.values("actor")), undone_user=Subquery(newest.values("user")))
    if user is not None:
        rows = rows.filter(undone_user=user.pk)
    elif who:
        rows = rows.filter(undone_by=storable(who), undone_user=None)
    return rows if after is None else rows.filter(_before("undone_at", after))


READERS: Mapping[Source, Reader] = {
    Source.COMBINATION: _of_combinations,
    Source.CAUSE: _of_causes,
    Source.BULK: _bulk_acts,
    Source.UNDONE: _undone_acts,
}


def _before(column: str, position: Position) -> Q:
    at_once = Q(**{column: position.at, "pk__lt": position.pk})
    return Q(**{f"{column}__lt": position.at}) | at_once


def _entry(source: Source, row: Any) -> Entry:
    if source is Source.BULK:
        return Entry(source, row, row.done_at, row.actor)
    if source is Source.UNDONE:
        return Entry(source, row, row.undone_at, row.undone_by or row.actor)
    return Entry(source, row, row.created_at if source is Source.FINDING else row.at, row.actor)


def _counted(entries: Sequence[Entry]) -> list[Entry]:
    """With the flags of bulk acts, in one query for all."""
    acts = {entry.row.pk for entry in entries if isinstance(entry.row, BulkAct)}
    items = BulkItem.objects.filter(act__in=acts).order_by().values_list("act", "outcome")
    counts = {(act, outcome): n for act, outcome, n in items.annotate(n=Count("pk"))} if acts else {}
    outcomes = {Source.BULK: (Outcome.DONE, Outcome.UNDONE, Outcome.KEPT), Source.UNDONE: (Outcome.UNDONE,)}
    return [
        Entry(
            entry.source,
            entry.row,
            entry.at,
            entry.actor,
            sum(counts.get((entry.row.pk, str(outcome)), 0) for outcome in outcomes.get(entry.source, ())),
        )
        for entry in entries
    ]


def _written(position: Position) -> str:
    return f"{(position.at - EPOCH) // MICROSECOND}-{position.pk}"


def _position(text: str) -> Position:
    at_us, _, pk = text.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) <= DIGITS for part in (at_us, pk)):
        raise InvalidCursorError("not a cursor of the activity")
    if int(at_us) > LAST_SECOND * 10**6:
        raise InvalidCursorError("not a moment of the activity")
    return Position(EPOCH + int(at_us) * MICROSECOND, int(pk))
