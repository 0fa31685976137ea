"""The runs of one cycle, or of a chunk of it, on their way from planned to recorded.

No transaction is open while the target is asked. Decides nothing about the cycle itself: it is told which runs to ask,
and says why it stopped before the last.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from queue import Empty, SimpleQueue

from django.conf import settings
from django.db import DataError, IntegrityError
from django.db import Error as AnyDatabaseError
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probes import Probe as WantedProbe
from selftest.core.judging.verdicts import Verdict
from selftest.cycles import recording
from selftest.cycles.examination_runner import Examiner, RunningExamination
from selftest.cycles.log_context import logging_of
from selftest.cycles.ownership import SignsOfLife
from selftest.cycles.recording import ExaminationDetails
from selftest.models import Chunk, Cycle, Probe, Run, Target, Tuning
from selftest.reading.judging_terms import (
    latency_history_ms,
    latency_limits,
    unchecked_of_last_cycle,
    unspent_of_last_cycle,
)
from selftest.storage import database_file, request_pace
from selftest.storage.database_patience import PASSING, keep_trying
from selftest.storage.serialization import query_of
from selftest.targets.base import AUTO, TargetAway, TargetClient

log = logging.getLogger(__name__)

REFUSED_VALUE = (DataError, IntegrityError)  # the database works and refuses this one value: a failure of ours
# So many answers without the target's fields, and none with them, are about its settings and about no query.
UNREADABLE_ANSWERS = 3
SIGNAL_POLL_S = 0.5
OPEN_RUNS = 2  # for each request at once: what a worker that dies has begun is asked again
Progress = Callable[[int, int], None]  # runs over, runs planned


class _State(Enum):
    WAITING = "a probe of it is still to be answered"
    OVER = "recorded, given up, or not asked after all"


@dataclass(frozen=True)
class _ProbeOf:
    """A probe and whose it is."""

    examination: RunningExamination
    probe: WantedProbe


@dataclass(frozen=True)
class _Request:
    """What is to be asked next."""

    text: str
    source: str
    of: "Run | _ProbeOf"


@dataclass(frozen=True)
class Share:
    """What the queue of one chunk may have of its cycle: requests open at the same time, and time."""

    chunk: Chunk
    requests_at_once: int
    budget_s: float


class RequestQueue:
    """Asks the runs of a cycle, or of a chunk, and examines their answers. Only the asking is done by other threads.

    outage: why the target is away or cannot be read, None as long as it is neither. note: why it stopped before
    everything was asked. probes_at_most: None where the settings want none.
    """

    def __init__(
        self, cycle: Cycle, vocabulary: Vocabulary, target: TargetClient, queries: int, share: Share | None = None
    ) -> None:
        self.outage: str | None = None
        self.note = ""
        self._cycle = cycle
        self._vocabulary = vocabulary
        self._target = target
        tuning = Tuning.get_solo()
        self._limits = latency_limits(tuning)
        overdue = unchecked_of_last_cycle(cycle.target) if tuning.explains else ()
        unspent = 0 if cycle.repeats else unspent_of_last_cycle(cycle.target)
        of_these = unspent * queries // max(queries, cycle.queries_wanted)
        self._examiner = Examiner(cycle.target, vocabulary, tuning, queries, overdue, of_these)
        self._requests_at_once = share.requests_at_once if share else cycle.target.requests_at_once
        self._signs = SignsOfLife(share.chunk if share else cycle)
        sent_before = Probe.objects.filter(run__cycle=cycle).count() if cycle.deaths and share is None else 0
        self.probes_at_most = self._examiner.budget.at_most + sent_before if tuning.explains else None
        self._histories_ms: dict[str, deque[float]] = {}
        self._deadline = time.monotonic() + (share.budget_s if share else settings.CYCLE_BUDGET_S)
        self._runs: deque[_Request] = deque()
        self._probes: deque[_Request] = deque()
        self._results: SimpleQueue[tuple[Run | _ProbeOf, Answer | BaseException]] = SimpleQueue()
        self._under_way = 0  # requests without an answer yet
        self._open = 0  # runs that were begun and are not over
        self._over = 0  # runs
        self._unreadable: list[tuple[Run, Answer]] = []  # held back until it is known whether all answers are so
        self._is_readable = False  # one answer was
        self._is_unreadable = False  # so many were not that none will be

    def ask(self, runs: Sequence[Run], progress: Progress | None) -> None:
        """Asks each run that no other worker has claimed, until the target is away or the budget is used up."""
        keep_trying(lambda: self._examiner.prepare(query_of(run.document) for run in runs))
        self._runs.extend(_Request(run.text, AUTO, run) for run in runs)

        def note(state: _State) -> None:
            self._over += state is _State.OVER
            self._open -= state is _State.OVER
            if progress is not None:
                progress(self._over, len(runs))

        while True:
            while (self._runs or self._probes) and self._under_way < self._requests_at_once:
                self._start_next(note)
            if not self._under_way:
                if not self._unreadable:
                    break
                self._release(note)
                continue
            of, answer = self._next_result()
            self._under_way -= 1
            if isinstance(of, Run):
                self._take(of, answer, note)
            else:
                note(self._examine_patiently(of, answer))
        keep_trying(self._examiner.save_stability)

    def _next_result(self) -> tuple[Run | _ProbeOf, Answer | BaseException]:
        """Waits in short spells: a signal just before a wait, or to another thread, is acted upon only after it."""
        while True:
            self._signs.give()
            with suppress(Empty):
                return self._results.get(timeout=SIGNAL_POLL_S)

    def _next(self) -> _Request:
        """A run while few are open, as the probes of the last one are waited for longest; else a probe, so that what
        was answered is recorded soon. One request at a time takes the same time in any order.
        """
        at_once = self._requests_at_once
        begins_run = self._open < (OPEN_RUNS * at_once if at_once > 1 else 1)
        return (self._runs if self._runs and (begins_run or not self._probes) else self._probes).popleft()

    def _start_next(self, note: Callable[[_State], None]) -> None:
        request = self._next()
        if isinstance(request.of, _ProbeOf):
            if request.of.examination.is_given_up:
                return
            if self._may_continue():
                self._start(request)
            else:
                note(self._examine_patiently(request.of, None))
        elif not self._may_continue():
            self._runs.clear()  # they stay planned
        else:
            if keep_trying(lambda: self._claim(request.of)):
                self._open += 1
                self._start(request)
            else:
                self._over += 1  # by another worker

    def _claim(self, of: Run | _ProbeOf) -> bool:
        database_file.check_database_is_there()
        return isinstance(of, Run) and recording.claim(of, timezone.now())

    def _start(self, request: _Request) -> None:
        self._under_way += 1
        wait_s = keep_trying(lambda: request_pace.reserve(self._cycle.target))
        # A daemon and no pool, whose threads are waited for: a target that hangs must not delay Ctrl-C.
        threading.Thread(target=self._ask_in_thread, args=(request, wait_s), name="ask", daemon=True).start()

    def _ask_in_thread(self, request: _Request, wait_s: float) -> None:
        try:
            time.sleep(wait_s)
            self._results.put((request.of, self._target.ask(request.text, request.source)))
        except BaseException as failure:  # noqa: BLE001 - raised again in the thread that reads the results
            self._results.put((request.of, failure))

    def _may_continue(self) -> bool:
        if not self.note and time.monotonic() > self._deadline:
            self.note = f"stopped asking after {settings.CYCLE_BUDGET_S:g} s; the rest comes first in the next cycle"
        elif not self.note and not self._signs.are_wanted():
            self.note = "another worker has taken it over"
        return self.outage is None and not self.note

    def _take(self, run: Run, answer: Answer | BaseException, note: Callable[[_State], None]) -> None:
        """Examines an answer; one that cannot be read is held back as long as none of the cycle can."""
        if not isinstance(answer, Answer):
            return note(self._examine_patiently(run, answer))
        if answer.unreadable is None or self._is_readable:
            if answer.error is None:
                self._is_readable = True
                self._release(note)
            return note(self._examine_patiently(run, answer))
        self._unreadable.append((run, answer))
        if len(self._unreadable) >= UNREADABLE_ANSWERS and self.outage is None:
            self._is_unreadable = True
            self.outage = _cannot_be_read([answer for _, answer in self._unreadable], self._cycle.target)
        if self._is_unreadable:
            self._release(note)
        return None

    def _release(self, note: Callable[[_State], None]) -> None:
        """Examines what was held back, or skips it where the target cannot be read at all."""
        held, self._unreadable = self._unreadable, []
        for run, answer in held:
            if self._is_unreadable:
                keep_trying(partial(recording.unclaim, run))
                note(_State.OVER)
            else:
                note(self._examine_patiently(run, answer))

    def _examine_patiently(self, of: Run | _ProbeOf, answer: Answer | BaseException | None) -> _State:
        """Where the database was away in its middle, an examination begins again with the answer to its run."""

        def examine() -> _State:
            nonlocal of, answer
            try:
                if isinstance(of, _ProbeOf):
                    return self._resume(of.examination, of.probe, answer)
                assert answer is not None  # noqa: S101 - only probes go without
                return self._examine(of, answer)
            except PASSING:
                if isinstance(of, _ProbeOf):
                    examination = of.examination
                    examination.is_given_up = True
                    of, answer = examination.run, examination.answer
                raise

        return keep_trying(examine)

    def _examine(self, run: Run, answer: Answer | BaseException) -> _State:
        """Starts the examination of an answered run."""
        with self._owning_failures(run):
            if isinstance(answer, TargetAway):
                self.outage = str(answer)
                recording.unclaim(run)
                return _State.OVER
            if isinstance(answer, BaseException):
                raise answer
            history_ms = tuple(self._history_ms(run.recipe_name))
            checked = CheckInput(query_of(run.document), answer, self._vocabulary, history_ms, self._limits)
            examination = self._examiner.begin(run, checked)
            return self._advance(examination, examination.begin())
        return _State.OVER

    def _resume(
        self, examination: RunningExamination, probe: WantedProbe, answer: Answer | BaseException | None
    ) -> _State:
        """Continues an examination with the answer to its probe. Without one it ends by what is known."""
        if examination.is_given_up:
            return _State.WAITING
        with self._owning_failures(examination.run):
            if isinstance(answer, TargetAway):
                self.outage = str(answer)
            elif isinstance(answer, Exception):
                log.warning("A probe for %r failed: %r", examination.run.text, answer)
            elif isinstance(answer, BaseException):
                raise answer
            usable = answer if isinstance(answer, Answer) else None
            return self._advance(examination, examination.reply(probe, usable, timezone.now()))
        examination.is_given_up = True
        return _State.OVER

    @contextmanager
    def _owning_failures(self, run: Run) -> Iterator[None]:
        """A failure of ours on one run is recorded as ours and does not end the batch; one of the database does."""
        with logging_of(run=run.pk):
            try:
                yield
            except Exception as failure:
                if isinstance(failure, AnyDatabaseError) and not isinstance(failure, REFUSED_VALUE):
                    raise
                log.exception("Failed on %r", run.text)
                recording.record_own_failure(run, failure, timezone.now())

    def _advance(self, examination: RunningExamination, probes: Iterable[WantedProbe]) -> _State:
        for probe in probes:
            of = _ProbeOf(examination, probe)
            self._probes.append(_Request(probe.text, probe.only or AUTO, of))
        if not examination.is_over:
            return _State.WAITING
        self._record(examination)
        return _State.OVER

    def _record(self, examination: RunningExamination) -> None:
        run, answer, verdict = examination.run, examination.answer, examination.verdict or Verdict()
        details = ExaminationDetails(
            verdict.explained, verdict.repeats, verdict.reproduced, examination.probes, verdict.is_unchecked
        )

        def record() -> bool:
            database_file.check_database_is_there()
            return recording.record(run, answer, verdict.findings, timezone.now(), details)

        is_first = keep_trying(record)
        if is_first and not answer.cached and answer.error is None:
            self._history_ms(run.recipe_name).append(answer.latency_ms)

    def _history_ms(self, recipe_name: str) -> deque[float]:
        """Read once a cycle and then kept up to date, as no other cycle asks this target meanwhile."""
        if recipe_name not in self._histories_ms:
            earlier = latency_history_ms(self._cycle.target, recipe_name, WINDOW_RUNS)
            self._histories_ms[recipe_name] = deque(earlier, maxlen=WINDOW_RUNS)
        return self._histories_ms[recipe_name]


def _cannot_be_read(answers: Sequence[Answer], target: Target) -> str:
    """The note of a cycle whose target is said to have other fields than its answers."""
    there = dict.fromkeys(name for answer in answers for name in answer.unreadable or ())
    missing = dict.fromkeys(answer.error or "" for answer in answers)
    return (
        f"cannot be read: {'; '.join(missing)} in all {len(answers)} answers. They have: "
        f"{', '.join(there) or 'no field'}. The target is set to result={target.result_field!r} and "
        f"source_used={target.source_used_field!r}; set its field names in the admin"
    )
