"""What waits for a person: the queue of the API, and the lists that reviewers look at."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value, Window
from django.db.models.functions import Coalesce, RowNumber, StrIndex

from selftest.core.checks import CheckName
from selftest.models import Combination, Flag, Ingredient, Installation, ReviewEvent, Run, Target, VocabularyVersion
from selftest.models.combination import IN_QUEUE
from selftest.search import FEW, among, among_flagged
from selftest.store import fingerprint_sha256, storable, vocabulary_of

EPOCH = datetime.fromtimestamp(0, UTC)
# The checks' order of priority backwards, as a text to look a check up in: cheaper for a database than one comparison
# for each, and what is no check stands before them all.
LEAST_SEVERE_FIRST = " ".join(reversed(CheckName))
DIGITS = 18  # of a number that every database can look up
LATELY_EVENTS = 5_000  # of all stories: no long history is searched for what happened today
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


def findings_of(run_ids: Iterable[int]) -> Mapping[int, list[Flag]]:
    """The findings of these runs, by run, the first in priority order first; in one query."""
    flags = Flag.objects.filter(run_id__in=run_ids).order_by("run_id", "place")
    return {run_id: list(found) for run_id, found in groupby(flags, lambda flag: flag.run_id)}


# --- the queue as reviewers look at it ---


@dataclass(frozen=True)
class Version:
    """Stands for all that lists are counted and grouped by; another one whenever any of it has changed.

    targets: all of them, keys and names, as filters name targets.
    """

    changes: int | None
    targets: tuple[tuple[int, str], ...]


Place = tuple[str, ...]  # of the last entry shown: where what comes after it begins


class Tab(StrEnum):
    """Which of the flagged are looked at."""

    REVIEW = "review"  # flagged now or ever, and not dismissed
    NOW = "now"
    EVER = "ever"
    DISMISSED = "dismissed"


# Of rows that were flagged one time or other. Said apart from that, because that is what the narrow index holds: a
# condition that names it again would be looked up in the wide rows. And said so that no other index is taken for it.
OPEN = ~Q(review_status__isnull=False)
STATUS_OF_TAB = {
    Tab.REVIEW: OPEN,
    Tab.NOW: Q(currently_flagged=True),
    Tab.EVER: Q(),
    Tab.DISMISSED: Q(review_status=Combination.ReviewStatus.DISMISSED),
}


# Of all rows: how the indexes that are ordered by the newest run name what they hold.
INDEXED_AS = {
    Tab.REVIEW: IN_QUEUE,
    Tab.NOW: Q(currently_flagged=True),
    Tab.EVER: Q(ever_flagged=True),
    Tab.DISMISSED: Q(ever_flagged=True, review_status=Combination.ReviewStatus.DISMISSED),
}


class Sort(StrEnum):
    """What stands first."""

    NEWEST = "newest"  # the newest run, as specified
    SEVERITY = "severity"  # in the checks' order of priority
    AGE = "age"  # what was first flagged longest ago
    FLAGGED = "flagged"  # what was flagged most often


class Age(StrEnum):
    """How long ago something was flagged for the first time."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    OLDER = "older"


DAYS_OF_AGE = {Age.DAY: 1, Age.WEEK: 7, Age.MONTH: 30}
INGREDIENTS_MEANT = 200  # by one word of a reader; a word that means more than that means nothing


@dataclass(frozen=True)
class QueueFilter:
    """What of the queue is looked at, and in which order. Empty values: whatever.

    target: its name. ingredient: its whole name, or words out of it. suspect: the whole name of an ingredient.
    source: who answered last.
    """

    tab: Tab = Tab.REVIEW
    check: CheckName | None = None
    recipe: str = ""
    source: str = ""
    ingredient: str = ""
    suspect: str = ""
    target: str = ""
    age: Age | None = None
    text: str = ""
    sort: Sort = Sort.NEWEST

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything of its tab out."""
        return self != QueueFilter(tab=self.tab, sort=self.sort)


def _narrowed(wanted: QueueFilter, now: datetime) -> QuerySet[Combination]:
    """What the filter leaves of all that was ever flagged, in no order and of every tab."""
    targets = Target.objects.filter(name=storable(wanted.target)) if wanted.target else Target.objects.all()
    # Named also where all are meant: so the narrow index is entered, which begins with the target.
    rows = Combination.objects.filter(ever_flagged=True, target__in=targets.order_by().values("pk")).order_by()
    if wanted.check:
        rows = rows.filter(flagged_check=wanted.check)
    if wanted.suspect:
        suspect = Ingredient.objects.filter(sha256=fingerprint_sha256(wanted.suspect)).values_list("pk", flat=True)
        rows = rows.filter(suspect__in=list(suspect))  # its key, with which the narrow index goes on
    if wanted.recipe:
        rows = rows.filter(recipe_name=wanted.recipe)
    if wanted.source:
        rows = rows.filter(last_source_used=storable(wanted.source))
    if wanted.age is Age.OLDER:
        rows = rows.filter(first_flagged_timestamp__lt=now - timedelta(days=DAYS_OF_AGE[Age.MONTH]))
    elif wanted.age:
        rows = rows.filter(first_flagged_timestamp__gte=now - timedelta(days=DAYS_OF_AGE[wanted.age]))
    if wanted.ingredient:
        holding = Combination.ingredients.through.objects.filter(ingredient__in=_ingredients_meant(wanted.ingredient))
        keys = holding.order_by().values_list("combination", flat=True)
        rows = among(rows, keys, keys[: FEW + 1].count())
    return among_flagged(rows, wanted.text)


def _ingredients_meant(words: str) -> list[int]:
    """The ingredient of this very name, or else those that hold these words."""
    exact = Ingredient.objects.filter(sha256=fingerprint_sha256(words)).values_list("pk", flat=True)
    if found := list(exact):
        return found
    holding = Ingredient.objects.filter(text__icontains=storable(words)).order_by("id")
    return list(holding.values_list("pk", flat=True)[:INGREDIENTS_MEANT])


def in_tab(wanted: QueueFilter, now: datetime) -> QuerySet[Combination]:
    """What the filter and its tab leave, in no order."""
    return _narrowed(wanted, now).filter(STATUS_OF_TAB[wanted.tab])


@dataclass(frozen=True)
class Counts:
    """How many of each tab a filter leaves. open: of the filter's own tab, those that are not dismissed."""

    of: Mapping[Tab, int]
    open: int

    @classmethod
    def of_tab(cls, tab: Tab, ever: int, review: int, now: int, now_open: int) -> "Counts":
        counts = {Tab.REVIEW: review, Tab.NOW: now, Tab.EVER: ever, Tab.DISMISSED: ever - review}
        return cls(counts, {Tab.DISMISSED: 0, Tab.NOW: now_open}.get(tab, review))


def counts(wanted: QueueFilter, now: datetime, at: Version) -> Counts:
    """Counted once for as long as nothing has changed."""
    return _counts(wanted, _minute(wanted, now), at)


@lru_cache(maxsize=512)
def _counts(wanted: QueueFilter, now: datetime, at: Version) -> Counts:
    is_now = STATUS_OF_TAB[Tab.NOW]
    row = Value(1)  # not the key, which stands last in the narrow index
    found = _narrowed(wanted, now).aggregate(
        ever=Count(row),
        review=Count(row, filter=OPEN),
        now=Count(row, filter=is_now),
        now_open=Count(row, filter=is_now & OPEN),
    )
    return Counts.of_tab(wanted.tab, **found)


def version() -> Version:
    changes = Installation.objects.values_list("queue_changes", flat=True).first()
    return Version(changes, tuple(Target.objects.order_by("name").values_list("pk", "name")))


def waiting(target: Target | None, at: Version) -> int:
    """How many combinations wait for a person. Counted once for as long as nothing has changed."""
    return _waiting(target and target.pk, at)


@lru_cache(maxsize=64)
def _waiting(target: int | None, at: Version) -> int:
    rows = Combination.objects.filter(IN_QUEUE)
    return (rows if target is None else rows.filter(target=target)).count()


def _minute(wanted: QueueFilter, now: datetime) -> datetime:
    """To the minute where it matters how long ago something was, and the same always where it does not."""
    return now.replace(second=0, microsecond=0) if wanted.age else datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Heap:
    """Rows of one target with the same check and the same suspect: one cause, as far as can be told.

    only: its only row where it has one. open, key_sum: how many of its rows are not dismissed (of the dismissed: are),
    and the sum of their keys, by which the same rows are known again. seen_run: the newest flagged run in it.
    place: where it stands in its list: what that is sorted by, as whole numbers of which the least comes first, and
    what it is.
    """

    target: int
    check: str
    suspect: int | None
    count: int
    open: int
    key_sum: int
    seen_run: int
    only: int | None
    newest: datetime
    oldest: datetime
    place: Place


@dataclass(frozen=True)
class Fold:
    """A list folded into heaps, in its order, and the figures of all tabs, which the same look brings."""

    sort: Sort
    counts: Counts
    heaps: tuple[Heap, ...]

    def after(self, place: Place | None, limit: int) -> Sequence[Heap]:
        """The next `limit` heaps after a place. Raises InvalidPlaceError for what is none of this list's."""
        if place is None:
            return self.heaps[:limit]
        if len(place) != len(SORTED_BY[self.sort]):
            raise InvalidPlaceError("not a place in this list")
        begin = bisect_right(self.heaps, _standing(place), key=lambda heap: _standing(heap.place))
        return self.heaps[begin : begin + limit]


class InvalidPlaceError(ValueError):
    """What is given as a place in a list is none of this list's."""


def fold(wanted: QueueFilter, now: datetime, at: Version) -> Fold:
    """Grouped once for as long as nothing has changed."""
    return _fold(wanted, _minute(wanted, now), at)


@lru_cache(maxsize=64)
def _fold(wanted: QueueFilter, now: datetime, at: Version) -> Fold:
    of_all_tabs = replace(wanted, tab=Tab.EVER, sort=Sort.NEWEST)
    pieces = _pieces(of_all_tabs, now, at, counts_flags=wanted.sort is Sort.FLAGGED)
    whole: dict[tuple[int, str, int | None], list[_Piece]] = {}
    for piece in pieces:
        if piece.is_in(wanted.tab):
            whole.setdefault((piece.target, piece.check, piece.suspect), []).append(piece)
    heaps = [_heap(wanted, *of, parts) for of, parts in whole.items()]
    counts = Counts.of_tab(
        wanted.tab,
        ever=sum(piece.count for piece in pieces),
        review=sum(piece.count for piece in pieces if piece.is_open),
        now=sum(piece.count for piece in pieces if piece.is_now),
        now_open=sum(piece.count for piece in pieces if piece.is_now and piece.is_open),
    )
    return Fold(wanted.sort, counts, tuple(sorted(heaps, key=lambda heap: _standing(heap.place))))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Those rows of a heap that stand in the same tabs. keys: their sum. most: how often one of them was flagged,
    if that was counted.
    """

    target: int
    check: str
    suspect: int | None
    status: str | None
    is_now: bool
    count: int
    keys: int
    seen_run: int | None
    newest: datetime
    oldest: datetime
    most: int = 0

    @property
    def is_open(self) -> bool:
        return self.status is None

    def is_in(self, tab: Tab) -> bool:
        return {Tab.REVIEW: self.is_open, Tab.NOW: self.is_now, Tab.EVER: True, Tab.DISMISSED: not self.is_open}[tab]


@lru_cache(maxsize=64)
def _pieces(wanted: QueueFilter, now: datetime, at: Version, counts_flags: bool) -> tuple[_Piece, ...]:
    """In one look at the rows of every tab. Each figure is worked out for every row, so none is asked for in vain."""
    status = {"check": F("flagged_check"), "status": F("review_status"), "is_now": F("currently_flagged")}
    rows: QuerySet[Any, Any] = _narrowed(wanted, now).values("target", "suspect", **status)
    figures = rows.annotate(
        count=Count("*"),
        keys=Sum("pk"),
        seen_run=Max("last_flagged_run"),
        newest=Max("last_run_timestamp"),
        oldest=Min("first_flagged_timestamp"),
    )
    if counts_flags:
        figures = figures.annotate(most=Max("times_flagged"))
    return tuple(_Piece(**row) for row in figures)


def _heap(wanted: QueueFilter, target: int, check: str, suspect: int | None, parts: Sequence[_Piece]) -> Heap:
    count = sum(piece.count for piece in parts)
    acted_on = parts if wanted.tab is Tab.DISMISSED else [piece for piece in parts if piece.is_open]
    newest = max(piece.newest for piece in parts)
    oldest = min(piece.oldest for piece in parts)
    newest_first = -_microseconds(newest)
    by = {
        Sort.NEWEST: (newest_first,),
        Sort.SEVERITY: (-_severity(check), newest_first),
        Sort.AGE: (_microseconds(oldest),),
        Sort.FLAGGED: (-max(piece.most for piece in parts), newest_first),
    }[wanted.sort]
    return Heap(
        target=target,
        check=check,
        suspect=suspect,
        count=count,
        open=sum(piece.count for piece in acted_on),
        key_sum=sum(piece.keys for piece in acted_on),
        seen_run=max(piece.seen_run or 0 for piece in parts),
        only=parts[0].keys if count == 1 else None,
        newest=newest,
        oldest=oldest,
        place=(*map(str, by), f"{target}.{check}.{suspect or 0}"),
    )


def _standing(place: Place) -> tuple[tuple[int, ...], str]:
    *by, name = place
    try:
        return tuple(map(int, by)), name
    except ValueError as fault:
        raise InvalidPlaceError("not a place in this list") from fault


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def _severity(check: str) -> int:
    """The greater, the more severe."""
    return LEAST_SEVERE_FIRST.find(check) + 1


def listed(
    wanted: QueueFilter, now: datetime, after: Place | None, limit: int, at: Version
) -> Sequence[tuple[int, Place]]:
    """Like places(), sorted out once for as long as nothing has changed."""
    return _listed(wanted, _minute(wanted, now), after, limit, at)


@lru_cache(maxsize=512)
def _listed(
    wanted: QueueFilter, now: datetime, after: Place | None, limit: int, at: Version
) -> Sequence[tuple[int, Place]]:
    return tuple(places(wanted, now, after, limit))


def places(
    wanted: QueueFilter, now: datetime, after: Place | None, limit: int, backwards: bool = False
) -> list[tuple[int, Place]]:
    """The next `limit` combinations after a place, by their keys, in the order of the filter, each with its place.

    backwards: those before it, the nearest first.
    """
    if wanted.sort is Sort.NEWEST and not wanted.is_narrow:
        # There is an index in this very order; any other list is sorted out of the narrow one.
        rows = Combination.objects.filter(INDEXED_AS[wanted.tab]).order_by().annotate(newest=F("last_run_timestamp"))
    else:
        # A value of its own, which no index is ordered by: to walk through that one would read the wide rows.
        rows = in_tab(wanted, now).annotate(newest=Coalesce("last_run_timestamp", "first_flagged_timestamp"))
    if wanted.sort is Sort.SEVERITY:
        rows = rows.annotate(severity=StrIndex(Value(LEAST_SEVERE_FIRST), F("flagged_check")))
    page = _page(rows, wanted.sort, after, backwards).values_list(*(name for name, _, _ in SORTED_BY[wanted.sort]))
    return [(row[-1], tuple(map(_as_text, row))) for row in page[:limit]]


def place_of(combination: Combination, sort: Sort) -> Place:
    """Where this combination stands, or would stand, in a list sorted so."""
    if combination.last_run_timestamp is None or combination.first_flagged_timestamp is None:
        raise InvalidPlaceError("it was never flagged, so it has no place in the queue")
    values = {
        "newest": combination.last_run_timestamp,
        "severity": _severity(combination.flagged_check),
        "first_flagged_timestamp": combination.first_flagged_timestamp,
        "times_flagged": combination.times_flagged,
        "pk": combination.pk,
    }
    return tuple(_as_text(values[name]) for name, _, _ in SORTED_BY[sort])


def _page(rows: QuerySet[Combination], sort: Sort, after: Place | None, backwards: bool) -> QuerySet[Combination]:
    """`rows` in order, after a place."""
    keys = [(name, falls != backwards, read) for name, falls, read in SORTED_BY[sort]]
    rows = rows.order_by(*(f"-{name}" if falls else name for name, falls, _ in keys))
    if after is None:
        return rows
    if len(after) != len(keys):
        raise InvalidPlaceError("not a place in this list")
    beyond, equal = Q(), Q()
    for (name, falls, read), text in zip(keys, after, strict=True):
        value = read(text)
        beyond |= equal & Q(**{f"{name}__{'lt' if falls else 'gt'}": value})
        equal &= Q(**{name: value})
    first, falls, read = keys[0]
    bound = Q(**{f"{first}__{'lte' if falls else 'gte'}": read(after[0])})  # so that an index is entered here
    return rows.filter(bound, beyond)


def _as_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as fault:
        raise InvalidPlaceError(f"not a moment: {text}") from fault
    if moment.tzinfo is None:
        raise InvalidPlaceError(f"not a moment: {text}")
    return moment


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise InvalidPlaceError(f"not a number: {text}")
    return int(text)


# The columns that a list is sorted by, whether they fall, and how they are read out of a place.
NEWEST, KEY = ("newest", True, _moment), ("pk", True, _number)
SORTED_BY: Mapping[Sort, Sequence[tuple[str, bool, Callable[[str], datetime | int]]]] = {
    Sort.NEWEST: (NEWEST, KEY),
    Sort.SEVERITY: (("severity", True, _number), NEWEST, KEY),
    Sort.AGE: (("first_flagged_timestamp", False, _moment), KEY),
    Sort.FLAGGED: (("times_flagged", True, _number), NEWEST, KEY),
}


# Of a row: all that it shows, and no more of what is large or stands elsewhere.
SHOWN = (
    "target__name",
    "recipe_name",
    "times_generated",
    "times_flagged",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "last_flagged_reason",
    "first_flagged_reason",
    "last_flagged_result_excerpt",
    "last_run_id",
    "last_run_timestamp",
    "first_flagged_timestamp",
    "ever_flagged",
    "currently_flagged",
    "review_status",
    "flagged_check",
    "suspect__text",
    "held_by__username",
    "last_flagged_run__query_text",
    "last_flagged_run__query",
    "last_flagged_run__source_used",
)


def rows_numbered(keys: Iterable[int]) -> list[Combination]:
    """These combinations in this order, each with its last flagged run, who holds it and whom it suspects."""
    wanted = list(keys)
    rows = (
        Combination.objects.filter(pk__in=wanted)
        .select_related("target", "held_by", "suspect", "last_flagged_run")
        .only(*SHOWN)
    )
    found = {row.pk: row for row in rows.order_by()}
    return [found[key] for key in wanted if key in found]


def latest_latencies(keys: Iterable[int], each: int) -> Mapping[int, list[tuple[float, bool]]]:
    """Combination → its last `each` latencies in ms, the oldest first, each with whether that run was flagged."""
    rank = Window(RowNumber(), partition_by="combination", order_by="-id")
    done = Run.objects.filter(combination__in=list(keys), state=Run.State.DONE, latency_ms__isnull=False)
    newest = done.annotate(rank=rank).filter(rank__lte=each).order_by("combination", "id")
    found: dict[int, list[tuple[float, bool]]] = {}
    for combination, latency_ms, reason in newest.values_list("combination", "latency_ms", "reason"):
        if latency_ms is not None:  # the filter saw to that
            found.setdefault(combination, []).append((latency_ms, reason is not None))
    return found


def ingredient_names(keys: Iterable[int | None]) -> Mapping[int, str]:
    wanted = {key for key in keys if key is not None}
    return dict(Ingredient.objects.filter(pk__in=wanted).order_by().values_list("pk", "text"))


def newest_flagged_run() -> int:
    """Up to which run the flags are known; what is flagged later has a greater number."""
    return Flag.objects.order_by("-run_id").values_list("run_id", flat=True).first() or 0


def flagged_since(wanted: QueueFilter, run: int, now: datetime) -> int:
    """How many combinations of this list were flagged by a run after this one."""
    lately = Flag.objects.filter(run_id__gt=run).values("combination")
    return in_tab(wanted, now).filter(pk__in=lately).count()


def sources_known() -> list[str]:
    """The sources of the vocabularies in force, merged answers among them, in the order of the alphabet."""
    in_force = VocabularyVersion.objects.filter(in_force=True).order_by()
    return sorted({source for named in in_force.values_list("pk", "sha256") for source in _sources_of(*named)})


@lru_cache(maxsize=64)
def _sources_of(version: int, sha256: str) -> tuple[str, ...]:
    """Read once for what it holds, since a version never changes."""
    vocabulary = vocabulary_of(VocabularyVersion.objects.get(pk=version))
    return (*vocabulary.sources, vocabulary.encyclopedia, vocabulary.merged_source)


def dismissed_since(moment: datetime) -> int:
    """How many dismissals there were since then; looked for among the newest events only."""
    newest = ReviewEvent.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    lately = ReviewEvent.objects.filter(pk__gt=newest - LATELY_EVENTS, kind=ReviewEvent.Kind.DISMISSED)
    return lately.filter(at__gte=moment).count()


def target_names() -> Mapping[int, str]:
    """All targets, by name."""
    return dict(Target.objects.order_by("name").values_list("pk", "name"))


def check_named(name: str) -> CheckName | None:
    """None for a check that is not there any more."""
    return {check.value: check for check in CheckName}.get(name)
