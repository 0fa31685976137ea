"""The database connections of a process of the web server, handed from one thread to the next.

Django keeps one for each thread, and closes it only when that thread serves again: of eight threads, all that ever
served at the same time would keep theirs for as long as nothing comes.
"""

from threading import Lock
from time import monotonic

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

IDLE_S = 60.0  # after which it is closed


class KeptConnections:
    """Those that no thread uses now. The one used last is used next, so only as many are open as are used at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._free: list[tuple[float, BaseDatabaseWrapper]] = []

    @property
    def open_count(self) -> int:
        """How many there are."""
        return len(self._free)

    def take(self) -> None:
        """Gives this thread one that is open, if there is any; else it opens its own when it needs one."""
        with self._lock:
            kept = self._free.pop()[1] if self._free else None
        if kept is not None:
            connections[kept.alias] = kept

    def give_back(self) -> None:
        """Takes it from this thread."""
        for used in connections.all(initialized_only=True):
            del connections[used.alias]
            if not used.allow_thread_sharing:
                used.inc_thread_sharing()
            with self._lock:
                self._free.append((monotonic(), used))

    def close_idle(self) -> None:
        """Closes what no thread has used for a while."""
        with self._lock:
            oldest = monotonic() - IDLE_S
            idle = [kept for since, kept in self._free if since <= oldest]
            self._free = [(since, kept) for since, kept in self._free if since > oldest]
        for kept in idle:
            kept.close()
