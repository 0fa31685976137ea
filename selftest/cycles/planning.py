"""Which runs a cycle consists of: what was left over, then what is new, then what was asked longest ago.

A cycle that repeats something asks exactly that; it moves no walk and counts as covering nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, cycle, islice
from typing import Any

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.generator import IntroducedIn
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import recipes_named
from selftest.core.generation.recipes.base import Recipe
from selftest.core.judging.context import parts_of
from selftest.cycles.sampling import generator_for, new_queries, remember
from selftest.models import Combination, Cycle, Run, Target, VocabularyVersion
from selftest.reading.given_up import MAX_BROKEN_OFF
from selftest.reading.judging_terms import unchecked_of_last_cycle
from selftest.storage import full_text
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.locks import locked
from selftest.storage.serialization import query_document, query_of, vocabulary_of
from selftest.storage.texts import sha256_hex


@dataclass(frozen=True)
class PlannedQuery:
    """A query to be asked. wording: empty where it is that of its combination. is_novel: which was never answered."""

    combination: Combination
    wording: dict[str, Any]
    is_novel: bool


def plan(running: Cycle, version: VocabularyVersion, now: datetime) -> list[Run]:
    """Saves the runs of `running` as planned, all or none, and how far the walks are.

    None where the cycle was ended meanwhile, because its worker seemed dead: an ended cycle has no open run.
    """
    with transaction.atomic():
        if not locked(Cycle.objects).filter(pk=running.pk, state=Cycle.State.RUNNING):
            return []
        if planned_before := list(running.runs.select_related("combination").order_by("place")):  # by one that died
            return planned_before
        if running.combination is not None:
            queries = _repeated(running.combination, running.queries_wanted)
        elif running.replay_of is not None:
            queries = _replayed(running.replay_of)
        else:
            queries = _chosen(running, version, now)
        return Run.objects.bulk_create(
            [
                Run(
                    cycle=running,
                    target=running.target,
                    combination=planned.combination,
                    recipe_name=planned.combination.recipe_name,
                    place=position,
                    novel=planned.is_novel,
                    query=planned.wording,
                    query_text=query_of(planned.wording).text if planned.wording else "",
                )
                for position, planned in enumerate(queries)
            ]
        )


def missing_ingredients(runs: Iterable[Run], vocabulary_holds: IntroducedIn) -> list[str]:
    """The ingredients of `runs` that the vocabulary in force has lost; only a repetition can have such."""
    used = {name for run in runs for name in query_of(run.document).ingredients}
    return sorted(used - vocabulary_holds.keys())


def _repeated(combination: Combination, times: int) -> list[PlannedQuery]:
    """In the wording that was last flagged, which may have another order than the first one."""
    flagged = combination.last_flagged_run
    wording = {} if flagged is None else flagged.query
    is_new = combination.times_generated == 0
    return [PlannedQuery(combination, wording, is_new and number == 0) for number in range(times)]


def _replayed(earlier: Cycle) -> list[PlannedQuery]:
    """All that it planned, answered or not."""
    never_answered = set(earlier.runs.filter(combination__times_generated=0).values_list("combination", flat=True))
    queries = []
    for run in earlier.runs.select_related("combination").defer("result").order_by("place"):
        queries.append(PlannedQuery(run.combination, run.query, run.combination_id in never_answered))
        never_answered.discard(run.combination_id)  # asked twice in the cycle, it is new the first time
    return queries


def _chosen(running: Cycle, version: VocabularyVersion, now: datetime) -> list[PlannedQuery]:
    recipes = recipes_named(running.recipes)
    left_over = _left_over(running.target, recipes, version.births, running.queries_wanted)
    fresh = _fresh(running, version, recipes, running.queries_wanted - len(left_over), now)
    chosen = [*left_over, *fresh]
    repeats: Iterable[Combination] = ()
    if len(chosen) < running.queries_wanted:
        repeats = cycle(chain(_least_recent(running.target, recipes, version.births), list(chosen)))
    batch = islice(chain(chosen, repeats), running.queries_wanted)
    return [PlannedQuery(combination, {}, number < len(chosen)) for number, combination in enumerate(batch)]


def _left_over(target: Target, recipes: Sequence[Recipe], introduced_in: IntroducedIn, count: int) -> list[Combination]:
    """Combinations that an earlier cycle planned and that have no answer yet: still new, so they come first.

    Those never asked come before those interrupted: a query that kills its worker must not block the others.
    """
    interrupted = Run.objects.filter(combination=OuterRef("pk"), state=Run.State.INTERRUPTED)
    times = interrupted.order_by().values("combination").annotate(times=Count("pk")).values("times")
    left_over = Combination.objects.filter(
        target=target, times_generated=0, recipe_name__in=[recipe.name for recipe in recipes]
    ).annotate(times_interrupted=Coalesce(Subquery(times), 0))
    in_order = left_over.filter(times_interrupted__lt=MAX_BROKEN_OFF).order_by("times_interrupted", "id")
    return list(islice(_still_possible(in_order.iterator(CHUNK_ROWS), introduced_in), count))


def _fresh(
    running: Cycle, version: VocabularyVersion, recipes: Sequence[Recipe], count: int, now: datetime
) -> list[Combination]:
    """Combinations that have no row yet; fewer than `count` where there are no more."""
    generator = generator_for(running.target, version, recipes, running.seed)
    fresh = _overdue_first(new_queries(running.target, generator, count), running.target, version)
    remember(running.target, generator)
    made = Combination.objects.bulk_create([new_combination(running.target, query, now) for query in fresh])
    full_text.note_new(made)
    return made


def _overdue_first(fresh: Sequence[Query], target: Target, version: VocabularyVersion) -> Sequence[Query]:
    """Those first that hold a part of what the last cycle left unchecked.

    Its queries themselves are not asked again for that: a cycle repeats nothing as long as there is something new.
    """
    unchecked = unchecked_of_last_cycle(target)
    if not unchecked:
        return fresh
    vocabulary = vocabulary_of(version)
    overdue = parts_of(unchecked, vocabulary)
    return sorted(fresh, key=lambda query: overdue.isdisjoint(parts_of([query], vocabulary)))


def new_combination(target: Target, query: Query, now: datetime) -> Combination:
    """One that was never asked; not saved."""
    return Combination(
        target=target,
        fingerprint=fingerprint_of(query),
        fingerprint_sha256=sha256_hex(fingerprint_of(query)),
        recipe_name=query.recipe,
        query=query_document(query),
        first_seen_timestamp=now,
        last_query_text=query.text,
    )


def _least_recent(target: Target, recipes: Sequence[Recipe], introduced_in: IntroducedIn) -> Iterator[Combination]:
    asked = Combination.objects.filter(
        target=target, recipe_name__in=[recipe.name for recipe in recipes], last_run_timestamp__isnull=False
    )
    return _still_possible(asked.order_by("last_run_timestamp", "id").iterator(CHUNK_ROWS), introduced_in)


def _still_possible(combinations: Iterable[Combination], introduced_in: IntroducedIn) -> Iterator[Combination]:
    """Those of which the vocabulary in force still holds every ingredient."""
    return (c for c in combinations if all(name in introduced_in for name in query_of(c.query).ingredients))
