"""`manage.py doctor`: everything that can be wrong with this installation, and what to do about each.

`manage.py doctor suggest "symptom"` checks nothing: it says which checks a symptom belongs to.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from selftest.knowledge.core.answers import MOST_RESULTS, Filters
from selftest.knowledge.core.chunks import Kind
from selftest.management.arguments import whole_number
from selftest.management.search_results import ask, prepare, print_answer
from selftest.management.tables import console_on, one_line, table_of
from selftest.operating.doctor.checks import CHECKS, Examined, examine
from selftest.operating.doctor.diagnosis import Diagnosis, DoctorCheck, Situation

FEW_CHECKS = 5  # for one symptom: the sixth is a guess
MARKS = {"ok": "ok", "waiting": "ok", "off": "off", "wrong": "WRONG", "unknown": "?"}


class Command(BaseCommand):
    help = "Checks everything that can be wrong with this installation, and says what to do about it."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--no-target", action="store_true", help="send nothing to the targets")
        parser.add_argument("--only", action="append", metavar="CODE", help="make this check alone; may be repeated")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")
        acts = parser.add_subparsers(dest="act", metavar="suggest")
        suggest = acts.add_parser("suggest", help="which checks a symptom belongs to, and what to do")
        suggest.add_argument("symptom", help="what was seen, in your words")
        suggest.add_argument("--k", type=whole_number(1, MOST_RESULTS), default=FEW_CHECKS, help="checks at most")
        # Left out, the option before the word stands.
        suggest.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 0 where no error was found (warnings may be), 1 where one was."""
        if options.get("act") == "suggest":
            prepare()
            answer = ask(options["symptom"], options["k"], Filters(kinds=frozenset({Kind.DOCTOR})))
            print_answer(answer, self.stdout, options["json"])
            return
        checks = _chosen(options["only"] or ())
        examined = examine(Situation(timezone.now(), asks_targets=not options["no_target"]), checks)
        if options["json"]:
            self.stdout.write(json.dumps(document_of(examined)))
        else:
            self._print(examined)
        if any(one.errors for one in examined):
            sys.exit(1)

    def _print(self, examined: list[Examined]) -> None:
        table = table_of("", "code", "what", "found", whole=("code",))
        problems = [(one, found) for one in examined for found in one.found if found.is_problem]
        for one in examined:
            for found in one.found:
                table.add_row(MARKS[found.state], one.check.code, _title(one, found), _words(found))
        console = console_on(self.stdout)
        console.print(table)
        if not problems:
            self.stdout.write("\nNo problems.")
            return
        self.stdout.write("")
        for one, found in problems:
            severity = one.check.severity_of(found)
            self.stdout.write(f"{one.check.code} {severity} {_title(one, found)}: {found.next_step}")
            self.stdout.write(f"      {one.check.command_for(found)}")


def _chosen(codes: Sequence[str]) -> Sequence[DoctorCheck]:
    """The checks of these codes, all without one."""
    wanted = {code.upper() for code in codes}
    unknown = wanted - {check.code for check in CHECKS}
    if unknown:
        known = ", ".join(check.code for check in CHECKS)
        raise CommandError(f"there is no check {', '.join(sorted(unknown))}; there are {known}", returncode=2)
    return [check for check in CHECKS if not wanted or check.code in wanted]


def document_of(examined: list[Examined]) -> dict[str, Any]:
    """As `--json` prints it; the keys stay what they are, more may follow."""
    rows = [
        {
            "code": one.check.code,
            "title": one.check.title,
            "severity": one.check.severity_of(found),
            "subject": found.subject,
            "state": found.state,
            "is_problem": found.is_problem,
            "found": found.words,
            "at": found.at.isoformat() if found.at else None,
            "detail": found.detail,
            "next_step": found.next_step,
            "command": one.check.command_for(found),
            "symptoms": list(one.check.symptoms),
            "remedy": one.check.remedy,
        }
        for one in examined
        for found in one.found
    ]
    problems = sum(one.problems for one in examined)
    return {"status": "problems" if problems else "ok", "problems": problems, "checks": rows}


def _title(one: Examined, found: Diagnosis) -> str:
    return f"{one.check.title} {found.subject}".rstrip()


def _words(found: Diagnosis) -> str:
    at = f" {found.at:%Y-%m-%d %H:%M} UTC" if found.at else ""
    detail = f": {found.detail}" if found.detail else ""
    return one_line(f"{found.words}{at}{detail}")
