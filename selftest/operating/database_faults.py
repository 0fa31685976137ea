"""Which failures of the database are those of its surroundings, and what to do about them, in one sentence.

A full disk, a folder that may not be written to, a server that is away: a request is answered with 503 then, and a log
gets a line. Everything else the database refuses is a fault of ours. By SQLite's and PostgreSQL's codes, not by words.
"""

import errno
import sqlite3
from collections.abc import Iterator
from enum import StrEnum

from django.db import InterfaceError, OperationalError


class DatabaseFault(StrEnum):
    """Why the database cannot be used now, and what to do."""

    FULL = "The disk is full: free some space where the database is, then try again."
    READ_ONLY = "The database may not be written to: make its folder and files writable, then try again."
    UNREADABLE = (
        "The database's files cannot be used: check its folder, and its disk for errors and space; then try again."
    )
    BUSY = "The database is busy: try again in a moment."
    AWAY = "The database does not answer: check that it runs, then try again."


SQLITE_FAULTS = {
    sqlite3.SQLITE_FULL: DatabaseFault.FULL,
    sqlite3.SQLITE_READONLY: DatabaseFault.READ_ONLY,
    sqlite3.SQLITE_IOERR: DatabaseFault.UNREADABLE,
    sqlite3.SQLITE_CANTOPEN: DatabaseFault.UNREADABLE,
    sqlite3.SQLITE_BUSY: DatabaseFault.BUSY,
    sqlite3.SQLITE_LOCKED: DatabaseFault.BUSY,
}
PRIMARY_CODE = 0xFF  # the rest of SQLite's code tells details: SQLITE_IOERR_WRITE
SQLSTATE_FAULTS = {
    "53100": DatabaseFault.FULL,
    "25006": DatabaseFault.READ_ONLY,  # a standby
    "25P03": DatabaseFault.BUSY,  # this machine stood still in a transaction, which the server has ended
    "58030": DatabaseFault.UNREADABLE,
    "53": DatabaseFault.BUSY,  # too many connections, out of memory
    "40": DatabaseFault.BUSY,  # of two transactions that wait for each other, one is rolled back
    "57P": DatabaseFault.AWAY,  # it shuts down, or starts
    "08": DatabaseFault.AWAY,
}
ERRNO_FAULTS = {
    errno.ENOSPC: DatabaseFault.FULL,
    errno.EDQUOT: DatabaseFault.FULL,
    errno.EROFS: DatabaseFault.READ_ONLY,
    errno.EACCES: DatabaseFault.READ_ONLY,
    errno.EPERM: DatabaseFault.READ_ONLY,
}
MAX_CHAIN = 20
RETRY_AFTER_S = 30  # what programs wait for before they try again


def database_fault(error: BaseException | None) -> DatabaseFault | None:
    """What `error`, or what it was raised from or during, says about the database's surroundings; None: nothing."""
    return next((fault for link in _chain(error) if (fault := _fault_of(link)) is not None), None)


def in_one_line(error: Exception) -> str:
    """That the database cannot be used, why, and what to do where that is known."""
    fault = database_fault(error)
    said = f"the database cannot be used: {' '.join(str(error).split())}"
    return said if fault is None else f"{said}. {fault}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(MAX_CHAIN):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _fault_of(error: BaseException) -> DatabaseFault | None:
    if isinstance(error, sqlite3.Error):
        return SQLITE_FAULTS.get(getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE)
    if isinstance(error, OSError):
        return ERRNO_FAULTS.get(error.errno or 0)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return next((fault for start, fault in SQLSTATE_FAULTS.items() if state.startswith(start)), None)
    if isinstance(error, OperationalError | InterfaceError) and not isinstance(error.__cause__, sqlite3.Error):
        has_state = getattr(error.__cause__, "sqlstate", None) is not None
        return None if has_state else DatabaseFault.AWAY  # without a server there is nothing to give a code
    return None
