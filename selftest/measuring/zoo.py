"""The engine on routers that it was not made with: what healthy ones are accused of, and which faults are found.

A router of the zoo has habits, which are legal, and faults. Checks were tuned on one half of the first habits and
reported on the other; four more sets were written later, without knowing them.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from statistics import median_low

from selftest.core.generation.queries import Query
from selftest.core.judging.findings import Finding
from selftest.core.judging.probes import Purpose
from selftest.core.judging.verdicts import Verdict
from selftest.measuring.observation import Observed, generated_queries
from selftest.targets.base import AUTO
from selftest.targets.reference.zoo.faults.registry import FAULTS
from selftest.targets.reference.zoo.habits import random_subset
from selftest.targets.reference.zoo.target import ZooTarget, zoo_target

EMPTY_RATE = 0.1  # of a router with faults


@dataclass
class HabitFigures:
    """Healthy routers with these habits. flags: queries flagged, by the check of the first finding.

    specified: the same by the specification's seven checks alone. examples: the first flagged query of each check, with
    its finding.
    """

    habits: tuple[str, ...]
    queries: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    specified: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def per_thousand(self) -> float:
        """Flagged queries."""
        return 1000 * self.flags.total() / self.queries


@dataclass
class ZooFaultFigures:
    """One fault. standing: how many others stand beside it. silent: seeds in which it changed no answer.

    found: queries until its first flag, of each seed in which it was found; specified: the same by the specification's
    seven checks alone. changed: answers that the fault changed; flagged: how many of those were flagged because of it.
    purposes: of probes.
    """

    fault: str
    seeds: int
    standing: int = 0
    silent: int = 0
    found: list[int] = field(default_factory=list)
    specified: list[int] = field(default_factory=list)
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
    whole, specified = (zoo_target(habits, seed=seed, empty_rate=empty_rate) for _ in range(2))
    observed = Observed(whole, whole.vocabulary)
    seven_checks = Observed(specified, specified.vocabulary, explains=False)
    figures = HabitFigures(tuple(habits))
    for query in generated_queries(whole.vocabulary, seed, queries):
        figures.queries += 1
        for finding in observed.verdict(query).findings[:1]:
            figures.flags[finding.check] += 1
            figures.examples.setdefault(finding.check, (query.text, finding.reason))
        figures.specified.update(finding.check for finding in seven_checks.verdict(query).findings[:1])
    return figures


def measure_subset(of: Sequence[str], number: int, queries: int, empty_rate: float = 0.0) -> HabitFigures:
    """The same of a random subset of `of`; the number says which."""
    return measure_habits(random_subset(random.Random(number), of), queries, empty_rate, number)


def measure_zoo_fault(
    fault: str, seeds: int, queries: int, standing: int = 0, habits: Sequence[str] = ()
) -> ZooFaultFigures:
    """How soon one fault is found, and how many of the answers that it changes are flagged because of it.

    standing: how many others, other ones in each seed, stand beside it. habits: of which each seed has a random subset;
    none for routers without. A flag counts where the router without the fault gets none like it for the same query, and
    the fault has changed the answer or one of the probes that the finding rests on.
    """
    figures = ZooFaultFigures(fault, seeds, standing)
    for seed in range(seeds):
        _measure_seed(figures, seed, queries, habits)
    return figures


def _measure_seed(figures: ZooFaultFigures, seed: int, queries: int, habits: Sequence[str]) -> None:
    rng = random.Random(f"{figures.fault} {seed}")
    others = rng.sample([name for name in FAULTS if name != figures.fault], figures.standing)
    chosen = random_subset(rng, habits) if habits else ()
    faulty, again = (zoo_target(chosen, (*others, figures.fault), seed, EMPTY_RATE, others) for _ in range(2))
    twin = zoo_target(chosen, others, seed, EMPTY_RATE)
    observed, beside = Observed(faulty, faulty.vocabulary), Observed(twin, twin.vocabulary, is_thrifty=False)
    seven_checks = Observed(again, again.vocabulary, explains=False)
    found = specified = None
    changed = 0
    for number, query in enumerate(generated_queries(faulty.vocabulary, seed, queries), start=1):
        verdict, seven = observed.verdict(query), seven_checks.verdict(query)
        # The twin is asked where it matters; if other faults stand, it is asked everything, as they may remember.
        healthy = beside.verdict(query) if others or verdict.findings or seven.findings else Verdict()
        is_flagged = _is_accused(faulty, query, verdict, healthy)
        is_changed = faulty.is_changed(query.text)
        changed += is_changed
        figures.flagged += is_changed and is_flagged
        if is_flagged and found is None:
            found = number
        if specified is None and _is_accused(again, query, seven, healthy):
            specified = number
    figures.found += [found] if found else []
    figures.specified += [specified] if specified else []
    figures.silent += not changed and found is None
    figures.changed += changed
    figures.purposes += observed.by_purpose


def _is_accused(faulty: ZooTarget, query: Query, verdict: Verdict, healthy: Verdict) -> bool:
    """Whether a finding is there because of the fault. healthy: what is found without it."""
    known = set(map(_accusation, healthy.findings))
    return any(
        faulty.is_changed(query.text) or any(faulty.is_changed(probe.text, probe.only or AUTO) for probe in found.asked)
        for found in verdict.findings
        if _accusation(found) not in known
    )


def _accusation(finding: Finding) -> tuple[str, ...]:
    """What it says, and of which sources: a fault beside a standing one may well be found by the same check."""
    return finding.check, *finding.evidence.sources
