"""`manage.py measure_detection`: how fast each planted fault is found, and how often a healthy target is accused."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.progress import track

from selftest.detection import EMPTY_RATES, FaultFigures, HealthyFigures, fault_names, measure_fault, measure_healthy
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, table_of


class Command(BaseCommand):
    help = "Measures on the bundled router, in this process: nothing is recorded, no other target is asked."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seeds", type=whole_number(1, 1000), default=20, help="independent repetitions")
        parser.add_argument("--queries", type=whole_number(1, 100_000), default=500, help="at most, in each of them")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of tables")

    def handle(self, *args: Any, seeds: int, queries: int, **options: Any) -> None:
        console = Console(stderr=True)
        quiet = options["json"] or not console.is_terminal

        def with_bar(items: Any, said: str) -> Any:
            return track(items, said, console=console, transient=True, disable=quiet)

        faults = [measure_fault(name, seeds, queries) for name in with_bar(fault_names(), "planted faults")]
        healthy = [measure_healthy(rate, seeds, queries) for rate in with_bar(EMPTY_RATES, "healthy router")]
        if options["json"]:
            self.stdout.write(json.dumps(_document(faults, healthy, seeds, queries)))
        else:
            self._show(faults, healthy)

    def _show(self, faults: list[FaultFigures], healthy: list[HealthyFigures]) -> None:
        console = console_on(self.stdout)
        found = table_of("fault", "seeds that found it", "median queries", "by check", whole=("fault", "by check"))
        for figures in faults:
            by = ", ".join(f"{check} {count}" for check, count in figures.checks.most_common())
            median = "not found" if figures.median_queries is None else str(figures.median_queries)
            found.add_row(figures.fault, f"{len(figures.queries_to_first)} of {figures.seeds}", median, by)
        console.print(found)
        share = "healthy router, share of questions with nothing to say"
        accused = table_of(share, "flags per 1,000 queries", "by check", whole=("by check",))
        for row in healthy:
            of = ", ".join(f"{check} {row.per_thousand(count):.1f}" for check, count in row.flags.most_common())
            accused.add_row(f"{row.empty_rate:.0%}", f"{row.per_thousand(row.flags.total()):.1f}", of)
        console.print("", accused)


def _document(faults: list[FaultFigures], healthy: list[HealthyFigures], seeds: int, queries: int) -> dict[str, Any]:
    return {
        "seeds": seeds,
        "queries": queries,
        "faults": [
            {
                "fault": figures.fault,
                "found_in_seeds": len(figures.queries_to_first),
                "median_queries": figures.median_queries,
                "checks": figures.checks,
            }
            for figures in faults
        ],
        "healthy": [
            {
                "empty_rate": row.empty_rate,
                "queries": row.queries,
                "flags_per_1000": row.per_thousand(row.flags.total()),
                "checks_per_1000": {check: row.per_thousand(count) for check, count in row.flags.items()},
            }
            for row in healthy
        ],
    }
