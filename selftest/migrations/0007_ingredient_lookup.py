"""Finds what holds an ingredient by reading an index alone: of a common one that is most of all that was flagged.

Said in SQL, as Django gives the table between two models no place for an index of its own.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("selftest", "0006_queue_changes")]
    operations = [
        migrations.RunSQL(
            "CREATE INDEX combination_of_ingredient ON selftest_combination_ingredients (ingredient_id, combination_id)",
            "DROP INDEX combination_of_ingredient",
        )
    ]
