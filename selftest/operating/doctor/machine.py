"""Whether this machine has room, and keeps what is private to itself."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from selftest.operating.doctor.diagnosis import Diagnosis, Situation, State
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
    return [Diagnosis(State.WRONG, words, next_step=step)]


def permissions(situation: Situation) -> Sequence[Diagnosis]:
    """Whether DATA_DIR can be written to, and by no one else."""
    folder = _data_folder()
    if not os.access(folder, os.W_OK | os.X_OK):
        step = f"Give {folder} to the user that Gadfly runs as."
        words, command = "DATA_DIR cannot be written to", f"chown -R gadfly {folder}"
        return [Diagnosis(State.WRONG, words, next_step=step, command=command)]
    if found := open_to_others(folder):
        step = f"Close {found} to others, and replace the keys in it if they may have been read."
        return [Diagnosis(State.WRONG, "Others can read DATA_DIR", next_step=step, command=f"chmod -R go= {folder}")]
    return [Diagnosis(State.OK, "Its owner's alone")]


def _data_folder() -> Path:
    folder: Path = settings.ENVIRONMENT.data_dir
    return folder.resolve()
