"""Runs commands as a person does: in a process of their own, on a data folder of their own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 120  # a command that takes longer hangs

Manage = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def own_environment(tmp_path: Path) -> dict[str, str]:
    """As on a fresh machine: an empty data folder and SQLite."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATA_DIR")}
    return {**kept, "DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def manage(own_environment: dict[str, str]) -> Manage:
    def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            check=False,
            env={**own_environment, **variables},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )

    return run
