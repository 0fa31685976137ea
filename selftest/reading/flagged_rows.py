"""What lists count and group by, of every combination that was ever flagged, as columns in this process.

A database takes half a microsecond for each row that it groups, of which a list of a large history has tens of
thousands. So it only says which rows a list has, and they are grouped here. The columns are read once; after that only
what has changed since is read again, see `QueueChange`.

An older state of the database that is put in place beneath a running process is noticed as long as nothing of the queue
has changed in it; so processes are stopped for a restore.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import NamedTuple, Self

import numpy as np
from django.db import connection
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from numpy.typing import NDArray

from selftest.models import Combination, Installation, QueueChange
from selftest.storage.chunks import chunks
from selftest.storage.keys import Keys

EPOCH = datetime.fromtimestamp(0, UTC)
NEVER = "1970-01-01"
MOST_CHANGED = 20_000  # rows that are read again one by one; of more, all are
# newest, oldest: of the last run and of the first flag, in microseconds since EPOCH. kind: the place of its Kind.
ROW = np.dtype([(name, np.int64) for name in ("key", "kind", "seen_run", "newest", "oldest", "times")])


class Kind(NamedTuple):
    """What rows are grouped by, and what tells their tabs."""

    target: int
    check: str
    cause: int | None
    status: str | None
    is_now: bool

    @property
    def is_open(self) -> bool:
        """Whether its rows wait for a person."""
        return self.status is None


class Bucket(NamedTuple):
    """Rows of one kind. rows: how many. keys: the sum of their keys. most: how often one of them was flagged at most.

    newest, oldest: in microseconds, see moment_of.
    """

    kind: Kind
    rows: int
    keys: int
    seen_run: int
    newest: int
    oldest: int
    most: int


class Kinds:
    """All kinds that were met, each with a place that it keeps."""

    def __init__(self) -> None:
        self.met: list[Kind] = []
        self._places: dict[Kind, int] = {}

    def place_of(self, kind: Kind) -> int:
        """Where it stands in `met`."""
        place = self._places.setdefault(kind, len(self.met))
        if place == len(self.met):
            self.met.append(kind)
        return place


@dataclass(frozen=True)
class FlaggedRows:
    """Of the queue as of a change (`Installation.queue_changes`). rows: in the order of their keys."""

    change: int
    rows: NDArray[np.void]
    kinds: Kinds = field(default_factory=Kinds)

    @classmethod
    def read(cls, change: int) -> Self:
        """All, as they are now."""
        kinds = Kinds()
        return cls(change, _read(Q(), kinds), kinds)

    def brought_to(self, change: int) -> Self:
        """The same with what has changed since."""
        since = QueueChange.objects.filter(Q(change__gt=self.change) | Q(change=None))
        changed = list(since.order_by().values_list("pk", flat=True)[: MOST_CHANGED + 1])
        if QueueChange.ALL in changed or len(changed) > MOST_CHANGED:
            return self.read(change)
        if not changed:
            return replace(self, change=change)
        found = [_read(Q(pk__in=some), self.kinds) for some in chunks(changed)]
        kept = self.rows[~_are_among(self.rows["key"], np.array(changed, np.int64))]
        rows = np.concatenate([kept, *found])
        return type(self)(change, rows[np.argsort(rows["key"], kind="stable")], self.kinds)

    def buckets(self, targets: Collection[int], chosen: Iterable[Keys] = ()) -> tuple[Bucket, ...]:
        """The rows of these targets that have a key among each of `chosen`, by kind."""
        rows = self.rows
        for keys in chosen:
            rows = rows[_are_among(rows["key"], keys)]
        at, kinds = rows["kind"], len(self.kinds.met)
        count = np.bincount(at, minlength=kinds)
        key_sum, seen_run, newest, most = np.zeros((4, kinds), np.int64)
        oldest = np.full(kinds, np.iinfo(np.int64).max)
        np.add.at(key_sum, at, rows["key"])
        np.maximum.at(seen_run, at, rows["seen_run"])
        np.maximum.at(newest, at, rows["newest"])
        np.minimum.at(oldest, at, rows["oldest"])
        np.maximum.at(most, at, rows["times"])
        return tuple(
            Bucket(kind, *(int(column[place]) for column in (count, key_sum, seen_run, newest, oldest, most)))
            for place in np.flatnonzero(count)
            if (kind := self.kinds.met[place]).target in targets
        )


class _Known:
    """What this process knows; None at first."""

    rows: FlaggedRows | None = None


_reading = Lock()


def flagged_rows(change: int | None) -> FlaggedRows:
    """As of this change of the queue, or of a later one."""
    known = _Known.rows
    if known is not None and known.change == change:
        return known
    with _reading:
        known = _Known.rows
        # Read before the rows are, so that what changes meanwhile is read again with the next change.
        now = Installation.objects.values_list("queue_changes", flat=True).first() or 0
        if known is None or known.change > now:  # greater: this is another database, or an earlier state of it
            rows = FlaggedRows.read(now)
        else:
            rows = known if known.change == now else known.brought_to(now)
        if not connection.in_atomic_block:  # which may be undone
            _Known.rows = rows
        return rows


def forget() -> None:
    """Has all read again, as where a test begins with another database."""
    _Known.rows = None


def _read(condition: Q, kinds: Kinds) -> NDArray[np.void]:
    found = Combination.objects.filter(condition, ever_flagged=True).order_by("pk")
    moments = (Cast("last_run_timestamp", TextField()), Cast("first_flagged_timestamp", TextField()))
    columns = ("target", "flagged_check", "cause", "review_status", "currently_flagged")
    listed = found.values_list("pk", "last_flagged_run", "times_flagged", *moments, *columns)
    rows = list(listed)
    made = np.zeros(len(rows), ROW)
    if rows:
        keys, seen_runs, times, newest, oldest, *of_kind = zip(*rows, strict=True)
        made["key"], made["times"] = keys, times
        made["seen_run"] = [run or 0 for run in seen_runs]
        made["newest"], made["oldest"] = _microseconds(newest), _microseconds(oldest)
        made["kind"] = [kinds.place_of(Kind(*kind)) for kind in zip(*of_kind, strict=True)]
    return made


def _microseconds(moments: Sequence[str | None]) -> NDArray[np.int64]:
    """moments: in UTC, as both databases write one as text."""
    return np.array([(moment or NEVER).partition("+")[0] for moment in moments], "datetime64[us]").astype(np.int64)


def _are_among(keys: Keys, chosen: Keys) -> NDArray[np.bool_]:
    """Of each of `keys`, which are in order, whether it is chosen."""
    found = np.zeros(len(keys), bool)
    if len(keys):
        places = np.minimum(np.searchsorted(keys, chosen), len(keys) - 1)
        found[places[keys[places] == chosen]] = True
    return found


def moment_of(microseconds: int) -> datetime:
    """The moment so many microseconds after the beginning of 1970."""
    return EPOCH + timedelta(microseconds=microseconds)
