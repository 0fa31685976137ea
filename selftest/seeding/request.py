"""What a seeded history shall be, what it became, and how its making is watched."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from selftest.models import Target

Progress = Callable[[int, int], None]  # steps over, steps in all


class SeedRefused(Exception):  # noqa: N818 - the answer to a request, not an error of ours
    """Such a history cannot be made here. The message is one line that says why."""


@dataclass(frozen=True)
class SeedRequest:
    """combinations: how many new ones. runs: in all, including those never answered. flagged_share: of the
    combinations, in the queue at the end; some dismissed ones are added to them where there is room.
    """

    target: Target
    combinations: int
    runs: int
    seed: int
    flagged_share: float = 0.05


@dataclass(frozen=True)
class Seeded:
    """What was written."""

    cycles: int
    combinations: int
    runs: int
    in_queue: int
    dismissed: int
    since: datetime


class ProgressBar:
    """Counts steps and tells a callback, if there is one."""

    def __init__(self, progress: Progress | None, steps: int) -> None:
        self._progress = progress
        self._steps = steps
        self._over = 0

    def advance(self, steps: int) -> None:
        """So many steps more are over."""
        self._over += steps
        if self._progress is not None:
            self._progress(self._over, self._steps)
