"""Which migrations of this version the database lacks, by the names of their files: to import all takes 5 MB."""

import importlib.util
import pkgutil

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def unapplied_migrations() -> list[tuple[str, str]]:
    """Of each installed app in turn: its label and the migration's name, the earliest first."""
    applied = MigrationRecorder(connection).applied_migrations()
    known = [(app.label, name) for app in apps.get_app_configs() for name in _names_of(app.label)]
    return [migration for migration in known if migration not in applied]


def _names_of(label: str) -> list[str]:
    package, _ = MigrationLoader.migrations_module(label)
    try:
        found = importlib.util.find_spec(package) if package else None
    except ModuleNotFoundError:
        found = None
    places = None if found is None else found.submodule_search_locations
    names = [module.name for module in pkgutil.iter_modules(places or ()) if not module.ispkg]
    return sorted(name for name in names if name[0] not in "_~")  # which Django leaves out, too
