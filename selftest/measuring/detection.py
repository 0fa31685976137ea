"""How fast each planted fault of the bundled router is found, and how often a healthy one is flagged.

A fault counts as found by a flag that the healthy router does not get for the same query. Measured twice: with all that
the engine does, and with the specification's seven checks alone on its own generator, which draws and rejects.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median_low

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes.specified import SPECIFIED as SPECIFIED_RECIPES
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName
from selftest.measuring.observation import Observed, generated_queries
from selftest.targets.base import AUTO, Reachability
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.target import ReferenceTarget

EMPTY_RATES = (0.0, 0.05, 0.20)  # how often a healthy router's sources have nothing to say
MOST_REJECTED = 200  # draws in a row that were known already; the recipe then counts as used up


class Engine(StrEnum):
    """What is measured."""

    WHOLE = "whole"  # every check, with probes, on the queries of our generator
    SPECIFIED = "specified"  # the seven checks on queries drawn at random, those known rejected


@dataclass(frozen=True)
class FirstDetection:
    """queries and probes: asked until the first flag, the flagged query's included."""

    queries: int
    probes: int
    check: CheckName


@dataclass(frozen=True)
class FaultFigures:
    """found: of each seed in which it was found."""

    fault: str
    seeds: int
    found: tuple[FirstDetection, ...]

    @property
    def median_queries(self) -> int | None:
        """Until it was found; None where it never was."""
        return median_low([found.queries for found in self.found]) if self.found else None

    @property
    def median_probes(self) -> int | None:
        """The same of probes."""
        return median_low([found.probes for found in self.found]) if self.found else None

    @property
    def checks(self) -> Counter[CheckName]:
        """Which checks found it first, in how many seeds."""
        return Counter(found.check for found in self.found)


@dataclass(frozen=True)
class HealthyFigures:
    """Flags that a router without any fault got. queries and probes: asked in all seeds together.

    warm_probes: asked in the second half of each seed, when most parts are known.
    """

    empty_rate: float
    queries: int
    probes: int
    warm_queries: int
    warm_probes: int
    flags: Counter[CheckName]
    explained: Counter[CheckName]

    def per_thousand(self, flags: int) -> float:
        """flags: of all queries."""
        return 1000 * flags / self.queries


class _Bundled:
    """The bundled router; what its slow fault sleeps is added to the latency instead of waited for."""

    def __init__(self, faults: tuple[str, ...], empty_rate: float, seed: int) -> None:
        self._slept_s = 0.0
        self._router = ReferenceTarget(faults=faults, empty_rate=empty_rate, seed=seed, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self._slept_s += seconds

    def ask(self, query: str, source: str = AUTO) -> Answer:
        self._slept_s = 0.0
        answer = self._router.ask(query, source)
        return replace(answer, latency_ms=answer.latency_ms + 1000 * self._slept_s)

    def reach(self) -> Reachability:
        return self._router.reach()

    def close(self) -> None:
        self._router.close()


def observed(
    engine: Engine,
    faults: tuple[str, ...] = (),
    empty_rate: float = 0.0,
    seed: int = 0,
    is_thrifty: bool = True,
) -> Observed:
    """The bundled router with these faults. Raises ValueError for an unknown one."""
    target = _Bundled(faults, empty_rate, seed)
    return Observed(target, reference_vocabulary(), engine is Engine.WHOLE, is_thrifty)


def _queries(engine: Engine, seed: int, count: int) -> Iterator[Query]:
    if engine is Engine.SPECIFIED:
        return _drawn_and_rejected(seed, count)
    return generated_queries(reference_vocabulary(), seed, count)


def _drawn_and_rejected(seed: int, count: int) -> Iterator[Query]:
    """As the specification generates: any recipe, any of its combinations, drawn again where it was seen before."""
    rng = random.Random(seed)
    vocabulary = reference_vocabulary()
    layers = [Layer(r.name, r.space(vocabulary), lambda part: 0, 0) for r in SPECIFIED_RECIPES]
    recipes = [(recipe, layer) for recipe, layer in zip(SPECIFIED_RECIPES, layers, strict=True) if layer.size]
    seen: set[str] = set()
    for _ in range(count):
        for _ in range(MOST_REJECTED):
            recipe, layer = rng.choice(recipes)
            query = recipe.query(layer.at(rng.randrange(layer.size)), rng)
            if fingerprint_of(query) not in seen:
                break
        seen.add(fingerprint_of(query))
        yield query


def measure_fault(fault: str, seeds: int, queries: int, engine: Engine = Engine.WHOLE) -> FaultFigures:
    """In how many of `seeds` runs of at most `queries` queries each the fault is found, and how soon."""
    found = (_first_found(fault, seed, queries, engine) for seed in range(seeds))
    return FaultFigures(fault, seeds, tuple(first for first in found if first is not None))


def _first_found(fault: str, seed: int, queries: int, engine: Engine) -> FirstDetection | None:
    faulty = observed(engine, (fault,), seed=seed)
    healthy = observed(engine, seed=seed, is_thrifty=False)
    try:
        for number, query in enumerate(_queries(engine, seed, queries), start=1):
            seen = faulty.verdict(query).findings
            if not seen:
                continue
            also_healthy = {finding.check for finding in healthy.verdict(query).findings}
            flagged = [finding.check for finding in seen if finding.check not in also_healthy]
            if flagged:
                return FirstDetection(number, faulty.probes, flagged[0])
        return None
    finally:
        faulty.close()
        healthy.close()


def measure_healthy(empty_rate: float, seeds: int, queries: int, engine: Engine = Engine.WHOLE) -> HealthyFigures:
    """What a router without fault is flagged of, where a share of its (source, question) pairs is empty."""
    flags: Counter[CheckName] = Counter()
    explained: Counter[CheckName] = Counter()
    asked = probes = warm_queries = warm_probes = 0
    for seed in range(seeds):
        healthy = observed(engine, empty_rate=empty_rate, seed=seed)
        for number, query in enumerate(_queries(engine, seed, queries)):
            before = healthy.probes
            verdict = healthy.verdict(query)
            asked += 1
            flags.update(finding.check for finding in verdict.findings[:1])
            explained.update(item.finding.check for item in verdict.explained)
            if number >= queries // 2:
                warm_queries += 1
                warm_probes += healthy.probes - before
        probes += healthy.probes
        healthy.close()
    return HealthyFigures(empty_rate, asked, probes, warm_queries, warm_probes, flags, explained)


def fault_names() -> tuple[str, ...]:
    """The faults that can be planted."""
    return tuple(FAULTS)
