"""`manage.py backup FOLDER`: the database and the secret key, while all of it works."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.operating.backup import back_up
from selftest.refusals import RefusedError


class Command(BaseCommand):
    help = "Writes the database and the secret key into a folder; nothing has to be stopped for it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("folder", type=Path, help="is created; must not hold an earlier backup")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        """Exits with 2 where it cannot be written."""
        try:
            written = back_up(folder)
        except (RefusedError, OSError) as fault:
            raise CommandError(f"nothing was backed up: {fault}", returncode=2) from fault
        for path in written:
            self.stdout.write(f"{path}  {path.stat().st_size:,} bytes")
