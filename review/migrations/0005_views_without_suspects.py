"""Saved views of flags that were put down to an ingredient become views of all with it; of a pair, with its first.

Else they would show all flags, as a filter that is not there any more leaves nothing out.
"""

import json
from urllib.parse import parse_qsl, urlencode

from django.db import migrations
from django.db.models import Q

IN_ORDER = ("tab", "check", "recipe", "source", "ingredient", "target", "age", "text", "sort")
QUERY_CHARACTERS = 2000


def first_of(name):
    """Of a pair, which was named as a JSON array, the first."""
    try:
        found = json.loads(name)
    except ValueError:
        return name
    return str(found[0]) if isinstance(found, list) and found else name


def rename(apps, schema_editor):
    SavedView = apps.get_model("review", "SavedView")
    for view in SavedView.objects.filter(Q(query__contains="suspect=") | Q(query__contains="ingredient=%5B")):
        params = dict(parse_qsl(view.query))
        params["ingredient"] = first_of(params.get("ingredient") or params.get("suspect", ""))
        query = urlencode({name: params[name] for name in IN_ORDER if params.get(name)})
        if len(query) <= QUERY_CHARACTERS:
            SavedView.objects.filter(pk=view.pk).update(query=query)


class Migration(migrations.Migration):
    dependencies = [("review", "0004_no_forms_of_failed_attempts")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
