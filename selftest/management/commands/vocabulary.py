"""`manage.py vocabulary`: check a document, put it in force, write it out, compare it."""

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.core.generation.vocabulary import VocabularyError, parse_vocabulary
from selftest.models import VocabularyVersion
from selftest.operating.first_start import prepare_database
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.differences import pretty
from selftest.reading.targets import target_named
from selftest.refusals import UnknownError


class Command(BaseCommand):
    help = "Vocabulary documents: what a target routes by, and what the recipes combine."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="check|import|export|diff")
        check = acts.add_parser("check", help="say whether a document holds; change nothing")
        check.add_argument("file", type=Path)
        put = acts.add_parser("import", help="put a document in force")
        put.add_argument("file", type=Path)
        export = acts.add_parser("export", help="print the document in force")
        diff = acts.add_parser("diff", help="compare the document in force with the one before it, or with a file")
        diff.add_argument("file", type=Path, nargs="?")
        for act in (put, export, diff):
            act.add_argument("--target", metavar="NAME", help="the default target by default")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["act"] == "check":
                vocabulary = parse_vocabulary(_read(options["file"]))
                phrases = sum(map(len, vocabulary.sources.values()))
                self.stdout.write(f"{options['file']} holds: {len(vocabulary.sources)} sources, {phrases} phrases")
                return
            prepare_database()
            acts: dict[str, Callable[..., None]] = {"import": self._import, "export": self._export, "diff": self._diff}
            acts[options["act"]](**options)
        except VocabularyError as fault:
            listed = "\n  ".join(map(str, fault.faults))
            raise CommandError(f"{options['file']} does not hold:\n  {listed}", returncode=2) from fault
        except UnknownError as fault:
            raise CommandError(str(fault), returncode=2) from fault

    def _import(self, file: Path, target: str | None, **options: Any) -> None:
        version, is_new = import_vocabulary(target_named(target), _read(file))
        said = "is in force" if is_new else "was in force already"
        self.stdout.write(f"{version} {said}")

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
        raise CommandError(f"{file} is no JSON document: {fault}", returncode=2) from fault
