"""Makes queries findable by their words; see selftest/search.py for what is looked up in what."""

from django.db import migrations

SQLITE = (
    "CREATE VIRTUAL TABLE {table} USING fts5(words, content='', tokenize='unicode61 remove_diacritics 0')",
    "DROP TABLE {table}",
)
POSTGRESQL = (
    "CREATE INDEX {table} ON selftest_combination USING gin "
    "(to_tsvector('simple'::regconfig, COALESCE(last_query_text, ''))) {condition}",
    "DROP INDEX {table}",
)
TABLES = {"selftest_combination_words": "", "selftest_flagged_words": "WHERE ever_flagged"}


def _run(schema_editor, direction):
    statements = {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor]
    for table, condition in TABLES.items():
        schema_editor.execute(statements[direction].format(table=table, condition=condition))


def make(apps, schema_editor):
    _run(schema_editor, 0)


def drop(apps, schema_editor):
    _run(schema_editor, 1)


class Migration(migrations.Migration):
    dependencies = [("selftest", "0002_review_queue")]
    operations = [migrations.RunPython(make, drop)]
