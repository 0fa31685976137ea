"""How passwords are hashed, and that few of them are at once: a hash is slow on purpose, and pages need the processor.

Django's own algorithm. The limit is one of the whole installation: its slots are files in DATA_DIR, which the system
unlocks when a process dies. Within a request a hash that finds no slot is refused, a command waits for one.
"""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from selftest.operating.running_instance import UNSUPPORTED

SLOTS = 2  # hashes at once, of all processes together
BUSY_RETRY_AFTER_S = 1  # a hash takes a fraction of a second

_of_this_process = tuple(threading.Lock() for _ in range(SLOTS))
_is_serving: ContextVar[bool] = ContextVar("is_serving", default=False)


class HashingBusyError(Exception):
    """All slots are taken, and this request does not wait."""


@contextmanager
def refusing_when_busy() -> Iterator[None]:
    """What is hashed inside is hashed at once or refused with HashingBusyError."""
    before = _is_serving.set(True)
    try:
        yield
    finally:
        _is_serving.reset(before)


@contextmanager
def hashing_slot() -> Iterator[None]:
    """One of the slots, for as long as it lasts. Raises HashingBusyError inside `refusing_when_busy`."""
    leave = next((leave for number in range(SLOTS) if (leave := _entered(number, waits=False)) is not None), None)
    if leave is None and _is_serving.get():
        raise HashingBusyError
    if leave is None:
        leave = _entered(0, waits=True)
    try:
        yield
    finally:
        if leave is not None:
            leave()


def _entered(number: int, waits: bool) -> Callable[[], None] | None:
    """How to leave the slot; None where it is taken. On a file system without locks it is one of this process."""
    slot = _opened(_slot_files()[number])
    try:
        fcntl.flock(slot, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(slot)
        return None
    except OSError as fault:
        os.close(slot)
        if fault.errno not in UNSUPPORTED:
            raise
        of_process = _of_this_process[number]
        return of_process.release if of_process.acquire(blocking=waits) else None
    return partial(os.close, slot)


def _slot_files() -> list[Path]:
    return [settings.ENVIRONMENT.data_dir / f"password_hash_{number}.lock" for number in range(1, SLOTS + 1)]


def _opened(path: Path) -> int:
    """A lock belongs to one opening of the file, so threads of a process exclude each other too."""
    return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)


class LimitedPBKDF2PasswordHasher(PBKDF2PasswordHasher):
    """Django's preferred hasher, each of whose hashes takes a slot. Passwords are kept in the same form."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """The hash of `password`. Raises HashingBusyError within a request while all slots are taken."""
        with hashing_slot():
            return super().encode(password, salt, iterations)
