"""`manage.py seed_history`: a large realistic history, to try the pages at scale."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from selftest.cycles.lifecycle import SEED_BITS
from selftest.findings.seeding import seed_findings
from selftest.management.arguments import share, whole_number
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import SetupError, UnknownError
from selftest.seeding.history import seed_history
from selftest.seeding.request import Seeded, SeedRefused, SeedRequest

MAX_COMBINATIONS = 1_000_000
MAX_RUNS = 3_000_000  # what pages are promised to stay fast with


class Command(BaseCommand):
    """Adds to whatever history the target has, and says what was added."""

    help = (
        "Adds a large realistic history of invented answers, to try the pages at scale, part by part: stopped, it "
        "leaves a shorter one. Sends nothing to the target and deletes nothing; best used with a DATA_DIR of its own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--combinations", type=whole_number(1, MAX_COMBINATIONS), required=True, metavar="N", help="how many to add"
        )
        parser.add_argument(
            "--runs", type=whole_number(1, MAX_RUNS), required=True, metavar="M", help="how many to add, at least N"
        )
        parser.add_argument("--seed", type=whole_number(0, 2**SEED_BITS - 1), help="(default: random)")
        parser.add_argument("--target", metavar="NAME", help="(default: the default target)")
        parser.add_argument(
            "--flagged-share",
            type=share,
            default=0.05,
            help="of the combinations, in the queue at the end (default: 0.05)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for arguments that cannot be met."""
        try:
            prepare_database()
            ensure_target()
            seeded = self._seed(self._request(options))
        except (SetupError, UnknownError, SeedRefused) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        self.stdout.write(
            f"Added {seeded.runs} runs of {seeded.combinations} combinations in {seeded.cycles} cycles since "
            f"{seeded.since:%Y-%m-%d}: {seeded.in_queue} in the queue, {seeded.dismissed} dismissed."
        )

    def _request(self, options: dict[str, Any]) -> SeedRequest:
        seed = secrets.randbits(SEED_BITS) if options["seed"] is None else options["seed"]
        target = target_named(options["target"])
        return SeedRequest(target, options["combinations"], options["runs"], seed, options["flagged_share"])

    def _seed(self, request: SeedRequest) -> Seeded:
        console = Console(stderr=True)
        if not console.is_terminal:
            return seed_history(request, timezone.now(), after_part=seed_findings)
        columns = (
            TextColumn("making history"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=None)
            return seed_history(
                request,
                timezone.now(),
                progress=lambda over, all_: bar.update(task, completed=over, total=all_),
                after_part=seed_findings,
            )
