"""What the writers of one history share: the request and the plan, the clock, chance, and the keys of the rows."""

import random
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from selftest.models import Target, VocabularyVersion
from selftest.seeding.plan import HistoryPlan
from selftest.seeding.queries import Queries
from selftest.seeding.request import SeedRequest
from selftest.seeding.review_histories import FlagHistory

SECOND_US = 1_000_000


@dataclass(frozen=True)
class Retention:
    """For how long housekeeping keeps clean answers; None: for ever. now_us: when the whole history is over."""

    kept_us: int | None
    now_us: int

    def deleted_us(self, recorded_us: int) -> int | None:
        """When it has deleted an answer recorded then; None where it has not."""
        over_us = None if self.kept_us is None else recorded_us + self.kept_us
        return over_us if over_us is not None and over_us < self.now_us else None


@dataclass
class Draft:
    """Times are whole microseconds since 1970; `stamp` makes of one what the database takes."""

    request: SeedRequest
    version: VocabularyVersion
    queries: Queries
    plan: HistoryPlan
    histories: Mapping[int, FlagHistory]
    latest: "LatestRuns"
    rng: random.Random
    stamp: Callable[[int], Any]
    now_us: int
    retention: Retention
    interval_us: int
    first_combination: int
    first_run: int

    @property
    def target(self) -> Target:
        """The one that gets the history."""
        return self.request.target

    def due_us(self, cycle: int) -> int:
        """When the schedule calls for a cycle, by its number; the one after the last is due when this part is over."""
        before_now: int = (len(self.plan.cycles) - cycle) * self.interval_us
        return self.now_us - before_now


class LatestRuns:
    """The `last_*` columns of every combination, some 40 bytes each."""

    def __init__(self, combinations: int) -> None:
        self.run = array("q", bytes(8 * combinations))
        self.latency_ms = array("d", bytes(8 * combinations))
        self.at_us = array("q", bytes(8 * combinations))
        self.first_planned_us = array("q", bytes(8 * combinations))
        self.times = array("I", bytes(4 * combinations))
        self._source = array("I", bytes(4 * combinations))
        self._sources: list[str] = []
        self._numbers: dict[str, int] = {}

    def record(self, index: int, run: int, source: str, latency_ms: float, at_us: int, planned_us: int) -> None:
        """The combination was asked again."""
        number = self._numbers.get(source)
        if number is None:
            number = self._numbers[source] = len(self._sources)
            self._sources.append(source)
        self.plan(index, planned_us)
        self.run[index] = run
        self.latency_ms[index] = latency_ms
        self.at_us[index] = at_us
        self.times[index] += 1
        self._source[index] = number

    def plan(self, index: int, planned_us: int) -> None:
        """A run of the combination was planned; only the first time counts."""
        self.first_planned_us[index] = self.first_planned_us[index] or planned_us

    def source(self, index: int) -> str:
        """The source that answered last."""
        return self._sources[self._source[index]]
