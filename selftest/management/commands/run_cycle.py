"""`manage.py run_cycle`: one cycle in the foreground."""

import json
import signal
import sys
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error as AnyDatabaseError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from selftest.core.generation.recipes import UnknownRecipeError, recipes_named
from selftest.cycles.lifecycle import SEED_BITS, CycleRequest
from selftest.cycles.runner import BUSY_WAIT_S, CycleOutcome, Status, run_cycle
from selftest.evaluation.grading import try_to_grade
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, one_line, table_of
from selftest.models import Cycle, Run
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import SetupError, UnknownError

MAX_COUNT = 100_000  # a cycle's runs are planned in one transaction
STOPPED = 128 + signal.SIGINT  # the exit code that shells use for Ctrl-C


class Command(BaseCommand):
    """Prints a table, or JSON, once the cycle is over; on a terminal, a progress bar meanwhile."""

    help = "Runs one cycle now: sends new queries to a target and checks its answers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--count", type=whole_number(1, MAX_COUNT), help="queries (default: the batch size in the settings)"
        )
        parser.add_argument("--seed", type=whole_number(0, 2**SEED_BITS - 1), help="(default: random)")
        parser.add_argument(
            "--recipe", nargs="+", default=[], action="extend", metavar="NAME", help="only these recipes"
        )
        parser.add_argument("--target", metavar="NAME", help="(default: the default target)")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 0 even if the target is away, 1 for a failure of Gadfly, 2 for a bad argument, 130 for Ctrl-C."""
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            self._handle(options)
        except KeyboardInterrupt:
            self.stderr.write("Stopped; the cycle is marked as interrupted.")
            sys.exit(STOPPED)

    def _handle(self, options: dict[str, Any]) -> None:
        try:
            prepare_database()
            ensure_target()
            target = target_named(options["target"])
            recipes = [recipe.name for recipe in recipes_named(options["recipe"])] if options["recipe"] else []
        except (SetupError, UnknownError, UnknownRecipeError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        request = CycleRequest(target, Cycle.Trigger.COMMAND, options["count"], options["seed"], recipes)
        outcome = self._run(request, quiet=options["json"])
        if outcome.cycle is not None:
            try_to_grade(outcome.cycle)
        if options["json"]:
            self.stdout.write(json.dumps(_document(outcome), ensure_ascii=False))
        else:
            self._show(outcome)
        if outcome.status is Status.INTERRUPTED:  # an outage of the target is a result; this is a failure of Gadfly
            sys.exit(1)

    def _run(self, request: CycleRequest, quiet: bool) -> CycleOutcome:
        console = Console(stderr=True)
        if quiet or not console.is_terminal:
            return run_cycle(request, wait_s=BUSY_WAIT_S)
        columns = (TextColumn("asking {task.fields[target]}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("asking", total=None, target=request.target.name)
            return run_cycle(
                request, wait_s=BUSY_WAIT_S, progress=lambda over, all_: bar.update(task, completed=over, total=all_)
            )

    def _show(self, outcome: CycleOutcome) -> None:
        console = console_on(self.stdout)
        table = table_of("recipe", "query", "source", "ms", "finding", whole=("recipe", "source", "ms"))
        for run in _runs(outcome):
            latency = "" if run.latency_ms is None else f"{run.latency_ms:.0f}"
            clean = "clean, parts not checked" if run.unchecked else "clean"
            finding = one_line(run.reason or "") or (clean if run.state == Run.State.DONE else run.state)
            table.add_row(run.recipe_name, one_line(run.text), run.source_used, latency, finding)
        if table.row_count:
            console.print(table)
        summary = f"{outcome.status}: {outcome.queries_run} asked, {outcome.flagged} flagged"
        console.print(summary + (f" ({outcome.note})" if outcome.note else ""), markup=False)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _runs(outcome: CycleOutcome) -> list[Run]:
    if outcome.cycle is None:
        return []
    try:
        return list(Run.objects.filter(cycle=outcome.cycle).select_related("combination").order_by("place"))
    except AnyDatabaseError:
        if outcome.status is Status.INTERRUPTED:
            return []  # the database whose failure ended the cycle is still away; the note says so
        raise


def _document(outcome: CycleOutcome) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "queries_run": outcome.queries_run,
        "flagged": outcome.flagged,
        "cycle": str(outcome.cycle.pk) if outcome.cycle else None,
        **({"note": outcome.note} if outcome.note else {}),
        "runs": [
            {
                "fingerprint": run.combination.fingerprint,
                "recipe_name": run.recipe_name,
                "query": run.text,
                "source_used": run.source_used,
                "latency_ms": run.latency_ms,
                "reason": run.reason,
            }
            for run in _runs(outcome)
            if run.state == Run.State.DONE
        ],
    }
