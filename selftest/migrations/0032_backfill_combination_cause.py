"""The cause of each flagged combination: that of the first flag of its last flagged run which has one."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def backfill(apps, schema_editor):
    Combination, Flag = (apps.get_model("selftest", name) for name in ("Combination", "Flag"))
    told = Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__isnull=False).order_by("place")
    Combination.objects.filter(ever_flagged=True).update(cause=Subquery(told.values("cause")[:1]))


class Migration(migrations.Migration):
    dependencies = [("selftest", "0031_combination_cause")]
    operations = [migrations.RunPython(backfill, migrations.RunPython.noop)]
