from django.db import migrations


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE INDEX knowledge_words_by_title ON knowledge_words USING gin (ts_filter(words, '{a}'))"
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX knowledge_words_by_title")


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0006_promises'),
    ]

    operations = [
        migrations.RunPython(make, drop),
    ]
