"""`manage.py measure_causes`: how many causes the flags of planted faults become, and what is said of them."""

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.progress import track

from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, table_of
from selftest.measuring.causes import OWN_FLAGS, CauseFigures, SetFigures, measure_fault_causes, measure_set
from selftest.measuring.detection import fault_names

NEAR = 1  # as many causes as faults, give or take


class Command(BaseCommand):
    """Prints two tables, or JSON: each planted fault by itself, and random sets of them."""

    help = "Measures causes on the bundled router, in this process. Records nothing and asks no other target."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--seeds", type=whole_number(1, 1000), default=20, help="independent repetitions")
        parser.add_argument("--queries", type=whole_number(1, 100_000), default=200, help="in each of them")
        parser.add_argument("--sets", type=whole_number(1, 10_000), default=200, help="of two or three faults at once")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of tables")

    def handle(self, *args: Any, seeds: int, queries: int, sets: int, **options: Any) -> None:
        """Measures everything, then prints it."""
        faults, mixed = _measured(seeds, queries, sets, is_quiet=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(_document(faults, mixed)))
        else:
            self._show_faults(faults)
            self._show_sets(mixed)

    def _show_faults(self, faults: Sequence[CauseFigures]) -> None:
        headings = ("fault", "causes, median", "most", "flags in the two largest", "names the trigger", "most often")
        table = table_of(*headings, whole=("fault",))
        for figures in faults:
            if not figures.causes:
                table.add_row(figures.fault, "never flagged")
                continue
            named = "" if figures.named is None else f"{figures.named} of {len(figures.causes)}"
            sentence, _ = figures.sentences.most_common(1)[0]
            share = f"{min(figures.largest):.0%} or more"
            table.add_row(figures.fault, str(figures.median), str(max(figures.causes)), share, named, sentence)
        console_on(self.stdout).print(table)
        early, kept = (_shares([getattr(figures, name) for figures in faults]) for name in ("early", "kept"))
        self.stdout.write(f"flags of the first queries that have their cause by then: {early}")
        self.stdout.write(f"causes that keep their number over ten further cycles: {kept}\n\n")

    def _show_sets(self, mixed: Sequence[SetFigures]) -> None:
        headings = ("sets of faults", "as many causes, give or take one", "flags with their own", "a fault unseen")
        hidden = [fault in one.unseen for one in mixed for fault in one.hidden]
        table = table_of(*headings, f"unseen with {OWN_FLAGS} flags of its own", "seen behind another's first findings")
        table.add_row(
            str(len(mixed)),
            _shares([(1, int(abs(one.causes - one.present) <= NEAR)) for one in mixed]),
            _shares([(one.flags, one.pure) for one in mixed]),
            str(sum(bool(one.unseen) for one in mixed)),
            str(sum(one.is_one_missed for one in mixed)),
            f"{hidden.count(False)} of {len(hidden)}",
        )
        console_on(self.stdout).print(table)


def _shares(counts: Sequence[tuple[int, int]]) -> str:
    every, some = (sum(pair[place] for pair in counts) for place in (0, 1))
    return f"{some / every:.1%}" if every else "none"


def _measured(seeds: int, queries: int, sets: int, is_quiet: bool) -> tuple[list[CauseFigures], list[SetFigures]]:
    """Each row is measured in one process, as many at once as there are processors."""
    console = Console(stderr=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        faults = [pool.submit(measure_fault_causes, name, seeds, queries) for name in fault_names()]
        mixed = [pool.submit(measure_set, number, queries) for number in range(sets)]
        every: list[Any] = [*faults, *mixed]
        hides_bar = is_quiet or not console.is_terminal
        for done in track(
            as_completed(every), "causes", total=len(every), console=console, transient=True, disable=hides_bar
        ):
            done.result()
        return [future.result() for future in faults], [future.result() for future in mixed]


def _document(faults: Sequence[CauseFigures], mixed: Sequence[SetFigures]) -> dict[str, Any]:
    sets = [{**vars(figures), "hidden": sorted(figures.hidden)} for figures in mixed]
    return {"faults": [vars(figures) for figures in faults], "sets": sets}
