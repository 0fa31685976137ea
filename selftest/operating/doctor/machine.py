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
SQLITE = "django.db.backends.sqlite3"


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
    """Whether DATA_DIR and what Gadfly needs in it can be written to, and by no one else."""
    folder = _data_folder()
    quoted = shlex.quote(str(folder))
    if not os.access(folder, os.W_OK | os.X_OK):
        step = f"Give {folder} to the user that Gadfly runs as."
        words, command = "DATA_DIR cannot be written to", f"chown -R gadfly {quoted}"
        return [Diagnosis(State.WRONG, words, next_step=step, command=command)]
    if locked := _locked_files(folder):
        step = f"Give {locked[0]} to the user that Gadfly runs as."
        words = f"{locked[0].name} cannot be used by this user"
        return [Diagnosis(State.WRONG, words, next_step=step, command=_give(locked))]
    if found := open_to_others(folder):
        step = f"Close {found} to others, and replace the keys in it if they may have been read."
        # Closed to others, one of another owner could not even be read by Gadfly any more.
        command = f"chmod -R go= {quoted}" if os.access(found, os.W_OK) else _give([found])
        return [Diagnosis(State.WRONG, "Others can read DATA_DIR", next_step=step, command=command)]
    if closed := settings.ENVIRONMENT.was_open:
        return [_closed_just_now(closed)]
    return [Diagnosis(State.OK, "Its owner's alone")]


def _locked_files(folder: Path) -> list[Path]:
    """Those of the database that cannot be read and written to, and the secret key where it cannot be read."""
    needs = {folder / "secret_key": os.R_OK}
    database = settings.ENVIRONMENT.database
    if database["ENGINE"] == SQLITE:
        needs |= {Path(f"{database['NAME']}{ending}"): os.R_OK | os.W_OK for ending in ("", "-wal", "-shm")}
    return [path for path, need in needs.items() if path.exists() and not os.access(path, need)]


def _give(files: Sequence[Path]) -> str:
    """Makes them the user's that Gadfly runs as, and no one else's."""
    names = shlex.join(map(str, files))
    return f"chown gadfly {names} && chmod u+rw,go= {names}"


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
