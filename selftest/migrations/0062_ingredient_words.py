"""Makes what was ever flagged findable by the words of its ingredients, as 0003 does by those of its query."""

import re
from itertools import groupby

from django.db import migrations

TABLE = "selftest_ingredient_words"
# As in 0003, where it says why.
SQLITE = (
    f"CREATE VIRTUAL TABLE {TABLE} USING fts5"
    "(words, content='', tokenize='ascii', detail=none, prefix='1 2 3 4 5 6 7 8 9 10')",
)
POSTGRESQL = (
    f"CREATE TABLE {TABLE} (rowid bigint PRIMARY KEY, words tsvector NOT NULL)",
    f"CREATE INDEX {TABLE}_by_word ON {TABLE} USING gin (words)",
)
WORD = re.compile(r"[^\W_]+")
KEPT_CHARACTERS = 100  # of a word
AT_ONCE = 5_000


def make(apps, schema_editor):
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        schema_editor.execute(statement)
    words = {
        pk: [word[:KEPT_CHARACTERS] for word in WORD.findall(text.casefold())]
        for pk, text in apps.get_model("selftest", "Ingredient").objects.values_list("pk", "text")
    }
    Combination = apps.get_model("selftest", "Combination")
    links = Combination.ingredients.through.objects.order_by("combination_id", "ingredient_id")
    flagged = Combination.objects.filter(ever_flagged=True).order_by("pk").values_list("pk", flat=True)
    insert = f"INSERT INTO {TABLE} (rowid, words) VALUES (%s, {'%s' if is_sqlite else '%s::tsvector'})"
    last = 0
    while chunk := list(flagged.filter(pk__gt=last)[:AT_ONCE]):
        pairs = links.filter(combination__gte=chunk[0], combination__lte=chunk[-1])
        rows = []
        for pk, of_one in groupby(pairs.values_list("combination", "ingredient"), lambda pair: pair[0]):
            held = dict.fromkeys(word for _, ingredient in of_one for word in words[ingredient])
            rows.append((pk, " ".join(held if is_sqlite else (f"'{word}'" for word in held))))
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(insert, rows)
        last = chunk[-1]


def drop(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {TABLE}")


class Migration(migrations.Migration):
    dependencies = [("selftest", "0061_signs_of_life")]
    operations = [migrations.RunPython(make, drop)]
