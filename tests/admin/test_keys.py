"""API keys of scripts: shown once, revoked for good, never changed."""

import html
import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from selftest.models import ApiKey
from selftest.operating.keys import make_api_key, owner_of_key
from tests.admin.conftest import page_of, text_of

pytestmark = pytest.mark.django_db
ADD = "/admin/selftest/apikey/add/"


def _made(response: Any) -> str:
    found = re.search(r'<pre class="raw key"[^>]*>([^<]+)</pre>', text_of(response))
    assert found is not None
    return html.unescape(found[1])


def test_a_key_is_made_and_works(admin_client: Client) -> None:
    key = _made(admin_client.post(ADD, {"name": "nightly script"}))
    owner = owner_of_key(key)
    assert owner is not None
    assert owner.name == "key nightly script"


def test_a_key_is_shown_once_and_nowhere_else(admin_client: Client) -> None:
    response = admin_client.post(ADD, {"name": "nightly script"})
    key = _made(response)
    assert "no-store" in response["Cache-Control"]
    assert key not in str(response.cookies)
    row = ApiKey.objects.get()
    history = reverse("admin:selftest_apikey_history", args=[row.pk])
    for url in (reverse("admin:selftest_apikey_changelist"), page_of(row), history, reverse("admin:index")):
        page = text_of(admin_client.get(url))
        assert key not in page
        assert row.sha256 not in page


@pytest.mark.parametrize(("name", "said"), [("", "required"), ("taken", "already exists"), ("x" * 101, "at most 100")])
def test_a_name_that_does_not_do_is_refused(admin_client: Client, name: str, said: str) -> None:
    make_api_key("taken")
    response = admin_client.post(ADD, {"name": name})
    assert said in text_of(response)
    assert ApiKey.objects.count() == 1


def test_a_revoked_key_opens_nothing_and_stays_listed(admin_client: Client) -> None:
    key = make_api_key("nightly script")
    row = ApiKey.objects.get()
    listing = reverse("admin:selftest_apikey_changelist")
    revocation = {"action": "revoke", "_selected_action": [row.pk]}
    page = text_of(admin_client.post(listing, revocation, follow=True))
    assert "Revoked: nightly script." in page
    assert "revoked on" in page
    assert owner_of_key(key) is None
    assert LogEntry.objects.get().get_change_message() == "Revoked."


def test_revoking_twice_keeps_the_first_time(admin_client: Client) -> None:
    make_api_key("nightly script")
    row = ApiKey.objects.get()
    listing = reverse("admin:selftest_apikey_changelist")
    admin_client.post(listing, {"action": "revoke", "_selected_action": [row.pk]})
    first = ApiKey.objects.get().revoked_at
    page = text_of(admin_client.post(listing, {"action": "revoke", "_selected_action": [row.pk]}, follow=True))
    assert "Nothing to revoke" in page
    assert ApiKey.objects.get().revoked_at == first


def test_a_key_is_neither_edited_nor_deleted(admin_client: Client) -> None:
    make_api_key("nightly script")
    row = ApiKey.objects.get()
    assert admin_client.post(page_of(row), {"name": "other"}).status_code == 403
    assert admin_client.post(reverse("admin:selftest_apikey_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert ApiKey.objects.get().name == "nightly script"
