"""The combinations that are ever flagged: when, how often, and what people do about it and when."""

import random
from dataclasses import dataclass

from selftest.core.judging.findings import CheckName
from selftest.models import ReviewEvent
from selftest.seeding.plan import HistoryPlan
from selftest.seeding.request import SeedRequest

DISMISSED_SHARE = 0.25  # dismissed combinations to each one in the queue
FLAGGED_AGAIN_SHARE = 0.45  # of the runs after the first flagged one
DISMISSED_BEFORE_SHARE = 0.25  # of those in the queue that can have been dismissed and come back
UNDONE_SHARE = 0.05  # of those in the queue whose dismissal was taken back
ASSIGNED_SHARE = 0.02  # of the others in the queue; few, as people work on few at a time
UNASSIGNED_SHARE = 0.03
NOTED_SHARE = 0.05

Kind = ReviewEvent.Kind
Reviews = dict[
    int, tuple[ReviewEvent.Kind, ...]
]  # the number of the run → what people do, in order, before the next run


@dataclass
class FlagHistory:
    """Which of a combination's answered runs are flagged, what people do after which, and its state so far."""

    flagged: tuple[bool, ...]
    reviews: Reviews
    in_cycles: tuple[int, ...]
    ends_dismissed: bool = False
    check: CheckName | None = None
    runs: int = 0
    times_flagged: int = 0
    is_flagged: bool = False
    is_dismissed: bool = False
    verdict: str | None = None
    dismissed_at: int | None = None
    last_reason: str | None = None
    first_reason: str | None = None
    first_at: int = 0
    last_flagged_run: int | None = None
    excerpt: str | None = None
    held_by: int | None = None
    held_at: int = 0


def flag_histories_of(request: SeedRequest, plan: HistoryPlan) -> dict[int, FlagHistory]:
    """By combination; as many in the queue at the end as requested, and some dismissed."""
    rng = random.Random(f"stories:{request.seed}")
    in_queue = round(request.flagged_share * request.combinations)
    dismissed = min(round(DISMISSED_SHARE * in_queue), request.combinations - in_queue)
    chosen = rng.sample(range(request.combinations), in_queue + dismissed)
    in_cycles: dict[int, list[int]] = {index: [] for index in chosen}
    for number, planned in enumerate(plan.cycles):
        for index in plan.asked[planned.first : planned.first + planned.done]:
            if index in in_cycles:
                in_cycles[index].append(number)
    return {
        index: _flag_history(tuple(in_cycles[index]), number >= in_queue, rng) for number, index in enumerate(chosen)
    }


def _flag_history(in_cycles: tuple[int, ...], ends_dismissed: bool, rng: random.Random) -> FlagHistory:
    runs = len(in_cycles)
    first = rng.randrange(runs)
    flagged = [number == first or (number > first and rng.random() < FLAGGED_AGAIN_SHARE) for number in range(runs)]
    last = max(number for number in range(runs) if flagged[number])
    gaps = [number for number in range(first, runs) if number == runs - 1 or in_cycles[number] < in_cycles[number + 1]]
    if ends_dismissed:
        dismissed_after = rng.choice([gap for gap in gaps if gap >= last])
        return FlagHistory(tuple(flagged), {dismissed_after: (Kind.DISMISSED,)}, in_cycles, ends_dismissed=True)
    before = [number for number in gaps if number < last]
    if before and rng.random() < DISMISSED_BEFORE_SHARE:
        return FlagHistory(tuple(flagged), {rng.choice(before): (Kind.DISMISSED,)}, in_cycles)
    done = _done_meanwhile(rng)
    return FlagHistory(tuple(flagged), {rng.choice(gaps): done} if done else {}, in_cycles)


def _done_meanwhile(rng: random.Random) -> tuple[ReviewEvent.Kind, ...]:
    """What leaves a combination in the queue."""
    chance = rng.random()
    for share, done in (
        (UNDONE_SHARE, (Kind.DISMISSED, Kind.UNDISMISSED)),
        (ASSIGNED_SHARE, (Kind.ASSIGNED,)),
        (UNASSIGNED_SHARE, (Kind.ASSIGNED, Kind.UNASSIGNED)),
        (NOTED_SHARE, (Kind.NOTED,)),
    ):
        chance -= share
        if chance < 0:
            return done
    return ()
