"""Tells, of the flags that are stored, which are of the last flagged run of their combination."""

from django.db import migrations
from django.db.models import Exists, OuterRef


def mark_latest(apps, schema_editor):
    Combination, Flag = (apps.get_model("selftest", name) for name in ("Combination", "Flag"))
    latest = Combination.objects.filter(pk=OuterRef("combination"), last_flagged_run=OuterRef("run"))
    Flag.objects.exclude(Exists(latest)).update(is_latest=False)


class Migration(migrations.Migration):

    dependencies = [
        ("selftest", "0037_counted_causes"),
    ]

    operations = [
        migrations.RunPython(mark_latest, migrations.RunPython.noop),
    ]
