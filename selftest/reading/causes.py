"""The causes of flags: which of them wait for a person, what is known of each, and the flags of one."""

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from selftest.core.insight.predicates import Places, Predicate, QueryShape, bit
from selftest.core.insight.quiet import QuietSpell, ended_spell, quiet_spell
from selftest.core.insight.symptoms import seen_run
from selftest.core.judging.findings import CheckName
from selftest.models import (
    Cause,
    CauseEvent,
    CauseTally,
    Combination,
    Flag,
    Reduction,
    VocabularyVersion,
)
from selftest.models.run import ASKED_COLUMNS
from selftest.reading.flagged_rows import flagged_rows
from selftest.reading.given_verdicts import verdicts_of
from selftest.reading.queue import LATEST, OPEN, QueueRevision, flagged, showing
from selftest.reading.target_versions import version_of
from selftest.reading.verdicts import JudgedAs, Month, PutOff
from selftest.refusals import OutdatedError
from selftest.storage.serialization import (
    StoredVocabulary,
    finding_of,
    part_document,
    predicate_of,
    query_of,
    vocabulary_of,
)

Verdict = Cause.Verdict
FLAG_COLUMNS = tuple(column.name for column in Flag._meta.concrete_fields)
EXAMPLE_COLUMNS = (  # what is looked at; answers, which may be long, are not
    *FLAG_COLUMNS,
    *(f"run__{column}" for column in ASKED_COLUMNS),
    *("combination__fingerprint", "combination__target", "combination__recipe_name"),
)
LINE_COLUMNS = (  # the same of a flag in a list
    *FLAG_COLUMNS,
    *(f"run__{column}" for column in ASKED_COLUMNS),
    *("combination__review_status", "combination__currently_flagged", "combination__last_flagged_run"),
)
MOST_TOLD = 300  # flags of a cause that are filtered by what they say: each is read whole
ALL_SAID = "all"  # in an address: flags whatever they say
TALLIES = 30  # cycles that a row tells of
LISTED_BY = (  # all that decides whether and where a cause is listed; to read the rest of hundreds takes longer
    *("target", "checks", "flags", "verdict", "new_flags"),
    *("until_date", "until_new_flags", "until_version", "judged_version"),
)


class CauseState(StrEnum):
    """Which causes are looked at."""

    INBOX = "inbox"  # not judged and with open flags, or judged and back
    JUDGED = "judged"
    ALL = "all"


@dataclass(frozen=True)
class CauseFilter:
    """Empty values: any. target: its name; empty: all that are switched on. assignee: a user's name.

    is_unassigned: only those that are assigned to no one. month: only those that were judged in it; `verdict` is
    then the one that was given in it.
    """

    state: CauseState = CauseState.INBOX
    target: str = ""
    check: str = ""
    verdict: JudgedAs | None = None
    month: Month | None = None
    assignee: str = ""
    is_unassigned: bool = False


@dataclass(frozen=True)
class FlaggedCombinations:
    """Combinations whose last flagged run shows a cause. open: not dismissed. now: flagged on their last run."""

    open: int = 0
    now: int = 0

    def __add__(self, other: "FlaggedCombinations") -> "FlaggedCombinations":
        return FlaggedCombinations(self.open + other.open, self.now + other.now)


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
    """All that the filter leaves, most open flags first; in_full() has all of their columns."""
    return causes_by_state(filters, revision, now)[filters.state]


def causes_by_state(
    filters: CauseFilter, revision: QueueRevision, now: datetime
) -> Mapping[CauseState, list[ListedCause]]:
    """What the filter leaves in each state; a verdict and a month only of its own state."""
    rows = [
        row for row in causes_of_targets(filters.target, revision) if not filters.check or filters.check in row.checks
    ]
    if filters.assignee or filters.is_unassigned:
        whose = Q(held_by__username=filters.assignee) if filters.assignee else Q(held_by=None)
        assigned = set(Cause.objects.filter(whose).values_list("pk", flat=True))
        rows = [row for row in rows if row.pk in assigned]
    found = sorted(_listed(rows, revision, now), key=lambda one: one.order)
    by_state = {state: [one for one in found if _is_in(state, one)] for state in CauseState}
    if filters.verdict or filters.month:
        given = (
            verdicts_of(revision, filters.month) if filters.month else {one.row.pk: one.row.verdict for one in found}
        )
        meant = filters.verdict.verdicts if filters.verdict else tuple(Verdict)
        by_state[filters.state] = [one for one in by_state[filters.state] if given.get(one.row.pk) in meant]
    return by_state


@lru_cache(maxsize=16)
def causes_of_targets(target: str, revision: QueueRevision) -> Sequence[Cause]:
    """As a filter names targets, the causes that were not merged into another; read once until anything changes."""
    rows = Cause.objects.filter(merged_into=None, target__in=revision.targets_meant(target))
    return tuple(rows.only(*LISTED_BY))


def in_full(listed: Sequence[ListedCause]) -> list[ListedCause]:
    """The same with all columns of their rows, to be shown."""
    # Each target and person once: as a part of every row they would take longer to read than the causes themselves.
    rows = causes().select_related(None).prefetch_related("target", "held_by")
    by_key = rows.in_bulk([one.row.pk for one in listed])
    return [replace(one, row=by_key[one.row.pk]) for one in listed if one.row.pk in by_key]


@lru_cache(maxsize=16)
def causes_of_page(listed: tuple[ListedCause, ...], revision: QueueRevision) -> tuple["ShownCause", ...]:
    """As lists show them; read once until anything changes."""
    return shown_causes(in_full(listed))


def listed_cause(row: Cause, revision: QueueRevision, now: datetime) -> ListedCause:
    """The same of one."""
    return _listed([row], revision, now)[0]


def causes() -> QuerySet[Cause]:
    """All that were not merged into another, with what lists show."""
    return Cause.objects.filter(merged_into=None).select_related("held_by").prefetch_related("target")


def other_causes(row: Cause) -> QuerySet[Cause]:
    """Those of its target beside it, with what names them; those with most flags first."""
    others = Cause.objects.filter(merged_into=None, target=row.target_id).exclude(pk=row.pk)
    return others.only("checks", "sentence").order_by("-flags")


def cause_numbered(pk: int) -> Cause | None:
    """The cause of this number, or the one that it became; None for an unknown one."""
    if (found := causes().filter(pk=pk).first()) is not None:
        return found
    heir: int | None = pk
    seen = set[int]()
    while heir is not None and heir not in seen:
        seen.add(heir)
        heir = Cause.objects.filter(pk=heir).values_list("merged_into", flat=True).first()
    return causes().filter(pk__in=seen).first()


def cause_to_act_on(pk: int) -> Cause | None:
    """The cause of this number, None for an unknown one. Raises OutdatedError for one that became another.

    The caller has not seen that other one.
    """
    found = cause_numbered(pk)
    if found is not None and found.pk != pk:
        raise OutdatedError(f"cause {pk} was merged into cause {found.pk}; look at that one first")
    return found


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
    if row.until_new_flags is not None and row.new_flags >= row.until_new_flags:
        return True
    put_off = PutOff(row.until_date, row.until_version, row.judged_version)
    return put_off.is_due(now.date(), version_of(row.target_id) if row.until_version else "")


def has_condition(row: Cause) -> bool:
    """Whether it was put off until something happens."""
    return row.until_date is not None or row.until_new_flags is not None or bool(row.until_version)


@lru_cache(maxsize=16)
def combinations_by_cause(revision: QueueRevision) -> Mapping[int, FlaggedCombinations]:
    """By cause; counted once for as long as nothing has changed. revision: of now."""
    # The cause of its first flag is in its own row.
    counted = defaultdict[int, FlaggedCombinations](FlaggedCombinations)
    for bucket in flagged_rows(revision.changes).buckets({pk for pk, _ in revision.targets}):
        kind, rows = bucket.kind, bucket.rows
        if kind.cause is not None:
            counted[kind.cause] += FlaggedCombinations(rows * kind.is_open, rows * kind.is_now)
    # Few have flags of another cause, too. Flagged ever is what they are: the narrow index of such is looked into.
    further = LATEST.filter(place__gt=0, cause__isnull=False, combination__ever_flagged=True).exclude(
        combination__cause=F("cause")
    )
    for cause, is_open, now in further.values_list("cause").annotate(
        open=Count("combination", filter=Q(combination__review_status=None), distinct=True),
        now=Count("combination", filter=Q(combination__currently_flagged=True), distinct=True),
    ):
        counted[cause] += FlaggedCombinations(is_open, now)
    return dict(counted)


@lru_cache(maxsize=16)
def without_cause(revision: QueueRevision) -> int:
    """Open combinations of listed targets whose flags no cycle has put down to a cause yet. revision: of now."""
    listed = {pk for pk, _ in revision.targets}.difference(revision.left_out)  # named, as their index begins with them
    return flagged().filter(target__in=listed, cause=None, last_flagged_run__isnull=False).order_by().count()


def combinations_of(cause: Cause) -> QuerySet[Combination]:
    """Those whose last flagged run shows it."""
    return Combination.objects.filter(pk__in=showing(cause.pk), ever_flagged=True)


def closed_by_verdict(cause: Cause) -> QuerySet[Combination]:
    """Its open combinations of which no other flag has a cause that waits for a person."""
    others = LATEST.filter(combination=OuterRef("pk"), cause__verdict=None).exclude(cause=cause)
    return combinations_of(cause).filter(OPEN).filter(~Exists(others))


def waiting_flags(cause: Cause) -> QuerySet[Flag]:
    """Of a judged cause, in combinations that are open: those that came since, and older ones that wait with no other.

    The latter were put down to it since, or a person restored them: its verdict does not speak of them.
    """
    elsewhere = LATEST.filter(combination=OuterRef("combination"), cause__verdict=None).exclude(cause=cause)
    since, now = Q(pk__gt=cause.judged_through), Q(is_latest=True) & ~Exists(elsewhere)
    is_open = Q(combination__ever_flagged=True, combination__review_status=None)
    return Flag.objects.filter(is_open & (since | now), cause=cause)


def flags_of(cause: Cause) -> QuerySet[Flag]:
    """All of its flags, newest first."""
    flags = Flag.objects.filter(cause=cause).select_related("run__combination", "combination")
    return flags.only(*LINE_COLUMNS).order_by("-id")


def told_by_flags(cause: Cause) -> list[tuple[Flag, tuple[Predicate, ...]]]:
    """Its newest flags, each with what is said of its finding; none while the target has no vocabulary."""
    version = VocabularyVersion.objects.filter(target=cause.target_id, in_force=True).first()
    if version is None:
        return []
    vocabulary = vocabulary_of(version)
    known = {str(name): name for name in CheckName}
    found = []
    for flag in flags_of(cause).filter(check_name__in=known)[:MOST_TOLD]:
        finding = finding_of(known[flag.check_name], flag.evidence)
        [seen] = seen_run(QueryShape(query_of(flag.run.document), vocabulary), [(flag.pk, finding)]).flags
        found.append((flag, seen.told))
    return found


def finding_predicate(text: str) -> Predicate | None:
    """What `predicate_text` made this of; None for what says nothing of a finding."""
    family, _, value = text.partition(":")
    said = Predicate(family, (value,))
    return said if said.is_of_finding and value else None


def predicate_text(said: Predicate | None) -> str:
    """What is said of a finding, as an address has it; None: whatever it is."""
    return ALL_SAID if said is None else f"{said.family}:{said.values[0]}"


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


@dataclass(frozen=True)
class ShownCause:
    """listed: with all columns of its row. tallies: of the newest cycles that could have shown it, the oldest first."""

    listed: ListedCause
    example: ExampleQuery | None
    tallies: Sequence["Tally"]


def shown_causes(listed: Sequence[ListedCause]) -> tuple[ShownCause, ...]:
    """With the query and the course of each; `listed` as in_full() has them."""
    rows = [one.row for one in listed]
    examples, tallies = example_queries(rows), newest_tallies(rows)
    return tuple(ShownCause(one, examples.get(one.row.pk), tallies[one.row.pk]) for one in listed)


def example_queries(rows: Sequence[Cause]) -> dict[int, ExampleQuery]:
    """By cause: its example's query, or the smallest one that was found for one of its flags."""
    minimised = _minimised(rows)
    shown = {row.pk: found.flag if (found := minimised.get(row.pk)) else row.example_id for row in rows}
    looked_at = Flag.objects.select_related("run__combination", "combination").only(*EXAMPLE_COLUMNS).order_by()
    flags = looked_at.in_bulk(set(filter(None, shown.values())))
    in_force = VocabularyVersion.objects.filter(target__in={row.target_id for row in rows}, in_force=True)
    versions = in_force.only("target", "sha256")  # their content is large, and read once: see _parts()
    vocabularies = {version.target_id: StoredVocabulary(version.sha256, version) for version in versions}
    found_for = {}
    for row in rows:
        if (flag := flags.get(shown[row.pk] or 0)) is not None:
            found_for[row.pk] = _example(row, flag, minimised.get(row.pk), vocabularies.get(row.target_id))
    return found_for


class _Minimised(NamedTuple):
    """flag: its key. document: the smallest query as it is stored."""

    flag: int
    text: str
    document: Mapping[str, Any]


def _minimised(rows: Iterable[Cause]) -> dict[int, _Minimised]:
    """By cause: of its flags the one whose smallest query is the smallest."""
    finished = Reduction.objects.filter(searched_for(rows), state=Reduction.State.FINISHED).order_by("id")
    done = {
        (run, check): (text, document)
        for run, check, text, document in finished.values_list("run", "check_name", "smallest_text", "smallest")
        if document
    }
    flags = Flag.objects.filter(cause__in=[row.pk for row in rows], run__in={run for run, _ in done}).order_by("id")
    found: dict[int, _Minimised] = {}
    for pk, cause, run, check in flags.values_list("pk", "cause", "run", "check_name"):
        if (run, check) in done:
            one = _Minimised(pk, *done[run, check])
            if cause not in found or len(one.text) < len(found[cause].text):
                found[cause] = one
    return found


def searched_for(rows: Iterable[Cause]) -> Q:
    """The searches for the smallest query of a flag of these causes."""
    shown = Flag.objects.filter(cause__in=[row.pk for row in rows], check_name=OuterRef("check_name"))
    return Q(Exists(shown.filter(run=OuterRef("run"))))


def _example(row: Cause, flag: Flag, smallest: _Minimised | None, vocabulary: StoredVocabulary | None) -> ExampleQuery:
    documents = smallest.document if smallest else flag.run.document, flag.evidence, row.predicate
    parts = _parts(flag.check_name, *map(json.dumps, documents), vocabulary)
    return ExampleQuery(flag, smallest.text if smallest else flag.run.text, parts, smallest is not None)


@lru_cache(maxsize=1024)  # a few KB each; the same rows are looked at again and again
def _parts(
    check_name: str, query_document: str, evidence: str, predicate: str, vocabulary: StoredVocabulary | None
) -> tuple[ExamplePart, ...]:
    """Of a query, with what broke and what is suspected. Documents are as rows hold them."""
    query = query_of(json.loads(query_document))
    check = {str(name): name for name in CheckName}.get(check_name)
    broken = suspects = 0
    if check is not None and vocabulary is not None:
        finding = finding_of(check, json.loads(evidence))
        seen = seen_run(QueryShape(query, vocabulary_of(vocabulary.row)), [(0, finding)])
        broken, every = seen.flags[0].suspects, seen.shape.every
        suspects = _places(json.loads(predicate), seen.shape)
        broken, suspects = (0 if places == every else places for places in (broken, suspects))
    in_clauses = deque((part, place) for place, clause in enumerate(query.clauses) for part in clause.parts)
    parts = []
    for part in query.parts:
        mine = bit(in_clauses.popleft()[1]) if in_clauses and part == in_clauses[0][0] else 0
        parts.append(ExamplePart(tuple(part_document(part)), bool(mine & broken), bool(mine & suspects)))
    return tuple(parts)


def _places(predicate: Mapping[str, Any], shape: QueryShape) -> Places:
    """The parts of a query that it holds of; all where its family is known no longer."""
    known = known_predicate(predicate)
    return shape.every if known is None else known.places(shape)


def known_predicate(document: Mapping[str, Any]) -> Predicate | None:
    """A stored predicate; None where its family is known no longer."""
    predicate = predicate_of(document)
    return predicate if predicate.is_known else None


class Tally(NamedTuple):
    """What one cycle says of a cause, as CauseTally."""

    runs: int
    flagged: int


def newest_tallies(rows: Sequence[Cause]) -> dict[int, list[Tally]]:
    """By cause: the figures of the newest cycles that could have shown it, the oldest first."""
    found: dict[int, list[Tally]] = {row.pk: [] for row in rows}
    kept = CauseTally.objects.filter(cause__in=found).order_by("cause_id", "cycle_id")
    for cause, *figures in kept.values_list("cause", "runs", "flagged"):
        found[cause].append(Tally(*figures))
    return {cause: tallies[-TALLIES:] for cause, tallies in found.items()}


@dataclass(frozen=True)
class CauseSpells:
    """quiet: the time for which it was not seen lately. ended: such a time that recent flags have ended."""

    quiet: QuietSpell | None
    ended: QuietSpell | None


def spells_of(row: Cause, tallies: Iterable[Tally]) -> CauseSpells:
    """tallies: of the newest cycles, the oldest first."""
    counts = [(tally.runs, tally.flagged) for tally in tallies]
    return CauseSpells(quiet_spell(counts, (row.runs, row.struck)), ended_spell(counts))
