"""`manage.py measure_findings`: how well contradictions are told from all else, and each mistake with its why."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.findings.core.beliefs import Profile
from selftest.findings.measuring import PairError, measure, own_files, read_pairs
from selftest.management.tables import console_on, one_line, table_of


class Command(BaseCommand):
    """Prints a table of the mistakes and two figures, or JSON."""

    help = "Measures the rules that find contradicting findings, on pairs worked out by hand. It needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--pairs", type=Path, action="append", metavar="FILE.jsonl", help="instead of the product's own"
        )
        parser.add_argument("--profile", choices=list(Profile), default=Profile.V2)
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")

    def handle(self, *args: Any, pairs: list[Path] | None, profile: str, **options: Any) -> None:
        """Exits with 2 for a file that is not of pairs."""
        try:
            figures = measure(read_pairs(pairs or own_files()), Profile(profile))
        except (PairError, OSError, UnicodeDecodeError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        if options["json"]:
            self.stdout.write(json.dumps(figures.document(), ensure_ascii=False))
            return
        table = table_of("about", "older", "newer", "expected", "found", "why")
        for mistake in figures.mistakes:
            why = f"{mistake['why']['sentence']}; overlap {mistake['why']['overlap']:.2f}"
            texts = (one_line(mistake[name]) for name in ("about", "older", "newer"))
            table.add_row(*texts, mistake["expected"], mistake["found"], why)
        if figures.mistakes:
            console_on(self.stdout).print(table)
        self.stdout.write(
            f"pairs: {figures.pairs}  precision: {_share(figures.precision)}  recall: {_share(figures.recall)}"
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
