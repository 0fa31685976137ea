"""Brings live pieces up to date with what triggers have noted; one process at a time, in short transactions.

Who finds another one at it leaves it to that one. Changes are deleted in the transaction that writes the pieces, so
that none is lost and none is done by two.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from time import monotonic

from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, transaction
from django_q.tasks import async_task

from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.index import writing
from selftest.knowledge.live.adapters import ADAPTERS, LEADS_TO, chunks_of, pieces_of
from selftest.knowledge.live.triggers import make_missing
from selftest.knowledge.live.wording import key_of
from selftest.knowledge.models import Change, IndexState
from selftest.knowledge.models import Chunk as Row
from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY
from selftest.storage.chunks import chunks
from selftest.storage.locks import locked

log = logging.getLogger(__name__)

TASK = "selftest.tasks.bring_knowledge_current"
BY_A_SEARCH = 10  # changes that a search takes before it looks: some 15 ms; see tests/benchmarks/live_pieces.py
AT_ONCE = 200  # changes in one transaction of the worker
READ_AT_ONCE = 500  # rows of a rebuild
SEARCH_WAITS_MS, WORKER_WAITS_MS = 50, 500  # for a lock; below the second in which PostgreSQL looks for deadlocks
WAKES_AGAIN_S = 5.0  # the worker is told of the same backlog at most this often by each process

_woken: dict[str, float] = {}


def bring_current(limit: int = BY_A_SEARCH, wait_ms: int = SEARCH_WAITS_MS) -> int:
    """Takes the oldest changes, `limit` at most, into the index; how many it took.

    One query where there are none. Nothing where another process is at it, or the index is locked for longer than
    wait_ms: a search then answers from what the index has.
    """
    if not Change.objects.exists():
        return 0
    try:
        with _waiting_at_most(wait_ms):
            return _take(limit) if _is_alone() else 0
    except OperationalError:
        log.info("The index is locked; what changed is brought up to date later", exc_info=True)
        return 0


def bring_current_for_search() -> bool:
    """What a search does first: takes a few changes itself, and leaves a backlog to the worker.

    Whether all is up to date now. Where it is not, `gone` tells what must not be shown.
    """
    if not Change.objects.exists():
        return True
    taken = bring_current()
    if not Change.objects.exists():
        return True
    if taken:  # else the index is locked, and the queue of tasks may be, too: a search does not wait for it
        _wake_worker()
    return False


def gone(keys: Collection[str]) -> set[str]:
    """Those of these pieces whose rows are deleted or hidden by changes that the index does not have yet."""
    numbers: dict[Kind, dict[int, str]] = {kind: {} for kind in ADAPTERS}
    for some in chunks(sorted(keys)):
        rows = Row.objects.filter(key__in=some, kind__in=ADAPTERS, document=None)
        for kind, key, details in rows.values_list("kind", "key", "details"):
            numbers[Kind(kind)][int(details["number"])] = key
    found: set[str] = set()
    for kind, by_number in numbers.items():
        for some_numbers in chunks(sorted(by_number)):
            changed = set(Change.objects.filter(kind=kind, number__in=some_numbers).values_list("number", flat=True))
            there = {piece.id for piece in chunks_of(kind, changed)} if changed else set()
            found |= {by_number[number] for number in changed} - there
    return found


def bring_all_current(seconds: float) -> int:
    """What the worker does: takes changes until there are none, for some `seconds` at most; how many it took."""
    until, taken = monotonic() + seconds, 0
    while monotonic() < until and (some := bring_current(AT_ONCE, WORKER_WAITS_MS)):
        taken += some
    return taken


def read_all() -> Iterator[Chunk]:
    """All live pieces, read from their rows a few at a time: for a rebuild, which must be in a transaction.

    Nothing else writes live pieces until it ends, so that no older ones take the place of newer ones.
    """
    writing.wait_alone()
    for kind, adapter in ADAPTERS.items():
        last = 0
        while True:
            rows = adapter.rows().filter(pk__gt=last).order_by("pk")
            numbers = list(rows.values_list("pk", flat=True)[:READ_AT_ONCE])
            if not numbers:
                break
            yield from chunks_of(kind, numbers)
            last = numbers[-1]


def note_all(kinds: Collection[Kind] = tuple(ADAPTERS)) -> int:
    """Notes all pieces of these live kinds as changed, also those whose row is gone; how many."""
    noted = 0
    for kind in kinds:
        numbers = set(ADAPTERS[kind].rows().order_by().values_list("pk", flat=True))
        pieces = Row.objects.filter(kind=kind, document=None).values_list("details", flat=True)
        numbers.update(int(details["number"]) for details in pieces.iterator())
        for some in chunks(sorted(numbers)):
            Change.objects.bulk_create([Change(kind=kind, number=number) for number in some])
        noted += len(numbers)
    return noted


def after_migrate(using: str, **_: object) -> None:
    """Makes the triggers that are missing; what they watch may have changed while they were."""
    kinds = {LEADS_TO.get(watch.kind, watch.kind) for watch in make_missing(using)}
    if using == DEFAULT_DB_ALIAS:
        note_all([kind for kind in ADAPTERS if kind in kinds])


def _take(limit: int) -> int:
    """Deleting them is what claims them; on SQLite nothing was read before, so that it waits for its turn here."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM knowledge_change WHERE id IN (SELECT id FROM knowledge_change ORDER BY id LIMIT %s) "
            "RETURNING kind, number",
            [limit],
        )
        taken = cursor.fetchall()
    changes: dict[str, set[int]] = defaultdict(set)
    for kind, number in taken:
        changes[kind].add(number)
    for kind, numbers in pieces_of(changes).items():
        pieces = chunks_of(kind, numbers)
        writing.put(pieces)
        writing.drop({key_of(kind, number) for number in numbers} - {piece.id for piece in pieces})
    return len(taken)


def _is_alone() -> bool:
    """SQLite has one writer anyway: its transactions begin as such."""
    if connection.vendor != "postgresql":
        return True
    IndexState.objects.get_or_create(pk=1)
    return bool(locked(IndexState.objects, skip_locked=True).filter(pk=1).values_list("pk", flat=True)[:1])


@contextmanager
def _waiting_at_most(wait_ms: int) -> Iterator[None]:
    """A transaction in which no statement waits longer for a lock of another process."""
    if connection.vendor == "postgresql":
        with transaction.atomic():
            before = _asked("SELECT current_setting('lock_timeout')")
            _asked(f"SELECT set_config('lock_timeout', '{wait_ms:d}ms', true)")
            yield
            _asked(f"SELECT set_config('lock_timeout', '{before}', true)")  # for a transaction that this one is in
        return
    before = _asked("PRAGMA busy_timeout")
    _asked(f"PRAGMA busy_timeout = {wait_ms:d}")
    try:
        with transaction.atomic():
            yield
    finally:
        _asked(f"PRAGMA busy_timeout = {before}")


def _asked(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        (value,) = cursor.fetchone()
    return str(value)


def _wake_worker() -> None:
    """A failure is left to the worker's own schedule."""
    now = monotonic()
    if now < _woken.get(TASK, float("-inf")) + WAKES_AGAIN_S:
        return
    _woken[TASK] = now
    try:
        async_task(TASK, task_name="pieces of search that changed")
    except BROKER_OR_DATABASE_AWAY:
        log.warning("What changed could not be handed over to be searched", exc_info=True)
