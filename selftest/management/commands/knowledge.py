"""`manage.py knowledge`: what search finds, read from its sources, and these sources prepared."""

import dataclasses
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.knowledge.core.documents import DocumentRefusedError
from selftest.knowledge.rebuilding import rebuild
from selftest.knowledge.sources import PreparedSources, prepare_sources
from selftest.management.tables import console_on, table_of
from selftest.operating.first_start import prepare_database
from selftest.refusals import SetupError


class Command(BaseCommand):
    """Each act prints a few lines, or JSON."""

    help = "What search finds: reads every source once more, or prepares the sources."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        acts = parser.add_subparsers(dest="act", required=True, metavar="rebuild|sources")
        rebuilt = acts.add_parser("rebuild", help="read every source, and put what differs into the index")
        sources = acts.add_parser("sources", help="what the index is made of")
        of_sources = sources.add_subparsers(dest="source_act", required=True, metavar="prepare")
        prepared = of_sources.add_parser(
            "prepare", help="write the list of documents and the controls of doctor checks"
        )
        prepared.add_argument("--overwrite", action="store_true", help="also files that were edited since")
        for act in (rebuilt, prepared):
            act.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for what cannot be done."""
        try:
            if options["act"] == "rebuild":
                prepare_database()
                self._rebuild(options["json"])
            else:
                self._prepare(options["overwrite"], options["json"])
        except (SetupError, DocumentRefusedError, OSError) as fault:
            raise CommandError(str(fault), returncode=2) from fault

    def _rebuild(self, as_json: bool) -> None:
        summary = rebuild()
        if as_json:
            self.stdout.write(json.dumps(dataclasses.asdict(summary)))
            return
        table = table_of("kind", "pieces", whole=("kind",))
        for kind, pieces in summary.kinds.items():
            table.add_row(kind, f"{pieces:,}")
        console_on(self.stdout).print(table)
        self.stdout.write(
            f"\n{summary.documents:,} documents in {summary.seconds:.1f} s: "
            f"{summary.added:,} added, {summary.changed:,} changed, {summary.removed:,} removed."
        )
        for line in summary.refused:
            self.stdout.write(f"Not read: {line}.")

    def _prepare(self, overwrite: bool, as_json: bool) -> None:
        prepared = prepare_sources(overwrite)
        if as_json:
            self.stdout.write(json.dumps(dataclasses.asdict(prepared), default=str))
            return
        self.stdout.write(f"{prepared.checks} doctor checks, {prepared.documents} documents.")
        for line in _complaints(prepared):
            self.stdout.write(line)
        for file in prepared.files:
            edited = " It was edited; --overwrite writes it all the same." if file.outcome == "kept" else ""
            self.stdout.write(f"{file.path}: {file.outcome}.{edited}")


def _complaints(prepared: PreparedSources) -> list[str]:
    lines = []
    if prepared.without_seed:
        lines.append(f"Without words of their own: {', '.join(prepared.without_seed)}; their definitions stand in.")
    if prepared.without_check:
        lines.append(f"Left out, as there is no such check: {', '.join(prepared.without_check)}.")
    return lines
