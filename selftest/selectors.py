"""Reads: the queue, a combination, cycles, coverage. Nothing here changes a row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django_q.models import Schedule

from selftest import lifecycle
from selftest.core.answers import split_sections
from selftest.core.checks import CheckName
from selftest.core.generation import count_combinations
from selftest.core.recipes import RECIPES
from selftest.models import Combination, Cycle, Flag, ReviewEvent, Run, Target, Tuning, VocabularyVersion
from selftest.models.combination import IN_QUEUE
from selftest.services import SCHEDULE_NAME
from selftest.store import fingerprint_sha256, vocabulary_of

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


def older_than(rows: QuerySet[Combination], last_run: datetime, pk: int) -> QuerySet[Combination]:
    """The rest of `rows`, newest run first, after the one that was last asked at `last_run` and has this key."""
    at_most = Q(last_run_timestamp__lte=last_run)  # said apart, so that the index is entered here
    return rows.filter(at_most, Q(last_run_timestamp__lt=last_run) | Q(pk__lt=pk))


def findings_of(run_ids: Iterable[int]) -> Mapping[int, list[Flag]]:
    """The findings of these runs, by run, the first in priority order first; in one query."""
    flags = Flag.objects.filter(run_id__in=run_ids).order_by("run_id", "place")
    return {run_id: list(found) for run_id, found in groupby(flags, lambda flag: flag.run_id)}


def combination_numbered(pk: int) -> Combination | None:
    return Combination.objects.select_related("target").filter(pk=pk).first()


def run_numbered(pk: int) -> Run | None:
    """With its whole answer, and the vocabulary that it was checked against."""
    return Run.objects.select_related("combination", "target", "cycle__vocabulary").filter(pk=pk).first()


def cycles() -> QuerySet[Cycle]:
    """All cycles, the newest first."""
    return Cycle.objects.select_related("target").order_by("-id")


def runs_of_cycle(cycle: Cycle) -> QuerySet[Run]:
    """Its runs in the order in which they were planned, without their answers."""
    return cycle.runs.defer("result", "query").order_by("place")


@dataclass(frozen=True)
class Progress:
    """What a cycle that is not over has come to; one that is over has its counts in its row."""

    asked: int = 0
    flagged: int = 0
    novel: int = 0


def progress_of(cycles: Iterable[Cycle]) -> Mapping[int, Progress]:
    """By cycle, in one query; nothing for those that are over."""
    unfinished = [cycle.pk for cycle in cycles if cycle.state in lifecycle.OPEN_STATES]
    done = Run.objects.filter(cycle__in=unfinished, state=Run.State.DONE).values_list("cycle_id").order_by("cycle_id")
    counted = done.annotate(
        asked=Count("id"), flagged=Count("id", filter=Q(reason__isnull=False)), new=Count("id", filter=Q(novel=True))
    )
    return {pk: Progress(*counts) for pk, *counts in counted}


def newest_cycles() -> QuerySet[Cycle]:
    """The newest cycle of each target that has one."""
    of_target = Cycle.objects.filter(target=OuterRef("pk")).order_by("-id").values("pk")[:1]
    newest = Target.objects.annotate(newest=Subquery(of_target)).values("newest")
    return cycles().filter(pk__in=newest)


def schedule() -> Schedule | None:
    """When the next cycle is due and how often; None where testing is switched off or never was set up."""
    return Schedule.objects.filter(name=SCHEDULE_NAME).first()


@dataclass(frozen=True)
class AnswerPart:
    """A header, or the text between two; joined they are the answer, character by character."""

    is_header: bool
    text: str


def parts_of_answer(run: Run) -> list[AnswerPart]:
    """The answer of `run` with its headers told apart, by the vocabulary that it was checked against."""
    version = run.cycle.vocabulary
    headers = vocabulary_of(version).headers if version is not None else {}
    opened_at = {section.line for section in split_sections(run.result, headers) if section.source is not None}
    lines = enumerate(_lines(run.result), start=1)
    return [
        AnswerPart(is_header, "".join(text for _, text in found))
        for is_header, found in groupby(lines, lambda numbered: numbered[0] in opened_at)
    ]


def _lines(text: str) -> list[str]:
    """Ended by line feeds and nothing else, as sections count them."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


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


def health_figures(target: Target | None = None) -> HealthFigures:
    """Of `target`, or of all of them together."""
    cycles = Cycle.objects.all() if target is None else Cycle.objects.filter(target=target)
    finished = cycles.filter(state=Cycle.State.FINISHED).order_by("-finished_at").first()
    outage = cycles.filter(state=Cycle.State.TARGET_UNAVAILABLE).order_by("-id").first()
    return HealthFigures(
        last_run=finished.finished_at if finished else None,
        # Summed over cycles, which are few, instead of counted over combinations, which are many.
        combinations_tried=cycles.aggregate(total=Sum("novel"))["total"] or 0,
        in_queue=flagged(target=target).count(),
        last_outage=outage,
    )


# --- listings, for scripts ---


class CombinationState(StrEnum):
    """Where a combination stands."""

    QUEUE = "queue"  # flagged now or ever, and not dismissed
    FLAGGED_NOW = "flagged_now"
    EVER_FLAGGED = "ever_flagged"
    NEVER_FLAGGED = "never_flagged"
    DISMISSED = "dismissed"


_OF_STATE = {
    CombinationState.QUEUE: IN_QUEUE,
    CombinationState.FLAGGED_NOW: Q(currently_flagged=True),
    CombinationState.EVER_FLAGGED: Q(ever_flagged=True),
    CombinationState.NEVER_FLAGGED: Q(ever_flagged=False),
    CombinationState.DISMISSED: Q(review_status=Combination.ReviewStatus.DISMISSED),
}


@dataclass(frozen=True)
class CombinationFilter:
    """All of it has to hold; None: whatever. check: any of its runs broke it. text: in its last query, in any case."""

    target: Target | None = None
    recipe: str | None = None
    check: CheckName | None = None
    state: CombinationState | None = None
    text: str | None = None
    fingerprint: str | None = None


def combinations(wanted: CombinationFilter) -> QuerySet[Combination]:
    rows = Combination.objects.select_related("target").defer("query")
    if wanted.target is not None:
        rows = rows.filter(target=wanted.target)
    if wanted.recipe is not None:
        rows = rows.filter(recipe_name=wanted.recipe)
    if wanted.check is not None:
        rows = rows.filter(Exists(Flag.objects.filter(combination=OuterRef("pk"), check_name=wanted.check)))
    if wanted.state is not None:
        rows = rows.filter(_OF_STATE[wanted.state])
    if wanted.text is not None:
        rows = rows.filter(last_query_text__icontains=wanted.text)
    if wanted.fingerprint is not None:
        rows = rows.filter(fingerprint_sha256=fingerprint_sha256(wanted.fingerprint))
    return rows


def targets() -> QuerySet[Target]:
    """All targets, each with its vocabulary in force as the only one fetched."""
    in_force = VocabularyVersion.objects.filter(in_force=True).defer("content", "births")
    return Target.objects.prefetch_related(Prefetch("vocabularies", queryset=in_force))


def runs() -> QuerySet[Run]:
    """All runs, without their answers."""
    return Run.objects.select_related("target").defer("result", "query")


def flags() -> QuerySet[Flag]:
    """All findings."""
    return Flag.objects.select_related("combination__target").defer("combination__query")


def tuning() -> Tuning:
    """The settings in force."""
    found: Tuning = Tuning.get_solo()
    return found


def is_enabled(target: Target | None) -> bool:
    """Whether anything may be asked of `target`; for None, of any."""
    if target is not None:
        return lifecycle.is_enabled(target)
    return bool(settings.ADVERSARIAL_TEST_ENABLED and tuning().enabled)
