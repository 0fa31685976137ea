"""What `measure_detection --zoo` measures, and its two tables or its JSON."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from rich.console import Console
from rich.progress import track

from selftest.management.tables import console_on, table_of
from selftest.measuring.zoo import HabitFigures, ZooFaultFigures, measure_subset, measure_zoo_fault
from selftest.targets.reference.zoo.faults.registry import FAULTS
from selftest.targets.reference.zoo.habits import REPORTING, TUNING

HALVES = {"tuning": TUNING, "reporting": REPORTING}
EMPTY_RATES = (0.0, 0.05, 0.20)
HEALTHY_QUERIES = 1000  # of one subset, at most


@dataclass(frozen=True)
class ZooFigures:
    """healthy: by half of the habits and share of empty questions, one of each subset."""

    faults: tuple[ZooFaultFigures, ...]
    healthy: dict[tuple[str, float], tuple[HabitFigures, ...]]

    def show(self, stdout: Any) -> None:
        """Two tables."""
        table = table_of(
            "fault", "seeds", "median queries", "changed answers flagged", "probes by purpose", whole=("fault",)
        )
        for fault in self.faults:
            probes = ", ".join(f"{purpose} {count}" for purpose, count in fault.purposes.most_common())
            median = "not found" if fault.median_queries is None else str(fault.median_queries)
            found = f"{len(fault.found)} of {fault.seeds}"
            table.add_row(fault.fault, found, median, f"{fault.share_flagged:.0%}", probes)
        console_on(stdout).print(table)
        table = table_of(
            "habits", "empty", "flags per 1,000", "worst subset", "by reason", whole=("habits", "by reason")
        )
        for (half, rate), of_all in self.healthy.items():
            flags = sum((figures.flags for figures in of_all), start=Counter[str]())
            queries, worst = sum(figures.queries for figures in of_all), max(of_all, key=lambda one: one.per_thousand)
            reasons = ", ".join(f"{check} {1000 * count / queries:.1f}" for check, count in flags.most_common())
            row = (half, f"{rate:.0%}", f"{1000 * flags.total() / queries:.1f}", f"{worst.per_thousand:.1f}", reasons)
            table.add_row(*row)
        console_on(stdout).print(table)

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "faults": [
                {
                    "fault": fault.fault,
                    "seeds_found": len(fault.found),
                    "median_queries": fault.median_queries,
                    "changed": fault.changed,
                    "flagged": fault.flagged,
                    "probes": dict(fault.purposes),
                }
                for fault in self.faults
            ],
            "healthy": [
                {
                    "half": half,
                    "empty_rate": rate,
                    "habits": figures.habits,
                    "queries": figures.queries,
                    "flags": dict(figures.flags),
                    "examples": figures.examples,
                }
                for (half, rate), of_all in self.healthy.items()
                for figures in of_all
            ],
        }


def measured_zoo(seeds: int, queries: int, subsets: int, is_quiet: bool) -> ZooFigures:
    """The figures of all rows; each is measured in one process, as many at once as there are processors."""
    console = Console(stderr=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        faults = [pool.submit(measure_zoo_fault, name, seeds, queries) for name in FAULTS]
        healthy = {
            (half, rate): [
                pool.submit(measure_subset, habits, number, min(queries, HEALTHY_QUERIES), rate)
                for number in range(subsets)
            ]
            for half, habits in HALVES.items()
            for rate in EMPTY_RATES
        }
        every: list[Any] = [*faults, *(future for futures in healthy.values() for future in futures)]
        hides_bar = is_quiet or not console.is_terminal
        for done in track(
            as_completed(every), "the zoo", total=len(every), console=console, transient=True, disable=hides_bar
        ):
            done.result()
        return ZooFigures(
            tuple(future.result() for future in faults),
            {key: tuple(future.result() for future in futures) for key, futures in healthy.items()},
        )
