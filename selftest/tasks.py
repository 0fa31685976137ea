"""What the django-q2 cluster calls, with ids only. Stored rows name these functions, so they stay where they are."""

from selftest.cycles import lifecycle
from selftest.cycles import runner as cycles
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import BUSY_WAIT_S
from selftest.cycles.triggering import trigger_later
from selftest.models import Cycle, Reduction, Target
from selftest.reviewing import smallest_query_search


def scheduled_cycles() -> str:
    """Queues one cycle for every target that is switched on: each is a task with its own time limit."""
    targets = Target.objects.filter(enabled=True)
    queued = [trigger_later(CycleRequest(target, Cycle.Trigger.SCHEDULE)) for target in targets]
    return ", ".join(str(cycle) for cycle in queued if cycle is not None) or "nothing to do"


def planned_cycle(cycle_id: int) -> str:
    """Runs the cycle that a page, a script or the schedule requested."""
    cycle = Cycle.objects.select_related("target").get(pk=cycle_id)
    outcome = cycles.run_planned(cycle, wait_s=BUSY_WAIT_S)
    if outcome.status is cycles.Status.BUSY:
        lifecycle.withdraw(cycle, f"nothing was asked: {outcome.note}, and this one waited {BUSY_WAIT_S:g} s for it")
    return outcome.status


def planned_reduction(reduction_id: int) -> str:
    """Runs the search for the smallest query that a page or a script requested."""
    rows = Reduction.objects.select_related("combination__target", "run__target")
    return smallest_query_search.run_planned(rows.get(pk=reduction_id))
