"""Which start runs on a DATA_DIR: one at a time, known by a lock on a file in it.

The lock belongs to the open file, which the start's children inherit: it is free when the last of them has ended, and
no file that a crash left behind can hold it.
"""

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from selftest.refusals import SetupError

LOCK_NAME = "running.lock"
POLL_S = 0.2
LEFT_OVER_LIMIT_S = 30.0  # the children of a start that was killed end within ten seconds
UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}  # by some network file systems


@dataclass(frozen=True)
class Instance:
    """What a start writes about itself. serves: it has answered a request."""

    pid: int
    machine: str
    url: str
    serves: bool = False

    @property
    def is_alive(self) -> bool:
        """True also where that cannot be known: on another machine or in another container."""
        if self.machine != socket.gethostname():
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def __str__(self) -> str:
        elsewhere = "" if self.machine == socket.gethostname() else f" on {self.machine}"
        return f"process {self.pid}{elsewhere}"


def hold(folder: Path, url: str, say: Callable[[str], None]) -> int:
    """The lock of DATA_DIR `folder`, as a descriptor. Waits while another start prepares there, takes over if it ends.

    Raises SetupError where another start serves, and where the folder cannot be written to.
    """
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(descriptor, say):
            _wait(descriptor, folder, say)
        _write(descriptor, Instance(os.getpid(), socket.gethostname(), url))
    except OSError as fault:
        raise SetupError(f"DATA_DIR={str(folder)!r} cannot be written to: {fault.strerror}") from fault
    return descriptor


def tell_that_it_serves(descriptor: int) -> None:
    """Tells a second start that the one which holds this lock answers."""
    instance = _read(descriptor)
    with suppress(OSError):  # a disk that filled up since: a second start waits instead of being refused
        if instance is not None:
            _write(descriptor, replace(instance, serves=True))


def _wait(descriptor: int, folder: Path, say: Callable[[str], None]) -> None:
    """Returns when the lock is this process's. Raises SetupError."""
    said: object = None
    deadline = time.monotonic() + LEFT_OVER_LIMIT_S
    while True:
        other = _read(descriptor)
        if other is not None and other.is_alive:
            if other.serves:
                raise SetupError(
                    f"DATA_DIR={str(folder)!r} is in use: {other} serves {other.url}; "
                    "stop it first, or give this one a DATA_DIR of its own"
                )
            deadline = time.monotonic() + LEFT_OVER_LIMIT_S
        elif time.monotonic() > deadline:
            raise SetupError(
                f"DATA_DIR={str(folder)!r} is in use: what {other or 'another start'} left running has not ended"
            )
        if said != other and other is not None:
            said = other
            doing = "is preparing" if other.is_alive else "was killed, and what it started is ending in"
            say(f"Waiting: {other} {doing} {folder}.")
        if _lock(descriptor, say):
            return
        time.sleep(POLL_S)


def _lock(descriptor: int, say: Callable[[str], None]) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as fault:
        if fault.errno not in UNSUPPORTED:
            raise
        say("The file system of DATA_DIR has no locks: take care that only one start uses it.")
    return True


def _write(descriptor: int, instance: Instance) -> None:
    text = json.dumps(asdict(instance)).encode()
    os.pwrite(descriptor, text, 0)
    os.ftruncate(descriptor, len(text))


def _read(descriptor: int) -> Instance | None:
    """None: the other start has not written yet, or is writing."""
    try:
        return Instance(**json.loads(os.pread(descriptor, 4096, 0)))
    except (ValueError, TypeError):
        return None
