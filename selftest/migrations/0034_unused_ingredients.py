"""Drops the ingredients that only statistics held, and the pairs that were suspected together."""

from django.db import migrations
from django.db.models import Exists, OuterRef


def drop_unused(apps, schema_editor):
    Combination, Ingredient = (apps.get_model("selftest", name) for name in ("Combination", "Ingredient"))
    used = Combination.ingredients.through.objects.filter(ingredient=OuterRef("pk"))
    unused = Ingredient.objects.filter(~Exists(used))
    unused._raw_delete(unused.db)  # nothing refers to them, so none is looked up first


class Migration(migrations.Migration):
    dependencies = [("selftest", "0033_drop_suspects")]
    operations = [migrations.RunPython(drop_unused, migrations.RunPython.noop)]
