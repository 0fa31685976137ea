"""The doctor as a process of its own: it looks even where no other command can begin."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Manage


@pytest.mark.process
def test_a_data_folder_that_cannot_be_used_is_told_by_its_check(manage_process: Manage, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    unusable = str(tmp_path / "file" / "data")
    ended = manage_process("doctor", "--json", DATA_DIR=unusable)
    told = {check["code"]: check for check in json.loads(ended.stdout)["checks"]}
    assert (ended.returncode, told["GF011"]["found"]) == (1, "DATA_DIR cannot be written to")
    assert told["GF011"]["command"] == f"chown -R gadfly {unusable}"
    assert manage_process("run_cycle", DATA_DIR=unusable).returncode == 2
