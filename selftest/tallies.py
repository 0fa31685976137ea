"""Counts what a cycle brought, once, when it ends: by recipe and day, by ingredient, by pair of them and by check.

Pages read the sums.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import combinations
from typing import Any

from selftest.core.suspects import Pair
from selftest.models import ANY_CHECK, CheckTally, Cycle, Flag, IngredientTally, PairTally, RecipeTally, Run, Target
from selftest.store import query_of
from selftest.suspicion import CHUNK_ROWS, ingredient_ids, suspect_anew


def count(cycle: Cycle, now: datetime) -> None:
    """Adds the answered runs of a cycle that has just ended. Inside the transaction that ended it, so once."""
    done = Run.objects.filter(cycle=cycle, state=Run.State.DONE).order_by()
    runs = list(done.values_list("pk", "recipe_name", "query", "reason", "novel"))
    if not runs:
        return
    Target.objects.select_for_update().get(pk=cycle.target_id)  # two ends on one target add one after the other
    checks: dict[int, list[str]] = {}
    for run, check in Flag.objects.filter(run__cycle=cycle).order_by().values_list("run", "check_name"):
        checks.setdefault(run, []).append(check)
    recipes: Counter[tuple[str, str]] = Counter()
    flagged: Counter[str] = Counter()
    novel: Counter[str] = Counter()
    ingredients: Counter[tuple[str, str]] = Counter()
    pairs: dict[str, Counter[Pair]] = defaultdict(Counter)
    in_all: Counter[str] = Counter()
    for run, recipe, document, reason, is_novel in runs:
        flagged[recipe] += reason is not None
        novel[recipe] += is_novel
        said = sorted(set(query_of(document).ingredients))
        for check in (ANY_CHECK, *checks.get(run, ())):
            in_all[check] += 1
            pairs[check].update(combinations(said, 2))
            recipes[recipe, check] += 1
            ingredients.update((name, check) for name in said)
    add_recipes(cycle.target, now.astimezone(UTC).date(), recipes, flagged, novel)
    add_checks(cycle.target, in_all)
    add_ingredients(cycle.target, ingredients)
    add_pairs(cycle.target, pairs)
    suspect_anew(cycle.target, sorted({check for found in checks.values() for check in found}))


def add_recipes(
    target: Target, day: date, recipes: Counter[tuple[str, str]], flagged: Counter[str], novel: Counter[str]
) -> None:
    """recipes: runs by recipe and check. flagged and novel: runs by recipe."""
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


def add_ingredients(target: Target, ingredients: Counter[tuple[str, str]]) -> None:
    """ingredients: runs by ingredient and check."""
    ids = ingredient_ids({name for name, _ in ingredients})
    rows: dict[tuple[int, str], IngredientTally] = {}
    wanted = list(ids.values())
    for first in range(0, len(wanted), CHUNK_ROWS):
        known = IngredientTally.objects.filter(target=target, ingredient__in=wanted[first : first + CHUNK_ROWS])
        rows |= {(row.ingredient_id, row.check_name): row for row in known.order_by()}
    for (name, check), runs in ingredients.items():
        key = (ids[name], check)
        row = rows.setdefault(key, IngredientTally(target=target, ingredient_id=ids[name], check_name=check))
        row.runs += runs
    _save(IngredientTally, [rows[ids[name], check] for name, check in ingredients], ["runs"])


def add_checks(target: Target, runs: Counter[str]) -> None:
    """runs: by check."""
    rows = {row.check_name: row for row in CheckTally.objects.filter(target=target)}
    for check, more in runs.items():
        row = rows.setdefault(check, CheckTally(target=target, check_name=check))
        row.runs += more
    _save(CheckTally, [rows[check] for check in runs], ["runs"])


def add_pairs(target: Target, pairs: Mapping[str, Counter[Pair]]) -> None:
    """pairs: runs by check and pair."""
    ids = ingredient_ids({name for counted in pairs.values() for pair in counted for name in pair})
    for check, counted in pairs.items():
        more: dict[int, dict[str, int]] = defaultdict(dict)
        for (one, other), runs in counted.items():
            lower, higher = sorted((ids[one], ids[other]))
            more[lower][str(higher)] = runs
        _add_pairs_of(target, check, more)


def _add_pairs_of(target: Target, check: str, more: Mapping[int, Mapping[str, int]]) -> None:
    """more: lower key → higher key → runs."""
    wanted = list(more)
    for first in range(0, len(wanted), CHUNK_ROWS):
        chunk = wanted[first : first + CHUNK_ROWS]
        known = PairTally.objects.filter(target=target, check_name=check, ingredient__in=chunk).order_by()
        before: dict[int, dict[str, int]] = dict(known.values_list("ingredient", "runs"))
        rows = []
        for lower in chunk:
            runs = before.get(lower, {})
            runs |= {other: runs.get(other, 0) + added for other, added in more[lower].items()}
            rows.append(PairTally(target=target, check_name=check, ingredient_id=lower, runs=runs))
        PairTally.objects.bulk_create(  # cheaper than an update, which would name each row's text twice
            rows,
            update_conflicts=True,
            unique_fields=["target", "check_name", "ingredient"],
            update_fields=["runs"],
        )


def _save(model: Any, rows: Iterable[Any], columns: Sequence[str]) -> None:
    every = list(rows)
    new, known = [row for row in every if row.pk is None], [row for row in every if row.pk is not None]
    model.objects.bulk_create(new, batch_size=CHUNK_ROWS)
    model.objects.bulk_update(known, columns, batch_size=CHUNK_ROWS)
