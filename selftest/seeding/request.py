"""What a seeded history shall be, what it became, and how its making is watched."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from selftest.models import Target

PART_COMBINATIONS = 25_000  # of one transaction: some 100 MB of rows, and as much memory
PART_RUNS = 75_000
SEED_BITS = 63  # of a cycle: what every database holds as a number

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

    def parts(self) -> "Iterator[SeedRequest]":
        """The same in parts, each a history of its own, that follow one another."""
        number = max(1, ceil(self.combinations / PART_COMBINATIONS), ceil(self.runs / PART_RUNS))
        number = min(number, self.combinations)
        rng = random.Random(self.seed)
        repeats = self.runs - self.combinations
        for part in range(number):
            combinations, repeated = (_share(of, part, number) for of in (self.combinations, repeats))
            seed = rng.getrandbits(SEED_BITS) if part else self.seed
            yield replace(self, combinations=combinations, runs=combinations + repeated, seed=seed)


def _share(of: int, part: int, number: int) -> int:
    return of * (part + 1) // number - of * part // number


@dataclass(frozen=True)
class Seeded:
    """What was written."""

    cycles: int
    combinations: int
    runs: int
    in_queue: int
    dismissed: int
    since: datetime

    def __add__(self, later: "Seeded") -> "Seeded":
        """Both, one after the other."""
        return Seeded(
            self.cycles + later.cycles,
            self.combinations + later.combinations,
            self.runs + later.runs,
            self.in_queue + later.in_queue,
            self.dismissed + later.dismissed,
            self.since,
        )


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
