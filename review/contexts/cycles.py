"""`/cycles` and `/cycles/<id>`."""

from dataclasses import dataclass
from datetime import datetime

from review.contexts.runs import RunLine
from review.contexts.shapes import ASKING, AWAY, KEPT, STOPPED, WAITING
from review.contexts.standing import OPEN_STATES, Standing
from selftest.models import Cycle
from selftest.selectors import Progress

CYCLE_SHAPES = {
    Cycle.State.PLANNED: WAITING,
    Cycle.State.RUNNING: ASKING,
    Cycle.State.FINISHED: KEPT,
    Cycle.State.TARGET_UNAVAILABLE: AWAY,
    Cycle.State.INTERRUPTED: STOPPED,
}


@dataclass(frozen=True)
class CycleLine:
    """A cycle in the list. took_s: from its start to its end, None before that."""

    pk: int
    target: str
    trigger: str
    state: str
    shape: str
    is_open: bool
    is_planned: bool
    wanted: int
    asked: int
    flagged: int
    novel: int
    created_at: datetime
    started_at: datetime | None
    took_s: float | None
    note: str

    @classmethod
    def of(cls, cycle: Cycle, progress: Progress | None) -> "CycleLine":
        """progress: of a cycle that is not over."""
        is_over = cycle.started_at is not None and cycle.finished_at is not None
        return cls(
            pk=cycle.pk,
            target=cycle.target.name,
            trigger=cycle.get_trigger_display(),
            state=cycle.get_state_display(),
            shape=CYCLE_SHAPES[Cycle.State(cycle.state)],
            is_open=cycle.state in OPEN_STATES,
            is_planned=cycle.state == Cycle.State.PLANNED,
            wanted=cycle.queries_wanted,
            asked=progress.asked if progress else cycle.queries_run,
            flagged=progress.flagged if progress else cycle.flagged,
            novel=progress.novel if progress else cycle.novel,
            created_at=cycle.created_at,
            started_at=cycle.started_at,
            took_s=(cycle.finished_at - cycle.started_at).total_seconds() if is_over else None,  # type: ignore[operator]
            note=cycle.note,
        )


@dataclass(frozen=True)
class CyclesPage:
    """`/cycles`. older: the address of what comes after these."""

    cycles: tuple[CycleLine, ...]
    older: str
    standing: Standing


@dataclass(frozen=True)
class CyclePage:
    """`/cycles/<id>`. more: the address of the runs that come after these. address: its own, for asking again."""

    cycle: CycleLine
    seed: int
    recipes: tuple[str, ...]
    target_version: str
    runs: tuple[RunLine, ...]
    more: str
    address: str
