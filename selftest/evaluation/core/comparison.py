"""From the queries that two targets answer differently to what the queries of one difference have in common. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from statistics import median

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.insight.causes import FoundCause, find_causes
from selftest.core.insight.predicates import ANY, Predicate, QueryShape, bit
from selftest.core.insight.symptoms import SeenFlag, SeenRun
from selftest.core.judging.context import standalone_part
from selftest.evaluation.core.answer_differences import (
    OF_ROUTING_KINDS,
    Difference,
    DifferenceKind,
    Seen,
    differences,
)

ROUNDS = 2  # in which each target is asked each query
MOST_ROUNDS = 4  # of a query with a difference
# Where sources bring something else each time: what is one of two at each of 4 askings is told apart by chance in one
# query of 128, at each of 10 in one of 500,000.
VOLATILE_ROUNDS = 10
UNSTEADY_P = 0.01  # that more queries are unsteady at one target by chance
CONFIDENCE = 0.95
FEW = 3  # queries with a difference that nothing explains, or
REST_SHARE = 0.05  # of all with the same symptom
LEAST_CHANGE_MS = 5.0  # of the median latency, and
LEAST_CHANGE_SHARE = 0.1  # of what it was: less is no slower target
LEAST_PAIRS = 8  # of latencies, for an interval


@dataclass(frozen=True)
class Compared:
    """A query with the answers of both. before: of the target that it is compared with."""

    query: Query
    before: tuple[Seen, ...]
    now: tuple[Seen, ...]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """As far as they are no chance, but for what is unsteady."""
        return differences(self.before, self.now)


def rounds_of(one: Compared, volatile: Set[str]) -> int:
    """In how many rounds it is asked, as far as can be told by now. volatile: sources that are known to be."""
    found = one.differences
    if not found:
        return ROUNDS
    is_by_chance = all(each.kind in OF_ROUTING_KINDS and volatile & _about(each) for each in found)
    return VOLATILE_ROUNDS if is_by_chance else MOST_ROUNDS


def _about(difference: Difference) -> Set[str]:
    if difference.kind is DifferenceKind.SOURCE:
        return {difference.before, difference.now}
    return set(difference.sources)


@dataclass(frozen=True)
class Group:
    """Queries with one kind of difference that have something in common.

    predicate: what that is. queries: those of which it holds, with the members. members: the places of those that
    differ, the shortest query first. leading: what most of them show.
    """

    predicate: Predicate
    leading: Difference
    queries: int
    members: tuple[int, ...]


@dataclass(frozen=True)
class LatencyChange:
    """How much longer a query takes at the target, in ms: the median of the pairs, with its interval at 95 %.

    before_ms: what a query takes at the other one. is_clear: neither chance nor too little to notice.
    """

    before_ms: float
    median_ms: float
    low_ms: float
    high_ms: float
    pairs: int
    is_clear: bool


def kept_differences(compared: Sequence[Compared]) -> list[tuple[Difference, ...]]:
    """Of each query its differences. What is unsteady counts where one target is so in clearly more queries.

    Both are asked as often: by chance each is the unsteady one in half of the cases (a sign test).
    """
    found = [one.differences for one in compared]
    unsteady = Counter(
        (each.is_of_target) for every in found for each in every[:1] if each.kind is DifferenceKind.UNSTEADY
    )
    clear = {side for side in (True, False) if _is_more(unsteady[side], unsteady[not side])}
    return [
        tuple(each for each in every if each.kind is not DifferenceKind.UNSTEADY or each.is_of_target in clear)
        for every in found
    ]


def _is_more(one: int, other: int) -> bool:
    from scipy import stats  # 80 MB, which a process that compares nothing does without

    return bool(one) and stats.binomtest(one, one + other, alternative="greater").pvalue < UNSTEADY_P


def groups(
    compared: Sequence[Compared], found: Sequence[tuple[Difference, ...]], vocabulary: Vocabulary
) -> list[Group]:
    """The queries that differ, by what they have in common and the others lack; the largest group first."""
    runs = [
        _run(place, one.query, every, vocabulary)
        for place, (one, every) in enumerate(zip(compared, found, strict=True))
    ]
    grouped = []
    for cause, places in _with_the_rest(find_causes(runs)):
        members = sorted(places, key=lambda place: (len(compared[place].query.text), place))
        leading = Counter(_without_details(found[place][0]) for place in members).most_common(1)[0][0]
        shown = next(found[place][0] for place in members if _without_details(found[place][0]) == leading)
        held = {place for place, run in enumerate(runs) if cause.predicate.places(run.shape)}
        grouped.append(Group(cause.predicate, shown, len(held | places), tuple(members)))
    return grouped


def _with_the_rest(causes: Sequence[FoundCause]) -> Iterable[tuple[FoundCause, frozenset[int]]]:
    """Each cause with its places. The few that nothing explains join the largest cause of the same symptom."""
    every = Counter[str]()
    for cause in causes:
        every[cause.symptom] += len(cause.flags)
    largest = {cause.symptom: cause for cause in reversed(causes)}  # they come with the largest first
    joining = {}
    for cause in causes:
        is_small = len(cause.flags) <= max(FEW, REST_SHARE * every[cause.symptom])
        if cause.predicate == ANY and is_small and cause is not largest[cause.symptom]:
            joining[cause.symptom] = cause
    for cause in causes:
        rest = joining.get(cause.symptom)
        if cause is not rest:
            joined = rest.flags if rest is not None and cause is largest[cause.symptom] else frozenset()
            yield cause, cause.flags | joined


def _without_details(difference: Difference) -> Difference:
    return replace(difference, before="", now="", sources=())


def _run(place: int, query: Query, every: Sequence[Difference], vocabulary: Vocabulary) -> SeenRun:
    shape = QueryShape(query, vocabulary)
    if not every:
        return SeenRun(shape)
    about = {source for each in every for source in each.sources if each.symptom == every[0].symptom}
    parts = [standalone_part(clause, vocabulary) for clause in query.clauses]
    suspects = sum(bit(n) for n, part in enumerate(parts) if about & {need.source for need in part.needs})
    return SeenRun(shape, (SeenFlag(place, every[0].symptom, suspects or shape.every),))


def latency_change(compared: Iterable[Compared]) -> LatencyChange | None:
    """How much slower the target is, from the medians of each query; None for too few queries."""
    pairs = [pair for one in compared if (pair := _medians(one)) is not None]
    if len(pairs) < LEAST_PAIRS:
        return None
    import numpy as np
    from scipy import stats

    changes = np.array([now - before for before, now in pairs])
    interval = stats.bootstrap(
        (changes,), np.median, confidence_level=CONFIDENCE, n_resamples=2000, method="percentile", random_state=0
    ).confidence_interval
    usual, change, low, high = map(
        float, (np.median([before for before, _ in pairs]), np.median(changes), interval.low, interval.high)
    )
    is_clear = not low <= 0 <= high and abs(change) >= max(LEAST_CHANGE_MS, LEAST_CHANGE_SHARE * usual)
    return LatencyChange(usual, change, low, high, len(pairs), is_clear)


def _medians(one: Compared) -> tuple[float, float] | None:
    were, are = (
        [each.latency_ms for each in those if not each.cached and not each.error] for those in (one.before, one.now)
    )
    return (median(were), median(are)) if were and are else None
