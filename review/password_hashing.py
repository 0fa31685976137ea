"""How passwords are hashed, and that few of them are at once: a hash is slow on purpose, and pages need the processor.

Django's own algorithm. The limit is one of the whole installation: its slots are files in DATA_DIR, which the system
unlocks when a process dies. Within a request a hash that finds no slot is refused, a command waits for one.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

SLOTS = 2  # hashes at once, of all processes together
BUSY_RETRY_AFTER_S = 1  # a hash takes a fraction of a second

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
    slot = _free_slot()
    if slot is None and _is_serving.get():
        raise HashingBusyError
    if slot is None:
        slot = _opened(_slot_files()[0])
        fcntl.flock(slot, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(slot)


def _free_slot() -> int | None:
    for path in _slot_files():
        slot = _opened(path)
        try:
            fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(slot)
        else:
            return slot
    return None


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
