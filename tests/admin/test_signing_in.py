"""Who gets in: staff, and no one else."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from selftest.models import Target
from tests.admin.conftest import page_of


@pytest.mark.django_db
def test_a_reviewer_who_may_not_come_in_is_shown_the_way_back_to_the_inbox(client: Client) -> None:
    stranger = client.get(reverse("admin:login")).content.decode()
    assert "Back to the inbox" not in stranger
    client.force_login(User.objects.create_user("reviewer"))
    page = client.get(reverse("admin:index"), follow=True).content.decode()
    assert "not authorized" in page
    assert '<a href="/">Back to the inbox</a>' in page


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
