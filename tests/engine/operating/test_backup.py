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
def test_of_postgresql_it_is_a_dump_that_the_command_of_the_readme_restores_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_database: str
) -> None:
    programs = find_postgres()
    assert programs
    monkeypatch.setenv("PATH", programs, prepend=os.pathsep)
    factory.flagged("tell me about molybdenum")
    dump, *_ = back_up(tmp_path / "data")
    restore = ["pg_restore", "--clean", "--if-exists", "--dbname", empty_database, str(dump)]
    for _ in range(2):  # the second one replaces what is there
        subprocess.run(restore, check=True)
    with psycopg.connect(empty_database) as restored, connection.cursor() as original:
        for table in connection.introspection.table_names():
            original.execute(f'SELECT count(*) FROM "{table}"')
            assert restored.execute(f'SELECT count(*) FROM "{table}"').fetchone() == original.fetchone(), table
        found = restored.execute("SELECT last_query_text FROM selftest_combination").fetchall()
    assert found == [("tell me about molybdenum",)]
    doctor = [sys.executable, "manage.py", "doctor", "--no-target", "--json"]
    environment = os.environ | {"DATABASE_URL": empty_database, "DATA_DIR": str(tmp_path / "data")}
    told = subprocess.run(doctor, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    assert {check["code"] for check in json.loads(told)["checks"] if check["is_problem"]} <= OF_A_START
