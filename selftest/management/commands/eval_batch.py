"""`manage.py eval_batch`: asks a golden set and reports; with --gate, says by its exit code whether structure holds."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.graders_in_force import warm_up
from selftest.evaluation.models import PairResult, Report
from selftest.evaluation.reading import DEFAULT_SET, batch_document, gate_document, results_of
from selftest.evaluation.report_files import junit, markdown, reasons_of, scores_in_words
from selftest.evaluation.saving import set_to_ask
from selftest.management.tables import console_on, one_line, table_of
from selftest.models import Actor
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError, SetupError

ACTOR = Actor("command line")
BROKEN, NOT_ASKED = 1, 2  # exit codes


class Command(BaseCommand):
    """Prints a table, or JSON; writes files for CI."""

    help = "Asks a golden set of a target and keeps a report. A gate fails on structure alone; graders advise."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--set", default=DEFAULT_SET, metavar="NAME", help=f"(default: {DEFAULT_SET})")
        parser.add_argument("--target", metavar="NAME", help="(default: the default target)")
        parser.add_argument("--gate", action="store_true", help="exit with 1 unless each pair holds")
        parser.add_argument("--json", action="store_true", help="one line of JSON; of a gate without scores")
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="write Markdown")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 for a gate that fails, with 2 where the set could not be asked."""
        try:
            prepare_database()
            ensure_target()
            target = target_named(options["target"])
            warm_up(may_tell=lambda: False)  # while the target answers; the batch itself says what is wrong
            report = evaluate(set_to_ask(options["set"], target, ACTOR), target, ACTOR)
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=NOT_ASKED) from fault
        results = results_of(report)
        for file, text in ((options["junit"], junit), (options["markdown"], markdown)):
            if file is not None:
                _write(file, text(report, results))
        if options["json"]:
            self.stdout.write(_json(report, results, options["gate"]))
        else:
            self._show(report, results)
        if report.state != Report.State.FINISHED:
            raise CommandError(f"{report.state}: {report.note}", returncode=NOT_ASKED)
        if options["gate"] and not report.passes:
            for result in results:
                for reason in reasons_of(result):
                    self.stderr.write(f"{result.name}: {reason}")
            sys.exit(BROKEN)

    def _show(self, report: Report, results: Sequence[PairResult]) -> None:
        console = console_on(self.stdout)
        table = table_of("pair", "outcome", "", "advice of graders", whole=("pair", "outcome"))
        for result in results:
            outcome = PairResult.Outcome(result.outcome).label
            table.add_row(result.name, outcome, one_line("; ".join(reasons_of(result))), scores_in_words(result))
        if table.row_count:
            console.print(table)
        words = f"{report.pairs} pairs, {report.broken} broken, {report.to_rebaseline} to rebaseline"
        console.print(f"Report {report.pk}, {report.state}: {words}", markup=False)


def _json(report: Report, results: Sequence[PairResult], is_gate: bool) -> str:
    document = gate_document(report, results) if is_gate else batch_document(report, results)
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise CommandError(f"{file} cannot be written: {fault.strerror}", returncode=NOT_ASKED) from fault
