"""The shapes of static/shapes.svg that belong to no check."""

from selftest.evaluation.models import Comparison
from selftest.models import Combination, Cycle

KEPT, UNCHECKED, WAITING, ASKING = "kept", "unchecked", "waiting", "asking"
STOPPED, AWAY = "stopped", "away"
CLEAN, CLEAN_UNCHECKED = (KEPT, "Clean"), (UNCHECKED, "Clean, parts not checked")

CYCLE_SHAPES = {
    Cycle.State.PLANNED: WAITING,
    Cycle.State.RUNNING: ASKING,
    Cycle.State.FINISHED: KEPT,
    Cycle.State.TARGET_UNAVAILABLE: AWAY,
    Cycle.State.INTERRUPTED: STOPPED,
}
COMPARISON_SHAPES = {
    Comparison.State.PLANNED: WAITING,
    Comparison.State.RUNNING: ASKING,
    Comparison.State.FINISHED: KEPT,
    Comparison.State.STOPPED: STOPPED,
}


def is_last_run_unchecked(combination: Combination) -> bool:
    """Whether its last run was clean, and its parts not checked."""
    return bool(combination.last_run and combination.last_run.unchecked)
