"""Gives the vocabularies in force the ingredients of the recipes that came later: of no version, so older than all.

Without a birth an ingredient counts as one that the vocabulary has lost, and nothing made of it would be asked again.
"""

from django.db import migrations

from selftest.core.generation.generator import ingredients_of
from selftest.core.generation.vocabulary import VocabularyError, parse_vocabulary

BEFORE_ALL_VERSIONS = 0


def give_births(apps, schema_editor):
    for version in apps.get_model("selftest", "VocabularyVersion").objects.filter(in_force=True):
        try:
            ingredients = ingredients_of(parse_vocabulary(version.content))
        except VocabularyError:
            continue  # pages and cycles say so; the next vocabulary brings births of its own
        version.births = dict.fromkeys(sorted(ingredients), BEFORE_ALL_VERSIONS) | version.births
        version.save(update_fields=["births"])


class Migration(migrations.Migration):
    dependencies = [("selftest", "0013_recipe_turns")]

    operations = [migrations.RunPython(give_births, migrations.RunPython.noop)]
