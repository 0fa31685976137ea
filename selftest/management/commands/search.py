"""`manage.py search "…"`: what is known, found by words."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.knowledge.core.answers import DEFAULT_RESULTS, MOST_RESULTS, Filters
from selftest.knowledge.core.chunks import Kind
from selftest.management.arguments import whole_number
from selftest.management.search_results import ask, prepare, print_answer, target_ids
from selftest.refusals import UnknownError


class Command(BaseCommand):
    """Prints results in groups, or the document that the API answers."""

    help = "Searches documents, operations, checks, guarantees, causes, flags, findings, pairs, targets and cycles."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """`--version` is that of what is searched, in place of Django's own."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("query", help="all of it is text; in quotes where it has spaces")
        kinds = [str(kind) for kind in Kind]
        parser.add_argument("--type", action="append", default=[], choices=kinds, help="of results; several times: any")
        parser.add_argument("--target", action="append", default=[], metavar="NAME", help="and what belongs to none")
        for name in ("product", "version", "service"):
            parser.add_argument(f"--{name}", default="", dest=f"of_{name}", metavar="NAME", help="of results")
        parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="several times: all of them")
        parser.add_argument("--k", type=whole_number(1, MOST_RESULTS), default=DEFAULT_RESULTS, help="results at most")
        parser.add_argument("--json", action="store_true", help="one line of JSON: what POST /v1/search/query answers")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for what cannot be asked."""
        prepare()
        try:
            filters = Filters(
                kinds=frozenset(Kind(kind) for kind in options["type"]),
                product=options["of_product"],
                version=options["of_version"],
                service=options["of_service"],
                tags=frozenset(options["tag"]),
                targets=target_ids(options["target"]),
            )
        except UnknownError as fault:
            raise CommandError(str(fault), returncode=2) from fault
        print_answer(ask(options["query"], options["k"], filters), self.stdout, options["json"])
