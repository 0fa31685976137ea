"""How fast each planted fault of the bundled router is found, and how often a healthy one is accused. Asks nobody else.

A fault counts as found by a flag that the healthy router does not get for the same query.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median_low

from selftest.core.answers import Answer
from selftest.core.checks import Asking, CheckName, Finding, findings
from selftest.core.generation import Generator, births_of
from selftest.core.latency import WINDOW_RUNS
from selftest.core.queries import Query
from selftest.core.recipes import RECIPES
from selftest.targets.reference import FAULTS, ReferenceTarget, reference_vocabulary

EMPTY_RATES = (0.0, 0.05, 0.20)  # how often a healthy router's sources have nothing to say


@dataclass(frozen=True)
class FaultFigures:
    """queries_to_first: per seed in which it was found, how many queries the finding took. checks: which found it."""

    fault: str
    seeds: int
    queries_to_first: tuple[int, ...]
    checks: Counter[CheckName]

    @property
    def median_queries(self) -> int | None:
        return median_low(self.queries_to_first) if self.queries_to_first else None


@dataclass(frozen=True)
class HealthyFigures:
    """Flags that a router without any fault got. queries: asked in all seeds together."""

    empty_rate: float
    queries: int
    flags: Counter[CheckName]

    def per_thousand(self, flags: int) -> float:
        return 1000 * flags / self.queries


class _Observed:
    """One router, asked query after query as a cycle asks, each recipe with its own latency history."""

    def __init__(self, faults: tuple[str, ...] = (), empty_rate: float = 0.0, seed: int = 0) -> None:
        self._slept_s = 0.0
        self._target = ReferenceTarget(faults=faults, empty_rate=empty_rate, seed=seed, sleep=self._sleep)
        self._histories_ms: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=WINDOW_RUNS))

    def _sleep(self, seconds: float) -> None:
        self._slept_s += seconds  # added to the latency instead of waited for

    def findings(self, query: Query) -> tuple[Finding, ...]:
        answer = self._answer(query)
        history_ms = self._histories_ms[query.recipe]
        found = findings(Asking(query, answer, self._target.vocabulary, tuple(history_ms)))
        if answer.error is None and not answer.cached:
            history_ms.append(answer.latency_ms)
        return found

    def _answer(self, query: Query) -> Answer:
        self._slept_s = 0.0
        answer = self._target.ask(query.text)
        return replace(answer, latency_ms=answer.latency_ms + 1000 * self._slept_s)

    def close(self) -> None:
        self._target.close()


def _queries(seed: int, count: int) -> Iterator[Query]:
    vocabulary = reference_vocabulary()
    generator = Generator(vocabulary, births_of(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    for _ in range(count):
        yield from generator.draw(1)


def measure_fault(fault: str, seeds: int, queries: int) -> FaultFigures:
    """In how many of `seeds` runs of at most `queries` queries each the fault is found, and how soon."""
    found = [first for seed in range(seeds) if (first := _first_found(fault, seed, queries)) is not None]
    return FaultFigures(fault, seeds, tuple(number for number, _ in found), Counter(check for _, check in found))


def _first_found(fault: str, seed: int, queries: int) -> tuple[int, CheckName] | None:
    faulty, healthy = _Observed((fault,), seed=seed), _Observed(seed=seed)
    try:
        for number, query in enumerate(_queries(seed, queries), start=1):
            seen = faulty.findings(query)
            if not seen:
                continue
            innocent = {finding.check for finding in healthy.findings(query)}
            accused = [finding.check for finding in seen if finding.check not in innocent]
            if accused:
                return number, accused[0]
        return None
    finally:
        faulty.close()
        healthy.close()


def measure_healthy(empty_rate: float, seeds: int, queries: int) -> HealthyFigures:
    """What a router without fault is accused of, where a share of its (source, question) pairs is empty."""
    flags: Counter[CheckName] = Counter()
    asked = 0
    for seed in range(seeds):
        healthy = _Observed(empty_rate=empty_rate, seed=seed)
        for query in _queries(seed, queries):
            asked += 1
            flags.update(finding.check for finding in healthy.findings(query)[:1])
        healthy.close()
    return HealthyFigures(empty_rate, asked, flags)


def fault_names() -> tuple[str, ...]:
    return tuple(FAULTS)
