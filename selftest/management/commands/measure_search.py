"""`manage.py measure_search`: how well and how fast search finds what is known to be right."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from rich.console import Console
from rich.progress import track

from selftest.knowledge.filter_values import UnknownFilterValueError
from selftest.knowledge.index import encoding, writing
from selftest.knowledge.measuring.corpus import pieces, queries
from selftest.knowledge.measuring.filters import filters_of
from selftest.knowledge.measuring.measure import Figures, Measured, measure, rebuilt
from selftest.knowledge.measuring.queries import MeasuredQuery, QueriesError, read_queries
from selftest.management.tables import console_on, one_line, table_of

MOST_MISSES = 40  # in the table; JSON has all


class Command(BaseCommand):
    """Prints a table by category, or JSON."""

    help = (
        "Measures search. With a file: its queries, on what this installation has. Without: queries made of the "
        "product's own documents and of invented ones, in a database of their own that is deleted afterwards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--queries",
            type=Path,
            metavar="FILE.jsonl",
            help='lines of {"q", "filters": {}, "expect": ["path#anchor"]}',
        )
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for a file that is not of queries, and where no database can be made."""
        try:
            found = self._of_file(options["queries"]) if options["queries"] else self._of_own()
        except (QueriesError, UnknownFilterValueError, OSError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        if options["json"]:
            self.stdout.write(json.dumps(document(found), ensure_ascii=False))
            return
        self._table(found)

    def _of_file(self, path: Path) -> Measured:
        asked = read_queries(path)
        return measure(asked, filters_of, watched=self._watched)

    def _of_own(self) -> Measured:
        with _database_of_its_own():
            known = pieces()
            writing.put(known)
            asked = queries(known)
            return measure(asked, filters_of, rebuilt(known), self._watched)

    def _watched(self, asked: Sequence[MeasuredQuery]) -> Iterable[MeasuredQuery]:
        return track(asked, "queries", console=Console(stderr=True), disable=not self.stderr.isatty())

    def _table(self, found: Measured) -> None:
        table = table_of("queries of", "number", "recall@1", "recall@5", "recall@10", "MRR")
        for name, figures in (*found.categories.items(), *found.halves.items(), ("all", found.every)):
            recall = (f"{figures.recall[depth]:.3f}" for depth in (1, 5, 10))
            table.add_row(name, f"{figures.queries:,}", *recall, f"{figures.mrr:.3f}")
        console_on(self.stdout).print(table)
        if found.misses:
            misses = table_of("not among the first five", "expected", "found instead")
            for miss in found.misses[:MOST_MISSES]:
                misses.add_row(one_line(miss.q), one_line(", ".join(miss.expect)), one_line(", ".join(miss.got)))
            console_on(self.stdout).print("")
            console_on(self.stdout).print(misses)
            if len(found.misses) > MOST_MISSES:
                self.stdout.write(f"and {len(found.misses) - MOST_MISSES:,} more; --json has all")
        order = {None: "", True: "  the order never changed", False: "  the order changed"}[found.stable]
        self.stdout.write(
            f"\na search: {found.p50_ms:g} ms at the median, {found.p95_ms:g} ms at the 95th percentile{order}"
        )


def document(found: Measured) -> dict[str, Any]:
    """As JSON."""
    return {
        "queries": found.every.queries,
        **_recall(found.every),
        "p50_ms": found.p50_ms,
        "p95_ms": found.p95_ms,
        "misses": [
            {"q": miss.q, "category": miss.category, "expect": list(miss.expect), "got": list(miss.got)}
            for miss in found.misses
        ],
        "categories": _figures(found.categories),
        "halves": _figures(found.halves),
        "stable": found.stable,
        "unstable": list(found.unstable),
    }


def _figures(named: Mapping[str, Figures]) -> dict[str, Any]:
    return {name: {"queries": figures.queries, **_recall(figures)} for name, figures in named.items()}


def _recall(figures: Figures) -> dict[str, float]:
    return {**{f"recall_at_{depth}": share for depth, share in figures.recall.items()}, "mrr": figures.mrr}


@contextmanager
def _database_of_its_own() -> Iterator[None]:
    """Beside the installation's: on SQLite in memory, on PostgreSQL on the same server."""
    name = str(connection.settings_dict["NAME"])
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    except (DatabaseError, SystemExit) as fault:
        raise CommandError(f"no database can be made to measure in: {fault}", returncode=2) from fault
    encoding.forget()
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        encoding.forget()
