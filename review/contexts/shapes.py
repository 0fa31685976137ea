"""The shapes of static/shapes.svg that belong to no check."""

from selftest.models import Cycle

KEPT, WAITING, ASKING, STOPPED, AWAY = "kept", "waiting", "asking", "stopped", "away"

CYCLE_SHAPES = {
    Cycle.State.PLANNED: WAITING,
    Cycle.State.RUNNING: ASKING,
    Cycle.State.FINISHED: KEPT,
    Cycle.State.TARGET_UNAVAILABLE: AWAY,
    Cycle.State.INTERRUPTED: STOPPED,
}
