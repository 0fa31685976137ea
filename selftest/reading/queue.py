"""What waits for a person: the queue of the API, and the lists that reviewers look at."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import In

from selftest.core.generation.ingredient_pairs import members
from selftest.core.judging.findings import CheckName
from selftest.models import Cause, Combination, Flag, Ingredient, Installation, ReviewEvent, Target, holds_ingredient
from selftest.models.combination import IN_QUEUE
from selftest.reading.dismissals import DISMISSALS
from selftest.reading.flagged_rows import Bucket, Kind, flagged_rows
from selftest.reading.target_versions import told_versions
from selftest.reading.verdicts import JudgedAs, Month, dismissed_as
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.full_text import among, among_flagged, among_those_of, few, flagged_holding, flagged_with
from selftest.storage.keys import NO_KEYS, Keys, keys_of
from selftest.storage.texts import sha256_hex, storable

LATELY_EVENTS = 5_000  # of the activity of all: no long history is searched for what happened today
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
    """The findings of these runs, each with its cause, by run, the first in priority order first; in one query."""
    flags = Flag.objects.filter(run_id__in=run_ids).select_related("cause").order_by("run_id", "place")
    return {run_id: list(found) for run_id, found in groupby(flags, lambda flag: flag.run_id)}


# --- the queue as reviewers look at it ---


@dataclass(frozen=True)
class QueueRevision:
    """All that lists are counted and grouped by; it differs once any of that has changed.

    targets: all of them, keys and names, as filters name targets. left_out: keys of those that a list leaves out
    unless its filter names one of them. has_versions: whether any target ever told its version.
    """

    changes: int | None
    targets: tuple[tuple[int, str], ...]
    left_out: tuple[int, ...] = ()
    has_versions: bool = False

    def targets_meant(self, name: str) -> list[int]:
        """The target of this name as a filter has it; with no name, all that are not left out."""
        name = storable(name)
        return [pk for pk, own in self.targets if (own == name if name else pk not in self.left_out)]


class Tab(StrEnum):
    """Which of the flagged are looked at."""

    REVIEW = "review"  # flagged now or ever, and not dismissed
    NOW = "now"
    EVER = "ever"
    DISMISSED = "dismissed"


# Of rows that were flagged one time or other. Said apart from that, because that is what the narrow index holds: a
# condition that names it again would be looked up in the wide rows. And said so that no other index is taken for it.
OPEN = ~Q(review_status__isnull=False)
LATEST = Flag.objects.filter(is_latest=True).order_by()  # of the last flagged run of their combination
STATUS_OF_TAB = {
    Tab.REVIEW: OPEN,
    Tab.NOW: Q(currently_flagged=True),
    Tab.EVER: Q(),
    Tab.DISMISSED: Q(review_status=Combination.ReviewStatus.DISMISSED),
}


class Sort(StrEnum):
    """What stands first."""

    NEWEST = "newest"  # the newest run, as specified
    SEVERITY = "severity"  # in the checks' order of priority
    AGE = "age"  # what was first flagged longest ago
    FLAGGED = "flagged"  # what was flagged most often


Cursor = tuple[str, ...]  # of the last entry shown: what follows comes after it

# The checks' order of priority backwards, as a text to look a check up in: cheaper for a database than one comparison
# for each, and what is no check stands before them all.
LEAST_SEVERE_FIRST = " ".join(reversed(CheckName))


class InvalidCursorError(ValueError):
    """The cursor does not fit this list."""


def severity(check: str) -> int:
    """The greater, the more severe."""
    return LEAST_SEVERE_FIRST.find(check) + 1


class Age(StrEnum):
    """How long ago something was flagged for the first time."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    OLDER = "older"


DAYS_OF_AGE = {Age.DAY: 1, Age.WEEK: 7, Age.MONTH: 30}
NO_CAUSE = 0  # the group of what was put down to none yet


@dataclass(frozen=True)
class QueueFilter:
    """What of the queue is looked at, and in which order. Empty values: any.

    target: its name; empty: all that are switched on. ingredient: its whole name, or that of a pair, or words that the
    ingredients hold. cause: one that any flag of the last flagged run has. group: the one that the first of them has,
    or NO_CAUSE. source: who answered last. verdict, month: of a dismissal that stands, what it was made with and when.
    is_alone: only those with a verdict that no judged cause shows in. assignee: a user's name; is_unassigned: only
    those that are assigned to no one.
    """

    tab: Tab = Tab.REVIEW
    check: CheckName | None = None
    recipe: str = ""
    source: str = ""
    ingredient: str = ""
    cause: int | None = None
    group: int | None = None
    target: str = ""
    age: Age | None = None
    verdict: JudgedAs | None = None
    month: Month | None = None
    is_alone: bool = False
    assignee: str = ""
    is_unassigned: bool = False
    text: str = ""
    sort: Sort = Sort.NEWEST

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything of its tab out."""
        return self != QueueFilter(tab=self.tab, sort=self.sort)

    @property
    def is_of_one_cause(self) -> bool:
        """Whether grouping by cause would say nothing."""
        return self.cause is not None or self.group is not None


def listed_targets() -> QuerySet[Target]:
    """Those whose flags are listed where no target is named: the ones that are switched on, or all while none is."""
    enabled = Target.objects.filter(enabled=True)
    return Target.objects.filter(Q(enabled=True) | ~Exists(enabled))


def filtered(filters: QueueFilter, now: datetime) -> QuerySet[Combination]:
    """What the filters leave of all that was ever flagged, in no order and of every tab."""
    targets = Target.objects.filter(name=storable(filters.target)) if filters.target else listed_targets()
    return _filtered(filters, now, targets.order_by().values("pk"))


def _filtered(filters: QueueFilter, now: datetime, targets: Any) -> QuerySet[Combination]:
    """targets: their keys, or a query for them."""
    now = _minute_of(now)  # to count, list, walk or act: all mean the same rows
    # Named also where all are meant: so the narrow index is entered, which begins with the target.
    rows = Combination.objects.filter(ever_flagged=True, target__in=targets).order_by()
    if filters.check:
        rows = rows.filter(flagged_check=filters.check)
    if filters.group is not None:
        rows = rows.filter(cause=filters.group or None)
    if filters.recipe:
        rows = rows.filter(recipe_name=filters.recipe)
    if filters.source:
        rows = rows.filter(last_source_used=storable(filters.source))
    if filters.age is Age.OLDER:
        rows = rows.filter(first_flagged_timestamp__lt=now - timedelta(days=DAYS_OF_AGE[Age.MONTH]))
    elif filters.age:
        rows = rows.filter(first_flagged_timestamp__gte=now - timedelta(days=DAYS_OF_AGE[filters.age]))
    if filters.verdict:
        rows = rows.filter(dismissed_as(filters.verdict))
    if filters.month:
        in_month = Q(dismissed_at__gte=filters.month.begin, dismissed_at__lt=filters.month.earlier(-1).begin)
        rows = rows.filter(in_month, review_status=Combination.ReviewStatus.DISMISSED)
    if filters.is_alone:
        judged = Cause.objects.filter(verdict__isnull=False)
        # Of its first flag it has the cause itself, which mostly tells without a look at its flags.
        rows = rows.filter(~Q(cause__in=judged), verdict__isnull=False)
        rows = rows.filter(~Exists(Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__in=judged)))
    if filters.assignee:
        people = User.objects.filter(username=storable(filters.assignee))
        rows = rows.filter(held_by__in=people.values("pk"))
    if filters.is_unassigned:
        rows = rows.filter(~Q(held_by__isnull=False))  # said so that no index of all rows is taken for it
    if filters.ingredient:
        rows = _with_ingredient(rows, filters.ingredient)
    if filters.cause is not None:
        keys = showing(filters.cause)
        rows = among(rows, keys, keys[: few() + 1].count())
    return among_flagged(rows, filters.text)


def showing(cause: int) -> QuerySet[Any, int]:
    """The combinations of which any flag of the last flagged run has this cause."""
    return LATEST.filter(cause=cause).values_list("combination", flat=True)


def _with_ingredient(rows: QuerySet[Combination], words: str) -> QuerySet[Combination]:
    """Those with an ingredient of this very name, or with both of a pair, or else with these words in theirs."""
    ingredients = _ingredients_named(words)
    if ingredients is None:
        return among_those_of(rows, words)
    return _with_all(rows, ingredients) if ingredients else rows.none()


def _ingredients_named(words: str) -> list[int] | None:
    """The key of the one of this very name, or those of a pair, or none of it; None where these are but words."""
    found = [_ingredient_named(name) for name in members(words)]
    if found == [None]:
        return None
    named = [ingredient for ingredient in found if ingredient]
    return named if named == found else []


def _with_all(rows: QuerySet[Combination], ingredients: Sequence[int]) -> QuerySet[Combination]:
    """Those with each of these. Few are looked up by the rarest, of which the others are looked up in turn."""
    counts = {ingredient: _links_of(ingredient)[: few() + 1].count() for ingredient in ingredients}
    rarest, *others = sorted(counts, key=lambda ingredient: counts[ingredient])
    if counts[rarest] > few():
        return rows.filter(*map(holds_ingredient, counts))
    links = _links_of(rarest)
    for other in others:
        links = links.filter(Exists(_links_of(other).filter(combination=OuterRef("combination"))))
    return among(rows, links.values_list("combination", flat=True), counts[rarest])


def _links_of(ingredient: int) -> QuerySet[Any]:
    links: QuerySet[Any] = Combination.ingredients.through.objects.filter(ingredient=ingredient)
    return links.order_by()


def _ingredient_named(name: str) -> int | None:
    """Its key, where there is one of this very name."""
    return Ingredient.objects.filter(sha256=sha256_hex(name)).values_list("pk", flat=True).first()


def in_tab(filters: QueueFilter, now: datetime) -> QuerySet[Combination]:
    """What the filter and its tab leave, in no order."""
    return filtered(filters, now).filter(STATUS_OF_TAB[filters.tab])


@dataclass(frozen=True)
class Counts:
    """How many of each tab a filter leaves. open: of the filter's own tab, those that are not dismissed."""

    of: Mapping[Tab, int]
    open: int


_TARGETS: QuerySet[Any] = Target.objects.order_by("name").values(  # put together once, as every list asks it
    "pk",
    "name",
    "enabled",
    changes=Subquery(Installation.objects.values("queue_changes")[:1]),
    tells=Exists(told_versions()),
)


def queue_revision() -> QueueRevision:
    """The revision of this moment, in one query; without a target there is nothing that could change."""
    targets = list(_TARGETS.all())
    left_out = [row["pk"] for row in targets if not row["enabled"]]
    return QueueRevision(
        targets[0]["changes"] if targets else None,
        tuple((row["pk"], row["name"]) for row in targets),
        tuple(left_out) if len(left_out) < len(targets) else (),
        any(row["tells"] for row in targets),
    )


@dataclass(frozen=True)
class QueueSnapshot:
    """What one request sees of the queue. Every figure of it is worked out once for as long as nothing has changed.

    minute: that of `now` where the filters ask how long ago something was, else None; so that equal snapshots have
    equal figures.
    """

    filters: QueueFilter
    revision: QueueRevision
    now: datetime = field(compare=False)
    minute: datetime | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "minute", _minute_of(self.now) if self.filters.age else None)

    def with_filters(self, filters: QueueFilter) -> "QueueSnapshot":
        """The same moment, looked at through other filters."""
        return replace(self, filters=filters)

    @property
    def counts(self) -> Counts:
        """How many rows each tab has."""
        return counts_of(self)

    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """The rows of all tabs."""
        return buckets_of(self._of_all_tabs, tuple(self.revision.targets_meant(self.filters.target)))

    @property
    def buckets_left_out(self) -> tuple[Bucket, ...]:
        """The rows that it would have of the targets that are left out."""
        return buckets_of(self._of_all_tabs, self.revision.left_out)

    @property
    def _of_all_tabs(self) -> "QueueSnapshot":
        return self.with_filters(replace(self.filters, tab=Tab.EVER, sort=Sort.NEWEST, target=""))

    @property
    def to_review(self) -> int:
        """How many rows wait for a person, whatever the filters; those left out count where a filter names theirs."""
        left_out = {name for pk, name in self.revision.targets if pk in self.revision.left_out}
        if self.filters.target not in left_out:
            return review_count(None, self.revision)
        return self.with_filters(QueueFilter(target=self.filters.target)).counts.of[Tab.REVIEW]

    @property
    def counts_left_out(self) -> Mapping[str, int]:
        """By the name of a target that this list leaves out, how many it would hold if it named that one."""
        return {} if self.filters.target or not self.revision.left_out else left_out_counts_of(self)


@lru_cache(maxsize=64)
def buckets_of(snapshot: QueueSnapshot, targets: tuple[int, ...]) -> tuple[Bucket, ...]:
    """The rows of these targets, of every tab. The database says which a filter leaves, and groups none."""
    return flagged_rows(snapshot.revision.changes).buckets(targets, _chosen(snapshot, targets))


def _chosen(snapshot: QueueSnapshot, targets: Sequence[int]) -> Iterator[Keys]:
    """What a filter leaves is in each of these."""
    filters = snapshot.filters
    found = list(_found(filters))
    yield from found
    rest = replace(filters, text="", ingredient="")
    if rest == QueueFilter(tab=filters.tab):
        return
    # Told the keys, SQLite would go through all rows of a target where a few combinations are looked up by theirs;
    # told by a subquery, PostgreSQL would hold each row against each target.
    meant = targets if connection.vendor == "postgresql" else Target.objects.filter(pk__in=targets).values("pk")
    rows = _filtered(rest, snapshot.now, meant)
    fewest = min(found, key=len, default=None)
    if fewest is not None and len(fewest) <= CHUNK_ROWS:
        rows = rows.filter(In(F("pk"), fewest.tolist()))
    yield keys_of(rows)


def _found(filters: QueueFilter) -> Iterator[Keys]:
    """By words and by ingredients."""
    holding = flagged_holding(filters.text)
    if holding is not None:
        yield holding
    if not filters.ingredient:
        return
    ingredients = _ingredients_named(filters.ingredient)
    if ingredients is None:
        yield flagged_with(filters.ingredient)
    elif ingredients:
        yield from (keys_of(_links_of(one), "combination") for one in ingredients)
    else:
        yield NO_KEYS


def is_in(tab: Tab, kind: Kind) -> bool:
    """Whether the rows of this kind are in this tab."""
    match tab:
        case Tab.REVIEW:
            return kind.is_open
        case Tab.NOW:
            return kind.is_now
        case Tab.EVER:
            return True
        case Tab.DISMISSED:
            return not kind.is_open


@lru_cache(maxsize=512)
def counts_of(snapshot: QueueSnapshot) -> Counts:
    """How many rows each tab has."""
    buckets = snapshot.buckets
    of = {tab: sum(bucket.rows for bucket in buckets if is_in(tab, bucket.kind)) for tab in Tab}
    tab = snapshot.filters.tab
    return Counts(of, sum(bucket.rows for bucket in buckets if bucket.kind.is_open and is_in(tab, bucket.kind)))


@lru_cache(maxsize=64)
def left_out_counts_of(snapshot: QueueSnapshot) -> Mapping[str, int]:
    """By the name of a target that is left out, how many rows of this list it has, where it has any."""
    counted = Counter[int]()
    for bucket in snapshot.buckets_left_out:
        if is_in(snapshot.filters.tab, bucket.kind):
            counted[bucket.kind.target] += bucket.rows
    return {name: counted[pk] for pk, name in snapshot.revision.targets if pk in counted}


@lru_cache(maxsize=64)
def review_count(target: int | None, revision: QueueRevision) -> int:
    """How many combinations wait for a person, of the target of this key or of all that are listed.

    Counted once for as long as nothing has changed.
    """
    rows = Combination.objects.filter(IN_QUEUE)
    if target is not None:
        return rows.filter(target=target).count()
    return rows.exclude(target__in=revision.left_out).count()


def _minute_of(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


@lru_cache(maxsize=16)
def newest_flagged_run(revision: QueueRevision) -> int:
    """Up to which run the flags are known; what is flagged later has a greater number."""
    return Flag.objects.order_by("-run_id").values_list("run_id", flat=True).first() or 0


def flagged_since(filters: QueueFilter, run: int, now: datetime) -> int:
    """How many combinations of this list were flagged by a run after this one."""
    lately = Flag.objects.filter(run_id__gt=run).values("combination")
    return in_tab(filters, now).filter(pk__in=lately).count()


def dismissed_since(moment: datetime) -> int:
    """How many were dismissed since then and still are; looked for among the newest events only."""
    newest = ReviewEvent.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    lately = ReviewEvent.objects.filter(pk__gt=newest - LATELY_EVENTS, kind__in=DISMISSALS)
    still = lately.filter(at__gte=moment, combination__review_status=Combination.ReviewStatus.DISMISSED)
    return still.values("combination").distinct().count()


def check_named(name: str) -> CheckName | None:
    """None for a check that is not there any more."""
    return {check.value: check for check in CheckName}.get(name)
