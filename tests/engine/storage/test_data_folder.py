"""DATA_DIR is its owner's alone."""

import os
import stat
from pathlib import Path

import pytest

from selftest.storage.data_folder import make_private


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _file(path: Path, mode: int) -> Path:
    path.touch()
    path.chmod(mode)
    return path


def test_the_folder_and_all_files_in_it_are_closed_to_others(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files = [_file(tmp_path / name, 0o644) for name in ("gadfly.sqlite3", "gadfly.sqlite3-wal", "my backup")]
    assert make_private(tmp_path) is None
    assert _mode(tmp_path) == 0o700
    assert [_mode(file) for file in files] == [0o600] * 3


def test_what_the_owner_may_do_stays(tmp_path: Path) -> None:
    tmp_path.chmod(0o2775)
    script, kept = _file(tmp_path / "script", 0o755), _file(tmp_path / "kept", 0o444)
    make_private(tmp_path)
    assert (_mode(tmp_path), _mode(script), _mode(kept)) == (0o2700, 0o700, 0o400)


def test_what_a_link_leads_to_is_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    elsewhere = _file(tmp_path / "elsewhere", 0o644)
    (folder / "link").symlink_to(elsewhere)
    assert make_private(folder) is None
    assert _mode(elsewhere) == 0o644


def test_in_a_folder_that_many_share_only_the_product_s_files_are_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    ours, theirs = _file(tmp_path / "secret_key", 0o644), _file(tmp_path / "theirs", 0o644)
    assert make_private(tmp_path) == f"DATA_DIR {tmp_path} is open to others: give Gadfly a folder of its own"
    assert (_mode(tmp_path), _mode(ours), _mode(theirs)) == (0o1777, 0o600, 0o644)


def test_where_only_another_owner_could_close_it_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, os.strerror(1))

    monkeypatch.setattr(Path, "chmod", refuse)  # as root, who runs tests in containers, may always
    line = make_private(tmp_path)
    assert line == f"Others have access to {tmp_path}, which only its owner can end: chmod go= {tmp_path}"
