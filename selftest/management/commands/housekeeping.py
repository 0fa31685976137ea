"""`manage.py housekeeping`: what the worker tidies up every hour, now and to the end."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error as AnyDatabaseError

from selftest.operating.database_faults import in_one_line
from selftest.operating.first_start import require_this_version
from selftest.operating.housekeeping import Outcome, keep_house
from selftest.reading.housekeeping import kept_answers
from selftest.refusals import SetupError


class Command(BaseCommand):
    """Stopped in the middle, it is continued by the next one, or by the worker."""

    help = (
        "Deletes the raw answers of clean runs that were kept for long enough (a setting), and expired sessions. "
        "The worker does so every hour."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 where a worker is at it."""
        try:
            require_this_version()
            before = kept_answers()
            outcome = keep_house(budget_s=float("inf"))
            after = kept_answers()
        except SetupError as fault:
            raise CommandError(str(fault)) from fault
        except AnyDatabaseError as fault:
            raise CommandError(in_one_line(fault)) from fault
        if outcome is Outcome.BUSY:
            raise CommandError("a worker is at it; try again in some minutes")
        self.stdout.write(f"Answers deleted: {after.deleted - before.deleted:,}. Runs not old enough: {after.runs:,}.")
