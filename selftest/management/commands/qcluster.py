"""`manage.py qcluster`: django-q2's worker, on any number of machines; refuses where it would break their tasks."""

from typing import Any

from django.core.management.base import CommandError
from django.db import Error as AnyDatabaseError
from django_q.management.commands.qcluster import Command as ClusterCommand

from selftest.models import Installation
from selftest.operating.database_faults import in_one_line
from selftest.operating.first_start import is_outdated


class Command(ClusterCommand):  # type: ignore[misc]  # the library is untyped
    """django-q2's command, after a check of the database and of SECRET_KEY."""

    help = "Starts another worker, for more machines on the same database and broker. `start` has one already."

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs until it is stopped, or refuses at once."""
        try:
            if is_outdated():
                raise CommandError("the database is not migrated to this version: run `manage.py start` once first")
            if not Installation.get_solo().has_this_key():
                # Tasks are signed with it: a worker with another one would fetch them and discard them.
                raise CommandError(
                    "SECRET_KEY differs from that of the machine where `manage.py start` runs; set the same one here"
                )
        except AnyDatabaseError as fault:
            raise CommandError(in_one_line(fault)) from fault
        super().handle(*args, **options)
