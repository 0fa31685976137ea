"""Whether this machine has room, and keeps what is private to itself."""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from selftest.operating.doctor.diagnosis import Diagnosis, Severity, Situation, State
from selftest.storage.data_folder import open_to_others

GIGABYTE = 1024**3
LITTLE_BYTES = 2 * GIGABYTE  # a year of cycles every minute is about as large
NONE_BYTES = GIGABYTE // 5


def disk(situation: Situation) -> Sequence[Diagnosis]:
    """Whether DATA_DIR can still grow."""
    folder = _data_folder()
    free = shutil.disk_usage(folder).free
    words = f"{free / GIGABYTE:.1f} GB free"
    if free >= LITTLE_BYTES:
        return [Diagnosis(State.OK, words)]
    urgent = "No cycle can be recorded soon. " if free < NONE_BYTES else ""
    step = f"{urgent}Make room on the disk of {folder}, or keep raw answers for fewer days."
    return [Diagnosis(State.WRONG, words, next_step=step, command=shlex.join(["df", "-h", str(folder)]))]


def permissions(situation: Situation) -> Sequence[Diagnosis]:
    """Whether DATA_DIR can be written to, and by no one else."""
    folder = _data_folder()
    quoted = shlex.quote(str(folder))
    if not os.access(folder, os.W_OK | os.X_OK):
        step = f"Give {folder} to the user that Gadfly runs as."
        words, command = "DATA_DIR cannot be written to", f"chown -R gadfly {quoted}"
        return [Diagnosis(State.WRONG, words, next_step=step, command=command)]
    if found := open_to_others(folder):
        step = f"Close {found} to others, and replace the keys in it if they may have been read."
        return [Diagnosis(State.WRONG, "Others can read DATA_DIR", next_step=step, command=f"chmod -R go= {quoted}")]
    if closed := settings.ENVIRONMENT.was_open:
        return [_closed_just_now(closed)]
    return [Diagnosis(State.OK, "Its owner's alone")]


def _closed_just_now(closed: Path) -> Diagnosis:
    """A warning: no one can read it any more, and what was read stays known."""
    step = (
        "If the keys in it may have been read, set another SECRET_KEY, the earlier one in SECRET_KEY_FALLBACKS, "
        "restart, and replace the API keys in the admin."
    )
    words = "Others could read DATA_DIR until this process closed it"
    return Diagnosis(
        State.WRONG, words, detail=str(closed), next_step=step, command="manage.py start", severity=Severity.WARNING
    )


def _data_folder() -> Path:
    folder: Path = settings.ENVIRONMENT.data_dir
    return folder.resolve()
