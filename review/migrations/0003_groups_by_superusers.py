"""Takes from the role `admin` what would let it give itself more: only superusers change what a role may do."""

from django.db import migrations

CHANGES = ["add_group", "change_group", "delete_group"]


def take_from_admin(apps, schema_editor):
    using = schema_editor.connection.alias
    permissions = apps.get_model("auth", "Permission").objects.using(using)
    for role in apps.get_model("auth", "Group").objects.using(using).filter(name="admin"):
        role.permissions.remove(*permissions.filter(content_type__app_label="auth", codename__in=CHANGES))


class Migration(migrations.Migration):
    dependencies = [("review", "0002_roles")]

    operations = [migrations.RunPython(take_from_admin, migrations.RunPython.noop)]
