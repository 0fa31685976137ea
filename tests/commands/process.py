"""Runs commands as a person does: in a process of their own, on a data folder of their own."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.database import empty_sqlite

ROOT = Path(__file__).resolve().parents[2]
BYTECODE = Path(tempfile.gettempdir()) / f"gadfly-bytecode-{os.getuid()}"
LIMIT_S = 120  # a command that takes longer hangs

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


def _environment(data: Path) -> dict[str, str]:
    left_out = ("DATABASE_URL", "DATA_DIR", "PYTHONDONTWRITEBYTECODE")  # compiled anew, each command takes longer
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**kept, "DATA_DIR": str(data), "PYTHONPYCACHEPREFIX": str(BYTECODE)}


@pytest.fixture
def fresh_environment(tmp_path: Path) -> dict[str, str]:
    """As on a fresh machine: an empty data folder and SQLite."""
    return _environment(tmp_path / "data")


@pytest.fixture
def own_environment(fresh_environment: dict[str, str]) -> dict[str, str]:
    """A data folder of one's own, in which nothing has happened yet but that the tables were made."""
    folder = Path(fresh_environment["DATA_DIR"])
    folder.mkdir()
    shutil.copyfile(empty_sqlite(), folder / "gadfly.sqlite3")
    return fresh_environment


def _manage(environment: dict[str, str]) -> Manage:
    def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
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
def manage(own_environment: dict[str, str]) -> Manage:
    return _manage(own_environment)


@pytest.fixture
def manage_afresh(fresh_environment: dict[str, str]) -> Manage:
    return _manage(fresh_environment)
