"""Roles: what each opens, and that those who worked here before there were any go on working."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from review.roles import ensure_roles
from selftest.models import Combination
from selftest.operating.first_start import ensure_first_login
from tests.review import factory
from tests.review.pages import text_of

LOOK_ONLY = "You can view this but not change it."
NO_ROLE = "You are signed in but have no role yet."


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def nobody(db: None) -> Client:
    """The browser of a person signed in without a role."""
    return browser_of(User.objects.create_user("nell"))


def permissions_of(role: str) -> set[str]:
    found = Permission.objects.filter(group__name=role).values_list("content_type__app_label", "codename")
    return {f"{room}.{name}" for room, name in found}


# --- the groups ---


@pytest.mark.django_db
def test_a_viewer_sees_every_row_of_the_engine_and_changes_none() -> None:
    assert {"selftest.view_combination", "selftest.view_run", "selftest.view_tuning"} <= permissions_of("viewer")
    assert all(
        name.startswith(("selftest.view_", "findings.view_", "evaluation.view_", "knowledge.view_"))
        for name in permissions_of("viewer")
    )


@pytest.mark.django_db
def test_a_reviewer_is_a_viewer_who_may_review() -> None:
    assert permissions_of("reviewer") - permissions_of("viewer") == {"selftest.review_combination"}


@pytest.mark.django_db
def test_an_admin_has_everything_of_the_engine_and_gives_roles() -> None:
    for room in ("selftest", "findings", "evaluation", "knowledge"):
        every = Permission.objects.filter(content_type__app_label=room).values_list("codename", flat=True)
        assert {f"{room}.{name}" for name in every} <= permissions_of("admin")
    assert {"auth.change_user", "auth.add_user", "auth.view_group"} <= permissions_of("admin")
    assert not {"auth.add_permission", "auth.change_group", "auth.add_group"} & permissions_of("admin")


@pytest.mark.django_db
def test_what_an_admin_added_to_a_role_stays_and_what_it_lacks_comes_back() -> None:
    viewer = Group.objects.get(name="viewer")
    viewer.permissions.set(Permission.objects.filter(codename="add_user"))
    ensure_roles()
    assert {"auth.add_user", "selftest.view_run"} <= permissions_of("viewer")


@pytest.mark.django_db(transaction=True)
def test_an_emptied_database_has_its_roles_again() -> None:
    call_command("flush", interactive=False, verbosity=0)
    assert "selftest.review_combination" in permissions_of("reviewer")


@pytest.mark.django_db
def test_the_first_logins_have_the_roles_that_they_are_named_after() -> None:
    ensure_first_login()
    roles = {user.username: [group.name for group in user.groups.all()] for user in User.objects.all()}
    assert roles == {"reviewer": ["reviewer"], "admin": ["admin"]}


# --- the migration ---

BEFORE, ROLES = [("review", "0001_profile_and_saved_view")], [("review", "0002_roles")]


@pytest.fixture
def before_roles(transactional_db: None) -> None:
    """A database of the time before, as far as roles go."""
    MigrationExecutor(connection).migrate(BEFORE)
    Group.objects.all().delete()
    Permission.objects.all().delete()


def test_those_who_worked_here_keep_their_access_and_no_one_else_is_let_in(before_roles: None) -> None:
    house = Group.objects.create(name="house")
    User.objects.create_user("vera")
    User.objects.create_user("gone", is_active=False)
    User.objects.create_superuser("root")
    User.objects.create_user("kept").groups.add(house)
    MigrationExecutor(connection).migrate(ROLES)
    assert set(User.objects.filter(groups__name="reviewer").values_list("username", flat=True)) == {"vera"}
    assert set(User.objects.get(username="kept").groups.all()) == {house}
    vera = User.objects.get(username="vera")
    assert vera.has_perm("selftest.view_combination")
    assert vera.has_perm("selftest.review_combination")
    assert not vera.has_perm("selftest.change_target")
    assert {"selftest.change_target", "auth.change_user"} <= permissions_of("admin")


def test_the_migration_there_back_and_there_again_changes_nothing_more(before_roles: None) -> None:
    User.objects.create_user("vera")
    MigrationExecutor(connection).migrate(ROLES)
    once = {role: permissions_of(role) for role in ("viewer", "reviewer", "admin")}
    MigrationExecutor(connection).migrate(BEFORE)
    assert User.objects.get(username="vera").has_perm("selftest.review_combination")
    MigrationExecutor(connection).migrate(ROLES)
    assert {role: permissions_of(role) for role in once} == once
    assert [group.name for group in User.objects.get(username="vera").groups.all()] == ["reviewer"]


def test_an_admin_of_before_loses_what_would_give_the_role_more(before_roles: None) -> None:
    MigrationExecutor(connection).migrate(ROLES)
    Group.objects.get(name="admin").permissions.add(Permission.objects.get(codename="add_permission"))
    assert {"auth.add_group", "auth.change_group", "auth.delete_group"} <= permissions_of("admin")
    MigrationExecutor(connection).migrate([("review", "0003_groups_by_superusers")])
    left = {name for name in permissions_of("admin") if name.startswith("auth.")}
    users = {"auth.add_user", "auth.change_user", "auth.delete_user", "auth.view_user"}
    assert left == {*users, "auth.view_group", "auth.add_permission"}  # the last was given by hand


# --- the pages ---


def test_a_person_without_a_role_is_told_who_gives_one(nobody: Client) -> None:
    response = nobody.get("/flags")
    assert response.status_code == 403
    assert f"{NO_ROLE} Ask an admin" in text_of(response)
    assert "Sign out" in text_of(response)
    assert "Go to the queue" not in text_of(response)


def test_a_viewer_sees_the_pages_without_their_buttons(onlooker: Client) -> None:
    combination = factory.flagged("what is a sextant")
    page = onlooker.get(f"/combinations/{combination.pk}")
    assert "what is a sextant" in text_of(page)
    assert reverse("dismiss", args=[combination.pk]) not in page.content.decode()
    page = onlooker.get("/flags")
    assert "what is a sextant" in text_of(page)
    assert reverse("dismiss", args=[combination.pk]) not in page.content.decode()
    assert reverse("run-cycle") not in page.content.decode()
    assert reverse("run-cycle") not in onlooker.get("/cycles").content.decode()


@pytest.mark.parametrize("act", ["dismiss", "undismiss"])
def test_a_viewer_changes_nothing_and_is_told_so(onlooker: Client, act: str) -> None:
    combination = factory.flagged()
    response = onlooker.post(reverse(act, args=[combination.pk]), {"seen_run": combination.last_flagged_run_id})
    assert response.status_code == 403
    assert LOOK_ONLY in text_of(response)
    assert "Go to the inbox" in text_of(response)
    assert Combination.objects.get().review_status is None


def test_htmx_is_refused_in_bare_words_that_the_page_can_show(onlooker: Client) -> None:
    combination = factory.flagged()
    response = onlooker.post(reverse("dismiss", args=[combination.pk]), headers={"HX-Request": "true"})
    assert response.status_code == 403
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == f"{LOOK_ONLY} An admin can make you a reviewer."


def test_a_role_taken_away_counts_at_once(vera: Client, reviewer: User) -> None:
    assert vera.get("/flags").status_code == 200
    reviewer.groups.clear()
    assert vera.get("/flags").status_code == 403
