"""A backup of PostgreSQL is its own dump."""

import os
import subprocess
from pathlib import Path

import pytest
from django.db import connection

from selftest.models import Combination
from selftest.operating.backup import back_up
from tests.review import factory
from tests.servers import find_postgres


@pytest.mark.django_db(transaction=True)
@pytest.mark.process
@pytest.mark.database("postgresql")
def test_of_postgresql_it_is_a_dump_that_can_be_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = find_postgres()
    assert programs
    monkeypatch.setenv("PATH", programs, prepend=os.pathsep)
    factory.flagged("tell me about molybdenum")
    (dump, *_) = back_up(tmp_path / "backup")
    Combination.objects.all().delete()
    database = connection.settings_dict
    environment = os.environ | {"PGPASSWORD": database["PASSWORD"]}
    target = ["--host", database["HOST"], "--port", str(database["PORT"]), "--username", database["USER"]]
    restore = [f"{programs}/pg_restore", *target, "--dbname", database["NAME"], "--data-only", "--disable-triggers"]
    subprocess.run([*restore, "--table", "selftest_combination", str(dump)], check=True, env=environment)
    assert Combination.objects.get().last_query_text == "tell me about molybdenum"
