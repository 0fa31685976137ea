"""The call for a cycle: waits for its turn, runs it to its end, and says how that went."""

import logging
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum

from django.db import Error as AnyDatabaseError
from django.db import OperationalError, connection
from django.utils import timezone

from selftest.cycles import handing_over, lifecycle, ownership, planning
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.log_context import logging_of
from selftest.cycles.putting_off import bring_back_due
from selftest.cycles.run_and_probe_queue import Progress, RequestQueue
from selftest.models import Cycle, Run, VocabularyVersion
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

    Raises nothing for what the target does. While the database is away in its middle, the cycle waits for it.
    """
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


def run_planned(cycle: Cycle, wait_s: float, progress: Progress | None = None) -> CycleOutcome:
    """Runs a cycle that was saved as planned; only once, even if it is delivered twice."""
    with logging_of(cycle=cycle.pk):
        not_started = _wait_for_turn(cycle, wait_s)
        return not_started or _run_to_its_end(cycle, progress)


def _run_to_its_end(cycle: Cycle, progress: Progress | None) -> CycleOutcome:
    try:
        ended = _run(cycle, progress)
        keep_trying(lambda: lifecycle.end(cycle, ended.state, ended.note))
        _try_to_assign_causes(cycle)
        _try_to_bring_back_due()
    except AnyDatabaseError as failure:
        log.exception("The database failed in the middle of %s", cycle)
        note = f"the database failed: {failure}"
        keep_trying(lambda: lifecycle.end(cycle, Cycle.State.INTERRUPTED, note))
    except BaseException as failure:  # Ctrl-C, a stop of the worker, a failure of ours: marked, then passed on
        _try_to_interrupt(cycle, f"stopped: {type(failure).__name__}")
        raise
    finally:
        ownership.unregister(cycle)
        handing_over.hand_over_next(cycle.target)
    outcome = _outcome(cycle)
    log.info(
        "%s on %s: %s, %d asked, %d flagged", cycle, cycle.target, cycle.state, outcome.queries_run, outcome.flagged
    )
    return outcome


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


def _run(cycle: Cycle, progress: Progress | None) -> _Ended:
    """From reaching the target to the last recorded answer."""
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
        found = {"vocabulary": version, "target_version": storable(reached.version)[:200]}
        keep_trying(lambda: Cycle.objects.filter(pk=cycle.pk).update(**found))
        runs = keep_trying(lambda: planning.plan(cycle, version, timezone.now()))
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
