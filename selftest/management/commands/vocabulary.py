"""`manage.py vocabulary`: check a document, put it in force, print it, compare it; suggest what it may grow by."""

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from selftest.core.generation.supply import Supply, supplies
from selftest.core.generation.vocabulary import VocabularyError, parse_vocabulary
from selftest.evaluation.suggesting import suggest_by_mining
from selftest.evaluation.suggestion_reading import suggestion_document
from selftest.management.tables import console_on, table_of
from selftest.models import VocabularyVersion
from selftest.operating.first_start import prepare_database
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.targets import target_named
from selftest.reading.vocabulary_differences import pretty
from selftest.refusals import RefusedError, SetupError, UnknownError

COUNT_CHARACTERS = len("combinations")


class Command(BaseCommand):
    help = "Vocabulary documents: what a target routes by, and what the recipes combine."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="check|import|export|diff|suggest")
        check = acts.add_parser("check", help="say whether a document is valid and what recipes make of it")
        check.add_argument("file", type=Path)
        put = acts.add_parser("import", help="put a document in force")
        put.add_argument("file", type=Path)
        export = acts.add_parser("export", help="print the document in force")
        diff = acts.add_parser("diff", help="compare the document in force with the one before it, or with a file")
        diff.add_argument("file", type=Path, nargs="?")
        suggest = acts.add_parser("suggest", help="look through a target's answers for what its vocabulary may grow by")
        suggest.add_argument("target", metavar="TARGET", nargs="?", help="the default target by default")
        suggest.add_argument("--json", action="store_true", help="print a JSON document")
        for act in (put, export, diff):
            act.add_argument("--target", metavar="NAME", help="the default target by default")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] == "check":
                self._check(options["file"])
                return
            prepare_database()
            acts: dict[str, Callable[..., None]] = {
                "import": self._import,
                "export": self._export,
                "diff": self._diff,
                "suggest": self._suggest,
            }
            acts[options["act"]](**options)
        except VocabularyError as fault:
            listed = "\n  ".join(map(str, fault.faults))
            raise CommandError(f"{options['file']} is not valid:\n  {listed}", returncode=2) from fault
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=2) from fault

    def _check(self, file: Path) -> None:
        vocabulary = parse_vocabulary(_read(file))
        phrases = sum(map(len, vocabulary.sources.values()))
        self.stdout.write(f"{file} is valid: {len(vocabulary.sources)} sources, {phrases} phrases")
        table = table_of("recipe", "combinations", "", whole=("recipe", "combinations"))
        for supply in supplies(vocabulary):
            table.add_row(supply.recipe, f"{supply.combinations:,}".rjust(COUNT_CHARACTERS), _missing(supply))
        console_on(self.stdout).print(table)

    def _import(self, file: Path, target: str | None, **options: Any) -> None:
        version, is_new = import_vocabulary(target_named(target), _read(file))
        self.stdout.write(f"{version} {'is in force' if is_new else 'was in force already'}")

    def _export(self, target: str | None, **options: Any) -> None:
        self.stdout.write(pretty(_in_force(target).content))

    def _diff(self, file: Path | None, target: str | None, **options: Any) -> None:
        version = _in_force(target)
        if file is not None:
            before, after = (str(version), version.content), (str(file), _read(file))
        else:
            earlier = VocabularyVersion.objects.filter(target=version.target, number__lt=version.number)
            previous = earlier.order_by("-number").first()
            if previous is None:
                self.stdout.write(f"{version} is the first")
                return
            before, after = (str(previous), previous.content), (str(version), version.content)
        lines = difflib.unified_diff(
            pretty(before[1]).splitlines(), pretty(after[1]).splitlines(), before[0], after[0], lineterm=""
        )
        self.stdout.write("\n".join(lines) or "no difference")

    def _suggest(self, target: str | None, **options: Any) -> None:
        found = suggest_by_mining(target_named(target))
        if options["json"]:
            rounds = {"waiting": found.waiting, "unfit": found.unfit}
            documents = {name: [suggestion_document(row) for row in rows] for name, rows in rounds.items()}
            self.stdout.write(json.dumps(documents, ensure_ascii=False, indent=2, cls=DjangoJSONEncoder))
            return
        table = table_of("kind", "suggestion", "", whole=("kind",))
        for row in found.waiting:
            table.add_row(row.kind, row.text, f"{row.why}; {row.error or f'answered by {row.source_used}'}")
        for row in found.unfit:
            table.add_row(row.kind, row.text, f"unfit: {row.why}")
        console_on(self.stdout).print(table)
        self.stdout.write(f"{found}: decide on the target's page")


def _missing(supply: Supply) -> str:
    return "; ".join(map(str, supply.missing))


def _in_force(target: str | None) -> VocabularyVersion:
    found = target_named(target)
    version = found.vocabularies.filter(in_force=True).first()
    if version is None:
        raise UnknownError(f"{found} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    return version


def _read(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}", returncode=2) from fault
    except (ValueError, RecursionError) as fault:
        raise CommandError(f"{file} is not a JSON document: {fault}", returncode=2) from fault
