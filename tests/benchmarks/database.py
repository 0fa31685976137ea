"""Throw-away SQLite databases in files for a benchmark, set up before anything reads the settings."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.database import empty_sqlite
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
    """Makes this file the database, with empty tables where it is new; whether it was."""
    from django.db import connection

    _close()
    is_new = not file.exists()
    if is_new:
        shutil.copyfile(empty_sqlite(), file)
    connection.settings_dict["NAME"] = str(file)
    return is_new


def _close() -> None:
    from django.db import connection

    connection.close()
