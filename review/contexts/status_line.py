"""How the testing itself is doing, in the line that pages have for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from selftest.models import Cycle
from selftest.reading.cycles import Progress


@dataclass(frozen=True)
class Outage:
    """A target that was not there when its newest cycle began."""

    target: str
    since: datetime | None
    note: str
    cycle: int


@dataclass(frozen=True)
class StatusLine:
    """How the testing itself is doing. open_cycle: planned or running. can_run: a cycle may be asked for.

    asked, wanted: how far the open cycle has come.
    """

    has_target: bool
    has_run: bool
    is_disabled: bool
    is_stale: bool
    switched_off_target: str
    last_run: datetime | None
    next_run: datetime | None
    is_due: bool
    is_overdue: bool
    interval_minutes: int | None
    outages: tuple[Outage, ...]
    open_cycle: int | None
    asked: int = 0
    wanted: int = 0

    @property
    def can_run(self) -> bool:
        """Whether a cycle may be asked for."""
        return self.has_target and not self.is_disabled and not self.switched_off_target


DUE_SOON = timedelta(seconds=30)

WORKER_TAKES_AT_MOST = timedelta(minutes=1)  # it looks for what is due every few seconds


def status_line(
    is_disabled: bool,
    is_stale: bool,
    last_run: datetime | None,
    has_target: bool,
    switched_off_target: str,
    newest_cycles: Sequence[Cycle],
    due: tuple[datetime, int | None] | None,
    progress: Mapping[int, Progress],
    now: datetime,
) -> StatusLine:
    """due: when the next cycle is, and the minutes between two. progress: of the cycles that are not over.

    switched_off_target: the default one's name, where that is switched off.
    """
    open_cycle = next((cycle for cycle in newest_cycles if cycle.state in Cycle.OPEN_STATES), None)
    return StatusLine(
        has_target=has_target,
        has_run=last_run is not None,
        is_disabled=is_disabled,
        is_stale=is_stale,
        switched_off_target=switched_off_target,
        last_run=last_run,
        next_run=due[0] if due else None,
        is_due=due is not None and due[0] < now + DUE_SOON,
        is_overdue=due is not None and due[0] < now - WORKER_TAKES_AT_MOST,
        interval_minutes=due[1] if due else None,
        outages=tuple(
            Outage(cycle.target.name, cycle.finished_at, cycle.note, cycle.pk)
            for cycle in newest_cycles
            if cycle.state == Cycle.State.TARGET_UNAVAILABLE
        ),
        open_cycle=open_cycle.pk if open_cycle else None,
        asked=progress[open_cycle.pk].asked if open_cycle and open_cycle.pk in progress else 0,
        wanted=open_cycle.queries_wanted if open_cycle else 0,
    )
