"""Which migrations the database and this version do not share, by the names of files: to import all takes 5 MB."""

import importlib.util
import pkgutil
import re
from dataclasses import dataclass

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

OWN = "selftest"  # the package of all apps of the product that have tables
NUMBERS = re.compile(r"(?:^|_squashed_)(\d{4})")


@dataclass(frozen=True)
class MigrationDifferences:
    """Migrations by their app's label and their name, the earliest of each app first.

    unapplied: those that the database lacks, of each installed app. newer: those that a newer version has applied.
    """

    unapplied: tuple[tuple[str, str], ...]
    newer: tuple[tuple[str, str], ...]


def migration_differences() -> MigrationDifferences:
    """Between the database and this version.

    Newer is what an app of the product has applied by a higher number than any file has here. Not all without a file
    are: those that a squashed one has replaced stay applied when their files are gone.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    known = {app.label: _names_of(app.label) for app in apps.get_app_configs()}
    own = {app.label for app in apps.get_app_configs() if app.name.partition(".")[0] == OWN}
    last = {label: max(map(_number, known[label]), default=0) for label in own}
    return MigrationDifferences(
        unapplied=tuple(
            (label, name) for label, names in known.items() for name in names if (label, name) not in applied
        ),
        newer=tuple(sorted((label, name) for label, name in applied if label in own and _number(name) > last[label])),
    )


def _number(name: str) -> int:
    """Of a squashed one, that of the last that it replaces; 0 for a name without one."""
    return max(map(int, NUMBERS.findall(name)), default=0)


def _names_of(label: str) -> list[str]:
    package, _ = MigrationLoader.migrations_module(label)
    try:
        found = importlib.util.find_spec(package) if package else None
    except ModuleNotFoundError:
        found = None
    places = None if found is None else found.submodule_search_locations
    names = [module.name for module in pkgutil.iter_modules(places or ()) if not module.ispkg]
    return sorted(name for name in names if name[0] not in "_~")  # which Django leaves out, too
