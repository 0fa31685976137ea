"""Counts what a cycle brought, once, when it ends: by recipe and day, and by ingredient. Pages read the sums."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from selftest.models import ANY_CHECK, Cycle, Flag, IngredientTally, RecipeTally, Run, Target
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
    for run, recipe, document, reason, is_novel in runs:
        flagged[recipe] += reason is not None
        novel[recipe] += is_novel
        said = set(query_of(document).ingredients)
        for check in (ANY_CHECK, *checks.get(run, ())):
            recipes[recipe, check] += 1
            ingredients.update((name, check) for name in said)
    add_recipes(cycle.target, now.astimezone(UTC).date(), recipes, flagged, novel)
    add_ingredients(cycle.target, ingredients)
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


def _save(model: Any, rows: Iterable[Any], columns: Sequence[str]) -> None:
    every = list(rows)
    new, known = [row for row in every if row.pk is None], [row for row in every if row.pk is not None]
    model.objects.bulk_create(new, batch_size=CHUNK_ROWS)
    model.objects.bulk_update(known, columns, batch_size=CHUNK_ROWS)
