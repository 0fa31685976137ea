"""Makes queries findable by their words; see selftest/search.py for what is looked up in what.

Beside the models, so that no page that reads a combination reads its words too.
"""

from django.db import migrations

TABLES = ("selftest_combination_words", "selftest_flagged_words")
# Words are looked for by how they begin. Without `prefix`, SQLite would merge all the rows of every such word for that;
# with it, only for beginnings that are longer than any of these. `ascii`: every letter beyond ASCII is one of a word.
SQLITE = (
    "CREATE VIRTUAL TABLE {table} USING fts5"
    "(words, content='', tokenize='ascii', detail=none, prefix='1 2 3 4 5 6 7 8 9 10')",
)
POSTGRESQL = (
    "CREATE TABLE {table} (rowid bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX {table}_by_word ON {table} USING gin (words)",
)


def make(apps, schema_editor):
    for table in TABLES:
        for statement in {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor]:
            schema_editor.execute(statement.format(table=table))


def drop(apps, schema_editor):
    for table in TABLES:
        schema_editor.execute(f"DROP TABLE {table}")


class Migration(migrations.Migration):
    dependencies = [("selftest", "0002_review_queue")]
    operations = [migrations.RunPython(make, drop)]
