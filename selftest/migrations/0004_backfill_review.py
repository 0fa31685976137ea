"""Fills in, from what is stored, all that came with 0002 and 0003: what the queue is sorted by, the counts, the words.

Counts everything anew, so what was counted since is not counted twice. A cycle that is not over counts when it ends.
"""

import hashlib
import json
import math
import re
from collections import Counter
from datetime import UTC

from django.db import migrations
from django.db.models import Count, Q

CHUNK_ROWS = 500  # below SQLite's limit of variables in a statement
ANY_CHECK = ""
DONE = Q(state="done")
OPEN_STATES = ("planned", "running")
WORD = re.compile(r"[^\W_]+")
KEPT_CHARACTERS = 100  # of a word
TABLES = {"selftest_combination_words": {}, "selftest_flagged_words": {"ever_flagged": True}}


def backfill(apps, schema_editor):
    models = {name: apps.get_model("selftest", name) for name in ("Combination", "Cycle", "Flag", "Run")}
    forget_counts(apps, schema_editor.connection)
    if not models["Combination"].objects.exists():
        return
    open_cycles = list(models["Cycle"].objects.filter(state__in=OPEN_STATES).order_by().values_list("pk", flat=True))
    write_recipes(apps.get_model("selftest", "RecipeTally"), recipes_counted(open_cycles, **models))
    said = ingredients_counted(open_cycles, **models)
    ids = write_ingredients(apps, said)
    fill_in_flagged(said, ids, **models)
    make_findable(schema_editor.connection, models["Combination"])


def forget_counts(apps, connection):
    for name in ("RecipeTally", "IngredientTally"):
        apps.get_model("selftest", name).objects.all().delete()
    with connection.cursor() as cursor:
        for table in TABLES:
            is_sqlite = connection.vendor == "sqlite"
            cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')" if is_sqlite else f"DELETE FROM {table}")


def chunks(rows, *columns):
    """Rows, as dictionaries of these columns, in the order of their keys."""
    after = 0
    while chunk := list(rows.filter(pk__gt=after).order_by("pk").values("pk", *columns)[:CHUNK_ROWS]):
        yield chunk
        after = chunk[-1]["pk"]


def recipes_counted(open_cycles, Cycle, Flag, Run, **_):
    """(target, day, recipe, check) → runs, flagged ones, novel ones."""
    counts = Counter(), Counter(), Counter()
    over = Q(finished_at__isnull=False) & ~Q(pk__in=open_cycles)
    for chunk in chunks(Cycle.objects.filter(over), "target", "finished_at"):
        days = {row["pk"]: row["finished_at"].astimezone(UTC).date() for row in chunk}
        ended = {row["pk"]: (row["target"], days[row["pk"]]) for row in chunk}
        runs = Run.objects.filter(DONE, cycle__in=ended).order_by().values_list("cycle", "recipe_name")
        flagged, novel = Count("pk", filter=Q(reason__isnull=False)), Count("pk", filter=Q(novel=True))
        for cycle, recipe, *values in runs.annotate(Count("pk"), flagged_runs=flagged, novel_runs=novel):
            for counted, value in zip(counts, values, strict=True):
                counted[*ended[cycle], recipe, ANY_CHECK] += value
        flags = Flag.objects.filter(run__cycle__in=ended, run__state="done").order_by()
        by_check = flags.values_list("run__cycle", "run__recipe_name", "check_name").annotate(Count("pk"))
        for cycle, recipe, check, value in by_check:
            counts[0][*ended[cycle], recipe, check] += value
    return counts


def write_recipes(RecipeTally, counts):
    runs, flagged, novel = counts
    rows = (
        RecipeTally(
            target_id=key[0],
            day=key[1],
            recipe_name=key[2],
            check_name=key[3],
            runs=value,
            flagged=flagged[key],
            novel=novel[key],
        )
        for key, value in runs.items()
    )
    RecipeTally.objects.bulk_create(rows, batch_size=CHUNK_ROWS)


def ingredients_counted(open_cycles, Combination, Flag, Run, **_):
    """(target, ingredient, check) → runs that it was said in. All runs of a combination say the same ingredients."""
    said = Counter()
    for chunk in chunks(Combination.objects, "target", "fingerprint"):
        keys = [row["pk"] for row in chunk]
        runs = Run.objects.filter(DONE, combination__in=keys).exclude(cycle__in=open_cycles).order_by()
        counted = {(pk, ANY_CHECK): value for pk, value in runs.values_list("combination").annotate(Count("pk"))}
        flags = Flag.objects.filter(combination__in=keys, run__state="done").exclude(run__cycle__in=open_cycles)
        by_check = flags.order_by().values_list("combination", "check_name").annotate(Count("pk"))
        counted |= {(pk, check): value for pk, check, value in by_check}
        by_key = {row["pk"]: (row["target"], set(json.loads(row["fingerprint"]))) for row in chunk}
        for (pk, check), value in counted.items():
            target, ingredients = by_key[pk]
            for text in ingredients:
                said[target, text, check] += value
    return said


def write_ingredients(apps, said):
    """Text → key, of all that were said in a run that counts."""
    Tally = apps.get_model("selftest", "IngredientTally")
    ids = rows_for(apps.get_model("selftest", "Ingredient"), {text for _, text, _ in said})
    rows = (
        Tally(target_id=target, ingredient_id=ids[text], check_name=check, runs=runs)
        for (target, text, check), runs in said.items()
    )
    Tally.objects.bulk_create(rows, batch_size=CHUNK_ROWS)
    return ids


def rows_for(Ingredient, texts):
    by_sha256 = {hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest(): text for text in texts}
    rows = (Ingredient(text=text, sha256=sha256) for sha256, text in by_sha256.items())
    Ingredient.objects.bulk_create(rows, batch_size=CHUNK_ROWS, ignore_conflicts=True)
    known = Ingredient.objects.order_by().values_list("sha256", "pk")
    return {by_sha256[sha256]: pk for sha256, pk in known if sha256 in by_sha256}


def fill_in_flagged(said, ids, Combination, Flag, Run, **_):
    Ingredient = Combination._meta.get_field("ingredients").related_model
    Link = Combination.ingredients.through
    columns = ("target", "fingerprint", "last_flagged_run", "last_flagged_reason", "first_flagged_reason")
    for chunk in chunks(Combination.objects.filter(ever_flagged=True), *columns):
        made_of = {row["pk"]: sorted(set(json.loads(row["fingerprint"]))) for row in chunk}
        if new := {text for found in made_of.values() for text in found} - ids.keys():
            ids |= rows_for(Ingredient, new)
        runs = Run.objects.filter(DONE, combination__in=made_of, reason__isnull=False).order_by()
        times = dict(runs.values_list("combination").annotate(Count("pk")))
        last = Flag.objects.filter(run__in=[row["last_flagged_run"] for row in chunk], place=0).order_by()
        checks = dict(last.values_list("combination", "check_name"))
        changed = []
        for row in chunk:
            pk = row["pk"]
            # Where the run is gone, a reason still begins with its check.
            reason = row["last_flagged_reason"] or row["first_flagged_reason"] or ""
            check = checks.get(pk) or reason.partition(":")[0][:60]
            suspect = most_suspect(said, row["target"], check, made_of[pk])
            changed.append(
                Combination(
                    pk=pk, flagged_check=check, times_flagged=max(1, times.get(pk, 0)), suspect_id=ids.get(suspect)
                )
            )
        Combination.objects.bulk_update(changed, ["flagged_check", "times_flagged", "suspect"], batch_size=100)
        links = [Link(combination_id=pk, ingredient_id=ids[text]) for pk, found in made_of.items() for text in found]
        Link.objects.bulk_create(links, batch_size=CHUNK_ROWS, ignore_conflicts=True)


def most_suspect(said, target, check, ingredients):
    """By Ochiai's coefficient, the first in the alphabet of equals; None of none."""

    def strength(text):
        runs = said[target, text, ANY_CHECK]
        return said[target, text, check] / math.sqrt(runs) if runs else 0.0

    return max(ingredients, key=strength, default=None)


def make_findable(connection, Combination):
    mark = "'" if connection.vendor == "postgresql" else ""
    cast = "::tsvector" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table, condition in TABLES.items():
            for chunk in chunks(Combination.objects.filter(**condition), "last_query_text"):
                rows = [(row["pk"], " ".join(words_of(row["last_query_text"], mark))) for row in chunk]
                cursor.executemany(f"INSERT INTO {table} (rowid, words) VALUES (%s, %s{cast})", rows)


def words_of(text, mark):
    return [f"{mark}{word[:KEPT_CHARACTERS]}{mark}" for word in WORD.findall(text.casefold())]


class Migration(migrations.Migration):
    dependencies = [("selftest", "0003_search_words")]
    operations = [migrations.RunPython(backfill, migrations.RunPython.noop)]
