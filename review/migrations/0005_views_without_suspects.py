"""Saved views of flags that were put down to an ingredient, or to a pair of them, become views of all flags with it.

Else they would show all flags, as a filter that is not there any more leaves nothing out.
"""

from urllib.parse import parse_qsl, urlencode

from django.db import migrations

IN_ORDER = ("tab", "check", "recipe", "source", "ingredient", "target", "age", "text", "sort")
QUERY_CHARACTERS = 2000


def rename(apps, schema_editor):
    SavedView = apps.get_model("review", "SavedView")
    for view in SavedView.objects.filter(query__contains="suspect="):
        params = dict(parse_qsl(view.query))
        params.setdefault("ingredient", params.get("suspect", ""))
        query = urlencode({name: params[name] for name in IN_ORDER if params.get(name)})
        if len(query) <= QUERY_CHARACTERS:
            SavedView.objects.filter(pk=view.pk).update(query=query)


class Migration(migrations.Migration):
    dependencies = [("review", "0004_no_forms_of_failed_attempts")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
