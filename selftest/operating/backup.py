"""A copy of everything that an installation needs to begin again elsewhere; taken while it works."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from selftest.refusals import RefusedError

DATABASE_NAME, DUMP_NAME, KEY_NAME = "gadfly.sqlite3", "gadfly.dump", "secret_key"
ALL_PAGES = -1  # at once: a copy in steps begins again when another process writes between two, and WAL lets it write
OWN_ALONE = 0o700


def back_up(folder: Path) -> list[Path]:
    """Writes the database and the secret key into `folder`, which is created; returns what was written.

    All of it or nothing: it is written beside, in a folder of its own, and moved at the end. Raises RefusedError where
    there is nothing of Gadfly in the database, `folder` holds a backup already, SQLite cannot copy into it, or
    PostgreSQL's pg_dump is missing or fails; and OSError where `folder` cannot be written to.
    """
    if not _is_in_use():
        name = connection.settings_dict["NAME"]
        raise RefusedError(
            f"nothing of Gadfly is in the database {name}; set DATA_DIR and DATABASE_URL as they are where it runs"
        )
    taken = [name for name in (DATABASE_NAME, DUMP_NAME, KEY_NAME) if (folder / name).exists()]
    if taken:
        raise RefusedError(f"{folder} holds {', '.join(taken)} already; name a folder of its own for each backup")
    folder.mkdir(mode=OWN_ALONE, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".unfinished-", dir=folder) as name:
        try:
            written = _write(Path(name))
        except sqlite3.Error as fault:
            raise RefusedError(f"SQLite cannot copy the database into {folder}: {fault}; is it full?") from fault
        return [path.replace(folder / path.name) for path in written]


def _is_in_use() -> bool:
    table = MigrationRecorder.Migration._meta.db_table
    if connection.vendor == "postgresql":
        return table in connection.introspection.table_names()
    path = Path(connection.settings_dict["NAME"])
    if not path.exists():  # to connect would create it
        return False
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone() is not None


def _write(folder: Path) -> list[Path]:
    database = _dump(folder / DUMP_NAME) if connection.vendor == "postgresql" else _copy(folder / DATABASE_NAME)
    return [database, *_secret_key(folder)]


def _private(path: Path) -> BinaryIO:
    """A new file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _copy(to: Path) -> Path:
    """SQLite's own online backup: what was committed when it ends, whole."""
    _private(to).close()
    database = connection.settings_dict["NAME"]
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as copy:
        source.backup(copy, pages=ALL_PAGES)
    return to


def _dump(to: Path) -> Path:
    program = shutil.which("pg_dump")
    if program is None:
        raise RefusedError("pg_dump is not installed here; it comes with PostgreSQL's client")
    address, environment = _address_and_password()
    with _private(to) as file:
        command = [program, "--format=custom", "--dbname", address]
        done = subprocess.run(command, check=False, stdout=file, stderr=subprocess.PIPE, env=environment)  # noqa: S603 - found on the PATH
    if done.returncode:
        raise RefusedError(f"pg_dump failed: {' '.join(done.stderr.decode(errors='replace').split())}")
    return to


def _address_and_password() -> tuple[str, dict[str, str]]:
    """As the database is reached here, with all that DATABASE_URL says of it; the password, in an environment."""
    import psycopg.conninfo  # only where it is the database

    keywords = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    given = {name: value for name, value in connection.get_connection_params().items() if name in keywords}
    password = given.pop("password", None)
    environment = dict(os.environ) | ({"PGPASSWORD": str(password)} if password else {})
    return psycopg.conninfo.make_conninfo(**given), environment


def _secret_key(folder: Path) -> list[Path]:
    """The key that decrypts what is secret; none where SECRET_KEY sets it, which is kept elsewhere."""
    key: Path = settings.ENVIRONMENT.data_dir / KEY_NAME
    if os.environ.get("SECRET_KEY") or not key.exists():
        return []
    with _private(folder / KEY_NAME) as file:
        file.write(key.read_bytes())
    return [folder / KEY_NAME]
