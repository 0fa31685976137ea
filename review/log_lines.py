"""Makes one line of what a database's or a broker's surroundings did to us: no traceback, and one line a minute.

Another filter puts the work in hand into each record. The time of the last line is shared by all processes that are
forked after this module was imported: a worker's would each say the same, again and again.
"""

import logging
import mmap
import struct
import sys
import time
import traceback

from selftest.cycles.log_context import work_in_hand
from selftest.operating.database_faults import DatabaseFault, database_fault

LINE_EVERY_S = 60.0
TRACEBACK = "Traceback (most recent call last)"
FOLLOW_UPS = ("reincarnated ",)  # by django-q, of the process that ended for it
BROKER_AWAY = "Redis cannot be used: check that it runs, and that REDIS_URL is right."
NUMBERS: dict[str, int] = {fault: number for number, fault in enumerate((*DatabaseFault, BROKER_AWAY))}
STAMP = struct.Struct("d")

_last_lines = mmap.mmap(-1, STAMP.size * len(NUMBERS))  # of each fault, by time.monotonic()


class OneLinePerFault(logging.Filter):
    """Drops what was said within the last minute; shortens the rest."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be logged."""
        error = _error_of(record)
        fault: str | None = database_fault(error) or _broker_fault(error)
        if fault is None:
            _shorten_outcome(record)
            return not (record.name == "django-q" and record.getMessage().startswith(FOLLOW_UPS) and _any_of_late())
        if _is_of_late(fault):
            return False
        STAMP.pack_into(_last_lines, STAMP.size * NUMBERS[fault], time.monotonic())
        reason = " ".join("".join(traceback.format_exception_only(error)).split())
        said = "" if record.msg is error else f"{' '.join(record.getMessage().split())}: "
        record.msg, record.args = f"{said}{fault} ({reason})", ()
        record.exc_info = record.exc_text = None
        return True


def _broker_fault(error: BaseException | None) -> str | None:
    """Only a process that has loaded the client of Redis can have an error of it."""
    redis = sys.modules.get("redis.exceptions")
    return BROKER_AWAY if redis and isinstance(error, redis.ConnectionError | redis.TimeoutError) else None


def _error_of(record: logging.LogRecord) -> BaseException | None:
    """The one that is logged with its traceback or, as django-q does where a heartbeat fails, as the message itself."""
    if record.exc_info:
        return record.exc_info[1]
    return record.msg if isinstance(record.msg, BaseException) else None


def _shorten_outcome(record: logging.LogRecord) -> None:
    """Of a task that failed for its database, django-q logs the traceback as text."""
    said = record.getMessage() if record.name == "django-q" else ""
    reason, is_there, _ = said.partition(TRACEBACK)
    if is_there and "django.db.utils.OperationalError" in said:
        record.msg, record.args = " ".join(reason.split()).rstrip(" :"), ()


def _is_of_late(fault: str) -> bool:
    (last,) = STAMP.unpack_from(_last_lines, STAMP.size * NUMBERS[fault])
    return bool(last and time.monotonic() - last < LINE_EVERY_S)


def _any_of_late() -> bool:
    return any(map(_is_of_late, NUMBERS))


class WorkInHand(logging.Filter):
    """Puts the cycle and the run that are worked on into each record, as attributes of these names; None for none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always True."""
        work = work_in_hand()
        record.cycle, record.run = work.get("cycle"), work.get("run")
        return True


def forget() -> None:
    """As if nothing had been logged yet."""
    _last_lines[:] = bytes(len(_last_lines))
