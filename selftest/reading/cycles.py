"""Cycles, their runs, and when the next one is due."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery

from selftest.models import Combination, Cycle, Probe, Run, Target
from selftest.reading.run_texts import with_text

HEAVY = ("query", "fingerprint", "last_flagged_result_excerpt")  # of the combination that a cycle repeats
HEAVY_VOCABULARY = ("vocabulary__content", "vocabulary__births")


def cycles() -> QuerySet[Cycle]:
    """All cycles, the newest first."""
    return Cycle.objects.select_related("target").order_by("-id")


def cycle_numbered(pk: int) -> Cycle | None:
    """With what it repeats, and which vocabulary it went by."""
    return listed_cycles().select_related("vocabulary").defer(*HEAVY_VOCABULARY).filter(pk=pk).first()


def listed_cycles(target: int | None = None, state: Cycle.State | None = None) -> QuerySet[Cycle]:
    """The newest first, each with its target and what it repeats; of one target, in one state."""
    # Fetched apart: joined, SQLite begins with the target and sorts all of its cycles.
    repeated = Combination.objects.defer(*HEAVY)
    rows = Cycle.objects.prefetch_related("target", Prefetch("combination", queryset=repeated)).order_by("-id")
    if target is not None:
        rows = rows.filter(target=target)
    return rows if state is None else rows.filter(state=state)


def replays_of(cycle: Cycle) -> QuerySet[Cycle]:
    """The newest first."""
    return cycle.replays.order_by("-id")


def runs_of_cycle(cycle: Cycle) -> QuerySet[Run]:
    """Its runs in the order in which they were planned, without their answers."""
    return with_text(cycle.runs.defer("result")).order_by("place")


def probes_of(cycle: Cycle) -> Mapping[str, int]:
    """How many probes its runs have sent, by their purpose, the most first."""
    counted = Probe.objects.filter(run__cycle=cycle).values_list("purpose").annotate(sent=Count("id"))
    return dict(counted.order_by("-sent", "purpose"))


@dataclass(frozen=True)
class Progress:
    """What a cycle that is not over has come to; one that is over has its counts in its row."""

    asked: int = 0
    flagged: int = 0
    novel: int = 0
    unchecked: int = 0


def progress_of(cycles: Iterable[Cycle]) -> Mapping[int, Progress]:
    """By cycle, in one query; nothing for those that are over."""
    unfinished = [cycle.pk for cycle in cycles if cycle.state in Cycle.OPEN_STATES]
    if not unfinished:
        return {}
    done = Run.objects.filter(cycle__in=unfinished, state=Run.State.DONE).values_list("cycle_id").order_by("cycle_id")
    counted = done.annotate(
        asked=Count("id"),
        flagged=Count("id", filter=Q(reason__isnull=False)),
        new=Count("id", filter=Q(novel=True)),
        left=Count("id", filter=Q(unchecked=True)),
    )
    return {pk: Progress(*counts) for pk, *counts in counted}


_OF_TARGET = Cycle.objects.filter(target=OuterRef("pk")).order_by("-id").values("pk")[:1]
_NEWEST = cycles().filter(pk__in=Target.objects.annotate(newest=Subquery(_OF_TARGET)).values("newest"))


def newest_cycles() -> QuerySet[Cycle]:
    """The newest cycle of each target that has one."""
    return _NEWEST.all()
