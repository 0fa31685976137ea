"""`manage.py compare`: the same queries to two targets, or to one before and after."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from selftest.evaluation import comparing
from selftest.evaluation.comparison_requests import (
    Wanted,
    comparison_document,
    is_worse,
    plan,
)
from selftest.evaluation.models import Comparison
from selftest.evaluation.models.comparison import DEFAULT_QUERIES, MOST_QUERIES
from selftest.evaluation.reading import set_named
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, one_line, table_of
from selftest.models import Actor
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError, SetupError

ACTOR = Actor("command line")


class Command(BaseCommand):
    """Prints what queries that differ have in common, or JSON; on a terminal, a progress bar meanwhile."""

    help = "Asks two targets the same queries and tells in what their answers differ: what a release changes."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--target", metavar="NAME", help="what is new (default: the default target)")
        parser.add_argument("--against", metavar="NAME", help="(default: the target's own earlier answers)")
        parser.add_argument("--before", default="", metavar="VERSION", help="of the target, whose answers are meant")
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--last",
            type=whole_number(1, MOST_QUERIES),
            default=DEFAULT_QUERIES,
            metavar="N",
            help=f"the last queries (default: {DEFAULT_QUERIES})",
        )
        which.add_argument("--set", default="", metavar="NAME", help="the queries of a golden set")
        which.add_argument("--flagged", action="store_true", help="queries with open flags")
        parser.add_argument("--gate", action="store_true", help="exit with 1 where new findings or errors came")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 for what `--gate` finds, or where it was stopped; with 2 for what cannot be compared."""
        try:
            prepare_database()
            ensure_target()
            target = target_named(options["target"])
            against = target_named(options["against"]) if options["against"] else None
            golden_set = set_named(options["set"]) if options["set"] else None
            queries = Comparison.Queries.SET if golden_set else Comparison.Queries.LAST
            if options["flagged"]:
                queries = Comparison.Queries.FLAGGED
            at_most = options["last"] if queries == Comparison.Queries.LAST else MOST_QUERIES
            planned = plan(Wanted(target, against, queries, at_most, options["before"], golden_set), ACTOR)
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        self._run(planned, quiet=options["json"])
        planned.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(comparison_document(planned), ensure_ascii=False))
        else:
            self._show(planned)
        if planned.state != Comparison.State.FINISHED or (options["gate"] and is_worse(planned)):
            sys.exit(1)

    def _run(self, planned: Comparison, quiet: bool) -> None:
        console = Console(stderr=True)
        if quiet or not console.is_terminal:
            comparing.run_planned(planned)
            return
        columns = (TextColumn("comparing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("comparing", total=None)
            comparing.run_planned(planned, lambda over, every: bar.update(task, completed=over, total=every))

    def _show(self, comparison: Comparison) -> None:
        console = console_on(self.stdout)
        document = comparison_document(comparison)
        table = table_of("queries", "what they have", "differs", "before", "now", "smallest query", whole=("queries",))
        for group in document["groups"]:
            table.add_row(
                f"{group['differing']} of {group['queries']}",
                group["has"],
                group["says"],
                one_line(group["before"]),
                one_line(group["now"]),
                one_line(group["smallest"]),
            )
        if table.row_count:
            console.print(table)
        console.print(f"{comparison}: {comparison.differing} of {comparison.compared} queries differ", markup=False)
        if document["latency"]:
            console.print(document["latency"]["says"], markup=False)
        if comparison.note:
            console.print(comparison.note, markup=False)
