"""A backup of PostgreSQL is its own dump."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from selftest.operating.backup import back_up
from selftest.refusals import RefusedError
from tests.commands.process import ROOT
from tests.review import factory
from tests.servers import find_postgres

RESTORED = "gadfly_restored"
OF_A_START = {"GF021", "GF022", "GF023"}  # worker, schedule and finished cycles: nothing was started


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The URL of another one on the same server."""
    known = connection.settings_dict
    server = f"postgres://{known['USER']}:{known['PASSWORD']}@{known['HOST']}:{known['PORT']}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as beside:
        beside.execute(f"CREATE DATABASE {RESTORED}")
        try:
            yield f"{server}/{RESTORED}"
        finally:
            beside.execute(f"DROP DATABASE {RESTORED} WITH (FORCE)")


@pytest.mark.django_db(transaction=True)
@pytest.mark.process
@pytest.mark.database("postgresql")
def test_of_postgresql_it_is_a_dump_that_the_commands_of_the_readme_restore_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_database: str
) -> None:
    programs = find_postgres()
    assert programs
    monkeypatch.setenv("PATH", programs, prepend=os.pathsep)
    factory.flagged("tell me about molybdenum")
    dump, *_ = back_up(tmp_path / "data")
    server = empty_database.rpartition("/")[0]
    with psycopg.connect(empty_database, autocommit=True) as later:  # what is there meanwhile
        later.execute("CREATE TABLE of_a_newer_version ()")
    for command in (
        ["dropdb", f"--maintenance-db={server}/postgres", RESTORED],
        ["createdb", f"--maintenance-db={server}/postgres", RESTORED],
        ["pg_restore", "--dbname", empty_database, str(dump)],
    ):
        subprocess.run(command, check=True)
    with psycopg.connect(empty_database) as restored, connection.cursor() as original:
        for table in connection.introspection.table_names():
            original.execute(f'SELECT count(*) FROM "{table}"')
            assert restored.execute(f'SELECT count(*) FROM "{table}"').fetchone() == original.fetchone(), table
        assert not restored.execute("SELECT 1 FROM pg_tables WHERE tablename = 'of_a_newer_version'").fetchall()
        found = restored.execute("SELECT last_query_text FROM selftest_combination").fetchall()
    assert found == [("tell me about molybdenum",)]
    doctor = [sys.executable, "manage.py", "doctor", "--no-target", "--json"]
    environment = os.environ | {"DATABASE_URL": empty_database, "DATA_DIR": str(tmp_path / "data")}
    told = subprocess.run(doctor, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    assert {check["code"] for check in json.loads(told)["checks"] if check["is_problem"]} <= OF_A_START


@pytest.mark.django_db
@pytest.mark.process
@pytest.mark.database("postgresql")
def test_the_dump_is_made_over_the_connection_that_the_url_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = find_postgres()
    assert programs
    monkeypatch.setenv("PATH", programs, prepend=os.pathsep)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "sslmode", "require")  # the tests' server has no TLS
    with pytest.raises(RefusedError, match="server does not support SSL"):
        back_up(tmp_path / "data")
