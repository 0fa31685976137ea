"""Requesting the smallest query that still shows a finding; `smallest_query_search` finds it, in the worker."""

import logging

from django.db import IntegrityError, transaction
from django.utils import timezone

from selftest.cycles import handing_over, lifecycle, ownership
from selftest.models import ENGINE, Actor, Cause, Combination, Flag, Reduction, Target, Tuning
from selftest.reading.causes import searched_for
from selftest.reading.tuning import is_enabled
from selftest.refusals import BrokerAwayError, RefusedError
from selftest.storage.broker_faults import BROKER_AWAY

log = logging.getLogger(__name__)

# To the target, for one smallest query: 25 subsets of up to three of five clauses; the rest is for reproducing the
# finding, for parts alone and for plainer words.
REQUESTS_AT_MOST = 40


def minimise_new_causes(target: Target) -> int:
    """Queues the search for the smallest query of the newest causes for which there was none; how many were queued.

    As many as the settings say, those with most flags first. What is refused is left to the next cycle.
    """
    at_most = Tuning.get_solo().smallest_queries
    waiting = Cause.objects.filter(target=target, merged_into=None, verdict=None).exclude(example=None)
    queued = 0
    for cause in waiting.select_related("example__combination").order_by("-flags", "id"):
        flag = cause.example
        if queued == at_most:
            break
        if flag is None or Reduction.objects.filter(searched_for([cause])).exists():
            continue
        try:
            queued += minimise(flag.combination, Actor(ENGINE), flag) is not None
        except RefusedError as refusal:
            log.info("No smallest query for cause %s: %s", cause.pk, refusal)
    return queued


def minimise(combination: Combination, actor: Actor, flag: Flag | None = None) -> Reduction | None:
    """Queues the search for the smallest query that still shows `flag`, or else what was flagged last.

    None where testing is switched off. Raises RefusedError where nothing was flagged, or where a search is under way;
    BrokerAwayError, at the end of an open transaction, where the worker cannot be told: the search is then stopped.
    """
    lifecycle.end_abandoned(combination.target)  # what cost worker after worker its life must not stand in the way
    combination.refresh_from_db()
    if combination.last_flagged_run_id is None:
        raise RefusedError("no flagged run of this combination is kept; there is nothing to minimise")
    if not is_enabled(combination.target):
        return None
    try:
        with transaction.atomic():
            planned = Reduction.objects.create(
                combination=combination,
                run_id=flag.run_id if flag else combination.last_flagged_run_id,
                check_name=flag.check_name if flag else combination.flagged_check,
                askings_at_most=REQUESTS_AT_MOST,
                requested_by=actor.user,
                created_at=timezone.now(),
            )
    except IntegrityError as already:  # one_open_reduction
        raise RefusedError("its smallest query is being looked for already; wait for the result") from already
    transaction.on_commit(lambda: _hand_over(planned))
    log.info("%s minimises combination %s", actor.name, combination.pk)
    return planned


def _hand_over(planned: Reduction) -> None:
    try:
        handing_over.hand_over_requested(planned)
    except BROKER_AWAY as failure:
        log.exception("Reduction %s could not be handed to the worker", planned.pk)
        lifecycle.end_reduction(planned, f"it could not be handed to the worker: {failure}")
        raise BrokerAwayError(
            "the broker between here and the worker is away, so nothing was started; try again when Redis is back"
        ) from failure


def is_given_up(reduction: Reduction) -> bool:
    """Whether it is marked as running but its worker is gone."""
    return reduction.state == Reduction.State.RUNNING and ownership.is_abandoned(reduction, timezone.now())
