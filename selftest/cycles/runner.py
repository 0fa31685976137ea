"""One cycle: choose, ask, check, record. No transaction is open while the target is asked."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from queue import SimpleQueue

from django.conf import settings
from django.db import DataError, IntegrityError, OperationalError, connection
from django.db import Error as AnyDatabaseError
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probes import Probe
from selftest.core.judging.verdicts import Verdict
from selftest.cycles import lifecycle, ownership, planning, recording
from selftest.cycles.examination_runner import Examiner, RunningExamination
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.recording import ExaminationDetails
from selftest.models import Cycle, Run, Tuning, VocabularyVersion
from selftest.reading.judging_terms import latency_history_ms, latency_limits
from selftest.reading.status import is_enabled
from selftest.storage import database_file
from selftest.storage.serialization import query_of, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable
from selftest.targets.base import AUTO, TargetAway, TargetClient

log = logging.getLogger(__name__)

BUSY_POLL_S = 0.25
BUSY_WAIT_S = 60.0  # how long a command or a task waits for another cycle on its target
NAMED_INGREDIENTS = 5  # in a note; whoever changed the vocabulary knows the rest
REFUSED_VALUE = (DataError, IntegrityError)  # the database is well and will not have this one value: a fault of ours
Progress = Callable[[int, int], None]  # runs over, runs planned


class Status(StrEnum):
    """How a call for a cycle ended, in the words of the API."""

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
class Outcome:
    """What a call for a cycle came to. cycle: None where none was started."""

    status: Status
    cycle: Cycle | None = None
    note: str = ""
    queries_run: int = 0
    flagged: int = 0


def run_cycle(wish: CycleRequest, wait_s: float = 0.0, progress: Progress | None = None) -> Outcome:
    """Runs one cycle now. Where another one runs on the target, waits for it `wait_s` at most.

    Raises nothing for what the target does; a failure of the database ends the cycle `interrupted`.
    """
    if not is_enabled(wish.target):
        return Outcome(Status.DISABLED)
    cycle = lifecycle.prepare(wish)
    cycle.save()
    try:
        outcome = run_planned(cycle, wait_s, progress)
    except BaseException as failure:
        lifecycle.withdraw(
            cycle, f"stopped before it could start: {type(failure).__name__}"
        )  # nobody else would run it
        raise
    if outcome.status is Status.BUSY:
        cycle.delete()  # it never began, and its caller is told so
    return outcome


def run_planned(cycle: Cycle, wait_s: float, progress: Progress | None = None) -> Outcome:
    """Runs a cycle that was written as planned; once, however often it is delivered."""
    kept_from_it = _wait_for_turn(cycle, wait_s)
    if kept_from_it is not None:
        return kept_from_it
    tally = _Tally()
    try:
        _run(cycle, progress, tally)
    except AnyDatabaseError as failure:
        log.exception("The database failed in the middle of %s", cycle)
        note = f"the database failed: {failure}"
        if _try_to_interrupt(cycle, note):
            return Outcome(Status.INTERRUPTED, cycle, note, cycle.queries_run, cycle.flagged)
        return Outcome(Status.INTERRUPTED, cycle, note, tally.queries_run, tally.flagged)
    except BaseException as failure:  # Ctrl-C, a stop of the worker, a fault of ours: marked, then passed on
        _try_to_interrupt(cycle, f"stopped: {type(failure).__name__}")
        raise
    finally:
        ownership.unregister(cycle)
    return _outcome(cycle)


def _wait_for_turn(cycle: Cycle, wait_s: float) -> Outcome | None:
    """None where the cycle is now ours to run, else what the call for it came to."""
    deadline = time.monotonic() + wait_s
    while is_enabled(cycle.target):  # looked at again after every wait: off is off
        if start(cycle):
            return None
        cycle.refresh_from_db()
        if cycle.state != Cycle.State.PLANNED:  # it was delivered before
            return _outcome(cycle)
        if time.monotonic() >= deadline:
            return Outcome(Status.BUSY, note=f"another cycle is running on {cycle.target}")
        time.sleep(BUSY_POLL_S)
    lifecycle.withdraw(cycle, "switched off before it could start")
    return Outcome(Status.DISABLED)


def _outcome(cycle: Cycle) -> Outcome:
    status = STATUS_OF_STATE.get(Cycle.State(cycle.state), Status.BUSY)
    return Outcome(status, cycle, cycle.note, cycle.queries_run, cycle.flagged)


def _try_to_interrupt(cycle: Cycle, note: str) -> bool:
    """Whether the cycle is marked now; it then holds its counts."""
    is_missing = database_file.is_missing()
    try:
        connection.close()  # a broken connection mends by being made anew
        if is_missing:
            raise OperationalError("there is no file to write to, and an empty new one helps nobody")
        lifecycle.end(cycle, Cycle.State.INTERRUPTED, note)
    except AnyDatabaseError:
        log.warning("%s could not be marked as interrupted; the next cycle on its target does it", cycle)
        return False
    return True


@dataclass
class _Tally:
    """What this process has recorded, for where the database cannot be asked."""

    queries_run: int = 0
    flagged: int = 0


def _run(cycle: Cycle, progress: Progress | None, tally: _Tally) -> None:
    """From reaching the target to the cycle's end; leaves `cycle` as its row is."""
    version = cycle.target.vocabularies.filter(in_force=True).first()
    if version is None:
        note = f"{cycle.target} has no vocabulary; import one with `manage.py vocabulary import FILE`"
        return lifecycle.end(cycle, Cycle.State.INTERRUPTED, note)
    vocabulary = vocabulary_of(version)
    try:
        target = open_target(cycle.target, vocabulary)
    except ValueError as fault:
        return lifecycle.end(cycle, Cycle.State.TARGET_UNAVAILABLE, str(fault))
    with closing(target):
        reached = target.reach()
        if not reached.reachable:
            return lifecycle.end(cycle, Cycle.State.TARGET_UNAVAILABLE, reached.detail)
        Cycle.objects.filter(pk=cycle.pk).update(vocabulary=version, target_version=storable(reached.version)[:200])
        runs = planning.plan(cycle, version, timezone.now())
        batch = _Batch(cycle, vocabulary, target, tally, len(runs))
        batch.ask(runs, progress)
    if batch.outage is not None:
        return lifecycle.end(cycle, Cycle.State.TARGET_UNAVAILABLE, batch.outage)
    notes = (batch.note, _note_on(cycle, runs, version))
    return lifecycle.end(cycle, Cycle.State.FINISHED, "; ".join(filter(None, notes)))


def _note_on(cycle: Cycle, runs: Sequence[Run], version: VocabularyVersion) -> str:
    """What needs saying of what was planned."""
    if not runs:
        return "no combination: the vocabulary lacks what the recipes are made of"
    gone = planning.missing_ingredients(runs, version.births) if cycle.repeats else []
    if not gone:
        return ""
    named = ", ".join(map(repr, gone[:NAMED_INGREDIENTS]))
    others = f" and {len(gone) - NAMED_INGREDIENTS} more" if len(gone) > NAMED_INGREDIENTS else ""
    return f"no longer in the vocabulary, and asked all the same: {named}{others}"


class _Batch:
    """The runs of one cycle on their way from planned to recorded. Only the asking is done by other threads.

    An answered run is examined, for which more may have to be asked: those askings go before new runs, so that what
    was answered is recorded soon.
    """

    def __init__(self, cycle: Cycle, vocabulary: Vocabulary, target: TargetClient, tally: _Tally, queries: int) -> None:
        self.outage: str | None = None
        self.note = ""
        self._cycle = cycle
        self._vocabulary = vocabulary
        self._target = target
        self._tally = tally
        tuning = Tuning.get_solo()
        self._limits = latency_limits(tuning)
        self._examiner = Examiner(cycle.target, vocabulary, tuning, queries)
        self._histories_ms: dict[str, deque[float]] = {}
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S
        self._came: SimpleQueue[tuple[Run | RunningExamination, Answer | BaseException]] = SimpleQueue()
        self._wanted: deque[tuple[RunningExamination, Probe]] = deque()

    def ask(self, runs: Sequence[Run], progress: Progress | None) -> None:
        """Asks each run that nobody else has claimed, until the target is away or the budget is used up."""
        at_once = self._cycle.target.requests_at_once
        waiting = deque(runs)
        asked = under_way = 0
        self._examiner.prepare(query_of(run.query) for run in runs)

        def tell() -> None:
            if progress is not None:
                progress(len(runs) - len(waiting) - under_way, len(runs))

        while True:
            while asked < at_once and self._wanted:
                examined, probe = self._wanted.popleft()
                if self._goes_on():
                    self._ask_in_thread(examined, probe.text, probe.only or AUTO)
                    asked += 1
                else:
                    under_way -= self._take(examined, None)
                    tell()
            while waiting and asked < at_once and not self._wanted and self._goes_on():
                run = waiting.popleft()
                database_file.check_database_is_there()
                if recording.claim(run, timezone.now()):
                    self._ask_in_thread(run, run.query_text, AUTO)
                    asked += 1
                    under_way += 1
            if not asked and not self._wanted:
                self._examiner.save_stability()
                return
            if not asked:
                continue
            whose, answer = self._came.get()
            asked -= 1
            under_way -= self._examine(whose, answer) if isinstance(whose, Run) else self._take(whose, answer)
            tell()

    def _ask_in_thread(self, whose: "Run | RunningExamination", text: str, source: str) -> None:
        # A daemon and no pool, whose threads are waited for: a target that hangs must hold up no Ctrl-C.
        threading.Thread(target=self._ask_apart, args=(whose, text, source), name="ask", daemon=True).start()

    def _ask_apart(self, whose: "Run | RunningExamination", text: str, source: str) -> None:
        try:
            self._came.put((whose, self._target.ask(text, source)))
        except BaseException as failure:  # noqa: BLE001 - raised again by whoever takes it, where it is told apart
            self._came.put((whose, failure))

    def _goes_on(self) -> bool:
        if time.monotonic() > self._deadline:
            self.note = f"stopped asking after {settings.CYCLE_BUDGET_S:g} s; the rest comes first in the next cycle"
        return self.outage is None and not self.note

    def _examine(self, run: Run, answer: Answer | BaseException) -> bool:
        """Begins with what came of a run; whether that was the end of it already."""
        with self._owning_failures(run):
            if isinstance(answer, TargetAway):
                self.outage = str(answer)
                recording.give_back(run)
                return True
            if isinstance(answer, BaseException):
                raise answer
            history_ms = tuple(self._history_ms(run.recipe_name))
            asking = CheckInput(query_of(run.query), answer, self._vocabulary, history_ms, self._limits)
            examined = self._examiner.begin(run, asking)
            return self._go_on(examined, examined.next())
        return True

    def _take(self, examined: RunningExamination, answer: Answer | BaseException | None) -> bool:
        """Goes on with an examination; whether it has come to its end. Without an answer it ends by what is known."""
        with self._owning_failures(examined.run):
            if isinstance(answer, TargetAway):
                self.outage = str(answer)
            elif isinstance(answer, Exception):
                log.warning("An extra asking for %r failed: %r", examined.run.query_text, answer)
            elif isinstance(answer, BaseException):
                raise answer
            usable = answer if isinstance(answer, Answer) else None
            return self._go_on(examined, examined.reply(usable, timezone.now()))
        return True

    @contextmanager
    def _owning_failures(self, run: Run) -> Iterator[None]:
        """A failure of ours on one run is recorded as ours and does not end the batch; one of the database does."""
        try:
            yield
        except Exception as failure:
            if isinstance(failure, AnyDatabaseError) and not isinstance(failure, REFUSED_VALUE):
                raise
            log.exception("Failed on %r", run.query_text)
            recording.record_own_failure(run, failure, timezone.now())

    def _go_on(self, examined: RunningExamination, probe: Probe | None) -> bool:
        if probe is not None:
            self._wanted.append((examined, probe))
            return False
        self._settle(examined)
        return True

    def _settle(self, examined: RunningExamination) -> None:
        run, answer, verdict = examined.run, examined.answer, examined.verdict or Verdict()
        database_file.check_database_is_there()
        besides = ExaminationDetails(verdict.explained, verdict.repeats, verdict.reproduced, examined.probes)
        is_first = recording.record(run, answer, verdict.findings, timezone.now(), besides)
        if is_first:
            self._tally.queries_run += 1
            self._tally.flagged += bool(verdict.findings)
        if is_first and not answer.cached and answer.error is None:
            self._history_ms(run.recipe_name).append(answer.latency_ms)

    def _history_ms(self, recipe_name: str) -> deque[float]:
        """Read once a cycle and then kept up, as nobody else asks this target meanwhile."""
        if recipe_name not in self._histories_ms:
            earlier = latency_history_ms(self._cycle.target, recipe_name, WINDOW_RUNS)
            self._histories_ms[recipe_name] = deque(earlier, maxlen=WINDOW_RUNS)
        return self._histories_ms[recipe_name]
