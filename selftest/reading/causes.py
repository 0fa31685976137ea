"""The causes of flags: which of them wait for a person, what is known of each, and the flags of one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.insight.predicates import FAMILIES, Places, QueryShape, bit
from selftest.core.insight.symptoms import seen_run
from selftest.core.judging.findings import CheckName
from selftest.models import (
    Cause,
    CauseEvent,
    CauseTally,
    Combination,
    Cycle,
    Flag,
    Reduction,
    Target,
    VocabularyVersion,
)
from selftest.reading.queue import OPEN, QueueRevision, flagged, listed_targets
from selftest.storage.serialization import finding_of, part_document, predicate_of, query_of, vocabulary_of

Verdict = Cause.Verdict
WITHOUT_ANSWERS = ("run__result", "run__error", "combination__last_flagged_result_excerpt")  # each may be long
EXAMPLES = Prefetch("example", Flag.objects.select_related("run", "combination").defer(*WITHOUT_ANSWERS))
TALLIES = 30  # cycles that a row tells of


class CauseState(StrEnum):
    """Which causes are looked at."""

    INBOX = "inbox"  # not judged and with open flags, or judged and back
    JUDGED = "judged"
    ALL = "all"


@dataclass(frozen=True)
class CauseFilter:
    """Empty values: any. target: its name; empty: all that are switched on. assignee: a user's name.

    is_unassigned: only those that are assigned to no one.
    """

    state: CauseState = CauseState.INBOX
    target: str = ""
    check: str = ""
    verdict: str = ""
    assignee: str = ""
    is_unassigned: bool = False


@dataclass(frozen=True)
class FlaggedCombinations:
    """Combinations whose last flagged run shows a cause. open: not dismissed. now: flagged on their last run."""

    open: int = 0
    now: int = 0


@dataclass(frozen=True)
class ListedCause:
    """A cause with what is counted of it."""

    row: Cause
    combinations: FlaggedCombinations
    is_in_inbox: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """Most open flags first."""
        return -self.combinations.open, -self.row.flags, self.row.pk


def listed_causes(filters: CauseFilter, revision: QueueRevision, now: datetime) -> list[ListedCause]:
    """All that the filter leaves, most open flags first."""
    return causes_by_state(filters, revision, now)[filters.state]


def causes_by_state(
    filters: CauseFilter, revision: QueueRevision, now: datetime
) -> Mapping[CauseState, list[ListedCause]]:
    """What the filter leaves in each state; a verdict only of its own state."""
    targets = Target.objects.filter(name=filters.target) if filters.target else listed_targets()
    rows = causes().filter(target__in=targets.order_by().values("pk"))
    if filters.assignee:
        rows = rows.filter(held_by__username=filters.assignee)
    if filters.is_unassigned:
        rows = rows.filter(held_by=None)
    found = [one for one in _listed(rows, revision, now) if not filters.check or filters.check in one.row.checks]
    found.sort(key=lambda one: one.order)
    by_state = {state: [one for one in found if _is_in(state, one)] for state in CauseState}
    if filters.verdict:
        by_state[filters.state] = [one for one in by_state[filters.state] if one.row.verdict == filters.verdict]
    return by_state


def listed_cause(row: Cause, revision: QueueRevision, now: datetime) -> ListedCause:
    """The same of one."""
    return _listed([row], revision, now)[0]


def causes() -> QuerySet[Cause]:
    """All that were not merged into another, with what lists show."""
    return Cause.objects.filter(merged_into=None).select_related("target", "held_by")


def cause_numbered(pk: int) -> Cause | None:
    """The cause of this number, or the one that it became; None for an unknown one."""
    row = Cause.objects.filter(pk=pk).first()
    seen = {pk}
    while row is not None and row.merged_into_id is not None and row.merged_into_id not in seen:
        seen.add(row.merged_into_id)
        row = Cause.objects.filter(pk=row.merged_into_id).first()
    return None if row is None else causes().filter(pk=row.pk).first()


def _listed(rows: Iterable[Cause], revision: QueueRevision, now: datetime) -> list[ListedCause]:
    counted = combinations_by_cause(revision)
    nothing = FlaggedCombinations()
    found = []
    for row in rows:
        combinations = counted.get(row.pk, nothing)
        is_in_inbox = is_back(row, now) if row.verdict else combinations.open > 0
        found.append(ListedCause(row, combinations, is_in_inbox))
    return found


def _is_in(state: CauseState, one: ListedCause) -> bool:
    if state is CauseState.INBOX:
        return one.is_in_inbox
    return state is CauseState.ALL or one.row.verdict is not None


def is_back(row: Cause, now: datetime) -> bool:
    """Whether a judged cause waits for a person again."""
    if row.verdict != Verdict.LATER or not has_condition(row):
        return row.new_flags > 0
    if row.until_date is not None and now.date() >= row.until_date:
        return True
    if row.until_new_flags is not None and row.new_flags >= row.until_new_flags:
        return True
    if not row.until_version:
        return False
    version = version_of(row.target)
    return version != row.judged_version if row.until_version == row.judged_version else version == row.until_version


def has_condition(row: Cause) -> bool:
    """Whether it was put off until something happens."""
    return row.until_date is not None or row.until_new_flags is not None or bool(row.until_version)


def version_of(target: Target) -> str:
    """The version that it answered with last; "" where it has never told one."""
    told = Cycle.objects.filter(target=target).exclude(target_version="").order_by("-id")
    return told.values_list("target_version", flat=True).first() or ""


@lru_cache(maxsize=16)
def combinations_by_cause(revision: QueueRevision) -> Mapping[int, FlaggedCombinations]:
    """By cause; counted once for as long as nothing has changed. revision: of now."""
    rows = _of_last_flagged_runs().order_by().values("cause")
    counted = rows.annotate(
        open=Count("combination", filter=Q(combination__review_status__isnull=True), distinct=True),
        now=Count("combination", filter=Q(combination__currently_flagged=True), distinct=True),
    )
    return {row["cause"]: FlaggedCombinations(row["open"], row["now"]) for row in counted}


def _of_last_flagged_runs() -> QuerySet[Flag]:
    return Flag.objects.filter(cause__isnull=False, run=F("combination__last_flagged_run"))


@lru_cache(maxsize=16)
def without_cause(revision: QueueRevision) -> int:
    """Open combinations of listed targets whose flags no cycle has put down to a cause yet. revision: of now."""
    told = Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__isnull=False)
    waiting = flagged().exclude(target__in=revision.left_out).filter(~Exists(told), last_flagged_run__isnull=False)
    return waiting.order_by().count()


def combinations_of(cause: Cause) -> QuerySet[Combination]:
    """Those whose last flagged run shows it."""
    shown = Flag.objects.filter(cause=cause, run=F("combination__last_flagged_run")).values("combination")
    return Combination.objects.filter(pk__in=shown, ever_flagged=True)


def closed_by_verdict(cause: Cause) -> QuerySet[Combination]:
    """Its open combinations of which no other flag has a cause that waits for a person."""
    others = Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__verdict=None).exclude(cause=cause)
    return combinations_of(cause).filter(OPEN).filter(~Exists(others))


def flags_of(cause: Cause) -> QuerySet[Flag]:
    """All of its flags, newest first."""
    return Flag.objects.filter(cause=cause).select_related("run", "combination").order_by("-id")


def oldest_flag(cause: Cause) -> Flag | None:
    """The first of its flags, with its run and cycle."""
    return Flag.objects.filter(cause=cause).select_related("run__cycle").order_by("id").first()


def story_of(cause: Cause) -> QuerySet[CauseEvent]:
    """What happened to it, newest first."""
    return CauseEvent.objects.filter(cause=cause).select_related("other").order_by("-id")


@dataclass(frozen=True)
class ExamplePart:
    """document: kind, text and source, as a stored query has it. is_broken: a flag is about it. is_suspect: the cause's

    predicate holds of it.
    """

    document: Sequence[str]
    is_broken: bool = False
    is_suspect: bool = False


@dataclass(frozen=True)
class ExampleQuery:
    """The smallest query that is known to show a cause. flag: of its run, or of the one that it was made of.

    is_minimised: it was found by leaving parts out.
    """

    flag: Flag
    text: str
    parts: tuple[ExamplePart, ...]
    is_minimised: bool


def example_queries(rows: Sequence[Cause]) -> dict[int, ExampleQuery]:
    """By cause: its example's query, or the smallest one that was found for one of its flags."""
    prefetch_related_objects(list(rows), EXAMPLES)
    minimised = _minimised(rows)
    versions = VocabularyVersion.objects.filter(target__in={row.target_id for row in rows}, in_force=True)
    vocabularies = {version.target_id: vocabulary_of(version) for version in versions}
    found = {}
    for row in rows:
        flag, reduction = minimised.get(row.pk, (row.example, None))
        if flag is not None:
            found[row.pk] = _example(row, flag, reduction, vocabularies.get(row.target_id))
    return found


def _minimised(rows: Iterable[Cause]) -> dict[int, tuple[Flag, Reduction]]:
    """By cause: of its flags the one whose smallest query is the smallest."""
    done = {
        (reduction.run_id, reduction.check_name): reduction
        for reduction in Reduction.objects.filter(searched_for(rows), state=Reduction.State.FINISHED).order_by("id")
        if reduction.smallest
    }
    flags = Flag.objects.filter(cause__in=[row.pk for row in rows], run__in={run for run, _ in done})
    found: dict[int, tuple[Flag, Reduction]] = {}
    for flag in flags.select_related("run", "combination").defer(*WITHOUT_ANSWERS).order_by("id"):
        reduction = done.get((flag.run_id, flag.check_name))
        if reduction is None or flag.cause_id is None:
            continue
        best = found.get(flag.cause_id)
        if best is None or len(reduction.smallest_text) < len(best[1].smallest_text):
            found[flag.cause_id] = flag, reduction
    return found


def searched_for(rows: Iterable[Cause]) -> Q:
    """The searches for the smallest query of a flag of these causes."""
    shown = Flag.objects.filter(cause__in=[row.pk for row in rows], check_name=OuterRef("check_name"))
    return Q(Exists(shown.filter(run=OuterRef("run"))))


def _example(row: Cause, flag: Flag, reduction: Reduction | None, vocabulary: Vocabulary | None) -> ExampleQuery:
    query = query_of(reduction.smallest if reduction and reduction.smallest else flag.run.query)
    text = reduction.smallest_text if reduction else flag.run.query_text
    check = {str(name): name for name in CheckName}.get(flag.check_name)
    broken = suspects = 0
    if check is not None and vocabulary is not None:
        seen = seen_run(query, [(flag.pk, finding_of(check, flag.evidence))], vocabulary)
        broken, every = seen.flags[0].suspects, seen.shape.every
        suspects = places_of(row, seen.shape)
        broken, suspects = (0 if places == every else places for places in (broken, suspects))
    place_of = {id(part): place for place, clause in enumerate(query.clauses) for part in clause.parts}
    parts = []
    for part in query.parts:
        mine = bit(place_of[id(part)]) if id(part) in place_of else 0
        parts.append(ExamplePart(part_document(part), bool(mine & broken), bool(mine & suspects)))
    return ExampleQuery(flag, text, tuple(parts), reduction is not None)


def places_of(row: Cause, shape: QueryShape) -> Places:
    """The parts of a query that a cause's predicate holds of; all where its family is known no longer."""
    predicate = predicate_of(row.predicate)
    is_known = all(one.family in FAMILIES for one in (predicate.of or (predicate,)))
    return predicate.places(shape) if is_known else shape.every


def newest_tallies(rows: Sequence[Cause]) -> dict[int, list[CauseTally]]:
    """By cause: the figures of the newest cycles that could have shown it, the oldest first."""
    found: dict[int, list[CauseTally]] = {row.pk: [] for row in rows}
    for tally in CauseTally.objects.filter(cause__in=found).order_by("cause", "-cycle"):
        if len(found[tally.cause_id]) < TALLIES:
            found[tally.cause_id].append(tally)
    return {pk: tallies[::-1] for pk, tallies in found.items()}
