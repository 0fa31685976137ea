"""Who gets in: staff, and nobody else."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from selftest.models import Target
from tests.admin.conftest import page_of

PAGES = [
    "admin:index",
    "admin:selftest_tuning_changelist",
    "admin:selftest_target_changelist",
    "admin:selftest_run_changelist",
    "admin:selftest_apikey_add",
    "admin:django_q_schedule_changelist",
]


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_who_has_not_signed_in_is_sent_to_the_login(client: Client, page: str) -> None:
    response = client.get(reverse(page))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("admin:login"))


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_a_reviewer_without_staff_status_is_sent_to_the_login(client: Client, page: str) -> None:
    client.force_login(User.objects.create_user("reviewer"))
    response = client.get(reverse(page))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("admin:login"))


@pytest.mark.django_db
def test_a_reviewer_who_may_not_come_in_is_shown_the_way_back_to_the_queue(client: Client) -> None:
    stranger = client.get(reverse("admin:login")).content.decode()
    assert "Back to the queue" not in stranger
    client.force_login(User.objects.create_user("reviewer"))
    page = client.get(reverse("admin:index"), follow=True).content.decode()
    assert "not authorized" in page
    assert '<a href="/">Back to the queue</a>' in page


@pytest.mark.parametrize("name", ["connection", "vocabulary"])
def test_the_pages_beside_a_target_are_behind_the_login_too(client: Client, target: Target, name: str) -> None:
    response = client.post(reverse(f"admin:selftest_target_{name}", args=[target.pk]))
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("admin:login"))


def test_staff_that_may_only_look_can_change_and_try_nothing(client: Client, target: Target) -> None:
    staff = User.objects.create_user("visitor", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(staff)
    page = client.get(page_of(target)).content.decode()
    assert "Test the connection" not in page
    assert "Import a vocabulary" not in page
    assert client.post(page_of(target), {"name": "x"}).status_code == 403
    assert client.post(reverse("admin:selftest_target_connection", args=[target.pk])).status_code == 403
    assert client.get(reverse("admin:selftest_target_vocabulary", args=[target.pk])).status_code == 403
    version = target.vocabularies.get()
    assert client.post(reverse("admin:selftest_vocabularyversion_again", args=[version.pk])).status_code == 403
    assert client.get(reverse("admin:selftest_apikey_add")).status_code == 403
