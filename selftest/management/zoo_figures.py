"""What `measure_detection --zoo` measures, and its tables or its JSON.

Everything is seeded, so figures of another version of the engine, kept as JSON, can stand beside these.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import Any

from rich.console import Console
from rich.progress import track

from selftest.management.tables import console_on, one_line, table_of
from selftest.measuring.zoo import HabitFigures, ZooFaultFigures, measure_habits, measure_subset, measure_zoo_fault
from selftest.targets.reference.zoo.faults.registry import FAULTS
from selftest.targets.reference.zoo.habit_table import HABITS
from selftest.targets.reference.zoo.habits import FIFTH, FOURTH, REPORTING, SIXTH, THIRD, TUNING

# Sets were written and tuned apart; what their habits do to each other is seen in mixtures of all alone.
SETS = {
    "tuning": TUNING,
    "reporting": REPORTING,
    "third": THIRD,
    "fourth": FOURTH,
    "fifth": FIFTH,
    "sixth": SIXTH,
    "all": tuple(HABITS),
}
EMPTY_RATES = (0.0, 0.05, 0.20)
HELD_APART = tuple(habit for habit in HABITS if habit not in TUNING)  # faults are planted among these
HEALTHY_PER_FAULTY = 2  # queries of a healthy router for each of one with a fault: it is accused far more seldom
SHOWN_EXAMPLES = 3  # of what is still accused, for each check; the rest is in the JSON
STANDING = 3  # faults beside the one that is looked for, in the second round


@dataclass(frozen=True)
class Extent:
    """How much is measured. queries: at most, of each router and seed. subsets: of each set of habits."""

    seeds: int
    queries: int
    subsets: int


@dataclass(frozen=True)
class Earlier:
    """Figures of another version. faults: (fault, how many stand beside it) → seeds in which it was found.

    healthy: (set of habits, share of empty questions) → flags per 1,000 queries.
    """

    faults: Mapping[tuple[str, int], int]
    healthy: Mapping[tuple[str, float], float]


def read_earlier(text: str, extent: Extent) -> Earlier:
    """From the JSON of a run. Raises ValueError where it is not that, or was measured to another extent."""
    try:
        document = json.loads(text)
        measured = Extent(**document["extent"])
        faults = {(fault["fault"], fault["standing"]): fault["seeds_found"] for fault in document["faults"]}
        flags, queries = Counter[tuple[str, float]](), Counter[tuple[str, float]]()
        for figures in document["healthy"]:
            key = (figures["set"], figures["empty_rate"])
            flags[key] += sum(figures["flags"].values())
            queries[key] += figures["queries"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("it is not what `measure_detection --zoo --json` prints") from error
    if measured != extent:
        raise ValueError(f"it has {_of(measured)}, this run {_of(extent)}")
    return Earlier(faults, {key: 1000 * flags[key] / queries[key] for key in queries})


def _of(extent: Extent) -> str:
    return f"{extent.seeds} seeds, {extent.queries} queries and {extent.subsets} subsets"


@dataclass(frozen=True)
class ZooFigures:
    """alone, beside: of each fault, by itself and with others that stand. habits: of each alone, by share of empty
    questions. subsets: by set of habits and share of empty questions, one of each subset.
    """

    extent: Extent
    alone: tuple[ZooFaultFigures, ...]
    beside: tuple[ZooFaultFigures, ...]
    habits: dict[str, tuple[HabitFigures, ...]]
    subsets: dict[tuple[str, float], tuple[HabitFigures, ...]]

    def show(self, stdout: Any, earlier: Earlier | None = None) -> None:
        """Four tables. earlier: figures of another version beside these."""
        self._show_faults(stdout, earlier)
        table = table_of("habit alone", *(f"flags per 1,000, {rate:.0%} empty" for rate in EMPTY_RATES))
        for habit, by_rate in self.habits.items():
            table.add_row(habit, *(f"{figures.per_thousand:.1f}" for figures in by_rate))
        console_on(stdout).print(table)
        headings = ("habits", "empty", "flags per 1,000", "worst subset", "by reason", "seven checks: flags per 1,000")
        table = table_of(*headings, *(["earlier"] if earlier else []), whole=("habits", "by reason"))
        for (name, rate), of_all in self.subsets.items():
            flags = sum((figures.flags for figures in of_all), start=Counter[str]())
            specified = sum(figures.specified.total() for figures in of_all)
            queries, worst = sum(figures.queries for figures in of_all), max(of_all, key=lambda one: one.per_thousand)
            reasons = ", ".join(f"{check} {1000 * count / queries:.1f}" for check, count in flags.most_common())
            row = (name, f"{rate:.0%}", f"{1000 * flags.total() / queries:.1f}", f"{worst.per_thousand:.1f}", reasons)
            before = [_or_unknown(earlier.healthy.get((name, rate)), ".1f")] if earlier else []
            table.add_row(*row, f"{1000 * specified / queries:.1f}", *before)
        console_on(stdout).print(table)
        self._show_accused(stdout)

    def _show_accused(self, stdout: Any) -> None:
        by_check: dict[str, dict[tuple[str, str], None]] = {}
        for of_all in self.subsets.values():
            for figures in of_all:
                for check, example in figures.examples.items():
                    by_check.setdefault(check, {})[example] = None
        table = table_of("still accused", "query", "reason", whole=("still accused", "query", "reason"))
        for check, examples in sorted(by_check.items()):
            for query, reason in list(examples)[:SHOWN_EXAMPLES]:
                table.add_row(check, one_line(query), one_line(reason))
        console_on(stdout).print(table)

    def _show_faults(self, stdout: Any, earlier: Earlier | None) -> None:
        headings = ("fault", "seeds", "median queries", "changed answers flagged", "probes by purpose")
        others = (f"beside {STANDING}: seeds", "median", "flagged", "seven checks: seeds")
        before = ("earlier: seeds", f"earlier beside {STANDING}: seeds") if earlier else ()
        table = table_of(*headings, *others, *before, whole=("fault",))
        for fault, beside in zip(self.alone, self.beside, strict=True):
            probes = ", ".join(f"{purpose} {count}" for purpose, count in fault.purposes.most_common())
            seven = f"{len(fault.specified)} of {fault.seeds - fault.silent}"
            then = [_or_unknown(earlier.faults.get((fault.fault, n)), "d") for n in (0, STANDING)] if earlier else []
            table.add_row(fault.fault, *_found(fault), probes, *_found(beside), seven, *then)
        console_on(stdout).print(table)

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "extent": asdict(self.extent),
            "faults": [
                {
                    "fault": fault.fault,
                    "standing": fault.standing,
                    "seeds": fault.seeds,
                    "silent": fault.silent,
                    "seeds_found": len(fault.found),
                    "median_queries": fault.median_queries,
                    "seven_checks": len(fault.specified),
                    "changed": fault.changed,
                    "flagged": fault.flagged,
                    "probes": dict(fault.purposes),
                }
                for fault in (*self.alone, *self.beside)
            ],
            "habits": {
                habit: {str(rate): figures.per_thousand for rate, figures in zip(EMPTY_RATES, by_rate, strict=True)}
                for habit, by_rate in self.habits.items()
            },
            "healthy": [
                {
                    "set": name,
                    "empty_rate": rate,
                    "habits": figures.habits,
                    "queries": figures.queries,
                    "flags": dict(figures.flags),
                    "seven_checks": dict(figures.specified),
                    "examples": figures.examples,
                }
                for (name, rate), of_all in self.subsets.items()
                for figures in of_all
            ],
        }


def _found(fault: ZooFaultFigures) -> tuple[str, str, str]:
    median = "not found" if fault.median_queries is None else str(fault.median_queries)
    return f"{len(fault.found)} of {fault.seeds - fault.silent}", median, f"{fault.share_flagged:.0%}"


def _or_unknown(figure: float | None, form: str) -> str:
    return "not measured" if figure is None else f"{figure:{form}}"


def measured_zoo(extent: Extent, is_quiet: bool) -> ZooFigures:
    """The figures of all rows; each is measured in one process, as many at once as there are processors.

    Faults are planted into routers with a random subset of habits, another one for each seed, without those of the
    first set, with which checks were tuned.
    """
    console = Console(stderr=True)
    seeds, queries = extent.seeds, extent.queries
    healthy = HEALTHY_PER_FAULTY * queries
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        alone, beside = (
            [pool.submit(measure_zoo_fault, name, seeds, queries, standing, HELD_APART) for name in FAULTS]
            for standing in (0, STANDING)
        )
        habits = {habit: [pool.submit(measure_habits, (habit,), healthy, r) for r in EMPTY_RATES] for habit in HABITS}
        of_set = {
            (name, rate): [
                pool.submit(measure_subset, names, number, healthy, rate) for number in range(extent.subsets)
            ]
            for name, names in SETS.items()
            for rate in EMPTY_RATES
        }
        every: list[Any] = [*alone, *beside, *_all(habits.values()), *_all(of_set.values())]
        hides_bar = is_quiet or not console.is_terminal
        for done in track(
            as_completed(every), "the zoo", total=len(every), console=console, transient=True, disable=hides_bar
        ):
            done.result()
        return ZooFigures(
            extent,
            tuple(future.result() for future in alone),
            tuple(future.result() for future in beside),
            {habit: tuple(future.result() for future in futures) for habit, futures in habits.items()},
            {key: tuple(future.result() for future in futures) for key, futures in of_set.items()},
        )


def _all(lists: Any) -> Sequence[Any]:
    return [each for several in lists for each in several]
