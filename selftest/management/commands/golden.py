"""`manage.py golden`: the golden set as a file, in and out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from selftest.evaluation.models import GoldenSet
from selftest.evaluation.reading import (
    DEFAULT_SET,
    PairFilter,
    export_lines,
    moved_under,
    pair_document,
    pairs,
    set_named,
)
from selftest.evaluation.saving import BUNDLED_FILE, ImportRefusedError, import_pairs
from selftest.management.tables import console_on, one_line, table_of
from selftest.models import Actor
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError, SetupError

ACTOR = Actor("command line")
SET_NAME = "1 to 100 letters, digits, hyphens and underscores only"
LINE_END = "\n"
BUNDLED = "bundled"  # in place of a file: the pairs that come with the product


class Command(BaseCommand):
    """Each act prints a line or a table, or JSON."""

    help = "The golden set: queries, each with the structure that its answer must have."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        acts = parser.add_subparsers(dest="act", required=True, metavar="import|export|list")
        put = acts.add_parser("import", help="add the pairs of a JSONL file, all or none")
        put.add_argument("file", help=f"or {BUNDLED}: the pairs for the bundled router")
        put.add_argument("--target", metavar="NAME", help="that the pairs are made on (default: the default target)")
        put.add_argument("--why", default="", help="kept with each new version")
        export = acts.add_parser("export", help="print the pairs that are in use as JSONL, or write them to a file")
        export.add_argument("file", nargs="?", default="-")
        listing = acts.add_parser("list", help="the pairs that are in use")
        for act in (put, export, listing):
            act.add_argument("--set", default=DEFAULT_SET, metavar="NAME", help=f"(default: {DEFAULT_SET})")
        for act in (put, listing):
            act.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for what cannot be done."""
        acts: dict[str, Callable[..., None]] = {"import": self._import, "export": self._export, "list": self._list}
        try:
            prepare_database()
            acts[options["act"]](**options)
        except ImportRefusedError as refused:
            listed = "\n  ".join(refused.faults)
            raise CommandError(f"nothing was imported from {options['file']}:\n  {listed}", returncode=2) from refused
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=2) from fault

    def _import(self, file: str, target: str | None, why: str, **options: Any) -> None:
        try:
            GoldenSet(name=options["set"]).clean_fields()
        except ValidationError as invalid:
            raise CommandError(f"--set: {SET_NAME}", returncode=2) from invalid
        ensure_target()
        imported = import_pairs(options["set"], target_named(target), _read(file), ACTOR, why)
        if options["json"]:
            self.stdout.write(json.dumps(vars(imported)))
            return
        self.stdout.write(f"{imported.new} new, {imported.changed} changed, {imported.same} the same.")

    def _export(self, file: str, **options: Any) -> None:
        lines = export_lines(set_named(options["set"]))
        if file == "-":
            self.stdout.write(lines, ending="")
            return
        try:
            Path(file).write_text(lines, encoding="utf-8")
        except OSError as fault:
            raise CommandError(f"{file} cannot be written: {fault.strerror}", returncode=2) from fault
        self.stdout.write(f"{lines.count(LINE_END)} pairs written to {file}.")

    def _list(self, **options: Any) -> None:
        rows = list(pairs(PairFilter(golden_set=set_named(options["set"]).name)))
        moved = moved_under(rows)
        if options["json"]:
            documents = [pair_document(row, moved.get(row.pk, ())) for row in rows]
            self.stdout.write(json.dumps({"pairs": documents}, cls=DjangoJSONEncoder, ensure_ascii=False))
            return
        table = table_of("pair", "kind", "query", "", whole=("pair", "kind"))
        for row in rows:
            said = "rebaseline?" if moved.get(row.pk) else ""
            table.add_row(row.name, row.current.kind if row.current else "", one_line(_query(row)), said)
        console_on(self.stdout).print(table)


def _query(row: Any) -> str:
    return row.current.query if row.current else ""


def _read(file: str) -> str:
    path = BUNDLED_FILE if file == BUNDLED else Path(file)
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors put a mark at its beginning
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}", returncode=2) from fault
    except UnicodeDecodeError as fault:
        raise CommandError(f"{file} is not UTF-8: {fault.reason} at byte {fault.start}", returncode=2) from fault
