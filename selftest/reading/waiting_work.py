"""What was requested and is not started: cycles, chunks of them, searches for a smallest query; which wait too long."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from selftest.models import Chunk, Cycle, Reduction, Target

Work = Cycle | Chunk | Reduction
PLANNED: tuple[QuerySet[Any], ...] = tuple(  # put together once, as /health asks all the time
    rows.order_by().filter(state="planned").values("pk")
    # Of chunks also in the words of the narrow index, which holds those that are not over.
    for rows in (Cycle.objects.all(), Chunk.objects.exclude(state=Chunk.State.OVER), Reduction.objects.all())
)
OVERDUE_AFTER = timedelta(minutes=1)  # a worker that lives has started it by then


@dataclass(frozen=True)
class Overdue:
    """Something whose turn came at `since` and that no worker has started."""

    work: Work
    since: datetime


def startable_cycles() -> QuerySet[Cycle]:
    """Planned for a worker, on a target where no cycle runs; the oldest first. One with an owner waits in a command."""
    running = Cycle.objects.filter(target=OuterRef("target"), state=Cycle.State.RUNNING)
    return Cycle.objects.filter(~Exists(running), state=Cycle.State.PLANNED, owner="").order_by("id")


def stranded_chunks() -> QuerySet[Chunk]:
    """The first chunk of each spread cycle of which no worker asks any, though not all is asked."""
    running = Chunk.objects.filter(cycle=OuterRef("cycle"), state=Chunk.State.RUNNING)
    earlier = Chunk.objects.filter(
        cycle=OuterRef("cycle"), state=Chunk.State.PLANNED, first_place__lt=OuterRef("first_place")
    )
    planned = Chunk.objects.filter(state=Chunk.State.PLANNED, cycle__state=Cycle.State.RUNNING)
    return planned.filter(~Exists(running), ~Exists(earlier)).order_by("cycle")


def planned_searches() -> QuerySet[Reduction]:
    """The oldest first."""
    return Reduction.objects.filter(state=Reduction.State.PLANNED).order_by("id")


def overdue(now: datetime) -> list[Overdue]:
    """What has waited longer than a minute. While a cycle runs on a target, nothing there is overdue."""
    requested_before = now - OVERDUE_AFTER
    if not _is_any_planned(requested_before):  # as nearly always: /health then asks one short query
        return []
    return [item for item in _waiting(now, requested_before) if item.since < requested_before]


def _is_any_planned(requested_before: datetime) -> bool:
    cycles, chunks, searches = (rows.filter(created_at__lt=requested_before) for rows in PLANNED)
    return cycles.union(chunks, searches, all=True).exists()


def _waiting(now: datetime, requested_before: datetime) -> Iterator[Overdue]:
    """Each target's oldest cycle, as the others wait for that one, and every search."""
    seen: set[int] = set()
    for cycle in startable_cycles().filter(created_at__lt=requested_before).select_related("target"):
        if cycle.target_id not in seen:
            seen.add(cycle.target_id)
            yield Overdue(cycle, _turn_came(cycle.created_at, cycle.target, now))
    for chunk in stranded_chunks().filter(created_at__lt=requested_before).select_related("cycle"):
        asked: datetime | None = chunk.cycle.chunks.aggregate(last=Max("finished_at"))["last"]
        yield Overdue(chunk, max(filter(None, (chunk.created_at, asked))))
    running = Cycle.objects.filter(target=OuterRef("combination__target"), state=Cycle.State.RUNNING)
    searches = planned_searches().filter(~Exists(running), created_at__lt=requested_before)
    for search in searches.select_related("combination__target"):
        yield Overdue(search, _turn_came(search.created_at, search.combination.target, now))


def _turn_came(requested_at: datetime, target: Target, now: datetime) -> datetime:
    """When it was requested, or when the cycle ahead of it ended. An end in the future says nothing."""
    ended_before = Cycle.objects.filter(target=target, finished_at__lte=now)
    ended: datetime | None = ended_before.aggregate(last=Max("finished_at"))["last"]
    return requested_at if ended is None else max(requested_at, ended)
