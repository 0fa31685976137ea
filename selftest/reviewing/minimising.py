"""The search for the smallest query that still shows a finding: asks within a budget, judges, keeps what is left.

It asks one thing at a time and gives way to cycles: it waits while one runs on its target, so that nobody's latencies
are disturbed and no more is asked at once than the target is set to bear. No transaction is open while it asks.
"""

import logging
import time
from collections.abc import Callable
from contextlib import closing, suppress

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.utils import timezone

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.checks import SPECIFIED, CheckInput, CheckName
from selftest.core.judging.examination import Rules
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.minimising import Shrunk, shrink
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.seeking import seek
from selftest.cycles import lifecycle, ownership
from selftest.cycles.recording import ENGINE
from selftest.models import Cycle, Reduction, ReviewEvent, Tuning
from selftest.reading.judging_terms import latency_history_ms, latency_limits, stability_of
from selftest.reading.status import is_enabled
from selftest.storage.serialization import answer_columns, query_document, query_of, storable, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.targets.base import AUTO, TargetAway, TargetClient

log = logging.getLogger(__name__)

ASKINGS_AT_MOST = 40  # 25 subsets of up to three of five clauses; the rest is for seeing it again, parts, plainer words
WHOLE_TRIES = 3  # what comes and goes is seen again in one of them, or it is no use to look for its cause
TURN_POLL_S = 1.0
REMEMBERED = frozenset({Purpose.PART, Purpose.CONTROL})  # the same for every candidate that has the part
State = Reduction.State


class _EndError(Exception):
    """No more can be asked. is_budget: only because enough was."""

    def __init__(self, note: str, is_budget: bool = False) -> None:
        super().__init__(note)
        self.is_budget = is_budget


def run_planned(reduction: Reduction) -> str:
    """Runs one that was written as planned; once, however often it is delivered. How it ended.

    Raises nothing for what the target does.
    """
    if not _take(reduction):
        reduction.refresh_from_db()
        return str(reduction.state)
    try:
        _run(reduction)
    except BaseException as failure:  # a stop of the worker, the database, a fault of ours: marked, then passed on
        log.warning("Reduction %s ended early", reduction.pk, exc_info=True)
        with suppress(AnyDatabaseError):
            lifecycle.end_reduction(reduction, f"stopped: {type(failure).__name__}")
        raise
    finally:
        ownership.unregister(reduction)
    reduction.refresh_from_db()
    return str(reduction.state)


def _take(reduction: Reduction) -> bool:
    ownership.register(reduction)  # before the row says so: another thread here must not hold it for abandoned
    now = timezone.now()
    taken = Reduction.objects.filter(pk=reduction.pk, state=State.PLANNED).update(
        state=State.RUNNING, owner=ownership.this_process(), last_sign_at=now
    )
    if not taken:
        ownership.unregister(reduction)
    return taken == 1


def _run(reduction: Reduction) -> None:
    row = reduction.combination.target
    version = row.vocabularies.filter(in_force=True).first()
    if version is None:
        return lifecycle.end_reduction(reduction, f"{row} has no vocabulary")
    vocabulary = vocabulary_of(version)
    try:
        target = open_target(row, vocabulary)
    except ValueError as fault:
        return lifecycle.end_reduction(reduction, str(fault))
    with closing(target):
        return _look_for(reduction, _Judge(reduction, _Asker(reduction, target), vocabulary))


def _look_for(reduction: Reduction, judge: "_Judge") -> None:
    query = query_of(reduction.run.query)
    try:
        is_there = judge.sees_again(query)
    except _EndError as end:
        return lifecycle.end_reduction(reduction, str(end))
    if not is_there:
        note = f"asked {WHOLE_TRIES} times more, the whole query did not show it"
        return _end(reduction, State.NOT_SEEN_AGAIN, note)
    return _keep(reduction, _shrink(query, judge, reduction), judge)


def _shrink(query: Query, judge: "_Judge", reduction: Reduction) -> Shrunk:
    shrinking = shrink(query, CheckName(reduction.check_name), reduction.askings_at_most)
    try:
        candidate = next(shrinking)
        while True:
            candidate = shrinking.send(judge.shows(candidate))
    except StopIteration as over:
        shrunk: Shrunk = over.value
        return shrunk


def _keep(reduction: Reduction, shrunk: Shrunk, judge: "_Judge") -> None:
    end = judge.end
    is_cut_short = end is not None and not end.is_budget
    answer = judge.answers[shrunk.query.text]
    kept = {
        "smallest": query_document(shrunk.query),
        "smallest_text": storable(shrunk.query.text),
        "kept": list(shrunk.kept),
        "is_minimal": shrunk.is_minimal,
        "result": storable(answer.result or answer.error or ""),
        "source_used": answer_columns(answer)["source_used"],
    }
    _end(reduction, State.STOPPED if is_cut_short else State.FINISHED, "" if end is None else str(end), **kept)


def _end(reduction: Reduction, state: Reduction.State, note: str, **columns: object) -> None:
    now = timezone.now()
    with transaction.atomic():
        done = Reduction.objects.filter(pk=reduction.pk, state=State.RUNNING).update(
            state=state, finished_at=now, note=storable(note), **columns
        )
        if done and state == State.FINISHED:
            ReviewEvent.objects.create(
                combination_id=reduction.combination_id,
                kind=ReviewEvent.Kind.REDUCED,
                actor=ENGINE,
                note=str(columns["smallest_text"]),
                run_id=reduction.run_id,
                at=now,
            )


class _Asker:
    """Asks the target while that is allowed, and counts."""

    def __init__(self, reduction: Reduction, target: TargetClient) -> None:
        self._reduction = reduction
        self._target = target
        self._asked = 0
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S

    def ask(self, text: str, source: str = AUTO) -> Answer:
        """Raises _EndError where nothing more may be asked, or nobody is there."""
        if self._asked >= self._reduction.askings_at_most:
            raise _EndError(f"all {self._asked} askings are used up", is_budget=True)
        self._wait_for_turn()
        try:
            answer = self._target.ask(text, source)
        except TargetAway as away:
            raise _EndError(f"the target is away: {away}") from away
        self._asked += 1
        self._show_a_sign()
        return answer

    def _wait_for_turn(self) -> None:
        while True:
            if not is_enabled(self._reduction.combination.target):  # looked at before each asking: off is off
                raise _EndError("testing was switched off")
            if time.monotonic() > self._deadline:
                raise _EndError(f"stopped asking after {settings.CYCLE_BUDGET_S:g} s")
            if not self._is_busy():
                return
            lifecycle.end_abandoned(self._reduction.combination.target)
            self._show_a_sign()
            time.sleep(TURN_POLL_S)

    def _is_busy(self) -> bool:
        """Whether a cycle asks this target, or an earlier reduction."""
        target = self._reduction.combination.target_id
        if Cycle.objects.filter(target=target, state=Cycle.State.RUNNING).exists():
            return True
        running = Reduction.objects.filter(combination__target=target, state=State.RUNNING)
        return running.filter(pk__lt=self._reduction.pk).exists()

    def _show_a_sign(self) -> None:
        ours = Reduction.objects.filter(pk=self._reduction.pk, state=State.RUNNING)
        if not ours.update(askings=self._asked, last_sign_at=timezone.now()):
            raise _EndError("it was stopped meanwhile")


class _Judge:
    """Whether a query shows the finding. answers: to what was asked, by text; end: why it can say no more."""

    def __init__(self, reduction: Reduction, asker: _Asker, vocabulary: Vocabulary) -> None:
        self.answers: dict[str, Answer] = {}
        self.end: _EndError | None = None
        self._more: dict[tuple[str, str, int], Answer] = {}  # by whom a text was put to, and the how-manieth time
        self._asker = asker
        self._vocabulary = vocabulary
        self._check = CheckName(reduction.check_name)
        tuning = Tuning.get_solo()
        self._limits = latency_limits(tuning)
        # What was found by a relation stays one's to look for, also where no more of them are looked for since.
        run = reduction.run
        explains = tuning.explains or self._check not in SPECIFIED
        stability = stability_of(run.target_id)
        self._rules = Rules(
            explains, volatile=stability.volatile(), steady=stability.steady(), longest=stability.longest
        )
        self._history_ms = tuple(latency_history_ms(run.target, run.recipe_name, WINDOW_RUNS, before=run.pk))

    def sees_again(self, whole: Query) -> bool:
        """Whether the whole query still shows it, in one of a few tries. Raises _EndError."""
        for _ in range(WHOLE_TRIES):
            answer = self.answers[whole.text] = self._asker.ask(whole.text)
            # It was asked before, by the run that is looked into: that it comes from the cache is the finding.
            is_cached = self._check is CheckName.SYNTHETIC_QUERY_CACHED and answer.cached
            if is_cached or self._is_shown(whole):
                return True
        return False

    def shows(self, candidate: Query) -> bool | None:
        """None where nobody can say any more."""
        try:
            self._answer(candidate.text, lambda: self._asker.ask(candidate.text))
            return self._is_shown(candidate)
        except _EndError as end:
            self.end = end
            return None

    def _is_shown(self, query: Query) -> bool:
        asking = CheckInput(query, self.answers[query.text], self._vocabulary, self._history_ms, self._limits)
        seeking = seek(asking, self._check, self._rules)
        try:
            probe = next(seeking)
            while True:
                probe = seeking.send(self._reply(probe))
        except StopIteration as over:
            return bool(over.value)

    def _reply(self, probe: Probe) -> Answer | None:
        """What a part brought is believed for the whole search, also what it brought when it was asked anew."""
        if probe.urgency is Urgency.IF_KNOWN:
            return None if probe.fresh or probe.only else self.answers.get(probe.text)
        if not probe.fresh and not probe.only:
            return self._answer(probe.text, lambda: self._asker.ask(probe.text))
        if probe.purpose not in REMEMBERED:
            return self._asker.ask(probe.text, probe.only or AUTO)
        key = probe.text, probe.only, probe.fresh
        if key not in self._more:
            self._more[key] = self._asker.ask(probe.text, probe.only or AUTO)
        return self._more[key]

    def _answer(self, text: str, ask: Callable[[], Answer]) -> Answer:
        if text not in self.answers:
            self.answers[text] = ask()
        return self.answers[text]
