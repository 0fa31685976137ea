"""Waits for a database that is away: what must not be dropped is tried until it answers.

Knows nothing of what is tried. Only the end of the process ends the waiting, so a person's request is left to fail.
"""

import logging
from collections.abc import Callable
from itertools import chain, repeat
from time import monotonic, sleep
from typing import TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection

from selftest.storage import database_file

log = logging.getLogger(__name__)

T = TypeVar("T")

# Away, restarting, locked, full, read-only for a while: passes without a change of ours.
PASSING = (OperationalError, InterfaceError, InternalError)
LATELY_S = 30.0
WAITS_S = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # the last one is repeated; short, as a lease may run out meanwhile


_away_s = float("-inf")  # when this process last saw it away, by the monotonic clock


def note_away() -> None:
    """Notes that this process has just seen it away."""
    global _away_s  # noqa: PLW0603 - of the process, as the database is
    _away_s = monotonic()


def was_away_lately() -> bool:
    """Whether this process saw it away within LATELY_S: no one could write anything meanwhile."""
    return monotonic() - _away_s < LATELY_S


def keep_trying(act: Callable[[], T]) -> T:
    """The result of `act`, which is called again, on a new connection, for as long as the database is away.

    `act` may have taken effect although it failed, so it must do no harm when it is repeated. In an open transaction it
    is called once: to repeat its end alone would be of no use.
    """
    is_first = True
    for wait_s in chain(WAITS_S, repeat(WAITS_S[-1])):
        try:
            if not is_first and database_file.is_missing():
                raise OperationalError("there is no database file, and a new one would be empty")
            return act()
        except PASSING as failure:
            if connection.in_atomic_block:
                raise
            if is_first:
                log.warning("The database is away; trying until it answers: %s", " ".join(str(failure).split()))
            is_first = False
            note_away()
            connection.close()  # a broken one is replaced by a new one
        sleep(wait_s)
    raise AssertionError("the waits never end")
