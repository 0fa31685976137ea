"""The process that makes a history's queries ends with the one that writes them, however that ends."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from selftest.seeding.request import PART_COMBINATIONS
from tests.database import ROOT, empty_sqlite

pytestmark = [
    pytest.mark.slow("starts two processes"),
    pytest.mark.process,
]

LIMIT_S = 60.0


def wait_until(holds: Callable[[], bool]) -> None:
    """Looked at ten times a second."""
    until = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.1)


def test_killed_the_command_leaves_no_process_behind(tmp_path: Path) -> None:
    shutil.copy(empty_sqlite(), tmp_path / "gadfly.sqlite3")
    size = str(2 * PART_COMBINATIONS)
    command = [sys.executable, "manage.py", "seed_history", "--combinations", size, "--runs", size]
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "review.settings"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE) as seeding:
        process = psutil.Process(seeding.pid)

        def maker() -> list[psutil.Process]:
            return [child for child in process.children() if "spawn_main" in " ".join(child.cmdline())]

        wait_until(lambda: bool(maker()) and maker()[0].cpu_times().user > 2)  # it is making queries
        children = process.children()
        seeding.kill()
        wait_until(lambda: not any(child.is_running() and child.status() != "zombie" for child in children))
