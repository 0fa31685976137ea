"""`manage.py measure_detection`: how fast each planted fault is found, and how often a healthy target is accused."""

import json
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track

from selftest.core.judging.findings import CheckName
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, table_of
from selftest.management.zoo_figures import Earlier, Extent, measured_zoo, read_earlier
from selftest.measuring.detection import (
    EMPTY_RATES,
    Engine,
    FaultFigures,
    HealthyFigures,
    fault_names,
    measure_fault,
    measure_healthy,
)

SHOWN_CHECKS = 3  # of those that found a fault; the rest is in the JSON


class Command(BaseCommand):
    """Prints two tables, or JSON: planted faults found, and accusations of healthy routers."""

    help = "Measures detection on bundled routers, in this process. Records nothing and asks no other target."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--seeds", type=whole_number(1, 1000), default=20, help="independent repetitions")
        parser.add_argument("--queries", type=whole_number(1, 100_000), default=500, help="at most, in each of them")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of tables")
        parser.add_argument("--zoo", action="store_true", help="on the zoo of routers instead of the bundled one")
        parser.add_argument("--subsets", type=whole_number(1, 10_000), default=200, help="of the zoo's habits")
        parser.add_argument("--beside", type=Path, help="JSON of the zoo from another version, to show beside")

    def handle(self, *args: Any, seeds: int, queries: int, **options: Any) -> None:
        """Measures everything, then prints it."""
        if options["zoo"]:
            extent = Extent(seeds, queries, options["subsets"])
            self._measure_zoo(extent, options["json"], _earlier(options["beside"], extent))
            return
        if options["beside"]:
            raise CommandError("--beside goes with --zoo")
        faults, healthy = _measured(seeds, queries, is_quiet=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(_document(faults, healthy, seeds, queries)))
        else:
            self._show_faults(faults)
            self._show_healthy(healthy)

    def _measure_zoo(self, extent: Extent, is_json: bool, earlier: Earlier | None) -> None:
        figures = measured_zoo(extent, is_quiet=is_json)
        if is_json:
            self.stdout.write(json.dumps(figures.document()))
        else:
            figures.show(self.stdout, earlier)

    def _show_faults(self, faults: dict[tuple[Engine, str], FaultFigures]) -> None:
        headings = ("fault", "seeds", "median queries", "probes", "found by")
        table = table_of(*headings, "seven checks: seeds", "median queries", whole=("fault", "found by"))
        for name in fault_names():
            whole, specified = faults[Engine.WHOLE, name], faults[Engine.SPECIFIED, name]
            by = ", ".join(f"{check} {count}" for check, count in whole.checks.most_common(SHOWN_CHECKS))
            table.add_row(
                name,
                f"{len(whole.found)} of {whole.seeds}",
                _or_not_found(whole.median_queries),
                _or_not_found(whole.median_probes),
                by,
                f"{len(specified.found)} of {specified.seeds}",
                _or_not_found(specified.median_queries),
            )
        console_on(self.stdout).print(table)

    def _show_healthy(self, healthy: dict[tuple[Engine, float], HealthyFigures]) -> None:
        share = "healthy router, share of questions with nothing to say"
        headings = (share, "flags per 1,000", "by reason", "explained per 1,000", "probes per query")
        table = table_of(*headings, "seven checks: flags per 1,000", "by reason ", whole=("by reason", "by reason "))
        for rate in EMPTY_RATES:
            whole, specified = healthy[Engine.WHOLE, rate], healthy[Engine.SPECIFIED, rate]
            table.add_row(
                f"{rate:.0%}",
                f"{whole.per_thousand(whole.flags.total()):.1f}",
                _by_reason(whole),
                f"{whole.per_thousand(whole.explained.total()):.1f}",
                f"{whole.probes / whole.queries:.2f}, in the second half {whole.warm_probes / whole.warm_queries:.2f}",
                f"{specified.per_thousand(specified.flags.total()):.1f}",
                _by_reason(specified),
            )
        console_on(self.stdout).print(table)


def _earlier(path: Path | None, extent: Extent) -> Earlier | None:
    if path is None:
        return None
    try:
        return read_earlier(path.read_text(), extent)
    except (OSError, ValueError) as error:
        raise CommandError(f"--beside {path}: {error}") from error


def _measured(
    seeds: int, queries: int, is_quiet: bool
) -> tuple[dict[tuple[Engine, str], FaultFigures], dict[tuple[Engine, float], HealthyFigures]]:
    """The figures of all rows; each is measured in one process, as many at once as there are processors."""
    console = Console(stderr=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        faults = {
            (engine, name): pool.submit(measure_fault, name, seeds, queries, engine)
            for name in fault_names()
            for engine in Engine
        }
        healthy = {
            (engine, rate): pool.submit(measure_healthy, rate, seeds, queries, engine)
            for rate in EMPTY_RATES
            for engine in Engine
        }
        every: list[Future[Any]] = [*faults.values(), *healthy.values()]
        hides_bar = is_quiet or not console.is_terminal
        title = "planted faults and a healthy router"
        for done in track(
            as_completed(every), title, total=len(every), console=console, transient=True, disable=hides_bar
        ):
            done.result()
        return (
            {key: future.result() for key, future in faults.items()},
            {key: future.result() for key, future in healthy.items()},
        )


def _or_not_found(median: int | None) -> str:
    return "not found" if median is None else str(median)


def _by_reason(figures: HealthyFigures) -> str:
    return ", ".join(f"{check} {figures.per_thousand(count):.1f}" for check, count in figures.flags.most_common())


def _document(
    faults: dict[tuple[Engine, str], FaultFigures],
    healthy: dict[tuple[Engine, float], HealthyFigures],
    seeds: int,
    queries: int,
) -> dict[str, Any]:
    return {
        "seeds": seeds,
        "queries": queries,
        "faults": [{"engine": engine} | _fault_document(figures) for (engine, _), figures in faults.items()],
        "healthy": [{"engine": engine} | _healthy_document(figures) for (engine, _), figures in healthy.items()],
    }


def _fault_document(figures: FaultFigures) -> dict[str, Any]:
    return {
        "fault": figures.fault,
        "seeds_found": len(figures.found),
        "median_queries": figures.median_queries,
        "median_probes": figures.median_probes,
        "queries_to_first": [found.queries for found in figures.found],
        "probes_to_first": [found.probes for found in figures.found],
        "checks": dict(figures.checks),
    }


def _healthy_document(figures: HealthyFigures) -> dict[str, Any]:
    def per_thousand(counts: Iterable[tuple[CheckName, int]]) -> dict[str, float]:
        return {check: round(figures.per_thousand(count), 3) for check, count in counts}

    return {
        "empty_rate": figures.empty_rate,
        "queries": figures.queries,
        "flags_per_thousand": round(figures.per_thousand(figures.flags.total()), 3),
        "by_reason": per_thousand(figures.flags.items()),
        "explained_per_thousand": per_thousand(figures.explained.items()),
        "probes": figures.probes,
        "probes_per_query_in_second_half": round(figures.warm_probes / figures.warm_queries, 3),
    }
