"""Triggers a cycle that a worker runs."""

import logging

from django.db import transaction

from selftest.core.generation.recipes import recipes_named
from selftest.cycles import handing_over, lifecycle
from selftest.cycles.lifecycle import CycleRequest
from selftest.models import Cycle
from selftest.reading.tuning import is_enabled
from selftest.refusals import BrokerAwayError
from selftest.storage.broker_faults import BROKER_AWAY

log = logging.getLogger(__name__)


def trigger_later(request: CycleRequest) -> Cycle | None:
    """Hands one cycle to the worker; None where testing is switched off and nothing was handed over.

    Raises BrokerAwayError, in an open transaction at its end; the cycle is withdrawn then.
    """
    recipes_named(request.recipes)
    if not is_enabled(request.target):
        return None
    cycle = lifecycle.prepare(request)
    cycle.save()
    transaction.on_commit(lambda: _hand_over(cycle))
    return cycle


def _hand_over(cycle: Cycle) -> None:
    try:
        handing_over.hand_over_requested(cycle)
    except BROKER_AWAY as failure:
        log.exception("%s could not be handed to the worker", cycle)
        lifecycle.withdraw(cycle, f"it could not be handed to the worker: {failure}")
        raise BrokerAwayError(
            "the broker between here and the worker is away, so no cycle was queued; try again when Redis is back"
        ) from failure
