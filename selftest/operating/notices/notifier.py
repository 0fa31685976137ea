"""The notifying inside every worker, in a thread of its own: no cycle waits for a channel, and no task is lost.

And its stand-in inside every process of the web server, as a worker that is missing cannot tell of itself. Missing is
the last one: of one among several the others do the work. Where neither runs, only something outside can tell.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import Error as AnyDatabaseError
from django.db import connection
from django.utils import timezone

from selftest.operating.notices import events
from selftest.operating.notices.delivering import deliver
from selftest.reading.worker import worker_clusters

log = logging.getLogger(__name__)

LOOK_S = 15.0
WATCH_S = 30.0
MISSING_AFTER = timedelta(minutes=3)  # a worker that is replaced or upgraded is there again by then


class WorkerWatch:
    """What one process has seen of the workers' signs of life."""

    def __init__(self) -> None:
        self.since: datetime | None = None  # its first look
        self._missing_since: datetime | None = None

    def has_worker(self, now: datetime) -> bool | None:
        """Whether one runs; None where none has been seen for less than MISSING_AFTER.

        One that cannot be seen, as the broker is away, can do nothing either.
        """
        self.since = self.since or now
        if worker_clusters():
            self._missing_since = None
            return True
        if self._missing_since is None or now < self._missing_since:  # the clock was set back
            self._missing_since = now
        return False if now - self._missing_since >= MISSING_AFTER else None


class Notifier:
    """Of a worker: tells what has happened, and sends what is due."""

    def __init__(self) -> None:
        self._watch = WorkerWatch()

    def look(self, now: datetime) -> None:
        """One look. Raises what the database raises."""
        try:
            events.look(now, self._watch.has_worker(now), self._watch.since)
        finally:  # one event that cannot be told keeps no other back
            deliver()
        events.forget_old(now)


class StandIn:
    """Of a web server: does the same while no worker runs, and nothing otherwise."""

    def __init__(self) -> None:
        self._watch = WorkerWatch()

    def look(self, now: datetime) -> None:
        """One look. Raises what the database raises."""
        if self._watch.has_worker(now) is False:
            events.look(now, has_worker=False, running_since=self._watch.since)
            deliver()


def run(stop: threading.Event) -> None:
    """Notifies until `stop` is set, whatever is away meanwhile."""
    _repeat(Notifier().look, LOOK_S, stop)


def stand_in() -> None:
    """Starts the stand-in of this process of the web server; it ends with the process."""
    never = threading.Event()
    threading.Thread(target=_repeat, args=(StandIn().look, WATCH_S, never), name="stand-in", daemon=True).start()


def _repeat(look: Callable[[datetime], None], pause_s: float, stop: threading.Event) -> None:
    while not stop.wait(pause_s):
        try:
            look(timezone.now())
        except AnyDatabaseError as failure:
            log.warning("Notices wait for the database: %s", " ".join(str(failure).split()))
        except Exception:  # a fault of ours must not end the notifying
            log.exception("Notifying failed and is repeated")
        finally:
            connection.close()
