"""The call for a cycle: waits for its turn, runs it to its end, and says how that went.

A worker's cycle that is worth it is spread over all workers instead: each asks chunks of it, and the last one ends it.
"""

import logging
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum

from django.db import Error as AnyDatabaseError
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from selftest.core.generation.recipes import recipes_named
from selftest.cycles import handing_over, lifecycle, open_requests, ownership, planning, spreading
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.log_context import logging_of
from selftest.cycles.putting_off import bring_back_due
from selftest.cycles.run_and_probe_queue import Progress, RequestQueue, Share
from selftest.models import Chunk, Cycle, Run, VocabularyVersion
from selftest.reading.tuning import is_enabled
from selftest.storage import database_file
from selftest.storage.database_patience import keep_trying
from selftest.storage.serialization import vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable

log = logging.getLogger(__name__)

BUSY_POLL_S = 0.25
BUSY_WAIT_S = 60.0  # how long a command waits for another cycle on its target
NAMED_INGREDIENTS = 5  # in a note; more would hide what it says


class Status(StrEnum):
    """How a call for a cycle ended, in the terms of the API."""

    RAN = "ran"
    DISABLED = "disabled"
    BUSY = "busy"
    TARGET_UNAVAILABLE = "target_unavailable"
    INTERRUPTED = "interrupted"
    SPREAD = "spread"  # told to the worker only: chunks of it are being asked


STATUS_OF_STATE = {
    Cycle.State.FINISHED: Status.RAN,
    Cycle.State.TARGET_UNAVAILABLE: Status.TARGET_UNAVAILABLE,
    Cycle.State.INTERRUPTED: Status.INTERRUPTED,
}


@dataclass(frozen=True)
class CycleOutcome:
    """The result of a call for a cycle. cycle: None where none was started."""

    status: Status
    cycle: Cycle | None = None
    note: str = ""
    queries_run: int = 0
    flagged: int = 0


def run_cycle(request: CycleRequest, wait_s: float = 0.0, progress: Progress | None = None) -> CycleOutcome:
    """Runs one cycle now. Where another one runs on the target, waits for it `wait_s` at most.

    Raises nothing for what the target does, and what `recipes_named` raises. While the database is away in its middle,
    the cycle waits for it.
    """
    recipes_named(request.recipes)
    if not is_enabled(request.target):
        return CycleOutcome(Status.DISABLED)
    cycle = lifecycle.prepare(request)
    cycle.owner = ownership.this_process()  # so it is not handed to a worker
    cycle.save()
    try:
        outcome = run_planned(cycle, wait_s, progress)
    except BaseException as failure:
        with suppress(AnyDatabaseError):  # it is withdrawn later then, as its caller is gone
            lifecycle.withdraw(cycle, f"stopped before it could start: {type(failure).__name__}")
        raise
    if outcome.status is Status.BUSY:
        # It never started, and the caller is told so.
        Cycle.objects.filter(pk=cycle.pk, state=Cycle.State.PLANNED).delete()
    return outcome


def run_planned(
    cycle: Cycle, wait_s: float, progress: Progress | None = None, may_spread: bool = False
) -> CycleOutcome:
    """Runs a cycle that was saved as planned; only once, even if it is delivered twice.

    may_spread: leaves a long one in chunks to all workers, this one too, and returns at once.
    """
    with logging_of(cycle=cycle.pk):
        not_started = _wait_for_turn(cycle, wait_s)
        return not_started or _run_to_its_end(cycle, progress, may_spread)


def ask_next_chunk(cycle: Cycle) -> CycleOutcome:
    """Asks the next chunk of a spread cycle, where one waits, and ends the cycle where it was the last one."""
    with logging_of(cycle=cycle.pk):
        chunk = keep_trying(lambda: spreading.take_next(cycle.pk))
        if chunk is None:
            return CycleOutcome(Status.BUSY, note="no chunk of it can be asked now")
        _ask_chunk(chunk)
        cycle.refresh_from_db()
        return CycleOutcome(Status.SPREAD, cycle) if cycle.state == Cycle.State.RUNNING else _outcome(cycle)


def _ask_chunk(chunk: Chunk) -> None:
    cycle = chunk.cycle
    try:
        ended = _run_chunk(chunk)
        keep_trying(lambda: spreading.finish(chunk, ended.state, ended.note))
    except BaseException as failure:  # as for a whole cycle; another worker continues
        log.warning("%s was left to another worker", chunk, exc_info=True)
        with suppress(AnyDatabaseError):
            if isinstance(failure, AnyDatabaseError):
                connection.close()  # a broken connection is replaced by a new one
            spreading.give_back(chunk)
        raise
    finally:
        ownership.unregister(chunk)
        handing_over.hand_over_chunks(cycle, at_most=2)  # a second one for a call that waits behind other work
    whole = keep_trying(lambda: spreading.ended_as(cycle))
    if whole is not None:
        _conclude(cycle, _Ended(*whole))
        handing_over.hand_over_next(cycle.target)
        _log_end(cycle)


def _run_chunk(chunk: Chunk) -> "_Ended":
    """From opening the target to the last recorded answer."""
    cycle = chunk.cycle
    if not is_enabled(cycle.target):
        return _Ended(Cycle.State.INTERRUPTED, "switched off before all was asked")
    assert cycle.vocabulary is not None  # noqa: S101 - its runs were planned by it
    vocabulary = vocabulary_of(cycle.vocabulary)
    runs = keep_trying(lambda: list(spreading.runs_of(chunk).filter(state=Run.State.PLANNED)))
    share = Share(chunk, chunk.requests_at_once, spreading.budget_left_s(cycle))
    try:
        target = open_target(cycle.target, vocabulary)
    except ValueError as fault:
        return _Ended(Cycle.State.TARGET_UNAVAILABLE, str(fault))
    with closing(target):
        batch = keep_trying(lambda: RequestQueue(cycle, vocabulary, target, len(runs), share))
        if not chunk.deaths:  # else its first worker has counted them
            more = F("probes_at_most") + (batch.probes_at_most or 0)
            keep_trying(lambda: Cycle.objects.filter(pk=cycle.pk).update(probes_at_most=more))
        batch.ask(runs, None)
    if batch.outage is not None:
        return _Ended(Cycle.State.TARGET_UNAVAILABLE, batch.outage)
    return _Ended(Cycle.State.FINISHED, batch.note)


def _conclude(cycle: Cycle, ended: "_Ended") -> None:
    """The end of a cycle, and what follows from it."""
    keep_trying(lambda: lifecycle.end(cycle, ended.state, ended.note))
    _try_to_assign_causes(cycle)
    _try_to_bring_back_due()


def _run_to_its_end(cycle: Cycle, progress: Progress | None, may_spread: bool) -> CycleOutcome:
    try:
        ended = _run(cycle, progress, may_spread)
        if ended is None:
            return CycleOutcome(Status.SPREAD, cycle)
        _conclude(cycle, ended)
    except AnyDatabaseError as failure:
        log.exception("The database failed in the middle of %s", cycle)
        note = f"the database failed: {failure}"
        keep_trying(lambda: lifecycle.end(cycle, Cycle.State.INTERRUPTED, note))
    except BaseException as failure:  # Ctrl-C, a stop of the worker, a failure of ours: marked, then passed on
        _try_to_interrupt(cycle, f"stopped: {type(failure).__name__}")
        raise
    finally:
        ownership.unregister(cycle)
        handing_over.hand_over_chunks(cycle)
        handing_over.hand_over_next(cycle.target)
    _log_end(cycle)
    return _outcome(cycle)


def _log_end(cycle: Cycle) -> None:
    log.info("%s on %s: %s, %d asked, %d flagged", cycle, cycle.target, cycle.state, cycle.queries_run, cycle.flagged)


def _wait_for_turn(cycle: Cycle, wait_s: float) -> CycleOutcome | None:
    """None where the cycle is now ours to run, else the result of the call for it."""
    deadline = time.monotonic() + wait_s
    while is_enabled(cycle.target):  # checked again after every wait: off is off
        if start(cycle):
            return None
        cycle.refresh_from_db()
        if cycle.state != Cycle.State.PLANNED:  # it was delivered before
            return _outcome(cycle)
        if time.monotonic() >= deadline:
            return CycleOutcome(Status.BUSY, note=f"another cycle is running on {cycle.target}")
        time.sleep(BUSY_POLL_S)
    lifecycle.withdraw(cycle, "switched off before it could start")
    return CycleOutcome(Status.DISABLED)


def _wait_for_open_requests(cycle: Cycle) -> None:
    """What others asked the target before the cycle started; they ask no more while it runs."""
    signs = ownership.SignsOfLife(cycle)
    while keep_trying(lambda: open_requests.is_any_open(cycle.target)):
        signs.give()
        time.sleep(BUSY_POLL_S)


def _outcome(cycle: Cycle) -> CycleOutcome:
    status = STATUS_OF_STATE.get(Cycle.State(cycle.state), Status.BUSY)
    return CycleOutcome(status, cycle, cycle.note, cycle.queries_run, cycle.flagged)


def _try_to_interrupt(cycle: Cycle, note: str) -> None:
    """Once, as the process may be about to end."""
    is_missing = database_file.is_missing()
    try:
        connection.close()  # a broken connection is replaced by a new one
        if is_missing:
            raise OperationalError("there is no file to write to, and a new one would be empty")
        lifecycle.end(cycle, Cycle.State.INTERRUPTED, note)
    except AnyDatabaseError:
        log.warning("%s could not be marked as interrupted; the next cycle on its target does it", cycle)


def _try_to_assign_causes(cycle: Cycle) -> None:
    """The cycle has ended by now and stays as it is; what fails here is done by the next one's."""
    if not cycle.queries_run:
        return
    try:
        assign_causes(cycle.target, timezone.now())
    except Exception:
        log.exception("The flags of %s could not be put down to causes; the next cycle tries again", cycle)


def _try_to_bring_back_due() -> None:
    """The target may have told a version that something was put off until. Without a worker nothing else does it."""
    try:
        bring_back_due(timezone.now())
    except Exception:  # the cycle has ended by now and stays as it is
        log.exception("What was put off could not be brought back; the next sweep tries again")


@dataclass(frozen=True)
class _Ended:
    """How a cycle ended."""

    state: Cycle.State
    note: str


def _run(cycle: Cycle, progress: Progress | None, may_spread: bool) -> _Ended | None:
    """From reaching the target to the last recorded answer; None where the cycle was spread."""
    version = keep_trying(lambda: cycle.target.vocabularies.filter(in_force=True).first())
    if version is None:
        note = f"{cycle.target} has no vocabulary; import one with `manage.py vocabulary import FILE`"
        return _Ended(Cycle.State.INTERRUPTED, note)
    vocabulary = vocabulary_of(version)
    try:
        target = open_target(cycle.target, vocabulary)
    except ValueError as fault:
        return _Ended(Cycle.State.TARGET_UNAVAILABLE, str(fault))
    with closing(target):
        reached = target.reach()
        if not reached.reachable:
            return _Ended(Cycle.State.TARGET_UNAVAILABLE, reached.detail)
        _wait_for_open_requests(cycle)
        found = {"vocabulary": version, "target_version": storable(reached.version)[:200]}
        keep_trying(lambda: Cycle.objects.filter(pk=cycle.pk).update(**found))
        runs = keep_trying(lambda: planning.plan(cycle, version, timezone.now()))
        chunks = keep_trying(lambda: spreading.chunks_of(cycle, runs)) if may_spread else []
        if len(chunks) > 1:
            note = _note_on(cycle, runs, version)
            keep_trying(lambda: spreading.spread(cycle, chunks, note))
            return None
        batch = keep_trying(lambda: RequestQueue(cycle, vocabulary, target, len(runs)))
        keep_trying(lambda: Cycle.objects.filter(pk=cycle.pk).update(probes_at_most=batch.probes_at_most))
        batch.ask(runs, progress)
    if batch.outage is not None:
        return _Ended(Cycle.State.TARGET_UNAVAILABLE, batch.outage)
    notes = (batch.note, _note_on(cycle, runs, version))
    return _Ended(Cycle.State.FINISHED, "; ".join(filter(None, notes)))


def _note_on(cycle: Cycle, runs: Sequence[Run], version: VocabularyVersion) -> str:
    """What the note has to tell about the plan."""
    if not runs:
        return "no combination: the vocabulary lacks what the recipes need"
    gone = planning.missing_ingredients(runs, version.births) if cycle.repeats else []
    if not gone:
        return ""
    named = ", ".join(map(repr, gone[:NAMED_INGREDIENTS]))
    others = f" and {len(gone) - NAMED_INGREDIENTS} more" if len(gone) > NAMED_INGREDIENTS else ""
    return f"no longer in the vocabulary, but asked: {named}{others}"
