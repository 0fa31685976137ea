"""Users in the admin: one role each, and who gives it gets no further than their own."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from selftest.models import Target
from tests.review.pages import text_of
from tests.roles import give

pytestmark = pytest.mark.django_db
ADD = "/admin/auth/user/add/"
PASSWORD = "a long enough password"
NEW = {"username": "nell", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
SET = {"usable_password": "true", "password1": "quite another password", "password2": "quite another password"}


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ruth() -> User:
    return give(User.objects.create_user("ruth", is_staff=True, password=PASSWORD), "admin")


@pytest.fixture
def admin(ruth: User) -> Client:
    """The browser of an admin who is no superuser."""
    return browser_of(ruth)


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


def page_of(person: User) -> str:
    return reverse("admin:auth_user_change", args=[person.pk])


def password_page_of(person: User) -> str:
    return reverse("admin:auth_user_password_change", args=[person.pk])


def change(client: Client, person: User, **fields: Any) -> HttpResponse:
    """Sends the form of the page as a browser would, with these fields in it."""
    return client.post(page_of(person), {"username": person.username, "is_active": "on", **fields})


def roles_of(name: str) -> list[str]:
    return sorted(User.objects.get(username=name).groups.values_list("name", flat=True))


# --- one role ---


@pytest.mark.parametrize(("role", "is_staff"), [("viewer", False), ("reviewer", False), ("admin", True)])
def test_adding_a_user_takes_a_name_a_password_and_one_role(admin: Client, role: str, is_staff: bool) -> None:
    form = admin.get(ADD).context["adminform"].form
    assert set(form.fields) == {"username", "role", "usable_password", "password1", "password2"}
    assert [name for name, _ in form.fields["role"].choices] == ["", "viewer", "reviewer", "admin"]
    assert admin.post(ADD, {**NEW, "role": role}).status_code == 302
    assert roles_of("nell") == [role]
    nell = User.objects.get(username="nell")
    assert (nell.is_staff, nell.is_superuser) == (is_staff, False)
    assert nell.check_password(PASSWORD)


def test_a_user_without_a_role_is_refused_in_words(admin: Client, root: User) -> None:
    for client in (admin, browser_of(root)):
        response = client.post(ADD, NEW)
        assert response.status_code == 200
        assert "Choose a role: a user without one can sign in and sees nothing." in text_of(response)
    assert client.post(ADD, {**NEW, "role": "house"}).status_code == 200
    assert not User.objects.filter(username="nell").exists()


def test_a_role_is_changed_by_one_select_and_other_groups_stay(admin: Client) -> None:
    vera = give(User.objects.create_user("vera"), "viewer", "reviewer")
    vera.groups.add(Group.objects.create(name="house"))
    form = admin.get(page_of(vera)).context["adminform"].form
    assert form["role"].value() == "reviewer"
    assert not {"groups", "user_permissions", "is_superuser"} & set(form.fields)
    assert change(admin, vera, role="viewer").status_code == 302
    assert roles_of("vera") == ["house", "viewer"]
    assert "Choose a role" in text_of(change(admin, vera))
    assert roles_of("vera") == ["house", "viewer"]


def test_who_was_an_admin_opens_the_admins_pages_no_longer(admin: Client) -> None:
    other = give(User.objects.create_user("oskar", is_staff=True), "admin")
    assert change(admin, other, role="viewer", is_staff="on").status_code == 302
    assert not User.objects.get(username="oskar").is_staff
    assert change(admin, other, role="viewer", is_staff="on").status_code == 302  # to look at them
    assert User.objects.get(username="oskar").is_staff


def test_an_admin_sets_the_password_of_a_reviewer(admin: Client, reviewer: User) -> None:
    assert admin.post(password_page_of(reviewer), SET).status_code == 302
    assert User.objects.get(pk=reviewer.pk).check_password(SET["password1"])


def test_an_admin_deletes_a_reviewer(admin: Client, reviewer: User) -> None:
    assert admin.post(reverse("admin:auth_user_delete", args=[reviewer.pk]), {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=reviewer.pk).exists()


# --- no further than one's own role ---


@pytest.mark.parametrize("is_active", [True, False])
def test_an_admin_gets_into_no_superusers_account(admin: Client, root: User, is_active: bool) -> None:
    User.objects.filter(pk=root.pk).update(is_active=is_active)
    assert admin.get(password_page_of(root)).status_code == 403
    assert admin.post(password_page_of(root), SET).status_code == 403
    assert change(admin, root, role="viewer", email="mine@example.org").status_code == 403
    assert admin.post(reverse("admin:auth_user_delete", args=[root.pk]), {"post": "yes"}).status_code == 403
    many = {"action": "delete_selected", "_selected_action": [root.pk], "post": "yes"}
    admin.post(reverse("admin:auth_user_changelist"), many)
    kept = User.objects.get(username="root")
    assert kept.check_password(PASSWORD)
    assert (kept.is_active, kept.email, roles_of("root")) == (is_active, "", [])


def test_of_a_superuser_an_admin_sees_no_password_even_hashed(admin: Client, root: User) -> None:
    page = admin.get(page_of(root))
    assert page.status_code == 200
    assert root.password not in page.content.decode()
    assert "salt" not in text_of(page)


def test_an_admin_makes_no_superuser_of_anyone(admin: Client, ruth: User, reviewer: User) -> None:
    powers = {"is_superuser": "on", "user_permissions": list(Permission.objects.values_list("pk", flat=True))}
    powers["groups"] = [Group.objects.create(name="all").pk]
    admin.post(ADD, {**NEW, **powers, "role": "admin"})
    change(admin, reviewer, role="admin", **powers)
    change(admin, ruth, role="admin", **powers)
    people = User.objects.filter(username__in=["nell", "vera", "ruth"])
    assert len(people) == 3
    for person in people:
        assert not person.is_superuser
        assert not person.user_permissions.exists()
        assert roles_of(person.username) == ["admin"]


def test_leaving_the_role_out_is_not_excused_by_a_field_that_is_not_asked_for(admin: Client) -> None:
    admin.post(ADD, {**NEW, "is_superuser": "on"})
    assert not User.objects.filter(username="nell").exists()


def test_an_admin_changes_no_role_and_makes_none(admin: Client) -> None:
    role = Group.objects.get(name="admin")
    page = reverse("admin:auth_group_change", args=[role.pk])
    assert admin.get(page).status_code == 200
    everything = {"name": "admin", "permissions": list(Permission.objects.values_list("pk", flat=True))}
    assert admin.post(page, everything).status_code == 403
    assert admin.post(reverse("admin:auth_group_add"), {**everything, "name": "more"}).status_code == 403
    assert admin.post(reverse("admin:auth_group_delete", args=[role.pk]), {"post": "yes"}).status_code == 403
    assert not role.permissions.filter(codename="add_permission").exists()


def test_a_permission_left_over_from_before_opens_no_role_either(admin: Client) -> None:
    role = Group.objects.get(name="admin")
    role.permissions.add(*Permission.objects.filter(content_type__model="group"))
    page = reverse("admin:auth_group_change", args=[role.pk])
    assert admin.post(page, {"name": "admin", "permissions": []}).status_code == 403
    assert role.permissions.exists()


@pytest.mark.parametrize("is_active", [True, False])
def test_an_admin_gets_into_no_account_that_may_do_more(admin: Client, is_active: bool) -> None:
    more = User.objects.create_user("more", password=PASSWORD, is_active=is_active)
    more.user_permissions.add(Permission.objects.get(codename="add_permission"))
    assert admin.post(password_page_of(more), SET).status_code == 403
    assert change(admin, more, role="viewer").status_code == 403


def test_who_may_only_change_users_gives_no_role_that_is_more(ruth: User, reviewer: User) -> None:
    clerk = give(User.objects.create_user("clerk", is_staff=True), "viewer")
    clerk.user_permissions.add(*Permission.objects.filter(codename__in=["view_user", "add_user", "change_user"]))
    client = browser_of(clerk)
    assert [name for name, _ in client.get(ADD).context["adminform"].form.fields["role"].choices] == ["", "viewer"]
    client.post(ADD, {**NEW, "role": "admin"})
    change(client, clerk, role="admin")
    assert not User.objects.filter(username="nell").exists()
    assert roles_of("clerk") == ["viewer"]
    assert client.post(password_page_of(ruth), SET).status_code == 403
    assert client.post(password_page_of(reviewer), SET).status_code == 403


def test_a_superuser_makes_a_superuser_who_needs_no_role(root: User, reviewer: User) -> None:
    client = browser_of(root)
    assert change(client, reviewer, is_superuser="on").status_code == 302
    assert User.objects.get(pk=reviewer.pk).is_superuser
    assert change(client, reviewer, is_superuser="on", role="admin").status_code == 302
    assert client.post(password_page_of(reviewer), SET).status_code == 302


def test_an_admin_still_changes_targets(admin: Client, target: Target) -> None:
    assert admin.get(reverse("admin:selftest_target_change", args=[target.pk])).status_code == 200
