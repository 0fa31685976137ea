"""What the django-q2 cluster calls: ids only, a few lines each."""

from selftest import cycle as cycles
from selftest import lifecycle
from selftest.cycle import BUSY_WAIT_S
from selftest.lifecycle import Wish
from selftest.models import Cycle, Target


def scheduled_cycles() -> str:
    """One cycle on every target that is switched on, one after the other."""
    outcomes, failures = [], []
    for target in Target.objects.filter(enabled=True):
        try:
            outcome = cycles.run_cycle(Wish(target, Cycle.Trigger.SCHEDULE), wait_s=BUSY_WAIT_S)
        except Exception as failure:  # noqa: BLE001 - raised below: a fault of ours on one target is none of the others'
            failures.append(failure)
        else:
            outcomes.append(f"{target}: {outcome.status}")
    if failures:
        raise ExceptionGroup("; ".join(outcomes), failures)
    return "; ".join(outcomes) or "no target"


def planned_cycle(cycle_id: int) -> str:
    """The cycle that a page or a script asked for."""
    cycle = Cycle.objects.select_related("target").get(pk=cycle_id)
    outcome = cycles.run_planned(cycle, wait_s=BUSY_WAIT_S)
    if outcome.status is cycles.Status.BUSY:
        lifecycle.withdraw(cycle, outcome.note)
    return outcome.status
