"""Databases for tests: migrated once, copied as often as one is wanted, and restored to what migrating left.

Migrating takes seconds, a copy milliseconds. SQLite's original is kept in .pytest_cache, named by the source that made
it, so the next run finds it there; PostgreSQL's is a template database in a server that lives for one run.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import psycopg

from tests.isolation import clean
from tests.servers import TEST_DATABASE_URL

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".pytest_cache" / "databases"
PRODUCT = ("selftest", "review")  # whose source decides what an empty database holds
TEMPLATE = "gadfly_template"  # PostgreSQL's
MIGRATE_LIMIT_S = 120
MIGRATE = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
call_command("createcachetable")
"""


class Database(Protocol):
    """The one that Django uses while the tests run."""

    def restore(self) -> None:
        """Everything as the migrations left it, and nothing else."""


def database_for(connection: "BaseDatabaseWrapper", folder: Path, worker: str) -> Database:
    """A new database for this process, in use from here on."""
    if connection.vendor == "sqlite":
        return SQLiteDatabase(connection, folder / "tests.sqlite3")
    return PostgresDatabase(connection, os.environ[TEST_DATABASE_URL], f"gadfly_{worker}")


def migrate(data_dir: Path, **variables: str) -> None:
    """In a process of its own: the settings of this one name another database. SQLite, unless `variables` say else."""
    environment = dict(os.environ)
    clean(environment)
    environment |= {"DJANGO_SETTINGS_MODULE": "review.settings", "DATA_DIR": str(data_dir), **variables}
    subprocess.run([sys.executable, "-c", MIGRATE], check=True, env=environment, cwd=ROOT, timeout=MIGRATE_LIMIT_S)


# --- SQLite ---


def empty_sqlite() -> Path:
    """The file of a database in which nothing has happened yet, to be copied and never opened for writing."""
    original = KEPT / f"{_source_sha256()[:16]}.sqlite3"
    KEPT.mkdir(parents=True, exist_ok=True)
    with Path(KEPT, "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process makes it, the others find it
        if not original.exists():
            for outdated in KEPT.glob("*.sqlite3"):
                outdated.unlink()
            _make(original)
    return original


def _source_sha256() -> str:
    """Of everything that decides how a migrated database looks: the product's modules and the packages it stands on."""
    digest = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    for package in sorted(f"{found.name} {found.version}" for found in metadata.distributions()):
        digest.update(package.encode())
    for path in sorted(path for name in PRODUCT for path in (ROOT / name).rglob("*.py")):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def _make(original: Path) -> None:
    with TemporaryDirectory(dir=KEPT) as name:
        folder, draft = Path(name), Path(name, "draft")
        migrate(folder)
        with closing(sqlite3.connect(folder / "gadfly.sqlite3")) as made:
            made.execute("VACUUM INTO ?", [str(draft)])  # one file, without the log that WAL keeps beside it
        draft.replace(original)


class SQLiteDatabase:
    """In a file, as in production: in memory there is no WAL, and a thread never waits for another's lock."""

    def __init__(self, connection: "BaseDatabaseWrapper", file: Path) -> None:
        self._connection = connection
        self._original = empty_sqlite()
        shutil.copyfile(self._original, file)
        connection.close()
        connection.settings_dict["NAME"] = str(file)

    def restore(self) -> None:
        self._connection.ensure_connection()
        with closing(sqlite3.connect(self._original)) as original:
            original.backup(self._connection.connection)


# --- PostgreSQL ---


class PostgresDatabase:
    """A copy of the template, which the first worker that comes here makes."""

    def __init__(self, connection: "BaseDatabaseWrapper", url: str, name: str) -> None:
        self._connection = connection
        self._url = url
        self._name = name
        self._make_template()
        self._copy()
        connection.close()
        connection.settings_dict["NAME"] = name

    def restore(self) -> None:
        self._connection.close()
        self._copy()

    def _make_template(self) -> None:
        with self._server() as server, TemporaryDirectory() as folder:
            server.execute("SELECT pg_advisory_lock(1)")  # one worker after the other; let go when this connection ends
            if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
                return
            server.execute(f"CREATE DATABASE {TEMPLATE}_draft")
            migrate(Path(folder), DATABASE_URL=f"{self._url.rpartition('/')[0]}/{TEMPLATE}_draft")
            server.execute(f"ALTER DATABASE {TEMPLATE}_draft RENAME TO {TEMPLATE}")

    def _copy(self) -> None:
        with self._server() as server:
            server.execute(f"DROP DATABASE IF EXISTS {self._name} WITH (FORCE)")  # a thread may have it open still
            server.execute(f"CREATE DATABASE {self._name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")

    def _server(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._url, autocommit=True)
