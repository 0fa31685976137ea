"""What each role may do. A role is a Django group of this name; the admin gives and takes it.

This table is the truth. The groups are made by the migration 0002_roles, with a copy of the table as it was then.
`ensure_roles` runs after every migrate: a later version's models bring permissions that no earlier migration could know
of, and emptying a database takes the groups along.
"""

from django.apps import AppConfig
from django.apps import apps as registry
from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission, User
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, QuerySet

MAY_VIEW = "selftest.view_combination"
MAY_REVIEW = "selftest.review_combination"
MAY_RESET_DRIFT = "evaluation.reset_drift"
MAY_SET_SEARCH = "knowledge.change_searchsettings"

VIEWER, REVIEWER, ADMIN = "viewer", "reviewer", "admin"

_SEES = Q(content_type__app_label__in=["selftest", "findings", "evaluation", "knowledge"], codename__startswith="view_")
_REVIEWS = Q(content_type__app_label="selftest", codename="review_combination")
_RUNS_IT = Q(content_type__app_label__in=["selftest", "findings", "evaluation", "knowledge", "review"])
_GIVES_ROLES = Q(content_type__app_label="auth", content_type__model="user") | Q(
    content_type__app_label="auth", codename="view_group"
)
ROLES = {
    VIEWER: _SEES,
    REVIEWER: _SEES | _REVIEWS,
    ADMIN: _RUNS_IT | _GIVES_ROLES,
}
ROOMS = ("selftest", "findings", "evaluation", "knowledge", "review", "auth")  # whose permissions the table speaks of


def ensure_roles(apps: Apps = registry, using: str = DEFAULT_DB_ALIAS) -> None:
    """Makes the groups where they are missing, and gives them what they lack. What an admin gave in addition stays."""
    for room in ROOMS:
        create_permissions(registry.get_app_config(room), verbosity=0, using=using, apps=apps)
    try:
        group_model, permission_model = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    except LookupError:  # migrated back to before there were any
        return
    for name, wanted in ROLES.items():
        group, _ = group_model.objects.using(using).get_or_create(name=name)
        group.permissions.add(*permission_model.objects.using(using).filter(wanted))


def after_migrate(sender: AppConfig, apps: Apps = registry, using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Receives Django's signal."""
    ensure_roles(apps, using)


def reviewers() -> QuerySet[User]:
    """Those who can be assigned, by name."""
    backend = "django.contrib.auth.backends.ModelBackend"
    return User.objects.with_perm(MAY_REVIEW, backend=backend).order_by("username")


def role_of(person: User) -> str:
    """The strongest of their roles; empty where they have none."""
    held = set(person.groups.values_list("name", flat=True)) if person.pk else set()
    return next((name for name in reversed(ROLES) if name in held), "")


def give_role(person: User, role: str) -> None:
    """This role and no other; groups that are no roles stay. Empty: none."""
    person.groups.remove(*Group.objects.filter(name__in=set(ROLES) - {role}))
    person.groups.add(*Group.objects.filter(name=role))


def permissions_of_role(name: str) -> set[str]:
    """`app.codename` of each, as the group of this name has them now."""
    return _named(Permission.objects.filter(group__name=name))


def may_do_no_more_than(person: User, other: User) -> bool:
    """Whether `other` may do whatever `person` may; an account that is closed counts as what it was."""
    if other.is_superuser:
        return True
    theirs = _named(Permission.objects.filter(Q(user=person) | Q(group__user=person)))
    return not person.is_superuser and theirs <= other.get_all_permissions()


def _named(permissions: QuerySet[Permission]) -> set[str]:
    return {f"{room}.{name}" for room, name in permissions.values_list("content_type__app_label", "codename")}
