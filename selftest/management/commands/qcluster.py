"""`manage.py qcluster`: django-q2's worker, on as many machines as wanted; refuses where it would spoil their tasks."""

from typing import Any

from django.core.management.base import CommandError
from django.db import Error as AnyDatabaseError
from django_q.management.commands.qcluster import Command as ClusterCommand

from selftest.models import Installation
from selftest.operating.first_start import is_outdated


class Command(ClusterCommand):  # type: ignore[misc]  # the library is untyped
    help = "Starts a worker. `start` has one already; this is for more machines on the same database and broker."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if is_outdated():
                raise CommandError("the database is not that of this version yet: run `manage.py start` once first")
            if not Installation.get_solo().has_this_key():
                # Tasks are signed with it: a worker with another one would take them and throw them away.
                raise CommandError(
                    "SECRET_KEY is not that of the machine where `manage.py start` runs; set it here too"
                )
        except AnyDatabaseError as fault:
            raise CommandError(f"the database cannot be used: {' '.join(str(fault).split())}") from fault
        super().handle(*args, **options)
