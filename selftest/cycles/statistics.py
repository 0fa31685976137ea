"""Counts the results of a cycle once, when it ends: by recipe and day, by ingredient, by pair of them and by check.

Pages read the sums.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import combinations
from typing import Any

from selftest.cycles.ingredients import ingredient_ids
from selftest.models import ANY_CHECK, CheckTally, Cycle, Flag, IngredientTally, PairTally, RecipeTally, Run, Target
from selftest.storage.chunks import CHUNK_ROWS, chunks
from selftest.storage.serialization import query_of


def count(cycle: Cycle, now: datetime) -> list[str]:
    """Adds the answered runs of a cycle that has just ended; returns the checks that flagged any.

    Inside the transaction that ended it, so once.
    """
    done = Run.objects.filter(cycle=cycle, state=Run.State.DONE).order_by()
    runs = list(done.values_list("pk", "recipe_name", "query", "reason", "novel"))
    if not runs:
        return []
    Target.objects.select_for_update().get(pk=cycle.target_id)  # two ends on one target add one after the other
    checks: dict[int, list[str]] = {}
    for run, check in Flag.objects.filter(run__cycle=cycle).order_by().values_list("run", "check_name"):
        checks.setdefault(run, []).append(check)
    used = {run: set(query_of(document).ingredients) for run, _, document, _, _ in runs}
    ids = ingredient_ids({name for names in used.values() for name in names})
    recipes: Counter[tuple[str, str]] = Counter()
    flagged: Counter[str] = Counter()
    novel: Counter[str] = Counter()
    counted = IngredientCounts()
    for run, recipe, _, reason, is_novel in runs:
        flagged[recipe] += reason is not None
        novel[recipe] += is_novel
        found = (ANY_CHECK, *checks.get(run, ()))
        recipes.update((recipe, check) for check in found)
        counted.note((ids[name] for name in used[run]), found)
    add_recipes(cycle.target, now.astimezone(UTC).date(), recipes, flagged, novel)
    add_ingredients(cycle.target, counted)
    return sorted({check for found in checks.values() for check in found})


class IngredientCounts:
    """What runs used, by the check that flagged them: the runs, and those with each ingredient and each pair.

    Ingredients are the keys of their rows; a pair begins with the lower one.
    """

    def __init__(self) -> None:
        self.runs: Counter[str] = Counter()
        self.singles: dict[str, Counter[int]] = defaultdict(Counter)
        self.pairs: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)

    def note(self, ingredients: Iterable[int], checks: Iterable[str]) -> None:
        """Counts a run. checks: those that flagged it, and ANY_CHECK."""
        in_order = sorted(ingredients)
        for check in checks:
            self.runs[check] += 1
            self.singles[check].update(in_order)
            self.pairs[check].update(combinations(in_order, 2))


def add_recipes(
    target: Target, day: date, recipes: Counter[tuple[str, str]], flagged: Counter[str], novel: Counter[str]
) -> None:
    """Adds to the statistics of recipes. recipes: runs by recipe and check. flagged and novel: runs by recipe."""
    of_day = RecipeTally.objects.filter(target=target, day=day)
    rows = {(row.recipe_name, row.check_name): row for row in of_day}
    for (recipe, check), runs in recipes.items():
        row = rows.setdefault(
            (recipe, check), RecipeTally(target=target, day=day, recipe_name=recipe, check_name=check)
        )
        row.runs += runs
        if check == ANY_CHECK:
            row.flagged += flagged[recipe]
            row.novel += novel[recipe]
    _save(RecipeTally, [rows[key] for key in recipes], ["runs", "flagged", "novel"])


def add_ingredients(target: Target, more: IngredientCounts) -> None:
    """Adds to the statistics of checks, ingredients and pairs."""
    rows = {row.check_name: row for row in CheckTally.objects.filter(target=target)}
    for check, runs in more.runs.items():
        row = rows.setdefault(check, CheckTally(target=target, check_name=check))
        row.runs += runs
    _save(CheckTally, [rows[check] for check in more.runs], ["runs"])
    for check, singles in more.singles.items():
        _add_singles(target, check, singles)
    for check, pairs in more.pairs.items():
        _add_pairs(target, check, pairs)


def _add_singles(target: Target, check: str, more: Counter[int]) -> None:
    for chunk in chunks(more):
        known = IngredientTally.objects.filter(target=target, check_name=check, ingredient__in=chunk).order_by()
        before = dict(known.values_list("ingredient", "runs"))
        rows = [
            IngredientTally(target=target, check_name=check, ingredient_id=key, runs=before.get(key, 0) + more[key])
            for key in chunk
        ]
        _put(IngredientTally, rows)


def _add_pairs(target: Target, check: str, pairs: Counter[tuple[int, int]]) -> None:
    more: dict[int, dict[str, int]] = defaultdict(dict)
    for (lower, higher), added in pairs.items():
        more[lower][str(higher)] = added
    for chunk in chunks(more):
        known = PairTally.objects.filter(target=target, check_name=check, ingredient__in=chunk).order_by()
        counted: dict[int, dict[str, int]] = dict(known.values_list("ingredient", "runs"))
        rows = []
        for lower in chunk:
            runs = counted.get(lower, {})
            for other, added in more[lower].items():
                runs[other] = runs.get(other, 0) + added
            rows.append(PairTally(target=target, check_name=check, ingredient_id=lower, runs=runs))
        _put(PairTally, rows)


def _put(model: Any, rows: Sequence[Any]) -> None:
    """Replaces the rows of the same ingredients; cheaper than an update, which would name each row twice."""
    unique = ["target", "check_name", "ingredient"]
    model.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=["runs"])


def _save(model: Any, rows: Iterable[Any], columns: Sequence[str]) -> None:
    every = list(rows)
    new, known = [row for row in every if row.pk is None], [row for row in every if row.pk is not None]
    model.objects.bulk_create(new, batch_size=CHUNK_ROWS)
    model.objects.bulk_update(known, columns, batch_size=CHUNK_ROWS)
