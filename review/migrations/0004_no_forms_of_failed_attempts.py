from django.db import migrations


def empty(apps, schema_editor):
    """Forms that changed a password were kept with it where the current one was wrong."""
    apps.get_model("axes", "AccessAttempt").objects.update(post_data="", get_data="")


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0003_groups_by_superusers"),
        ("axes", "0010_accessattemptexpiration"),
    ]

    operations = [migrations.RunPython(empty, migrations.RunPython.noop)]
