"""Which runs a cycle is made of: what was left over, then what is new, then what was asked longest ago.

Or, where it repeats something, exactly that; no walk then comes any further, and nothing counts as covered by it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, cycle, islice
from typing import Any

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from selftest.core.generation.generator import Births
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import Recipe, recipes_named
from selftest.cycles.sampling import generator_for, new_queries, remember
from selftest.models import Combination, Cycle, Run, Target, VocabularyVersion
from selftest.reading.internal_failures import MAX_BROKEN_OFF
from selftest.storage import full_text
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.serialization import query_document, query_of, sha256_hex


@dataclass(frozen=True)
class Choice:
    """A query to be asked, as it is to be said. is_novel: its combination was never answered."""

    combination_id: int
    recipe_name: str
    query: dict[str, Any]
    is_novel: bool


def plan(running: Cycle, version: VocabularyVersion, now: datetime) -> list[Run]:
    """Writes the runs of `running` as planned, all or none, and remembers how far the walks have come.

    Nothing where somebody held its worker for dead and ended the cycle meanwhile: an ended cycle has no open run.
    """
    with transaction.atomic():
        if not Cycle.objects.select_for_update().filter(pk=running.pk, state=Cycle.State.RUNNING):
            return []
        if running.combination is not None:
            choices = _again(running.combination, running.queries_wanted)
        elif running.replay_of is not None:
            choices = _once_more(running.replay_of)
        else:
            choices = _chosen(running, version, now)
        return Run.objects.bulk_create(
            [
                Run(
                    cycle=running,
                    target=running.target,
                    combination_id=choice.combination_id,
                    recipe_name=choice.recipe_name,
                    place=place,
                    novel=choice.is_novel,
                    query=choice.query,
                    query_text=query_of(choice.query).text,
                )
                for place, choice in enumerate(choices)
            ]
        )


def no_longer_held(runs: Iterable[Run], births: Births) -> list[str]:
    """The ingredients of `runs` that the vocabulary in force does not hold any more; only a repetition has such."""
    used = {name for run in runs for name in query_of(run.query).ingredients}
    return sorted(used - births.keys())


def _again(combination: Combination, times: int) -> list[Choice]:
    """Said as it was when it was last flagged, which may be another order or wording than the first one."""
    flagged = combination.last_flagged_run
    query = combination.query if flagged is None else flagged.query
    is_new = combination.times_generated == 0
    return [Choice(combination.pk, combination.recipe_name, query, is_new and place == 0) for place in range(times)]


def _once_more(earlier: Cycle) -> list[Choice]:
    """All that it planned, whatever became of it."""
    never_answered = set(earlier.runs.filter(combination__times_generated=0).values_list("combination", flat=True))
    choices = []
    for pk, recipe_name, query in earlier.runs.order_by("place").values_list("combination", "recipe_name", "query"):
        choices.append(Choice(pk, recipe_name, query, pk in never_answered))
        never_answered.discard(pk)  # asked twice in the cycle, it is new the first time
    return choices


def _chosen(running: Cycle, version: VocabularyVersion, now: datetime) -> list[Choice]:
    recipes = recipes_named(running.recipes)
    left_over = _left_over(running.target, recipes, version.births, running.queries_wanted)
    fresh = _fresh(running, version, recipes, running.queries_wanted - len(left_over), now)
    chosen = [*left_over, *fresh]
    repeats: Iterable[Combination] = ()
    if len(chosen) < running.queries_wanted:
        repeats = cycle(chain(_least_recent(running.target, recipes, version.births), list(chosen)))
    batch = islice(chain(chosen, repeats), running.queries_wanted)
    return [
        Choice(combination.pk, combination.recipe_name, combination.query, place < len(chosen))
        for place, combination in enumerate(batch)
    ]


def _left_over(target: Target, recipes: Sequence[Recipe], births: Births, count: int) -> list[Combination]:
    """Combinations that an earlier cycle planned and that have no answer yet: still new, so they come first.

    Those that were never asked before those that broke off; a query that kills its worker must not hold up the others.
    """
    broken_off = Run.objects.filter(combination=OuterRef("pk"), state=Run.State.INTERRUPTED)
    times = broken_off.order_by().values("combination").annotate(times=Count("pk")).values("times")
    left_over = Combination.objects.filter(
        target=target, times_generated=0, recipe_name__in=[recipe.name for recipe in recipes]
    ).annotate(times_broken_off=Coalesce(Subquery(times), 0))
    in_order = left_over.filter(times_broken_off__lt=MAX_BROKEN_OFF).order_by("times_broken_off", "id")
    return list(islice(_still_possible(in_order.iterator(CHUNK_ROWS), births), count))


def _fresh(
    running: Cycle, version: VocabularyVersion, recipes: Sequence[Recipe], count: int, now: datetime
) -> list[Combination]:
    """Combinations that no row stands for yet; fewer than `count` where there are no more."""
    generator = generator_for(running.target, version, recipes, running.seed)
    fresh = new_queries(running.target, generator, count)
    remember(running.target, generator)
    made = Combination.objects.bulk_create([_combination(running.target, query, now) for query in fresh])
    full_text.note_new(made)
    return made


def _combination(target: Target, query: Query, now: datetime) -> Combination:
    return Combination(
        target=target,
        fingerprint=query.fingerprint,
        fingerprint_sha256=sha256_hex(query.fingerprint),
        recipe_name=query.recipe,
        query=query_document(query),
        first_seen_timestamp=now,
        last_query_text=query.text,
    )


def _least_recent(target: Target, recipes: Sequence[Recipe], births: Births) -> Iterator[Combination]:
    asked = Combination.objects.filter(
        target=target, recipe_name__in=[recipe.name for recipe in recipes], last_run_timestamp__isnull=False
    )
    return _still_possible(asked.order_by("last_run_timestamp", "id").iterator(CHUNK_ROWS), births)


def _still_possible(combinations: Iterable[Combination], births: Births) -> Iterator[Combination]:
    """Those of which the vocabulary in force still holds every ingredient."""
    return (c for c in combinations if all(name in births for name in query_of(c.query).ingredients))
