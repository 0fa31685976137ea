"""A cycle's start and end: one at a time per target, and no end leaves a run open. Ends abandoned reductions too."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from selftest.cycles import ownership, spreading, statistics
from selftest.cycles.ownership import MOST_DEATHS
from selftest.models import Chunk, Combination, Cycle, Reduction, Run, Target, Tuning
from selftest.reading.smallest_queries import running_on
from selftest.storage.database_clock import time_for_sure
from selftest.storage.database_patience import keep_trying
from selftest.storage.texts import storable

SEED_BITS = 63  # what every database holds as a number
ENDING_S = timedelta(seconds=10)  # from the last chunk of a cycle to its end, which takes a moment


@dataclass(frozen=True)
class CycleRequest:
    """What a cycle shall do. count None: the batch size in force. seed None: a random one. recipes (): all.

    combination: asks only this one, `count` times. replay_of: repeats that cycle's queries.
    """

    target: Target
    trigger: Cycle.Trigger
    count: int | None = None
    seed: int | None = None
    recipes: Sequence[str] = ()
    combination: Combination | None = None
    replay_of: Cycle | None = None


def prepare(request: CycleRequest) -> Cycle:
    """The cycle that is requested, planned and not yet saved."""
    return Cycle(
        target=request.target,
        trigger=request.trigger,
        seed=secrets.randbits(SEED_BITS) if request.seed is None else request.seed,
        recipes=list(request.recipes),
        queries_wanted=Tuning.get_solo().batch_size if request.count is None else request.count,
        combination=request.combination,
        replay_of=request.replay_of,
        created_at=timezone.now(),
    )


def start(cycle: Cycle) -> bool:
    """Makes this saved, planned cycle the one that runs on its target, and this process its owner.

    False where another one runs there. A target whose worker died is freed first.
    """
    end_abandoned(cycle.target)
    now = timezone.now()
    ownership.register(cycle)  # before the row says so: another thread here must not think it abandoned
    is_ours = False
    try:
        is_ours = keep_trying(lambda: _take(cycle, now))
    finally:
        if not is_ours:
            ownership.unregister(cycle)
    if is_ours:
        keep_trying(cycle.refresh_from_db)
    return is_ours


def _take(cycle: Cycle, now: datetime) -> bool:
    ours = {"state": Cycle.State.RUNNING, "started_at": now, "owner": ownership.this_process()}
    same = Cycle.objects.filter(pk=cycle.pk)
    try:
        with transaction.atomic():
            if same.filter(state=Cycle.State.PLANNED).update(**ours):
                return True
    except IntegrityError:  # one_running_cycle: another one runs on this target
        return False
    return same.filter(**ours).exists()  # taken a moment ago, and the answer to that was lost


def withdraw(cycle: Cycle, note: str) -> None:
    """Ends a cycle that waits for its start, also for another one after its worker died; no other."""
    waiting = Cycle.objects.filter(pk=cycle.pk, state=Cycle.State.PLANNED)
    with transaction.atomic():
        if waiting.update(state=Cycle.State.INTERRUPTED, finished_at=timezone.now(), note=storable(note)):
            _close(cycle)
            _count(cycle)


def end(cycle: Cycle, state: Cycle.State, note: str = "") -> None:
    """Ends the cycle and every run of it that is not over, and counts its results, in one transaction.

    Does nothing where another process has taken it over from this one.
    """
    cycles = Cycle.objects.filter(pk=cycle.pk)
    with transaction.atomic():
        # The cycle first: a worker that is planning its runs holds it locked, and after this none can plan any more.
        is_ours_to_end = cycles.filter(state__in=Cycle.OPEN_STATES, owner=cycle.owner).update(
            state=state, finished_at=timezone.now(), note=storable(note)
        )
        if not is_ours_to_end and cycles.filter(state__in=Cycle.OPEN_STATES).exists():
            cycle.refresh_from_db()
            return
        _close(cycle)
        if is_ours_to_end:
            _count(cycle)
    cycle.refresh_from_db()


def _close(cycle: Cycle) -> None:
    runs = Run.objects.filter(cycle=cycle)
    runs.filter(state=Run.State.PLANNED).update(state=Run.State.SKIPPED)
    _interrupt(runs)
    Chunk.objects.filter(cycle=cycle, state__in=Chunk.OPEN_STATES).update(state=Chunk.State.OVER)


def _count(cycle: Cycle) -> None:
    done = Q(state=Run.State.DONE)
    counts = Run.objects.filter(cycle=cycle).aggregate(
        queries_run=Count("id", filter=done),
        flagged=Count("id", filter=done & Q(reason__isnull=False)),
        novel=Count("id", filter=done & Q(novel=True)),
        unchecked=Count("id", filter=done & Q(unchecked=True)),
    )
    Cycle.objects.filter(pk=cycle.pk).update(**counts)
    statistics.count(cycle, timezone.now())


def end_abandoned(target: Target) -> None:
    """Takes from dead processes what they worked on here.

    What was handed to a worker is planned again, and of a spread cycle each chunk by itself: another one continues,
    whose query that was being asked is marked, and begins a search again.
    What a command ran, and what has cost MOST_DEATHS workers their lives, is ended.
    """
    now = time_for_sure()
    for cycle in Cycle.objects.filter(target=target, state=Cycle.State.RUNNING).select_related("target"):
        if spreading.is_spread(cycle):
            _free_spread(cycle, now)
        elif ownership.is_abandoned(cycle, now) and not _plan_again(cycle):
            end(cycle, Cycle.State.INTERRUPTED, "its worker died; what was recorded is kept")
    called = Cycle.objects.filter(target=target, state=Cycle.State.PLANNED).exclude(owner="")
    for cycle in called.select_related("target"):
        if ownership.is_caller_gone(cycle, now):
            withdraw(cycle, "its process ended before it could start")
    for search in running_on(target).select_related("combination__target"):
        if ownership.is_abandoned(search, now) and not _plan_search_again(search):
            end_reduction(search, "its worker died")


def _free_spread(cycle: Cycle, now: datetime) -> None:
    """Frees its chunks, and ends it where the worker of the last one died before it could."""
    spreading.free_from_the_dead(cycle, now)
    if (ended := spreading.ended_as(cycle)) is not None and _is_left(cycle, timezone.now()):
        end(cycle, *ended)


def _is_left(cycle: Cycle, now: datetime) -> bool:
    """Whether the worker of its last chunk has had its time to end it."""
    last = cycle.chunks.aggregate(last=Max("finished_at"))["last"]
    return last is None or not timedelta() <= now - last <= ENDING_S  # it may be of a clock that was ahead


def _plan_again(cycle: Cycle) -> bool:
    if cycle.trigger == Cycle.Trigger.COMMAND or not _is_tried_again(cycle):
        return False
    with transaction.atomic():
        # The cycle first, as in `end`: a worker that is planning its runs holds it locked.
        taken = Cycle.objects.filter(pk=cycle.pk, state=Cycle.State.RUNNING, owner=cycle.owner).update(
            state=Cycle.State.PLANNED, owner="", deaths=F("deaths") + 1
        )
        if taken:
            # Not asked again by this cycle: it may be what its worker died of.
            _interrupt(Run.objects.filter(cycle=cycle))
    return True


def _plan_search_again(search: Reduction) -> bool:
    if not _is_tried_again(search):
        return False
    left = Reduction.objects.filter(pk=search.pk, state=Reduction.State.RUNNING, owner=search.owner)
    left.update(state=Reduction.State.PLANNED, owner="", deaths=F("deaths") + 1)
    return True


def _is_tried_again(work: Cycle | Reduction) -> bool:
    return work.deaths + 1 < MOST_DEATHS


def end_reduction(reduction: Reduction, note: str) -> None:
    """Stops one that is not over, even if another worker is on it."""
    Reduction.objects.filter(pk=reduction.pk, state__in=Reduction.OPEN_STATES).update(
        state=Reduction.State.STOPPED, finished_at=timezone.now(), note=storable(note)
    )


def _interrupt(runs: QuerySet[Run]) -> None:
    runs.filter(state=Run.State.ASKING).update(state=Run.State.INTERRUPTED, finished_at=timezone.now())
