"""Comparisons made so far get the name of their set, where it still is."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery


def name_sets(apps: Any, schema_editor: Any) -> None:
    """One statement, as there are few comparisons."""
    names = apps.get_model("evaluation", "GoldenSet").objects.filter(pk=OuterRef("golden_set")).values("name")
    comparisons = apps.get_model("evaluation", "Comparison").objects.filter(golden_set__isnull=False)
    comparisons.update(golden_set_name=Subquery(names))


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0002_kept_answers_and_set_names")]
    operations = [migrations.RunPython(name_sets, migrations.RunPython.noop)]
