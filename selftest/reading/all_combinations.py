"""All that was ever made to be asked, the newest first, however it is narrowed.

Indexes find a recipe's, a word's, and the few that were flagged or never asked. What is sought beside those is picked
out of a bounded number of the newest; where that fills no page, `Found` says how far back was looked.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from selftest.models import Combination, Target
from selftest.models.combination import IN_QUEUE
from selftest.storage.full_text import newest_holding
from selftest.storage.serialization import sha256_hex

LOOKED_THROUGH = 2_000  # candidates for one page: some milliseconds, whatever the rows
WITH_WORDS_FIRST = 200  # candidates that hold the words sought: a page is full by then, unless little of them is left
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
    "last_run_timestamp",
    "ever_flagged",
    "currently_flagged",
    "review_status",
    "flagged_check",
)


class Stage(StrEnum):
    """Where a combination stands; the words are the API's, which has none for what was never asked."""

    QUEUE = "queue"  # flagged now or ever, and not dismissed
    FLAGGED_NOW = "flagged_now"
    EVER_FLAGGED = "ever_flagged"
    DISMISSED = "dismissed"
    NEVER_FLAGGED = "never_flagged"
    NOT_ASKED = "not_asked"


_CONDITIONS = {
    Stage.QUEUE: IN_QUEUE,
    Stage.FLAGGED_NOW: Q(ever_flagged=True, currently_flagged=True),
    Stage.EVER_FLAGGED: Q(ever_flagged=True),
    Stage.DISMISSED: Q(ever_flagged=True, review_status=Combination.ReviewStatus.DISMISSED),
    Stage.NEVER_FLAGGED: Q(ever_flagged=False),
    Stage.NOT_ASKED: Q(times_generated=0),
}
_FLAGGED = (Stage.QUEUE, Stage.FLAGGED_NOW, Stage.EVER_FLAGGED, Stage.DISMISSED)


@dataclass(frozen=True)
class Sought:
    """What is looked for; empty values: whatever. target: its key. text: words of the query."""

    target: int | None = None
    recipe: str = ""
    stage: Stage | None = None
    text: str = ""


@dataclass(frozen=True)
class Found:
    """A page of combinations. below: the key to go on below, None where there is no more.

    searched_to: when the last that was looked at was made, where the page ends there and not because it is full.
    """

    rows: tuple[Combination, ...]
    below: int | None = None
    searched_to: datetime | None = None


def newest_combinations(sought: Sought, below: int | None, limit: int) -> Found:
    """The newest `limit` of those sought whose key is less than `below`."""
    if sought.text:
        return _of_words(sought, below, limit)
    if sought.stage is None and sought.target is None:
        return _full(_newest(_all(sought, below), limit), limit)
    if sought.stage is Stage.NOT_ASKED:
        return _of_few(sought, below, limit)
    if sought.stage in _FLAGGED:
        lately = _of_newest(sought, below, limit, LOOKED_FIRST)
        return _of_few(sought, below, limit) if lately.searched_to else lately
    if sought.target is not None and (few := _all_of_small_target(sought.target)) is not None:
        return _full(_newest(_all(sought, below).filter(pk__in=few), limit), limit)
    return _of_newest(sought, below, limit, LOOKED_THROUGH)


def combinations_with(fingerprint: str, target: int | None) -> tuple[Combination, ...]:
    """Those with exactly this fingerprint: one of each target at most."""
    targets = Target.objects.order_by()
    if target is not None:
        targets = targets.filter(pk=target)
    # The targets are named, all of them even, so that the index by target and fingerprint is entered.
    rows = Combination.objects.filter(target__in=targets.values("pk"))
    rows = rows.filter(fingerprint_sha256=sha256_hex(fingerprint))
    return tuple(rows.only(*SHOWN).order_by("-pk"))


def any_combination() -> bool:
    return Combination.objects.exists()


def _all(sought: Sought, below: int | None) -> QuerySet[Combination]:
    """By all but the words, in no order."""
    rows = Combination.objects.order_by()
    if sought.stage is not None:
        rows = rows.filter(_CONDITIONS[sought.stage])
    if below is not None:
        rows = rows.filter(pk__lt=below)
    if sought.target is not None:
        rows = rows.filter(target=sought.target)
    if sought.recipe:
        rows = rows.filter(recipe_name=sought.recipe)
    return rows


def _newest(rows: QuerySet[Combination], limit: int) -> list[Combination]:
    """By their keys first, which an index holds. PostgreSQL would rather walk back through all the wide rows, however
    far it is to the newest of a recipe.
    """
    return _numbered(rows.order_by("-pk").values_list("pk", flat=True)[: limit + 1])


def _numbered(keys: Iterable[int]) -> list[Combination]:
    return list(Combination.objects.filter(pk__in=list(keys)).only(*SHOWN).order_by("-pk"))


def _of_few(sought: Sought, below: int | None, limit: int) -> Found:
    """Of a stage that has an index of its own.

    Left alone, SQLite would rather walk through all rows, or all of the recipe, by their key. So the order and the
    recipe are said in a way that no index answers, and the targets are named, with which the wanted indexes begin.
    """
    rows = _all(replace(sought, recipe=""), below)
    if sought.target is None:
        rows = rows.filter(target__in=list(Target.objects.order_by().values_list("pk", flat=True)))
    if sought.recipe:
        rows = rows.alias(recipe=Coalesce("recipe_name", Value(""))).filter(recipe=sought.recipe)
    keys = rows.order_by((F("pk") + 0).desc()).values_list("pk", flat=True)[: limit + 1]
    return _full(_numbered(keys), limit)


def _full(rows: list[Combination], limit: int) -> Found:
    return Found(tuple(rows[:limit]), rows[limit - 1].pk if len(rows) > limit else None)


def _of_words(sought: Sought, below: int | None, limit: int) -> Found:
    is_words_alone = sought == Sought(text=sought.text)
    for candidates in (limit + 1,) if is_words_alone else (WITH_WORDS_FIRST, LOOKED_THROUGH):
        keys = newest_holding(sought.text, below, candidates, ever_flagged=sought.stage in _FLAGGED)
        found = _searched(
            _newest(_all(sought, below).filter(pk__in=keys), limit),
            limit,
            keys[-1] if len(keys) == candidates else None,
        )
        if not found.searched_to:
            break
    return found


def _all_of_small_target(target: int) -> list[int] | None:
    """The keys of all that it has, where these are few enough to look through; None where they are not."""
    keys = list(Combination.objects.filter(target=target).order_by().values_list("pk", flat=True)[: LOOKED_THROUGH + 1])
    return keys if len(keys) <= LOOKED_THROUGH else None


def _of_newest(sought: Sought, below: int | None, limit: int, candidates: int) -> Found:
    """Out of so many of the newest, or of the newest of the recipe where one is sought."""
    newest = _all(Sought(recipe=sought.recipe), below).order_by("-pk").values_list("pk", flat=True)
    last = next(iter(newest[candidates - 1 : candidates]), None)
    rows = _all(sought, below)
    return _searched(_newest(rows if last is None else rows.filter(pk__gte=last), limit), limit, last)


def _searched(rows: list[Combination], limit: int, last: int | None) -> Found:
    """last: the key of the last that was looked at, where there may be more below it."""
    if len(rows) > limit or last is None:
        return _full(rows, limit)
    made = Combination.objects.filter(pk=last).values_list("first_seen_timestamp", flat=True).first()
    return Found(tuple(rows), last, made)
