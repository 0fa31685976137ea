"""One target, asked query after query as cycles ask, in memory: what a budget of probes lets the engine find."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput, parts_of
from selftest.core.judging.driving import drive
from selftest.core.judging.examination import examine
from selftest.core.judging.latency import WINDOW_RUNS
from selftest.core.judging.probe_budget import Budget, Recall, earned, left_over
from selftest.core.judging.probes import Probe, Purpose
from selftest.core.judging.stability import Stability
from selftest.core.judging.verdicts import Rules, Verdict
from selftest.targets.base import AUTO, TargetClient

PER_QUERY, UNLIMITED = 1.0, 1000.0  # probes
BATCH = 8  # queries of a cycle, as the settings have it at first: the probe budget is counted by it


class Observed:
    """Each recipe has its own latency history. explains: False for the specification's seven checks alone.

    is_thrifty: with as many probes as a cycle has; else with as many as are wanted. by_purpose: probes sent so far.
    Queries are examined in the order in which they come: a cycle begins with those that hold something overdue.
    """

    def __init__(
        self, target: TargetClient, vocabulary: Vocabulary, explains: bool = True, is_thrifty: bool = True
    ) -> None:
        self.by_purpose: Counter[Purpose] = Counter()
        self._target = target
        self._vocabulary = vocabulary
        self._histories_ms: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=WINDOW_RUNS))
        self._explains = explains
        self._kept: dict[tuple[str, str], Answer] = {}
        self._budget = Budget(BATCH, earned(PER_QUERY, 0))
        self._answered = 0
        self._is_thrifty = is_thrifty
        self._stability = Stability()
        self._unchecked: list[Query] = []
        self._overdue: frozenset[str] = frozenset()

    @property
    def probes(self) -> int:
        """Sent so far."""
        return self.by_purpose.total()

    def verdict(self, query: Query) -> Verdict:
        """What is found in the answer to `query`."""
        return self.verdict_and_answer(query)[0]

    def verdict_and_answer(self, query: Query) -> tuple[Verdict, Answer]:
        """The same with the answer itself."""
        answer = self._target.ask(query.text, AUTO)
        if self._budget.begun == BATCH or not self._is_thrifty:
            self._budget = self._next_budget()
            self._overdue = parts_of(self._unchecked, self._vocabulary)
            self._unchecked = []
        self._budget.begin()
        self._answered += 1
        history_ms = self._histories_ms[query.recipe]
        stability = self._stability
        rules = Rules(
            self._explains,
            volatile=stability.volatile(),
            steady=stability.steady(),
            longest=stability.longest,
            repetitions=stability.repetitions(),
            is_reproducible=stability.is_reproducible(),
            boilerplate=stability.boilerplate.lines(),
            known_causes=stability.known_causes(),
            overdue=self._overdue,
            seldom_confirmed=stability.seldom_confirmed(),
        )
        recall = Recall(self._kept)
        given = CheckInput(query, answer, self._vocabulary, tuple(history_ms))
        verdict = drive(examine(given, rules), lambda probe: self._reply(probe, recall))
        self._budget.end()
        if verdict.is_unchecked:
            self._unchecked.append(query)
        stability.note(verdict.stability)
        stability.measure(verdict.lengths)
        stability.boilerplate.note(verdict.observed)
        stability.accuse(verdict.findings)
        stability.note_decided(verdict.decided)
        if answer.error is None and not answer.cached:
            history_ms.append(answer.latency_ms)
        return verdict, answer

    def _next_budget(self) -> Budget:
        if not self._is_thrifty:
            return Budget(BATCH, UNLIMITED)
        per_query = earned(PER_QUERY, self._answered)
        unspent = self._budget.at_most - self._budget.spent
        return Budget(BATCH, per_query, left_over(unspent, BATCH, per_query, self._answered))

    def _reply(self, probe: Probe, recall: Recall) -> Answer | None:
        known = recall.answer(probe)
        if known is not None:
            return known
        if not self._budget.spend(probe.urgency, probe.together):
            return None
        self.by_purpose[probe.purpose] += 1
        answer = self._target.ask(probe.text, probe.only or AUTO)
        recall.note(probe, answer)
        if probe.purpose is not Purpose.AGAIN and not answer.error:
            self._kept[probe.text, probe.only] = answer
        return answer

    def close(self) -> None:
        """Closes the target."""
        self._target.close()


def generated_queries(vocabulary: Vocabulary, seed: int, count: int) -> Iterator[Query]:
    """What a new target is asked, with every recipe; made as it is wanted, as many stop early."""
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    for _ in range(count):
        yield from generator.next_queries(1)
