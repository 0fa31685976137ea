"""What a seeded history is to be, and how its making is watched."""

from collections.abc import Callable
from dataclasses import dataclass

from selftest.models import Target

Progress = Callable[[int, int], None]  # steps over, steps in all


class SeedRefused(Exception):  # noqa: N818 - an answer to a wish, not an error of ours
    """Such a history cannot be made here. The message is one line that says why."""


@dataclass(frozen=True)
class SeedRequest:
    """combinations: as many new ones. runs: in all, those that were never answered included. flagged_share: of the
    combinations, in the queue at the end; some dismissed ones come on top of them where there is room.
    """

    target: Target
    combinations: int
    runs: int
    seed: int
    flagged_share: float = 0.05


class ProgressBar:
    def __init__(self, progress: Progress | None, steps: int) -> None:
        self._progress = progress
        self._steps = steps
        self._over = 0

    def go_on(self, steps: int) -> None:
        self._over += steps
        if self._progress is not None:
            self._progress(self._over, self._steps)
