"""Throw-away SQLite databases in files for a benchmark, set up before anything reads the settings."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.isolation import clean


@contextmanager
def temporary_database(keep: Path | None = None) -> Iterator[Path]:
    """One, migrated and empty, in use; its folder, which is gone afterwards. keep: a folder that stays instead."""
    with tempfile.TemporaryDirectory(prefix="gadfly-benchmark-") as folder:
        clean(os.environ)
        os.environ["DATA_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "review.settings"
        import django

        django.setup()
        use_database(Path(folder, "gadfly.sqlite3"))
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
        yield keep or Path(folder)
        _close()


def use_database(file: Path) -> bool:
    """Makes this file the database, migrated where it is new; whether it was."""
    from django.core.management import call_command
    from django.db import connection

    _close()
    is_new = not file.exists()
    connection.settings_dict["NAME"] = str(file)
    if is_new:
        call_command("migrate", verbosity=0)
    return is_new


def _close() -> None:
    from django.db import connection

    connection.close()
