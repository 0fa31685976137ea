"""What becomes of the combinations that are ever flagged: when, how often, and what people do about it and when."""

import random
from dataclasses import dataclass

from selftest.core.judging.findings import CheckName
from selftest.models import ReviewEvent
from selftest.seeding.layout import Layout
from selftest.seeding.request import SeedRequest

DISMISSED_SHARE = 0.25  # dismissed combinations to each one in the queue
FLAGGED_AGAIN_SHARE = 0.45  # of the runs after the first flagged one
DISMISSED_BEFORE_SHARE = 0.25  # of those in the queue that can have been dismissed and come back
UNDONE_SHARE = 0.05  # of those in the queue whose dismissal was taken back
HELD_SHARE = 0.02  # of the others in the queue; few, as people look into few at a time
RELEASED_SHARE = 0.03
NOTED_SHARE = 0.05

Kind = ReviewEvent.Kind
Reviews = dict[int, tuple[ReviewEvent.Kind, ...]]  # the run's place → what people do, in order, before the next run


@dataclass
class Story:
    """What is to become of one combination, by its answered runs in order, and how far it has come."""

    flagged: tuple[bool, ...]
    reviews: Reviews
    in_cycles: tuple[int, ...]
    check: CheckName | None = None
    suspect: str | None = None
    runs: int = 0
    times_flagged: int = 0
    is_flagged: bool = False
    is_dismissed: bool = False
    last_reason: str | None = None
    first_reason: str | None = None
    first_at: int = 0
    last_flagged_run: int | None = None
    excerpt: str | None = None
    held_by: int | None = None
    held_at: int = 0


def stories_of(wish: SeedRequest, layout: Layout) -> dict[int, Story]:
    """By combination; just as many in the queue at the end as wished for, and some dismissed."""
    rng = random.Random(f"stories:{wish.seed}")
    in_queue = round(wish.flagged_share * wish.combinations)
    dismissed = min(round(DISMISSED_SHARE * in_queue), wish.combinations - in_queue)
    chosen = rng.sample(range(wish.combinations), in_queue + dismissed)
    in_cycles: dict[int, list[int]] = {index: [] for index in chosen}
    for number, laid_out in enumerate(layout.cycles):
        for index in layout.asked[laid_out.first : laid_out.first + laid_out.done]:
            if index in in_cycles:
                in_cycles[index].append(number)
    return {index: _story(tuple(in_cycles[index]), place >= in_queue, rng) for place, index in enumerate(chosen)}


def _story(in_cycles: tuple[int, ...], ends_dismissed: bool, rng: random.Random) -> Story:
    runs = len(in_cycles)
    first = rng.randrange(runs)
    flagged = [place == first or (place > first and rng.random() < FLAGGED_AGAIN_SHARE) for place in range(runs)]
    last = max(place for place in range(runs) if flagged[place])
    gaps = [place for place in range(first, runs) if place == runs - 1 or in_cycles[place] < in_cycles[place + 1]]
    if ends_dismissed:
        return Story(tuple(flagged), {rng.choice([gap for gap in gaps if gap >= last]): (Kind.DISMISSED,)}, in_cycles)
    before = [place for place in gaps if place < last]
    if before and rng.random() < DISMISSED_BEFORE_SHARE:
        return Story(tuple(flagged), {rng.choice(before): (Kind.DISMISSED,)}, in_cycles)
    done = _done_meanwhile(rng)
    return Story(tuple(flagged), {rng.choice(gaps): done} if done else {}, in_cycles)


def _done_meanwhile(rng: random.Random) -> tuple[ReviewEvent.Kind, ...]:
    """What leaves a combination in the queue."""
    chance = rng.random()
    for share, done in (
        (UNDONE_SHARE, (Kind.DISMISSED, Kind.UNDISMISSED)),
        (HELD_SHARE, (Kind.ASSIGNED,)),
        (RELEASED_SHARE, (Kind.ASSIGNED, Kind.UNASSIGNED)),
        (NOTED_SHARE, (Kind.NOTED,)),
    ):
        chance -= share
        if chance < 0:
            return done
    return ()
