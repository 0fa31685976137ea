"""Reads: the queue, a combination, cycles, coverage. Nothing here changes a row."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet, Sum

from selftest.core.generation import count_combinations
from selftest.core.recipes import RECIPES
from selftest.models import Combination, Cycle, ReviewEvent, Run, Target, VocabularyVersion
from selftest.models.combination import IN_QUEUE
from selftest.store import vocabulary_of

NEWEST_RUN_FIRST = ("-last_run_timestamp", "-id")


def flagged(include_dismissed: bool = False, target: Target | None = None) -> QuerySet[Combination]:
    """The queue: flagged on the last run or ever, and not dismissed; with `include_dismissed` those too.

    A combination that is flagged now was flagged ever, and a new flag takes its dismissal back: so the union of the
    specification is one condition. Newest run first.
    """
    rows = Combination.objects.filter(Q(ever_flagged=True) if include_dismissed else IN_QUEUE)
    if target is not None:
        rows = rows.filter(target=target)
    return rows.select_related("target").order_by(*NEWEST_RUN_FIRST)


def runs_of(combination: Combination) -> QuerySet[Run]:
    """Its runs, the newest first."""
    return combination.runs.select_related("cycle").order_by("-id")


def last_flagged_run(combination: Combination) -> Run | None:
    """The run whose answer a reviewer wants to see: the last one that was flagged."""
    return combination.last_flagged_run


def story_of(combination: Combination) -> QuerySet[ReviewEvent]:
    """What happened to it, the newest first."""
    return combination.events.order_by("-id")


@dataclass(frozen=True)
class Coverage:
    """How much of one recipe was asked. possible: its combinations over the vocabulary in force, exactly."""

    recipe_name: str
    stresses: str
    possible: int
    tried: int


def coverage(target: Target) -> list[Coverage]:
    """One row per recipe; nothing where the target has no vocabulary."""
    version = VocabularyVersion.objects.filter(target=target, in_force=True).first()
    if version is None:
        return []
    vocabulary = vocabulary_of(version)
    return [
        Coverage(
            recipe.name,
            recipe.stresses,
            count_combinations(recipe, vocabulary),
            Combination.objects.filter(target=target, recipe_name=recipe.name, times_generated__gt=0).count(),
        )
        for recipe in RECIPES.values()
    ]


@dataclass(frozen=True)
class HealthFigures:
    """What /health reports. last_run: when the last cycle that asked its whole batch was over."""

    last_run: datetime | None
    combinations_tried: int
    in_queue: int
    last_outage: Cycle | None


def health_figures() -> HealthFigures:
    finished = Cycle.objects.filter(state=Cycle.State.FINISHED).order_by("-finished_at").first()
    outage = Cycle.objects.filter(state=Cycle.State.TARGET_UNAVAILABLE).order_by("-id").first()
    return HealthFigures(
        last_run=finished.finished_at if finished else None,
        # Summed over cycles, which are few, instead of counted over combinations, which are many.
        combinations_tried=Cycle.objects.aggregate(total=Sum("novel"))["total"] or 0,
        in_queue=flagged().count(),
        last_outage=outage,
    )
