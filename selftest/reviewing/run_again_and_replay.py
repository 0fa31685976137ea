"""Asking again: one combination several times, or all queries of a cycle. The worker does it."""

import logging

from django.db import transaction
from django.db.models import QuerySet

from selftest.cycles import lifecycle
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.models import Actor, Combination, Cycle
from selftest.refusals import RefusedError
from selftest.storage.locks import locked

log = logging.getLogger(__name__)

MAX_TIMES = 20  # of one combination in a cycle: enough to see how often it breaks, and no burden on its target


def run_again(combination: Combination, times: int, actor: Actor) -> Cycle | None:
    """Queues a cycle that asks `combination` alone, `times` times; None where testing is switched off.

    Raises RefusedError where `times` is out of bounds, or where the combination is being asked again already.
    """
    if not 1 <= times <= MAX_TIMES:
        raise RefusedError(f"a combination is asked again 1 to {MAX_TIMES} times, not {times}")
    lifecycle.end_abandoned(combination.target)  # what a dead worker left open must not stand in the way
    with transaction.atomic():
        locked(Combination.objects).get(pk=combination.pk)  # of two clicks at once, one sees the other's
        _refuse_if_open(Cycle.objects.filter(combination=combination), "this combination is being asked again")
        queued = trigger_later(CycleRequest(combination.target, Cycle.Trigger.PAGE, times, combination=combination))
    log.info("%s runs combination %s again, %d times: %s", actor.name, combination.pk, times, queued)
    return queued


def replay(cycle: Cycle, actor: Actor) -> Cycle | None:
    """Queues a cycle that asks the queries of `cycle` again; None where testing is switched off.

    Raises RefusedError where `cycle` is not over or has no query, or where it is being replayed already.
    """
    if cycle.state in Cycle.OPEN_STATES:
        raise RefusedError(f"{cycle} is not over; replay it when it is")
    count = cycle.runs.count()
    if not count:
        raise RefusedError(f"{cycle} ended before it had chosen any query, so there is nothing to replay")
    lifecycle.end_abandoned(cycle.target)
    with transaction.atomic():
        locked(Cycle.objects).get(pk=cycle.pk)
        _refuse_if_open(Cycle.objects.filter(replay_of=cycle), f"{cycle} is being replayed")
        queued = trigger_later(CycleRequest(cycle.target, Cycle.Trigger.PAGE, count, cycle.seed, replay_of=cycle))
    log.info("%s replays %s: %s", actor.name, cycle, queued)
    return queued


def _refuse_if_open(repetitions: QuerySet[Cycle], what: str) -> None:
    already = repetitions.filter(state__in=Cycle.OPEN_STATES).first()
    if already is not None:
        raise RefusedError(f"{what} already, by {already}; see what it finds first")
