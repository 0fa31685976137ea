"""Which cycle asks which combinations, and how it ends. Knows combinations by number, but no answers and no times."""

import random
from array import array
from collections import deque
from dataclasses import dataclass, field
from itertools import chain, cycle, islice
from math import ceil

from django.conf import settings

from selftest.models import Tuning
from selftest.seeding.request import SeedRequest

MEAN_ASKING_S = 1.8  # of the latencies in answers.py, rounded up
YEAR_MINUTES = 365 * 24 * 60  # a longer history asks more in each cycle instead of reaching back for decades
BUSY_SHARE = 0.6  # of the time from one cycle to the next, or of a cycle's own budget, that asking may take
ENDINGS = {  # per cycle; all others finish
    "away": 0.008,  # the target is away at the start; an outage lasts some cycles
    "lost": 0.006,  # the target is away from the middle on
    "died": 0.008,
    "off": 0.002,
}
LONGEST_OUTAGE_CYCLES = 4


@dataclass(frozen=True, slots=True)
class PlannedCycle:
    """first: the number of its first run. planned: runs in all. done: those of them that were answered."""

    ending: str  # one of ENDINGS, or "" where it finished
    first: int
    planned: int
    done: int
    novel_planned: int


@dataclass
class HistoryPlan:
    """Which combination each run asks, by its index, and which runs belong to which cycle.

    batch_size: what a cycle asks where nothing comes between.
    """

    batch_size: int
    cycles: list[PlannedCycle] = field(default_factory=list)
    asked: "array[int]" = field(default_factory=lambda: array("I"))


def batch_size_for(runs: int) -> int:
    """What one cycle asks: the batch size in force, more where the history would reach back beyond a year, and no more
    than can be asked until the next cycle.
    """
    tuning = Tuning.get_solo()
    interval_minutes: int = tuning.interval_minutes
    wanted: int = max(tuning.batch_size, ceil(runs * interval_minutes / YEAR_MINUTES))
    busy_s = BUSY_SHARE * min(interval_minutes * 60, settings.CYCLE_BUDGET_S)
    return max(1, min(wanted, int(busy_s / MEAN_ASKING_S)))


def plan_history(request: SeedRequest, batch_size: int) -> HistoryPlan:
    """Cycle by cycle: what was left over first, then what is new, then what was asked longest ago."""
    plan = HistoryPlan(batch_size)
    rng = random.Random(f"layout:{request.seed}")
    left_over: deque[int] = deque()
    asked_before: deque[int] = deque()  # longest ago first
    made = answered = outage = 0
    while (first := len(plan.asked)) < request.runs:
        size = min(batch_size, request.runs - first)
        rest = request.runs - first - size
        ending = "away" if outage else _ending(rng)
        if ending in ("away", "off"):
            if ending == "away":
                outage = outage - 1 if outage else rng.randrange(LONGEST_OUTAGE_CYCLES)
            plan.cycles.append(PlannedCycle(ending, first, 0, 0, 0))
            continue
        novel = [left_over.popleft() for _ in range(min(size, len(left_over)))]
        due = request.combinations if first == 0 else round(request.combinations * (first + size) / request.runs)
        fresh = min(size - len(novel), max(due - made, request.combinations - made - rest))
        novel += range(made, made + max(0, fresh))
        made = max(made, made + fresh)
        repeats = [asked_before.popleft() for _ in range(min(size - len(novel), len(asked_before)))]
        batch = list(islice(chain(novel, cycle([*repeats, *novel])), size))
        done = size
        if ending:
            done = rng.randrange(size)
            if rest < max(1, request.combinations - answered - min(done, len(novel))):
                ending, done = "", size  # too few runs are left to ask again what this one would leave over
        answered += min(done, len(novel))
        left_over.extendleft(reversed(novel[done:]))
        reached = dict.fromkeys(reversed(batch[:done]))  # each once, where it was asked last
        asked_before.extendleft(reversed([index for index in repeats if index not in reached]))
        asked_before.extend(reversed(reached))
        plan.asked.extend(batch)
        plan.cycles.append(PlannedCycle(ending, first, size, done, len(novel)))
    return plan


def _ending(rng: random.Random) -> str:
    chance = rng.random()
    for ending, share in ENDINGS.items():
        chance -= share
        if chance < 0:
            return ending
    return ""
