"""Hands planned work to the worker: once when it is requested, and again where its task was lost.

The row is the truth and its task only a wake-up call, which does nothing unless the row is still planned. So to hand
over once too often does no harm.
"""

import logging

from django.db import Error as AnyDatabaseError
from django.db.models import QuerySet
from django.utils.module_loading import import_string
from django_q.tasks import async_task

from selftest.cycles import spreading
from selftest.models import Chunk, Cycle, Target
from selftest.reading.waiting_work import Work, startable_cycles
from selftest.storage.broker_faults import BROKER_OR_DATABASE_AWAY

log = logging.getLogger(__name__)

CYCLE_TASK = "selftest.tasks.planned_cycle"
CHUNK_TASK = "selftest.tasks.next_chunk"
REDUCTION_TASK = "selftest.tasks.planned_reduction"
HOUSEKEEPING_TASK = "selftest.tasks.housekeeping"


def hand_over(work: Work) -> None:
    """Queues the task that runs it. Raises one of BROKER_AWAY, or the database's error where that is the broker."""
    match work:
        case Cycle():
            async_task(CYCLE_TASK, work.pk, task_name=f"cycle {work.pk}")
        case Chunk():  # whichever of its cycle is the next one then
            async_task(CHUNK_TASK, work.cycle_id, task_name=f"chunk of cycle {work.cycle_id}")
        case _:
            async_task(REDUCTION_TASK, work.pk, task_name=f"reduction {work.pk}")


def hand_over_housekeeping() -> None:
    """Queues the task that tidies up. Raises as `hand_over` does."""
    async_task(HOUSEKEEPING_TASK, task_name="housekeeping")


def hand_over_requested(work: Work) -> None:
    """The same of what was saved a moment ago. Raises one of BROKER_AWAY.

    Where the database is the broker and fails now, it is left to the next sweep: the row is kept, so who requested it
    must not be told to do so again.
    """
    try:
        hand_over(work)
    except AnyDatabaseError:
        log.warning("%s could not be handed over; the next sweep does it", work, exc_info=True)


def hand_over_chunks(cycle: Cycle, at_most: int | None = None) -> None:
    """Hands over the chunks of a spread cycle that may be asked now. A failure is left to the next sweep."""
    try:
        for chunk in spreading.startable(cycle)[:at_most]:
            hand_over(chunk)
    except BROKER_OR_DATABASE_AWAY:
        log.warning("Chunks of %s could not be handed over; the next sweep does it", cycle, exc_info=True)


def take_over_chunk(cycle: Cycle) -> bool:
    """Does here what a worker that is free would do: asks a chunk of a spread cycle. False where none may be asked."""
    if not spreading.startable(cycle):
        return False
    import_string(CHUNK_TASK)(cycle.pk)
    return True


def hand_over_next(target: Target) -> None:
    """Hands over what waited for its turn on `target`. A failure is left to the next sweep."""
    try:
        _hand_over_first(startable_cycles().filter(target=target))
    except BROKER_OR_DATABASE_AWAY:
        log.warning("The next cycle on %s could not be handed over; the next sweep does it", target, exc_info=True)


def _hand_over_first(waiting: QuerySet[Cycle]) -> None:
    if (cycle := waiting.first()) is not None:
        hand_over(cycle)
