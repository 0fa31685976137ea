"""Spreads a cycle over all workers, in chunks of its runs: who asks which, and how many requests each may have open.

The shares of all running chunks are never more than the target answers at the same time. Every change of them holds
the cycle's row locked. A worker that dies leaves its chunk to another one; only the runs that it held are broken off.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from statistics import median

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from selftest.core.judging.probe_budget import earned
from selftest.cycles import ownership
from selftest.cycles.ownership import MOST_DEATHS
from selftest.models import Chunk, Cycle, Run, Target, Tuning
from selftest.storage.locks import locked

WORKERS_SHARE = 4  # requests at once of one worker; what a target answers beyond that, it answers to others
CHUNK_S = 2.5  # of asking: short beside a cycle, long beside what it takes to begin
FEWEST_QUERIES = 8  # of a chunk, which has its own share of the probes
LATENCY_RUNS = 40  # the newest, for the target's latency
UNKNOWN_LATENCY_S = 0.3

_WORST_FIRST = (Cycle.State.TARGET_UNAVAILABLE, Cycle.State.INTERRUPTED, Cycle.State.FINISHED)


def chunks_of(cycle: Cycle, runs: Sequence[Run]) -> list[tuple[Run, ...]]:
    """`runs` in chunks for several workers; one where a single worker asks all that the target answers at once."""
    if cycle.target.requests_at_once <= WORKERS_SHARE:
        return [tuple(runs)]
    size, workers = queries_of_a_chunk(cycle.target), ceil(cycle.target.requests_at_once / WORKERS_SHARE)
    chunks: list[tuple[Run, ...]] = []
    first = 0
    while first < len(runs):  # the last ones are shorter, so that all workers are done at nearly the same time
        share = ceil((len(runs) - first) / workers)
        end = first + max(FEWEST_QUERIES, min(size, share))
        chunks.append(tuple(runs[first:end]))
        first = end
    return chunks


def queries_of_a_chunk(target: Target) -> int:
    """So many as one worker asks in some CHUNK_S, by the target's latency and limits."""
    requests = 1 + (earned(tuning.probes_per_query, 0) if (tuning := Tuning.get_solo()).explains else 0)
    between_s = _latency_s(target) / WORKERS_SHARE
    if target.requests_per_second is not None:
        between_s = max(between_s, 1 / target.requests_per_second)
    return max(FEWEST_QUERIES, round(CHUNK_S / (requests * between_s)))


def _latency_s(target: Target) -> float:
    answered = Run.objects.filter(target=target, state=Run.State.DONE, cached=False, error="", latency_ms__isnull=False)
    newest_ms = answered.order_by("-id").values_list("latency_ms", flat=True)[:LATENCY_RUNS]
    known_ms = [latency_ms for latency_ms in newest_ms if latency_ms is not None]
    return max(0.001, median(known_ms) / 1000) if known_ms else UNKNOWN_LATENCY_S


def spread(cycle: Cycle, chunks: Iterable[Sequence[Run]], note: str) -> bool:
    """Saves the chunks of this process's cycle, which then belongs to no process. False where it was taken from it."""
    now = timezone.now()
    with transaction.atomic():
        ours = Cycle.objects.filter(pk=cycle.pk, state=Cycle.State.RUNNING, owner=cycle.owner)
        if not ours.update(owner="", note=note, probes_at_most=0 if Tuning.get_solo().explains else None):
            return False
        Chunk.objects.bulk_create(
            Chunk(cycle=cycle, first_place=runs[0].place, last_place=runs[-1].place, created_at=now) for runs in chunks
        )
    cycle.refresh_from_db()
    return True


def is_spread(cycle: Cycle) -> bool:
    """Whether workers share it, so that it belongs to none of them."""
    return Chunk.objects.filter(cycle=cycle).exists()


def take_next(cycle_id: int) -> Chunk | None:
    """The next chunk of a cycle, now this process's. None where none waits, or all that the target answers is given."""
    with transaction.atomic():
        cycle = _locked(cycle_id)
        if cycle is None:
            return None
        chunk = _waiting(cycle).first()
        free = free_requests(cycle)
        if chunk is None or free < 1:
            return None
        now = timezone.now()
        if chunk.deaths and free == cycle.target.requests_at_once:  # its workers were all gone, for as long as may be
            Cycle.objects.filter(pk=cycle.pk).update(started_at=now)
            chunk.cycle.started_at = now
        chunk.state, chunk.owner = Chunk.State.RUNNING, ownership.this_process()
        chunk.requests_at_once = min(free, WORKERS_SHARE)
        chunk.started_at = now
        ownership.register(chunk)  # before the row says so: another thread here must not think it abandoned
        chunk.save(update_fields=["state", "owner", "requests_at_once", "started_at"])
        return chunk


def free_requests(cycle: Cycle) -> int:
    """How many more requests the target answers at the same time."""
    running = Chunk.objects.filter(cycle=cycle, state=Chunk.State.RUNNING)
    given = running.aggregate(given=Sum("requests_at_once"))["given"] or 0
    return max(0, cycle.target.requests_at_once - given)


def startable(cycle: Cycle) -> Sequence[Chunk]:
    """The chunks that could be taken now."""
    return list(_waiting(cycle)[: ceil(free_requests(cycle) / WORKERS_SHARE)])


def budget_left_s(cycle: Cycle) -> float:
    """How long the cycle may still ask. As for one that is not spread, a time without any worker does not count."""
    begun = cycle.started_at or timezone.now()
    passed_s = (timezone.now() - begun).total_seconds()
    return min(settings.CYCLE_BUDGET_S, max(0.0, settings.CYCLE_BUDGET_S - passed_s))


def runs_of(chunk: Chunk) -> QuerySet[Run]:
    """In their order."""
    runs = Run.objects.filter(cycle=chunk.cycle_id, place__range=chunk.places)
    return runs.select_related("combination").order_by("place")


def finish(chunk: Chunk, outcome: Cycle.State, note: str) -> None:
    """Ends a chunk of this process. Where the target is away, nothing more of its cycle is asked."""
    with transaction.atomic():
        if _locked(chunk.cycle_id) is None:
            return
        held = Chunk.objects.filter(pk=chunk.pk, state=Chunk.State.RUNNING, owner=chunk.owner)
        if not held.update(state=Chunk.State.OVER, finished_at=timezone.now(), outcome=outcome, note=note):
            return
        if outcome == Cycle.State.TARGET_UNAVAILABLE:
            Run.objects.filter(cycle=chunk.cycle_id, state=Run.State.PLANNED).update(state=Run.State.SKIPPED)
            waiting = Chunk.objects.filter(cycle=chunk.cycle_id, state=Chunk.State.PLANNED)
            waiting.update(state=Chunk.State.OVER, finished_at=timezone.now())


def give_back(chunk: Chunk) -> None:
    """Leaves a chunk of this process, which is about to end, to another worker. Its run under way is broken off."""
    with transaction.atomic():
        if _locked(chunk.cycle_id) is not None:
            _plan_again(chunk)


def free_from_the_dead(cycle: Cycle, now: datetime) -> None:
    """Takes the chunks of dead workers from them, for others to continue; what has cost too many lives is ended."""
    running = Chunk.objects.filter(cycle=cycle, state=Chunk.State.RUNNING).select_related("cycle__target")
    for chunk in [chunk for chunk in running if ownership.is_abandoned(chunk, now)]:
        with transaction.atomic():
            if _locked(cycle.pk) is not None:
                _plan_again(chunk)


def ended_as(cycle: Cycle) -> tuple[Cycle.State, str] | None:
    """How a spread cycle ends and its note; None as long as something of it is still to be asked."""
    chunks = list(Chunk.objects.filter(cycle=cycle).order_by("first_place"))
    if any(chunk.state in Chunk.OPEN_STATES for chunk in chunks):
        return None
    outcomes = {chunk.outcome for chunk in chunks}
    state = next((state for state in _WORST_FIRST if state in outcomes), Cycle.State.INTERRUPTED)
    notes = dict.fromkeys([chunk.note for chunk in chunks if chunk.outcome == state] + [cycle.note])
    return state, "; ".join(filter(None, notes))


def _plan_again(chunk: Chunk) -> None:
    """Counts a death, as a stop cannot be told from one. Its runs under way are not asked again by this cycle."""
    held = Chunk.objects.filter(pk=chunk.pk, state=Chunk.State.RUNNING, owner=chunk.owner)
    if chunk.deaths + 1 < MOST_DEATHS:
        freed = held.update(state=Chunk.State.PLANNED, owner="", requests_at_once=0, deaths=F("deaths") + 1)
    else:
        given_up = {"outcome": Cycle.State.INTERRUPTED, "note": f"{chunk}: {MOST_DEATHS} workers died over it"}
        freed = held.update(state=Chunk.State.OVER, finished_at=timezone.now(), **given_up)
    if freed:
        broken_off = {"state": Run.State.INTERRUPTED, "finished_at": timezone.now()}
        runs_of(chunk).order_by().filter(state=Run.State.ASKING).update(**broken_off)


def _waiting(cycle: Cycle) -> QuerySet[Chunk]:
    return (
        Chunk.objects.filter(cycle=cycle, state=Chunk.State.PLANNED)
        .select_related("cycle__target")
        .order_by("first_place")
    )


def _locked(cycle_id: int) -> Cycle | None:
    """The row of a running cycle, for this transaction alone; None where it has ended."""
    rows = locked(Cycle.objects, of=("self",)).select_related("target")
    return rows.filter(pk=cycle_id, state=Cycle.State.RUNNING).first()
