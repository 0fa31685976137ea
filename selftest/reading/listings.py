"""The listings of the API: every kind of row, filtered, to be read page by page.

The page of all combinations has a bounded search of its own, `combination_search`.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db import connection
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from selftest.core.judging.findings import CheckName
from selftest.models import Combination, Cycle, Flag, Run, Target, VocabularyVersion
from selftest.models.combination import IN_QUEUE
from selftest.reading.run_texts import with_text
from selftest.reading.targets import flags_on
from selftest.storage.texts import sha256_hex

LARGE_TARGET = 50_000  # combinations; SQLite sorts those of a smaller one in 100 ms


class CombinationState(StrEnum):
    """What became of a combination, as the API filters by it."""

    QUEUE = "queue"  # flagged now or ever, and not dismissed
    FLAGGED_NOW = "flagged_now"
    EVER_FLAGGED = "ever_flagged"
    NEVER_FLAGGED = "never_flagged"
    DISMISSED = "dismissed"


_OF_STATE = {
    CombinationState.QUEUE: IN_QUEUE,
    CombinationState.FLAGGED_NOW: Q(ever_flagged=True, currently_flagged=True),
    CombinationState.EVER_FLAGGED: Q(ever_flagged=True),
    CombinationState.NEVER_FLAGGED: Q(ever_flagged=False),
    CombinationState.DISMISSED: Q(ever_flagged=True, review_status=Combination.ReviewStatus.DISMISSED),
}
_WAS_FLAGGED = set(CombinationState) - {CombinationState.NEVER_FLAGGED}


@dataclass(frozen=True)
class CombinationFilter:
    """All of it has to hold; None: any. check: any of its runs broke it. text: in its last query, in any case."""

    target: Target | None = None
    recipe: str | None = None
    check: CheckName | None = None
    state: CombinationState | None = None
    text: str | None = None
    fingerprint: str | None = None


def combinations(filters: CombinationFilter) -> QuerySet[Combination]:
    """All that fit the filters, in no order."""
    rows = Combination.objects.select_related("target", "cause").defer("query")
    if filters.target is not None:
        rows = _of_target(rows, filters, filters.target)
    if filters.recipe is not None:
        rows = rows.filter(recipe_name=filters.recipe)
    if filters.check is not None:
        broken = Flag.objects.filter(combination=OuterRef("pk"), check_name=filters.check)
        rows = rows.filter(Exists(broken), ever_flagged=True)
    if filters.state is not None:
        rows = rows.filter(_OF_STATE[filters.state])
    if filters.text is not None:
        rows = rows.filter(last_query_text__icontains=filters.text)
    if filters.fingerprint is not None:
        rows = rows.filter(fingerprint_sha256=sha256_hex(filters.fingerprint))
    return rows


def _of_target(rows: QuerySet[Combination], filters: CombinationFilter, target: Target) -> QuerySet[Combination]:
    """Of a large target, what was not flagged is looked for from the newest of all targets back.

    SQLite would sort all that the target has. What was ever flagged, and one fingerprint, it finds in an index.
    """
    of_target = rows.filter(target=target)
    was_flagged = filters.check is not None or filters.state in _WAS_FLAGGED
    if was_flagged or filters.fingerprint is not None or connection.vendor == "postgresql":
        return of_target
    if Combination.objects.filter(target=target).order_by()[: LARGE_TARGET + 1].count() <= LARGE_TARGET:
        return of_target
    return rows.alias(own_target=F("target") + 0).filter(own_target=target.pk)


def targets() -> QuerySet[Target]:
    """All targets, each with its vocabulary in force as the only one fetched."""
    in_force = VocabularyVersion.objects.filter(in_force=True).defer("content", "births")
    return Target.objects.prefetch_related(Prefetch("vocabularies", queryset=in_force))


def runs(target: Target | None = None, state: Run.State | None = None) -> QuerySet[Run]:
    """All runs, or those of one target or in one state, without their answers."""
    if state in (None, Run.State.DONE):
        # That target is not joined: SQLite would begin with it, and read and sort all of its runs.
        rows = Run.objects.select_related("target") if target is None else target.runs.all()
    else:  # few, and only in cycles without all of their answers
        cycles = Cycle.objects.order_by().filter(queries_run__lt=F("queries_wanted"))
        cycles = cycles if target is None else cycles.filter(target=target)
        rows = Run.objects.select_related("target").filter(cycle__in=cycles)
    if state is not None:
        rows = rows.filter(state=state)
    return with_text(rows.defer("result"))


def flags(target: Target | None = None) -> QuerySet[Flag]:
    """All findings, or those of one target."""
    rows = Flag.objects.all() if target is None else flags_on(target.pk)
    return rows.select_related("combination__target", "cause").defer("combination__query")
