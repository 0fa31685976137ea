"""The engine on routers that it was not made with: what healthy ones are accused of, and which faults are found.

A router of the zoo has habits, which are legal, and faults. Checks are tuned on one half of the habits; what counts is
the other half.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median_low

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.probes import Purpose
from selftest.measuring.observation import Observed
from selftest.targets.reference.zoo.habits import random_subset
from selftest.targets.reference.zoo.target import ZooTarget, zoo_target


@dataclass
class HabitFigures:
    """Healthy routers with these habits. flags: queries flagged, by the check of the first finding.

    examples: the first flagged query of each check, with its finding.
    """

    habits: tuple[str, ...]
    queries: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def per_thousand(self) -> float:
        """Flagged queries."""
        return 1000 * self.flags.total() / self.queries


@dataclass
class ZooFaultFigures:
    """One fault. found: queries until its first flag, of each seed in which it was found.

    changed: answers that the fault changed; flagged: how many of those were flagged. purposes: of probes.
    """

    fault: str
    seeds: int
    found: list[int] = field(default_factory=list)
    changed: int = 0
    flagged: int = 0
    purposes: Counter[Purpose] = field(default_factory=Counter)

    @property
    def median_queries(self) -> int | None:
        """Until it was found; None where it never was."""
        return median_low(self.found) if self.found else None

    @property
    def share_flagged(self) -> float:
        """Of the answers that it changed."""
        return self.flagged / self.changed if self.changed else 0.0


def measure_habits(habits: Collection[str], queries: int, empty_rate: float = 0.0, seed: int = 0) -> HabitFigures:
    """What a healthy router with exactly these habits is accused of. Raises ValueError as `zoo_target` does."""
    target = zoo_target(habits, seed=seed, empty_rate=empty_rate)
    observed = Observed(target, target.vocabulary)
    figures = HabitFigures(tuple(habits))
    for query in _queries(target.vocabulary, seed, queries):
        figures.queries += 1
        for finding in observed.verdict(query).findings[:1]:
            figures.flags[finding.check] += 1
            figures.examples.setdefault(finding.check, (query.text, finding.reason))
    return figures


def measure_subset(of: Sequence[str], number: int, queries: int, empty_rate: float = 0.0) -> HabitFigures:
    """The same of a random subset of `of`; the number says which."""
    return measure_habits(random_subset(random.Random(number), of), queries, empty_rate, number)


def measure_zoo_fault(
    fault: str, seeds: int, queries: int, standing: Sequence[str] = (), habits: Sequence[str] = ()
) -> ZooFaultFigures:
    """How soon one fault is found beside the standing ones, and how many of the answers that it changes are flagged.

    A flag counts where the router without the fault gets none of its check for the same query.
    """
    figures = ZooFaultFigures(fault, seeds)
    for seed in range(seeds):
        faulty, twin = (zoo_target(habits, faults, seed, 0.1) for faults in ((*standing, fault), standing))
        observed, beside = Observed(faulty, faulty.vocabulary), Observed(twin, twin.vocabulary, is_thrifty=False)
        is_found = False
        for number, query in enumerate(_queries(faulty.vocabulary, seed, queries), start=1):
            checks = {finding.check for finding in observed.verdict(query).findings}
            is_flagged = bool(checks - {finding.check for finding in beside.verdict(query).findings})
            if is_flagged and not is_found:
                figures.found.append(number)
                is_found = True
            if _is_changed(faulty, twin, query):
                figures.changed += 1
                figures.flagged += bool(checks)
        figures.purposes += observed.by_purpose
    return figures


def _is_changed(faulty: ZooTarget, twin: ZooTarget, query: Query) -> bool:
    """By this fault: standing ones change both. Without them the router knows it by itself, and is not asked again."""
    if not twin.faults:
        return faulty.is_changed(query.text)
    return faulty.ask(query.text).result != twin.ask(query.text).result


def _queries(vocabulary: Vocabulary, seed: int, count: int) -> Iterator[Query]:
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    return iter(generator.next_queries(count))
