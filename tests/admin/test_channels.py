"""Channels of notices: an address that goes in but never out, a test that says what came of it, and deliveries."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from pytest_httpserver import HTTPServer

from selftest.models import Channel, Delivery, Notice
from selftest.operating.doctor.encrypted_rows import unreadable_rows
from selftest.operating.notices.delivering import deliver
from selftest.operating.notices.events import Event, tell
from tests.admin.conftest import Submit, page_of, text_of
from tests.engine.conftest import NOW

ADD = "/admin/selftest/channel/add/"
LIST = "/admin/selftest/channel/"
TOKEN = "t0ken-4711"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

pytestmark = pytest.mark.django_db


@pytest.fixture
def channel(httpserver: HTTPServer) -> Channel:
    columns = {"kind": "webhook", "url": httpserver.url_for(f"/{TOKEN}"), "secret": SECRET}
    return Channel.objects.create(name="team", created_at=NOW, **columns)


def _errors(response: Any) -> dict[str, list[str]]:
    return {field: list(said) for field, said in response.context["adminform"].form.errors.items()}


def _test(client: Client, channel: Channel) -> str:
    url = reverse("admin:selftest_channel_test", args=[channel.pk])
    return " ".join(text_of(client.post(url, follow=True)).split())


def _delivery(channel: Channel) -> Delivery:
    now = timezone.now()
    tell(Event(Notice.Kind.CAUSE_NEW, "event 1", "New cause on <router>", "/causes/7", now, "any query"), now)
    return Delivery.objects.get(channel=channel)


def test_a_channel_is_made_and_gets_what_happens_from_then_on(submit: Submit) -> None:
    submit(ADD, name="team", kind="webhook", new_url=f"https://hooks.example/{TOKEN}", new_secret=SECRET)
    made = Channel.objects.get()
    assert (made.url, made.secret, made.hourly_limit) == (f"https://hooks.example/{TOKEN}", SECRET, 12)
    assert made.created_at > NOW
    assert (made.new_causes, made.weekly_digest) == (True, False)


def test_the_form_offers_a_secret_that_no_one_has_used(admin_client: Client) -> None:
    offered = [text_of(admin_client.get(ADD)).partition("A new one: ")[2][:50] for _ in range(2)]
    assert offered[0].startswith("whsec_")
    assert offered[0] != offered[1]


@pytest.mark.parametrize(
    ("entered", "field", "said"),
    [
        ({"kind": "webhook", "new_url": ""}, "new_url", "required"),
        ({"kind": "webhook", "new_url": "hooks.example", "new_secret": SECRET}, "new_url", "must look like https://"),
        ({"kind": "webhook", "new_url": "https://hooks.example/x"}, "new_secret", "Base64 of 24 to 64 bytes"),
        ({"kind": "webhook", "new_url": "http://169.254.169.254/", "new_secret": SECRET}, "new_url", "metadata"),
        ({"kind": "apprise", "new_url": "carrier-pigeon://x"}, "new_url", "not a URL that apprise knows"),
    ],
)
def test_a_channel_that_cannot_work_is_refused(submit: Submit, entered: dict[str, str], field: str, said: str) -> None:
    response = submit(ADD, name="team", **entered)
    assert said in _errors(response)[field][0]
    assert not Channel.objects.exists()


def test_neither_address_nor_secret_is_on_any_page(admin_client: Client, channel: Channel) -> None:
    delivery = _delivery(channel)
    history = reverse("admin:selftest_channel_history", args=[channel.pk])
    for url in (LIST, page_of(channel), history, "/admin/selftest/delivery/", page_of(delivery)):
        page = text_of(admin_client.get(url))
        assert TOKEN not in page, url
        assert SECRET not in page, url
    assert "http://localhost" in text_of(admin_client.get(LIST))


def test_what_was_refused_is_not_sent_back(submit: Submit) -> None:
    page = text_of(submit(ADD, name="", kind="webhook", new_url=f"https://hooks.example/{TOKEN}", new_secret=SECRET))
    assert TOKEN not in page
    assert SECRET not in page


def test_left_empty_address_and_secret_stay(submit: Submit, channel: Channel) -> None:
    url = channel.url
    submit(page_of(channel), name="renamed", hourly_limit="3")
    channel.refresh_from_db()
    assert (channel.name, channel.url, channel.secret, channel.hourly_limit) == ("renamed", url, SECRET, 3)
    assert channel.created_at == NOW


def test_a_channel_of_another_kind_needs_another_address(submit: Submit, channel: Channel) -> None:
    response = submit(page_of(channel), kind="apprise")
    assert "not a URL that apprise knows" in _errors(response)["new_url"][0]


def _lose_the_key(settings: Settings) -> None:
    """What the channel keeps is as another SECRET_KEY has encrypted it; who is signed in stays so."""
    channel, present = Channel.objects.get(), settings.SECRET_KEY
    settings.SECRET_KEY = "another key of more than thirty-two letters"
    channel.save()
    settings.SECRET_KEY = present


def test_once_its_key_is_lost_an_address_of_apprise_is_enough_also_where_a_secret_was_left(
    submit: Submit, channel: Channel, settings: Settings
) -> None:
    submit(page_of(channel), kind="apprise", new_url="ntfy://127.0.0.1/earlier")
    assert Channel.objects.get().secret == SECRET
    _lose_the_key(settings)
    assert unreadable_rows() == ["channel team"]
    submit(page_of(channel), new_url="ntfy://127.0.0.1/gadfly")
    assert Channel.objects.get().url == "ntfy://127.0.0.1/gadfly"
    assert unreadable_rows() == []


def test_once_its_key_is_lost_a_webhook_is_told_which_of_address_and_secret_to_enter(
    submit: Submit, admin_client: Client, channel: Channel, settings: Settings
) -> None:
    _lose_the_key(settings)
    [said] = _errors(submit(page_of(channel), new_secret=SECRET))["new_url"]
    assert said.startswith("The URL of channel team cannot be decrypted")
    refused = _errors(submit(page_of(channel), new_url="https://hooks.example/x"))
    assert refused.keys() == {"new_secret"}
    assert refused["new_secret"][0].startswith("The signing secret of channel team cannot be decrypted")
    assert "enter it or a new one in the admin" in refused["new_secret"][0]
    assert "A new one: whsec_" in text_of(admin_client.get(page_of(channel)))
    submit(page_of(channel), new_url="https://hooks.example/x", new_secret=SECRET)
    saved = Channel.objects.get()
    assert (saved.url, saved.secret) == ("https://hooks.example/x", SECRET)


def test_the_test_is_sent_at_once_and_says_so(admin_client: Client, channel: Channel, httpserver: HTTPServer) -> None:
    httpserver.expect_request(f"/{TOKEN}", method="POST").respond_with_data("")
    page = _test(admin_client, channel)
    assert "The test was sent to http://localhost" in page
    assert TOKEN not in page
    [(request, _)] = httpserver.log
    assert json.loads(request.data)["type"] == "test"
    assert not Delivery.objects.exists()


def test_a_test_that_fails_says_why(admin_client: Client, channel: Channel, httpserver: HTTPServer) -> None:
    httpserver.expect_request(f"/{TOKEN}").respond_with_data("", status=500)
    page = _test(admin_client, channel)
    assert "The test was not sent: HTTP 500" in page
    assert TOKEN not in page


def test_the_test_is_asked_for_by_post_and_needs_a_channel(admin_client: Client, channel: Channel) -> None:
    url = reverse("admin:selftest_channel_test", args=[channel.pk])
    assert admin_client.get(url)["Location"] == page_of(channel)
    assert admin_client.post(reverse("admin:selftest_channel_test", args=[404])).status_code == 404


def test_the_list_tells_how_the_last_delivery_went(
    admin_client: Client, channel: Channel, httpserver: HTTPServer
) -> None:
    assert "–" in text_of(admin_client.get(LIST))
    _delivery(channel)
    httpserver.expect_oneshot_request(f"/{TOKEN}").respond_with_data("", status=502)
    deliver()
    assert "✗ HTTP 502" in text_of(admin_client.get(LIST))
    Delivery.objects.update(next_at=NOW)
    httpserver.expect_request(f"/{TOKEN}").respond_with_data("")
    _test(admin_client, channel)
    assert "✓ test sent" in text_of(admin_client.get(LIST))
    deliver()
    assert "✓ sent" in text_of(admin_client.get(LIST))


def test_deliveries_are_read_and_never_changed(admin_client: Client, channel: Channel) -> None:
    delivery = _delivery(channel)
    page = text_of(admin_client.get(page_of(delivery)))
    assert "New cause on &lt;router&gt;" in page
    assert admin_client.post(page_of(delivery), {"state": "sent"}).status_code == 403
    assert admin_client.post(reverse("admin:selftest_delivery_delete", args=[delivery.pk])).status_code == 403


def test_a_channel_is_deleted_with_its_deliveries(admin_client: Client, channel: Channel) -> None:
    _delivery(channel)
    admin_client.post(reverse("admin:selftest_channel_delete", args=[channel.pk]), {"post": "yes"})
    assert not Channel.objects.exists()
    assert not Delivery.objects.exists()
    assert Notice.objects.count() == 1
