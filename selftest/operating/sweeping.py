"""The sweep inside every worker: hands over again what no live worker holds, ends what a dead one left.

What was put off until a day or a version comes back with it, also while no cycle runs. It reads rows only, so a
flushed broker, a lost task and a killed worker are all the same to it. Several workers may sweep at once: to hand over
twice runs once. It runs no cycle itself. Once an hour it has the housekeeping begun.
"""

import logging
import threading
import time
from datetime import timedelta

from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from selftest.cycles import handing_over, lifecycle, spreading
from selftest.cycles.putting_off import bring_back_due
from selftest.models import Chunk, Cycle, Reduction, Target
from selftest.operating.schedule import correct_next_run
from selftest.reading.housekeeping import housekeeping, is_due
from selftest.reading.tuning import is_enabled
from selftest.reading.waiting_work import Work, planned_searches, startable_cycles
from selftest.reading.worker import waiting_tasks
from selftest.storage import database_patience
from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY

log = logging.getLogger(__name__)

SWEEP_S = 15.0
# What is younger is on its way, or was handed over a moment ago. With the time between sweeps, below a minute.
ON_ITS_WAY_S = 20.0

HOUSEKEEPING_AGAIN_S = 300.0  # its task may wait behind cycles

_Key = tuple[type[Work], int]


class Sweeper:
    """One worker's sweeps. The first one hands over all that waits: its tasks may have gone with an earlier worker."""

    def __init__(self) -> None:
        self._handed_over: dict[_Key, float] = {}
        self._housekeeping_at: float | None = None
        self._is_first = True

    def run(self, stop: threading.Event) -> None:
        """Sweeps until `stop` is set, whatever is away meanwhile."""
        while True:
            try:
                self.sweep()
            except BROKER_OR_DATABASE_AWAY as failure:
                if isinstance(failure, AnyDatabaseError):
                    database_patience.note_away()
                log.warning("The sweep failed and is repeated: %s", " ".join(str(failure).split()))
                connection.close()
            except Exception:  # a fault of ours must not end the sweeping
                log.exception("The sweep failed and is repeated")
            if stop.wait(SWEEP_S):
                connection.close()
                return

    def sweep(self) -> None:
        """One sweep. Raises what the database or the broker raises."""
        _end_abandoned()
        correct_next_run()
        bring_back_due(timezone.now())
        waiting = _waiting()
        keys = set(map(_key, waiting))
        self._handed_over = {key: at for key, at in self._handed_over.items() if key in keys}
        due = [work for work in waiting if self._is_due(work)]
        if due and (self._is_first or _are_some_lost(len(waiting))):
            for work in due:
                handing_over.hand_over(work)
                self._handed_over[_key(work)] = time.monotonic()
        self._have_house_kept()
        self._is_first = False

    def _have_house_kept(self) -> None:
        since = self._housekeeping_at
        is_on_its_way = since is not None and time.monotonic() - since < HOUSEKEEPING_AGAIN_S
        if is_due(housekeeping(), timezone.now()) and not is_on_its_way:
            handing_over.hand_over_housekeeping()
            self._housekeeping_at = time.monotonic()

    def _is_due(self, work: Work) -> bool:
        handed_over_at = self._handed_over.get(_key(work))
        if handed_over_at is not None:
            return time.monotonic() - handed_over_at >= ON_ITS_WAY_S
        age = timezone.now() - work.created_at
        # Below zero where the clock was ahead and is set right.
        return self._is_first or not timedelta() <= age < timedelta(seconds=ON_ITS_WAY_S)


def _are_some_lost(waiting: int) -> bool:
    """Whether fewer tasks are queued than work waits: else all workers are busy, and more tasks would only pile up."""
    return (waiting_tasks() or 0) < waiting


def _key(work: Work) -> _Key:
    return type(work), work.pk


def _end_abandoned() -> None:
    running = Q(pk__in=Cycle.objects.filter(state__in=Cycle.OPEN_STATES).values("target"))
    searched = Q(
        pk__in=Reduction.objects.filter(state=Reduction.State.RUNNING).order_by().values("combination__target")
    )
    for target in Target.objects.filter(running | searched):
        try:
            lifecycle.end_abandoned(target)
        except AnyDatabaseError:
            raise
        except Exception:  # a fault of ours with one target keeps no other one waiting
            log.exception("What dead workers left on %s could not be taken from them", target)


def _waiting() -> list[Work]:
    """Of each target's cycles the oldest, as one runs at a time; where nothing may be asked all, to be withdrawn.

    Of a spread one the chunks that could be asked now.
    """
    cycles: list[Work] = []
    targets: set[int] = set()
    for cycle in startable_cycles().select_related("target"):
        if cycle.target_id not in targets or not is_enabled(cycle.target):
            cycles.append(cycle)
        targets.add(cycle.target_id)
    spread = Cycle.objects.filter(state=Cycle.State.RUNNING, chunks__state=Chunk.State.PLANNED).distinct()
    chunks = [chunk for cycle in spread.select_related("target") for chunk in spreading.startable(cycle)]
    return [*cycles, *chunks, *planned_searches()]
