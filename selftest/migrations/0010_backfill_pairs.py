"""Counts, from what is stored, what came with 0008 and 0009: pairs of ingredients, and the runs of each check.

Over all runs that the single ingredients were counted over, so that a pair is never measured by another span than its
two. Runs are not read: a combination knows how often it was asked. A cycle that is not over counts when it ends.
"""

import json
from collections import Counter, defaultdict
from itertools import combinations

from django.db import migrations
from django.db.models import Count, Sum

CHUNK_ROWS = 2000
ROWS_AT_ONCE = 500
ANY_CHECK = ""
OPEN_STATES = ("planned", "running")


def backfill(apps, schema_editor):
    models = {
        name: apps.get_model("selftest", name)
        for name in ("CheckTally", "Combination", "Cycle", "Flag", "IngredientTally", "PairTally", "RecipeTally", "Run")
    }
    for name in ("CheckTally", "PairTally"):
        models[name].objects.all().delete()
    write_checks(**models)
    write_pairs(pairs_counted(**models), models["PairTally"])


def write_checks(CheckTally, RecipeTally, **_):
    sums = RecipeTally.objects.order_by().values_list("target", "check_name").annotate(Sum("runs"))
    rows = (CheckTally(target_id=target, check_name=check, runs=runs) for target, check, runs in sums)
    CheckTally.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def pairs_counted(Combination, Cycle, Flag, IngredientTally, Run, **_):
    """(target, check) → how many runs said both, by the keys of the two, the lower first."""
    open_cycles = list(Cycle.objects.filter(state__in=OPEN_STATES).order_by().values_list("pk", flat=True))
    uncounted = Run.objects.filter(cycle__in=open_cycles, state="done").order_by()
    uncounted = dict(uncounted.values_list("combination").annotate(Count("pk")))
    ids = defaultdict(dict)
    tallies = IngredientTally.objects.filter(check_name=ANY_CHECK).order_by()
    for target, text, pk in tallies.values_list("target", "ingredient__text", "ingredient"):
        ids[target][text] = pk
    together = defaultdict(Counter)
    asked = Combination.objects.filter(times_generated__gt=0)
    after = 0
    columns = ("pk", "target", "fingerprint", "times_generated", "ever_flagged")
    while chunk := list(asked.filter(pk__gt=after).order_by("pk").values_list(*columns)[:CHUNK_ROWS]):
        after = chunk[-1][0]
        flags = flags_of([pk for pk, *_, ever_flagged in chunk if ever_flagged], open_cycles, Flag)
        for pk, target, fingerprint, times, _ in chunk:
            known = ids[target]
            said = sorted(known[text] for text in set(json.loads(fingerprint)) if text in known)
            counts = {ANY_CHECK: times - uncounted.get(pk, 0), **flags.get(pk, {})}
            for check, runs in counts.items():
                counted = together[target, check]
                for pair in combinations(said, 2):
                    counted[pair] += runs
    return together


def flags_of(keys, open_cycles, Flag):
    """Combination → check → runs."""
    found = defaultdict(dict)
    for first in range(0, len(keys), ROWS_AT_ONCE):
        flags = Flag.objects.filter(combination__in=keys[first : first + ROWS_AT_ONCE], run__state="done").order_by()
        counts = flags.exclude(run__cycle__in=open_cycles).values_list("combination", "check_name")
        for pk, check, runs in counts.annotate(Count("pk")):
            found[pk][check] = runs
    return found


def write_pairs(together, PairTally):
    for (target, check), counted in together.items():
        others = defaultdict(dict)
        for (first, second), runs in counted.items():
            if runs > 0:
                others[first][str(second)] = runs
        rows = (
            PairTally(target_id=target, check_name=check, ingredient_id=first, runs=runs)
            for first, runs in others.items()
        )
        PairTally.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("selftest", "0009_check_tally")]
    operations = [migrations.RunPython(backfill, migrations.RunPython.noop)]
