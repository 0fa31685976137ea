"""The search of the combinations page: the newest first, in bounded time however many rows there are.

Indexes find those of a recipe, with a word, and the few that were flagged or never asked. Any other condition is looked
for in a bounded number of the newest; where that does not fill a page, `SearchPage` says how far back it looked. The
API's listing, which may take its time, is `listings.combinations`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from selftest.models import Combination, Target
from selftest.models.combination import IN_QUEUE
from selftest.storage.full_text import newest_holding
from selftest.storage.texts import sha256_hex

LOOKED_THROUGH = 2_000  # candidates for one page: some milliseconds, however many rows there are
WITH_WORDS_FIRST = 200  # candidates that hold the words: a page is full by then, unless little of them is left
LOOKED_FIRST = 5_000  # for what was flagged; a page is full by then unless it is rare, and few are sorted quickly
SHOWN = (
    "target_id",
    "recipe_name",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "times_generated",
    "times_flagged",
    "first_seen_timestamp",
    "last_run__unchecked",
    "last_run_timestamp",
    "ever_flagged",
    "currently_flagged",
    "review_status",
    "flagged_check",
)


class SearchState(StrEnum):
    """The states of the API's `CombinationState`, in the same words, and NOT_ASKED in addition."""

    QUEUE = "queue"  # flagged now or ever, and not dismissed
    FLAGGED_NOW = "flagged_now"
    EVER_FLAGGED = "ever_flagged"
    DISMISSED = "dismissed"
    NEVER_FLAGGED = "never_flagged"
    NOT_ASKED = "not_asked"


_CONDITIONS = {
    SearchState.QUEUE: IN_QUEUE,
    SearchState.FLAGGED_NOW: Q(ever_flagged=True, currently_flagged=True),
    SearchState.EVER_FLAGGED: Q(ever_flagged=True),
    SearchState.DISMISSED: Q(ever_flagged=True, review_status=Combination.ReviewStatus.DISMISSED),
    SearchState.NEVER_FLAGGED: Q(ever_flagged=False),
    SearchState.NOT_ASKED: Q(times_generated=0),
}
_FLAGGED = (SearchState.QUEUE, SearchState.FLAGGED_NOW, SearchState.EVER_FLAGGED, SearchState.DISMISSED)


@dataclass(frozen=True)
class CombinationSearch:
    """What is looked for; empty values: any. target: its key. text: words of the query."""

    target: int | None = None
    recipe: str = ""
    state: SearchState | None = None
    text: str = ""


@dataclass(frozen=True)
class SearchPage:
    """A page of combinations. below: the key that the next page begins below, None where there is no more.

    searched_to: when the last that was looked at was made, where the page ends there and not because it is full.
    """

    rows: tuple[Combination, ...]
    below: int | None = None
    searched_to: datetime | None = None


def newest_combinations(search: CombinationSearch, below: int | None, limit: int) -> SearchPage:
    """The newest `limit` of those that fit whose key is less than `below`."""
    if search.text:
        return _of_words(search, below, limit)
    if search.state is None and search.target is None:
        return _full(_newest(_all(search, below), limit), limit)
    if search.state is SearchState.NOT_ASKED:
        return _of_few(search, below, limit)
    if search.state in _FLAGGED:
        lately = _of_newest(search, below, limit, LOOKED_FIRST)
        return _of_few(search, below, limit) if lately.searched_to else lately
    if search.target is not None and (few := _all_of_small_target(search.target)) is not None:
        return _full(_newest(_all(search, below).filter(pk__in=few), limit), limit)
    return _of_newest(search, below, limit, LOOKED_THROUGH)


def combinations_with(fingerprint: str, target: int | None) -> tuple[Combination, ...]:
    """Those with exactly this fingerprint: one of each target at most."""
    targets = Target.objects.order_by()
    if target is not None:
        targets = targets.filter(pk=target)
    # The targets are named, all of them even, so that the index by target and fingerprint is entered.
    rows = Combination.objects.filter(target__in=targets.values("pk"))
    rows = rows.filter(fingerprint_sha256=sha256_hex(fingerprint))
    return tuple(rows.select_related("last_run").only(*SHOWN).order_by("-pk"))


def any_combination() -> bool:
    """Whether there is a combination at all."""
    return Combination.objects.exists()


def _all(search: CombinationSearch, below: int | None) -> QuerySet[Combination]:
    """By all but the words, in no order."""
    rows = Combination.objects.order_by()
    if search.state is not None:
        rows = rows.filter(_CONDITIONS[search.state])
    if below is not None:
        rows = rows.filter(pk__lt=below)
    if search.target is not None:
        rows = rows.filter(target=search.target)
    if search.recipe:
        rows = rows.filter(recipe_name=search.recipe)
    return rows


def _newest(rows: QuerySet[Combination], limit: int) -> list[Combination]:
    """By their keys first, which an index holds. PostgreSQL would rather walk back through all the wide rows, however
    far it is to the newest of a recipe.
    """
    return _numbered(rows.order_by("-pk").values_list("pk", flat=True)[: limit + 1])


def _numbered(keys: Iterable[int]) -> list[Combination]:
    rows = Combination.objects.filter(pk__in=list(keys)).select_related("last_run")
    return list(rows.only(*SHOWN).order_by("-pk"))


def _of_few(search: CombinationSearch, below: int | None, limit: int) -> SearchPage:
    """Of a state that has an index of its own.

    Left alone, SQLite would rather walk through all rows, or all of the recipe, by their key. So the order and the
    recipe are said in a way that no index answers, and the targets are named, with which the wanted indexes begin.
    """
    rows = _all(replace(search, recipe=""), below)
    if search.target is None:
        rows = rows.filter(target__in=list(Target.objects.order_by().values_list("pk", flat=True)))
    if search.recipe:
        rows = rows.alias(recipe=Coalesce("recipe_name", Value(""))).filter(recipe=search.recipe)
    keys = rows.order_by((F("pk") + 0).desc()).values_list("pk", flat=True)[: limit + 1]
    return _full(_numbered(keys), limit)


def _full(rows: list[Combination], limit: int) -> SearchPage:
    return SearchPage(tuple(rows[:limit]), rows[limit - 1].pk if len(rows) > limit else None)


def _of_words(search: CombinationSearch, below: int | None, limit: int) -> SearchPage:
    looks: Sequence[int] = (WITH_WORDS_FIRST, LOOKED_THROUGH)
    if search == CombinationSearch(text=search.text):
        looks = (limit + 1,)
    elif search.recipe:  # one of many: a page is hardly ever full with the first
        looks = (LOOKED_THROUGH,)
    for candidates in looks:
        held = newest_holding(
            search.text,
            below,
            candidates,
            ever_flagged=search.state in _FLAGGED,
            enough=WITH_WORDS_FIRST,
            recipe="" if search.state in _FLAGGED else search.recipe,
        )
        found = _searched(_newest(_all(search, below).filter(pk__in=held.keys), limit), limit, held.looked_to)
        if not found.searched_to or len(held.keys) < candidates:
            break
    return found


def _all_of_small_target(target: int) -> list[int] | None:
    """The keys of all that it has, where these are few enough to look through; None where they are not."""
    keys = list(Combination.objects.filter(target=target).order_by().values_list("pk", flat=True)[: LOOKED_THROUGH + 1])
    return keys if len(keys) <= LOOKED_THROUGH else None


def _of_newest(search: CombinationSearch, below: int | None, limit: int, candidates: int) -> SearchPage:
    """Out of so many of the newest, or of the newest of the recipe where one is given."""
    newest = _all(CombinationSearch(recipe=search.recipe), below).order_by("-pk").values_list("pk", flat=True)
    last = next(iter(newest[candidates - 1 : candidates]), None)
    rows = _all(search, below)
    return _searched(_newest(rows if last is None else rows.filter(pk__gte=last), limit), limit, last)


def _searched(rows: list[Combination], limit: int, last: int | None) -> SearchPage:
    """last: the key of the last that was looked at, where there may be more below it."""
    if len(rows) > limit or last is None:
        return _full(rows, limit)
    made = Combination.objects.filter(pk=last).values_list("first_seen_timestamp", flat=True).first()
    return SearchPage(tuple(rows), last, made)
