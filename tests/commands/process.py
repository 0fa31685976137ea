"""Runs commands as a person types them: in this process on the tests' database, or in their own on a data folder.

In a process of its own only where that is what the test is about: a fresh machine, the environment, signals. Starting
one takes longer than most commands.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import execute_from_command_line

from tests.database import empty_sqlite

ROOT = Path(__file__).resolve().parents[2]
DEPLOYMENT = ROOT / "selftest" / "operating" / "deployment"
LIMIT_S = 120  # a command that takes longer hangs

Ran = subprocess.CompletedProcess[str]
Manage = Callable[..., Ran]


@pytest.fixture
def manage(transactional_db: None, capsys: pytest.CaptureFixture[str]) -> Manage:
    """In this process. A command closes the database's connections at its end, so no test's transaction would last."""

    def run(*arguments: str) -> Ran:
        kept_handler = signal.getsignal(signal.SIGTERM)
        code: object = 0
        try:
            execute_from_command_line(["manage.py", *arguments])
        except SystemExit as ended:
            code = ended.code
        finally:
            signal.signal(signal.SIGTERM, kept_handler)
        assert isinstance(code, int)
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return run


@pytest.fixture
def fresh_environment(tmp_path: Path) -> dict[str, str]:
    """As on a fresh machine: an empty data folder and SQLite."""
    left_out = ("DATABASE_URL", "PYTHONDONTWRITEBYTECODE")  # compiled again, each command takes longer
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**kept, "DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def own_environment(fresh_environment: dict[str, str]) -> dict[str, str]:
    """A data folder of one's own, in which nothing has happened yet but that the tables were made."""
    folder = Path(fresh_environment["DATA_DIR"])
    folder.mkdir()
    shutil.copyfile(empty_sqlite(), folder / "gadfly.sqlite3")
    return fresh_environment


def _manage_process(environment: dict[str, str]) -> Manage:
    def run(*arguments: str, **variables: str) -> Ran:
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            check=False,
            env={**environment, **variables},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )

    return run


@pytest.fixture
def manage_process(own_environment: dict[str, str]) -> Manage:
    """In a process of its own; keyword arguments are its environment's."""
    return _manage_process(own_environment)


@pytest.fixture
def manage_afresh(fresh_environment: dict[str, str]) -> Manage:
    return _manage_process(fresh_environment)
