"""Makes the roles, and keeps those who work here already at work.

A copy of review/roles.py as it was then, on purpose: a migration does the same whenever it runs.
"""

from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.models import Q

SEES = Q(content_type__app_label="selftest", codename__startswith="view_")
REVIEWS = Q(content_type__app_label="selftest", codename="review_combination")
RUNS_IT = Q(content_type__app_label__in=["selftest", "review"])
GIVES_ROLES = Q(content_type__app_label="auth", content_type__model__in=["user", "group"])
ROLES = {"viewer": SEES, "reviewer": SEES | REVIEWS, "admin": RUNS_IT | GIVES_ROLES}


def make_permissions(apps, using):
    """Django itself makes them only once all migrations are through."""
    for label in ("selftest", "review", "auth"):
        app = apps.get_app_config(label)
        app.models_module = True  # without it Django takes the app for one without models
        create_permissions(app, verbosity=0, using=using, apps=apps)
        app.models_module = None


def make_roles(apps, schema_editor):
    using = schema_editor.connection.alias
    make_permissions(apps, using)
    groups = apps.get_model("auth", "Group").objects.using(using)
    permissions = apps.get_model("auth", "Permission").objects.using(using)
    # Those who could do everything on the pages until now. People were put into a group of another name on purpose.
    working = apps.get_model("auth", "User").objects.using(using)
    working = list(working.filter(is_active=True, is_superuser=False, groups=None))
    for name, wanted in ROLES.items():
        group, _ = groups.get_or_create(name=name)
        group.permissions.add(*permissions.filter(wanted))
        if name == "reviewer":
            group.user_set.add(*working)


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0001_profile_and_saved_view"),
        ("selftest", "0002_review_queue"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
