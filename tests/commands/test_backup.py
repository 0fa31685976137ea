"""A backup is taken while a cycle runs, and an installation made of it is the one that was backed up."""

import json
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from selftest.operating.backup import back_up
from selftest.refusals import RefusedError
from tests.commands.process import ROOT, Manage

SECRET = "a secret header of the target"
KEEP_SECRET = f"""
from selftest.models import Target
target = Target.objects.get()
target.secret_headers = {{"X-Key": {SECRET!r}}}
target.save()
"""
TELL_SECRET = "from selftest.models import Target; print(Target.objects.get().secret_headers)"


@pytest.mark.process
def test_what_is_restored_is_what_was_there(manage_process: Manage, own_environment: dict[str, str]) -> None:
    assert json.loads(manage_process("run_cycle", "--count", "4", "--json").stdout)["queries_run"] == 4
    assert manage_process("shell", "--no-imports", "-c", KEEP_SECRET).returncode == 0
    folder = Path(own_environment["DATA_DIR"]).with_name("backup")
    cycle = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "run_cycle", "--count", "30"],
        env=own_environment,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        taken = manage_process("backup", str(folder))
    finally:
        assert cycle.wait(120) == 0
    assert taken.returncode == 0, taken.stderr
    assert {path.name for path in folder.iterdir()} == {"gadfly.sqlite3", "secret_key"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
    with closing(sqlite3.connect(folder / "gadfly.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    restored = folder.with_name("restored")
    shutil.copytree(folder, restored)
    at_restored = {"DATA_DIR": str(restored)}
    assert SECRET in manage_process("shell", "--no-imports", "-c", TELL_SECRET, **at_restored).stdout
    again = json.loads(manage_process("run_cycle", "--count", "2", "--json", **at_restored).stdout)
    assert again["queries_run"] == 2
    found = json.loads(manage_process("doctor", "--no-target", "--json", **at_restored).stdout)
    wrong = {check["code"] for check in found["checks"] if check["is_problem"]}
    assert wrong <= {"GF021", "GF022"}  # neither worker nor schedule: nothing was started


@pytest.fixture
def large_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some 10 MB, which are backed up here instead of the tests' own."""
    path = tmp_path / "large.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE django_migrations (id)")
        database.execute("CREATE TABLE answers AS SELECT zeroblob(10000000) AS answer")
        database.commit()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(path))
    return path


@pytest.mark.database("sqlite")
def test_it_ends_while_others_write_all_the_time(
    large_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    class WrittenTo(sqlite3.Connection):
        """One to which another process writes after each step of a backup."""

        def backup(self, target: sqlite3.Connection, **options: Any) -> None:
            super().backup(target, progress=self._write, **options)

        def _write(self, *_: int) -> None:
            nonlocal steps
            steps += 1
            assert steps < 20, "it began again with each step"
            with closing(sqlite3.Connection(large_database)) as other:
                other.execute("INSERT INTO answers VALUES ('new')")
                other.commit()

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path: connect(path, factory=WrittenTo))
    copy, *_ = back_up(tmp_path / "backup")
    assert steps > 0
    with closing(connect(copy)) as database:
        assert database.execute("SELECT length(answer) FROM answers").fetchone() == (10_000_000,)


@contextmanager
def files_of_at_most(size_bytes: int) -> Iterator[None]:
    """As on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.database("sqlite")
def test_one_that_fails_names_its_folder_and_leaves_nothing_in_it(large_database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    with files_of_at_most(1_000_000), pytest.raises(CommandError) as refused:
        call_command("backup", folder)
    assert refused.value.returncode == 2
    assert str(folder) in str(refused.value)
    assert list(folder.iterdir()) == []
    written = back_up(folder)
    assert set(folder.iterdir()) == set(written)


@pytest.mark.database("sqlite")
def test_where_there_is_no_database_that_is_no_backup_and_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, folder = tmp_path / "elsewhere.sqlite3", tmp_path / "backup"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(elsewhere))
    with pytest.raises(CommandError, match=r"elsewhere\.sqlite3; set DATA_DIR and DATABASE_URL as they are where it"):
        call_command("backup", folder)
    assert not elsewhere.exists()
    assert not folder.exists()


@pytest.mark.django_db
def test_an_earlier_backup_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("of yesterday")
    with pytest.raises(RefusedError, match="holds secret_key already"):
        back_up(tmp_path)
    assert (tmp_path / "secret_key").read_text() == "of yesterday"
