"""A search from the command line: asked, counted, and printed in groups or as the API's document."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.core.management.base import CommandError
from rich.console import Console
from rich.text import Text

from selftest.knowledge import search_records
from selftest.knowledge.core.answer_document import answer_document
from selftest.knowledge.core.answers import Filters, Hit, SearchAnswer, SearchRequest
from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.queries import QueryRequiredError, QueryTooLongError
from selftest.knowledge.filter_values import UnknownFilterValueError
from selftest.knowledge.models import Chunk
from selftest.knowledge.searching import search
from selftest.management.tables import console_on
from selftest.operating.first_start import prepare_database
from selftest.reading.targets import target_named, target_names
from selftest.refusals import RefusedError, SetupError

GROUPS = {
    Kind.DOCS: "Docs",
    Kind.API: "API",
    Kind.DOCTOR: "Doctor",
    Kind.GUARANTEE: "Guarantees",
    Kind.CAUSE: "Causes",
    Kind.FLAG: "Flags",
    Kind.FINDING: "Findings",
    Kind.GOLDEN_PAIR: "Golden pairs",
    Kind.TARGET: "Targets",
    Kind.CYCLE: "Cycles",
}  # in the order in which they are printed
EMPTY = "The index is empty: `manage.py knowledge rebuild` fills it."


def target_ids(names: Sequence[str]) -> frozenset[int]:
    """Raises UnknownError for a name that no target has."""
    return frozenset(target_named(name).pk for name in names)


def ask(q: str, k: int, filters: Filters) -> SearchAnswer:
    """As an admin, who a shell belongs to. Raises CommandError, which ends with 2, for what cannot be asked."""
    try:
        answer = search(SearchRequest(q, k, filters, for_admin=True, role="admin"))
    except QueryRequiredError as fault:
        raise CommandError("there is nothing to search for", returncode=2) from fault
    except QueryTooLongError as fault:
        raise CommandError("a query has 512 characters at most", returncode=2) from fault
    except UnknownFilterValueError as fault:
        raise CommandError(str(fault), returncode=2) from fault
    search_records.note_search(q, answer, "command")
    return answer


def prepare() -> None:
    """The database, as every command needs it. Raises CommandError."""
    try:
        prepare_database()
    except (SetupError, RefusedError) as fault:
        raise CommandError(str(fault), returncode=2) from fault


def print_answer(answer: SearchAnswer, stream: Any, as_json: bool) -> None:
    """One line of JSON, the API's document; or groups, each with its results in order."""
    if as_json:
        stream.write(json.dumps(answer_document(answer, dict(target_names())), ensure_ascii=False))
        return
    console = console_on(stream)
    if answer.did_you_mean:
        console.print(f"Did you mean: {answer.did_you_mean}")
    if not answer.hits:
        console.print("Nothing found." if Chunk.objects.exists() else EMPTY)
        if answer.suggestions:
            console.print(f"Try: {', '.join(answer.suggestions)}")
    order = list(GROUPS)
    hits = sorted(answer.hits, key=lambda hit: order.index(hit.kind))  # stable: the best first in each group
    for kind, group in groupby(hits, key=lambda hit: hit.kind):
        console.print(Text(GROUPS[kind], style="bold"))
        for hit in group:
            _print_hit(console, hit)


def _print_hit(console: Console, hit: Hit) -> None:
    place = f"{hit.path}#{hit.anchor}" if hit.path and hit.anchor else hit.path
    code = str(hit.details.get("checkCode", "")) if hit.kind is Kind.DOCTOR else ""
    name = "" if hit.title.startswith(code) else code  # a title may begin with it
    console.print(Text("  " + "  ".join(filter(None, (name, hit.title, place)))))
    said = Text(hit.snippet.text)
    for start, end in hit.snippet.spans:
        said.stylize("bold", start, end)
    console.print(Text("      ").append_text(said))
    for action in hit.actions:
        if action.command and action.kind != "more":
            warning = " (destructive)" if action.is_destructive else ""
            console.print(Text(f"      {action.label}: {action.command}{warning}"))
    opened = next((action.url for action in hit.actions if action.kind == "open"), "")
    if opened and opened != place:
        console.print(Text(f"      {opened}"))
