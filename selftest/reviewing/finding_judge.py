"""Looks for what one check finds in answers of a target, with the probes that the check needs.

Answers to parts alone are remembered, so that a search through many queries sends few requests.
"""

from collections.abc import Callable

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.findings import SPECIFIED, CheckName
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probes import Probe, Purpose, Urgency
from selftest.core.judging.verdicts import Rules
from selftest.cycles.requests_in_turn import NoMoreRequestsError, RequestsInTurn
from selftest.models import Target, Tuning
from selftest.reading.judging_terms import latency_history_ms, latency_limits, stability_of
from selftest.targets.base import AUTO

REMEMBERED = frozenset({Purpose.PART, Purpose.CONTROL})  # the same for every candidate that has the part


class FindingJudge:
    """Tells whether queries show what `check` finds. answers: by text; stopped: why no more can be told.

    recipe: whose latencies a slow answer is held against, of runs before the run `before`, where one is named.
    """

    def __init__(
        self,
        row: Target,
        recipe: str,
        check: CheckName,
        requests: RequestsInTurn,
        vocabulary: Vocabulary,
        before: int | None = None,
    ) -> None:
        self.answers: dict[str, Answer] = {}
        self.stopped: NoMoreRequestsError | None = None
        # Answers to probes of one source, or sent again: by text, source and number of the repetition.
        self._repeated: dict[tuple[str, str, int], Answer] = {}
        self._requests = requests
        self._vocabulary = vocabulary
        self._check = check
        tuning = Tuning.get_solo()
        self._limits = latency_limits(tuning)
        # What a relation finds can be looked for even where relations have been switched off since.
        explains = tuning.explains or self._check not in SPECIFIED
        stability = stability_of(row.pk)
        self._rules = Rules(
            explains,
            volatile=stability.volatile(),
            steady=stability.steady(),
            longest=stability.longest,
            is_reproducible=stability.is_reproducible(),
            boilerplate=stability.boilerplate.lines(),
        )
        self._history_ms = tuple(latency_history_ms(row, recipe, WINDOW_RUNS, before=before))

    def shows_again(self, query: Query) -> bool:
        """Whether a query that was asked before shows it now; it is asked once more. Raises NoMoreRequestsError."""
        answer = self.answers[query.text] = self._requests.ask(query.text)
        is_cached = self._check is CheckName.SYNTHETIC_QUERY_CACHED and answer.cached  # as it was asked before
        return is_cached or self._is_shown(query)

    def shows(self, candidate: Query) -> bool | None:
        """None once no more can be told."""
        try:
            self._answer(candidate.text, lambda: self._requests.ask(candidate.text))
            return self._is_shown(candidate)
        except NoMoreRequestsError as stopped:
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
