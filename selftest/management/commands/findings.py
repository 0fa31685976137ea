"""`manage.py findings`: save one, list them, sweep them."""

import json
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from selftest.findings.core.beliefs import SENTENCES, Rule
from selftest.findings.models import Act
from selftest.findings.reading import finding_answer, finding_document, findings
from selftest.findings.saving import Draft, save_finding
from selftest.findings.sweeping import sweep
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, one_line, table_of
from selftest.models import Actor
from selftest.operating.first_start import prepare_database
from selftest.refusals import RefusedError, SetupError

ACTOR = Actor("command line")


class Command(BaseCommand):
    """Each act prints a line or a table, or JSON."""

    help = "Findings: what was learnt about targets, in a memory that holds no two opposite beliefs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        acts = parser.add_subparsers(dest="act", required=True, metavar="add|list|sweep")
        add = acts.add_parser("add", help="save one; what it contradicts is superseded")
        add.add_argument(
            "category", help="claim/capability/TARGET/SUBJECT, feedback/from-user/SUBJECT or any other path"
        )
        add.add_argument("text")
        add.add_argument("--tag", action="append", default=[], metavar="TAG", help="correction: wins over all others")
        listing = acts.add_parser("list", help="the newest first")
        listing.add_argument("words", nargs="*", help="that each text holds")
        listing.add_argument("--category", default="", help="this one and all below it")
        listing.add_argument("--include-superseded", action="store_true")
        listing.add_argument("--limit", type=whole_number(1, 100_000), default=100)
        sweeping = acts.add_parser("sweep", help="look for contradictions that no save has seen, now")
        for act in (add, listing, sweeping):
            act.add_argument("--json", action="store_true", help="one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for what cannot be saved."""
        acts: dict[str, Callable[..., None]] = {"add": self._add, "list": self._list, "sweep": self._sweep}
        try:
            prepare_database()
            acts[options["act"]](**options)
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=2) from fault

    def _add(self, category: str, text: str, tag: list[str], **options: Any) -> None:
        saved = save_finding(Draft(category, text, tuple(tag)), ACTOR)
        if options["json"]:
            self._print(finding_answer(saved.finding, list(saved.acts)))
            return
        self.stdout.write(f"Saved as {saved.finding.pk}.")
        for act in saved.acts:
            said = f"Superseded {act.number}" if act.number != saved.finding.pk else f"Superseded by {act.other_number}"
            self.stdout.write(f"{said}: {_reason(act)}")

    def _list(self, words: list[str], category: str, include_superseded: bool, limit: int, **options: Any) -> None:
        rows = findings(" ".join(words), category, include_superseded)
        rows = rows.select_related("target", "combination", "example__combination")[:limit]
        if options["json"]:
            self._print({"findings": [finding_document(finding) for finding in rows]})
            return
        table = table_of("number", "category", "finding", "superseded by", whole=("number", "category"))
        for finding in rows:
            table.add_row(
                str(finding.pk), finding.category, one_line(finding.content), str(finding.superseded_by_id or "")
            )
        console_on(self.stdout).print(table)

    def _sweep(self, **options: Any) -> None:
        swept = sweep()
        if options["json"]:
            self._print(swept.document())
            return
        self.stdout.write(
            f"Findings compared: {swept.findings}. Superseded: {swept.superseded}. Proposed: {swept.proposed}. "
            f"Language model: {swept.model}."
        )

    def _print(self, document: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False))


def _reason(act: Act) -> str:
    why = act.why or {}
    words = ", ".join(why.get("shared", ()))
    return f"{SENTENCES[Rule(why['rule'])]} ({words}; overlap {why['overlap']:.2f})"
