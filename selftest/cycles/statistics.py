"""Counts the results of a cycle once, when it ends, by recipe and day. Pages read the sums."""

from collections import Counter
from datetime import UTC, date, datetime

from selftest.models import ANY_CHECK, Cycle, Flag, RecipeTally, Run, Target
from selftest.storage.chunks import CHUNK_ROWS
from selftest.storage.locks import locked


def count(cycle: Cycle, now: datetime) -> None:
    """Adds the answered runs of a cycle that has just ended. Inside the transaction that ended it, so once."""
    done = Run.objects.filter(cycle=cycle, state=Run.State.DONE).order_by()
    runs = list(done.values_list("pk", "recipe_name", "reason", "novel"))
    if not runs:
        return
    locked(Target.objects).get(pk=cycle.target_id)  # two ends on one target add one after the other
    checks: dict[int, list[str]] = {}
    for run, check in Flag.objects.filter(run__cycle=cycle).order_by().values_list("run", "check_name"):
        checks.setdefault(run, []).append(check)
    recipes: Counter[tuple[str, str]] = Counter()
    flagged: Counter[str] = Counter()
    novel: Counter[str] = Counter()
    for run, recipe, reason, is_novel in runs:
        flagged[recipe] += reason is not None
        novel[recipe] += is_novel
        recipes.update((recipe, check) for check in (ANY_CHECK, *checks.get(run, ())))
    add_recipes(cycle.target, now.astimezone(UTC).date(), recipes, flagged, novel)


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
    counted = [rows[key] for key in recipes]
    RecipeTally.objects.bulk_create([row for row in counted if row.pk is None], batch_size=CHUNK_ROWS)
    known = [row for row in counted if row.pk is not None]
    RecipeTally.objects.bulk_update(known, ["runs", "flagged", "novel"], batch_size=CHUNK_ROWS)
