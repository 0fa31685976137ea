"""Recipes: what each was asked and found, from the counts that cycles leave behind; examples."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from django.db.models import Count, Sum

from selftest.core.generation.examples import examples
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.recipes.base import Recipe
from selftest.models import ANY_CHECK, Cycle, RecipeTally, Run, Target, VocabularyVersion
from selftest.storage import serialization

KEPT_EXAMPLES = 64  # recipes whose examples this process remembers: some milliseconds each


@dataclass(frozen=True)
class RecipeFigures:
    """Of all time. tried: combinations asked at least once. runs, flagged: of the cycles that are over."""

    runs: int = 0
    flagged: int = 0
    tried: int = 0


def recipe_figures(target: Target, names: Collection[str] = RECIPES) -> Mapping[str, RecipeFigures]:
    """Of each of these recipes."""
    tallies = RecipeTally.objects.filter(target=target, recipe_name__in=list(names), check_name=ANY_CHECK)
    sums = tallies.order_by().values_list("recipe_name").annotate(Sum("runs"), Sum("flagged"), Sum("novel"))
    found = {name: RecipeFigures(*counts) for name, *counts in sums}
    figures = {name: found.get(name, RecipeFigures()) for name in names}
    for name, novel in _tried_by_the_running_cycle(target):
        if name in figures:
            figures[name] = replace(figures[name], tried=figures[name].tried + novel)
    return figures


def _tried_by_the_running_cycle(target: Target) -> list[tuple[str, int]]:
    """What its end will count; its runs are one batch."""
    running = Cycle.objects.filter(target=target, state=Cycle.State.RUNNING).order_by().values("pk")
    novel = Run.objects.filter(cycle__in=running, state=Run.State.DONE, novel=True).order_by()
    return list(novel.values_list("recipe_name").annotate(Count("pk")))


def findings_by_day(target: Target, recipe_name: str, since: date) -> list[tuple[date, str, int]]:
    """Day, check, runs with a finding of it; in the order of the days, in one query."""
    tallies = RecipeTally.objects.filter(target=target, day__gte=since, recipe_name=recipe_name)
    of_checks = tallies.exclude(check_name=ANY_CHECK).order_by("day", "check_name")
    return list(of_checks.values_list("day", "check_name", "runs"))


def flagged_by_day(since: date, left_out: Sequence[int] = ()) -> Mapping[date, int]:
    """Runs with any finding, of all recipes and of all targets but these; only days on which something was asked."""
    # Named one by one, so that the index by target and day serves.
    every = list(Target.objects.exclude(pk__in=left_out).values_list("pk", flat=True))
    tallies = RecipeTally.objects.filter(target__in=every, day__gte=since, check_name=ANY_CHECK)
    return dict(tallies.order_by("day").values_list("day").annotate(Sum("flagged")))


def examples_of_recipe(target: Target, recipe: Recipe, seed: int) -> Sequence[Query]:
    """A query of each shape that it makes over the vocabulary in force; none without one. Raises VocabularyError."""
    version = VocabularyVersion.objects.filter(target=target, in_force=True).values_list("pk", "sha256").first()
    return [] if version is None else _examples(recipe, seed, *version)


@lru_cache(KEPT_EXAMPLES)
def _examples(recipe: Recipe, seed: int, version: int, sha256: str) -> Sequence[Query]:
    """sha256: of the version's content, which is what they hang on."""
    vocabulary = serialization.vocabulary_of(VocabularyVersion.objects.get(pk=version))
    return tuple(examples(recipe, vocabulary, random.Random(f"{recipe.name}:{seed}")))
