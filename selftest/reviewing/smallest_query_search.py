"""Minimises a flagged query: tries smaller ones on the target, within a budget, and keeps the smallest that fails too.

It sends one request at a time and gives way to cycles: it waits while one runs on its target, so that no latency is
disturbed and the target never gets more requests at once than it is set to bear. No transaction is open meanwhile.
"""

import logging
import time
from collections.abc import Callable
from contextlib import closing, suppress

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.check_table import SPECIFIED
from selftest.core.judging.context import CheckInput
from selftest.core.judging.delta_debugging import Minimised, minimise
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import CheckName
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.verdicts import Rules
from selftest.cycles import lifecycle, ownership
from selftest.models import ENGINE, Cycle, Reduction, ReviewEvent, Tuning
from selftest.reading.judging_terms import latency_history_ms, latency_limits, stability_of
from selftest.reading.tuning import is_enabled
from selftest.storage import request_pace
from selftest.storage.database_patience import keep_trying
from selftest.storage.serialization import answer_columns, query_document, query_of, vocabulary_of
from selftest.storage.target_clients import open_target
from selftest.storage.texts import storable
from selftest.targets.base import AUTO, TargetAway, TargetClient

log = logging.getLogger(__name__)

# To the target, for one smallest query: 25 subsets of up to three of five clauses; the rest is for reproducing the
# finding, for parts alone and for plainer words.
REQUESTS_AT_MOST = 40
WHOLE_TRIES = 3  # a finding that comes and goes shows in one of them, or it is no use to minimise its query
TURN_POLL_S = 1.0
REMEMBERED = frozenset({Purpose.PART, Purpose.CONTROL})  # the same for every candidate that has the part
State = Reduction.State


class _StoppedError(Exception):
    """No more requests can be sent. is_budget: only because the budget is used up."""

    def __init__(self, note: str, is_budget: bool = False) -> None:
        super().__init__(note)
        self.is_budget = is_budget


def run_planned(reduction: Reduction) -> str:
    """Runs a planned search, once, however often its task is delivered; returns the state that it ended in.

    Raises nothing for what the target does.
    """
    if not _claim(reduction):
        reduction.refresh_from_db()
        return str(reduction.state)
    try:
        _run(reduction)
    except AnyDatabaseError as failure:
        log.exception("The database failed in the middle of reduction %s", reduction.pk)
        _end(reduction, State.STOPPED, f"the database failed: {failure}")
    except BaseException as failure:  # a stop of the worker, a fault of ours: marked, then passed on
        log.warning("Reduction %s ended early", reduction.pk, exc_info=True)
        with suppress(AnyDatabaseError):
            _save_end(reduction, State.STOPPED, f"stopped: {type(failure).__name__}", {})  # once: it may be a stop
        raise
    finally:
        ownership.unregister(reduction)
    reduction.refresh_from_db()
    return str(reduction.state)


def _claim(reduction: Reduction) -> bool:
    ownership.register(reduction)  # before the row says so: to another thread here it would look abandoned
    now = timezone.now()
    claimed = Reduction.objects.filter(pk=reduction.pk, state=State.PLANNED).update(
        state=State.RUNNING, owner=ownership.this_process(), last_sign_at=now
    )
    if not claimed:
        ownership.unregister(reduction)
    return claimed == 1


def _run(reduction: Reduction) -> None:
    row = reduction.combination.target
    version = keep_trying(lambda: row.vocabularies.filter(in_force=True).first())
    if version is None:
        return _end(reduction, State.STOPPED, f"{row} has no vocabulary")
    vocabulary = vocabulary_of(version)
    try:
        target = open_target(row, vocabulary)
    except ValueError as fault:
        return _end(reduction, State.STOPPED, str(fault))
    with closing(target):
        requests = _TargetRequests(reduction, target)
        judge = keep_trying(lambda: _FindingJudge(reduction, requests, vocabulary))
        return _minimise(reduction, judge)


def _minimise(reduction: Reduction, judge: "_FindingJudge") -> None:
    query = query_of(reduction.run.query)
    try:
        is_reproduced = judge.reproduces(query)
    except _StoppedError as stopped:
        return _end(reduction, State.STOPPED, str(stopped))
    if not is_reproduced:
        return _end(reduction, State.NOT_SEEN_AGAIN, f"reproduced 0 of {WHOLE_TRIES} with the whole query")
    search = minimise(query, CheckName(reduction.check_name), reduction.askings_at_most)
    return _keep(reduction, drive(search, judge.shows), judge)


def _keep(reduction: Reduction, minimised: Minimised, judge: "_FindingJudge") -> None:
    stopped = judge.stopped
    is_cut_short = stopped is not None and not stopped.is_budget
    answer = judge.answers[minimised.query.text]
    kept = {
        "smallest": query_document(minimised.query),
        "smallest_text": storable(minimised.query.text),
        "kept": list(minimised.kept),
        "is_minimal": minimised.is_minimal,
        "result": storable(answer.result or answer.error or ""),
        "source_used": answer_columns(answer)["source_used"],
    }
    _end(reduction, State.STOPPED if is_cut_short else State.FINISHED, "" if stopped is None else str(stopped), **kept)


def _end(reduction: Reduction, state: Reduction.State, note: str, **columns: object) -> None:
    keep_trying(lambda: _save_end(reduction, state, note, columns))


def _held(reduction: Reduction) -> QuerySet[Reduction]:
    """Its row, as long as it is this process's: one that was taken for dead ends nothing of who took over."""
    return Reduction.objects.filter(pk=reduction.pk, state=State.RUNNING, owner=ownership.this_process())


def _save_end(reduction: Reduction, state: Reduction.State, note: str, columns: dict[str, object]) -> None:
    now = timezone.now()
    with transaction.atomic():
        done = _held(reduction).update(state=state, finished_at=now, note=storable(note), **columns)
        if done and state == State.FINISHED:
            ReviewEvent.objects.create(
                combination_id=reduction.combination_id,
                kind=ReviewEvent.Kind.REDUCED,
                actor=ENGINE,
                note=str(columns["smallest_text"]),
                run_id=reduction.run_id,
                at=now,
            )


class _TargetRequests:
    """Sends requests to the target, one at a time, while that is allowed; counts them."""

    def __init__(self, reduction: Reduction, target: TargetClient) -> None:
        self._reduction = reduction
        self._target = target
        self._sent = 0
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S

    def ask(self, text: str, source: str = AUTO) -> Answer:
        """Raises _StoppedError where no more requests may be sent, or the target is away."""
        if self._sent >= self._reduction.askings_at_most:
            raise _StoppedError(f"all {self._sent} requests are used up", is_budget=True)
        keep_trying(self._wait_for_turn)
        if wait_s := keep_trying(lambda: request_pace.reserve(self._reduction.combination.target)):
            time.sleep(wait_s)
        try:
            answer = self._target.ask(text, source)
        except TargetAway as away:
            raise _StoppedError(f"the target is away: {away}") from away
        self._sent += 1
        keep_trying(self._show_it_lives)
        return answer

    def _wait_for_turn(self) -> None:
        while True:
            if not is_enabled(self._reduction.combination.target):  # looked at before each request: off is off
                raise _StoppedError("testing was switched off")
            if time.monotonic() > self._deadline:
                raise _StoppedError(f"stopped after {settings.CYCLE_BUDGET_S:g} s")
            if not self._is_busy():
                return
            lifecycle.end_abandoned(self._reduction.combination.target)
            self._show_it_lives()
            time.sleep(TURN_POLL_S)

    def _is_busy(self) -> bool:
        """Whether a cycle runs on this target, or an earlier search."""
        target = self._reduction.combination.target_id
        if Cycle.objects.filter(target=target, state=Cycle.State.RUNNING).exists():
            return True
        running = Reduction.objects.filter(combination__target=target, state=State.RUNNING)
        return running.filter(pk__lt=self._reduction.pk).exists()

    def _show_it_lives(self) -> None:
        if not _held(self._reduction).update(askings=self._sent, last_sign_at=timezone.now()):
            raise _StoppedError("another worker has taken it over")


class _FindingJudge:
    """Tells whether a query shows the finding. answers: by text; stopped: why no more can be told."""

    def __init__(self, reduction: Reduction, requests: _TargetRequests, vocabulary: Vocabulary) -> None:
        self.answers: dict[str, Answer] = {}
        self.stopped: _StoppedError | None = None
        # Answers to probes of one source, or sent again: by text, source and number of the repetition.
        self._repeated: dict[tuple[str, str, int], Answer] = {}
        self._requests = requests
        self._vocabulary = vocabulary
        self._check = CheckName(reduction.check_name)
        tuning = Tuning.get_solo()
        self._limits = latency_limits(tuning)
        # A finding of a relation can be minimised even where relations have been switched off since.
        run = reduction.run
        explains = tuning.explains or self._check not in SPECIFIED
        stability = stability_of(run.target_id)
        self._rules = Rules(
            explains,
            volatile=stability.volatile(),
            steady=stability.steady(),
            longest=stability.longest,
            boilerplate=stability.boilerplate.lines(),
        )
        self._history_ms = tuple(latency_history_ms(run.target, run.recipe_name, WINDOW_RUNS, before=run.pk))

    def reproduces(self, whole: Query) -> bool:
        """Whether the whole query still shows the finding, in one of a few tries. Raises _StoppedError."""
        for _ in range(WHOLE_TRIES):
            answer = self.answers[whole.text] = self._requests.ask(whole.text)
            # The flagged run has asked it before: an answer from the cache is the finding.
            is_cached = self._check is CheckName.SYNTHETIC_QUERY_CACHED and answer.cached
            if is_cached or self._is_shown(whole):
                return True
        return False

    def shows(self, candidate: Query) -> bool | None:
        """None once no more can be told."""
        try:
            self._answer(candidate.text, lambda: self._requests.ask(candidate.text))
            return self._is_shown(candidate)
        except _StoppedError as stopped:
            self.stopped = stopped
            return None

    def _is_shown(self, query: Query) -> bool:
        checked = CheckInput(query, self.answers[query.text], self._vocabulary, self._history_ms, self._limits)
        verdict = drive(examine(checked, self._rules, only=self._check), self._reply)
        return bool(verdict.findings)

    def _reply(self, probe: Probe) -> Answer | None:
        """What a part brought, the first time or again, is remembered for the whole search."""
        if probe.urgency is Urgency.IF_KNOWN:
            return None if probe.fresh or probe.only else self.answers.get(probe.text)
        if not probe.fresh and not probe.only:
            return self._answer(probe.text, lambda: self._requests.ask(probe.text))
        if probe.purpose not in REMEMBERED:
            return self._requests.ask(probe.text, probe.only or AUTO)
        key = probe.text, probe.only, probe.fresh
        if key not in self._repeated:
            self._repeated[key] = self._requests.ask(probe.text, probe.only or AUTO)
        return self._repeated[key]

    def _answer(self, text: str, ask: Callable[[], Answer]) -> Answer:
        if text not in self.answers:
            self.answers[text] = ask()
        return self.answers[text]
