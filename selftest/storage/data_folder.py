"""DATA_DIR is its owner's alone: 0700, and 0600 for the files in it. The standard library only: settings use it.

What is open to others is closed, whatever it was before; what the owner may do stays as it is.
"""

import os
import stat
from pathlib import Path

FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
OWN_NAMES = ("gadfly.sqlite3", "secret_key", "running.lock")


def make_private(folder: Path) -> str | None:
    """Closes `folder` and the files right in it to others. One line where that is not possible, else None.

    A folder that many share stays open, and in it all files but the product's, as other programs need them: the root,
    and what has the sticky bit, as /tmp has.
    """
    is_shared = folder == folder.parent or bool(folder.stat().st_mode & stat.S_ISVTX)
    found = _files(folder)
    ours = [path for path in found if path.name.startswith(OWN_NAMES)] if is_shared else found
    open_still = [path for path in (folder, *ours) if (is_shared and path == folder) or not _closed(path)]
    if not open_still:
        return None
    if is_shared:
        return f"DATA_DIR {folder} is open to others: give Gadfly a folder of its own"
    return f"Others have access to {open_still[0]}, which only its owner can end: chmod go= {open_still[0]}"


def open_to_others(folder: Path) -> Path | None:
    """The first of `folder` and what is ours right in it that others have access to; None: it is its owner's alone."""
    ours = [path for path in _files(folder) if path.name.startswith(OWN_NAMES)]
    return next((path for path in (folder, *ours) if path.stat().st_mode & FOR_OTHERS), None)


def _files(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        return [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]


def _closed(path: Path) -> bool:
    """Whether others have no access to it now."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if not mode & FOR_OTHERS:
            return True
        path.chmod(mode & ~FOR_OTHERS)
    except FileNotFoundError:
        return True  # SQLite removes the files beside its database when it is closed
    except OSError:  # of another owner, or on a file system that is read-only
        return False
    return True
