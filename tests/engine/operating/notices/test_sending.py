"""One message to one channel: signed as the standard says, held to allowed addresses, and never telling a secret."""

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.slack import NotifySlack
from apprise.plugins.telegram import NotifyTelegram

from selftest.models import Channel, Delivery, Notice
from selftest.operating.notices import apprise_service, sending
from selftest.operating.notices.channels import InvalidChannelError, check_channel, masked_url, renew_encryption
from selftest.operating.notices.message import Message
from selftest.operating.notices.sending import mail_trouble, send, send_test
from selftest.targets.http import posting
from tests.engine.conftest import NOW
from tests.engine.operating.notices.conftest import SECRET, MailServer, MakeChannel, Receiver

pytestmark = pytest.mark.django_db

UID = UUID("0123456789abcdef0123456789abcdef")
MESSAGE = Message(
    "target.away",
    "Target router is away",
    "connection refused",
    "https://gadfly.example/targets/3",
    datetime(2026, 6, 30, 11, 59, 58, tzinfo=UTC),
    UID,
    {"target": "router", "cycle": 12},
)
BODY = {
    "type": "target.away",
    "timestamp": "2026-06-30T11:59:58Z",
    "data": {
        "words": "Target router is away",
        "detail": "connection refused",
        "link": "https://gadfly.example/targets/3",
        "target": "router",
        "cycle": 12,
    },
}
NOW_S = "1782820800"  # 2026-06-30, 12:00 UTC


def _apprise(url: str) -> Channel:
    return Channel.objects.create(name="chat", kind=Channel.Kind.APPRISE, url=url, created_at=NOW)


def test_a_webhook_is_signed_over_its_id_its_time_and_its_body(make_channel: MakeChannel, receiver: Receiver) -> None:
    assert send(make_channel(), MESSAGE, NOW).error == ""
    [body], [headers] = receiver.bodies, receiver.headers
    assert json.loads(body) == BODY
    assert headers["content-type"] == "application/json"
    assert headers["webhook-id"] == f"msg_{UID.hex}"
    assert headers["webhook-timestamp"] == NOW_S
    signed = f"msg_{UID.hex}.{NOW_S}.".encode() + body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_a_service_of_apprise_gets_title_detail_and_link(receiver: Receiver) -> None:
    assert send(_apprise(f"json://127.0.0.1:{receiver.port}/"), MESSAGE, NOW).error == ""
    said = json.loads(receiver.bodies[0])
    assert said["title"] == "Target router is away"
    assert said["message"] == "connection refused\n\nhttps://gadfly.example/targets/3"


MARK_UP = replace(MESSAGE, words="Target <prod> is away", detail="<a href='http://evil'>a & b</a>\nof <router>")
SAID = "<a href='http://evil'>a & b</a>\nof <router>\n\nhttps://gadfly.example/targets/3"


def test_a_mail_says_in_both_its_parts_the_words_of_a_target_and_takes_none_for_mark_up(
    mail_server: MailServer,
) -> None:
    assert send(_apprise(mail_server.url()), MARK_UP, NOW).error == ""
    [mail] = mail_server.mails
    assert mail["Subject"] == "Target <prod> is away"
    parts = {part.get_content_type(): part.get_payload(decode=True) for part in mail.walk()}
    assert parts["text/plain"].decode().splitlines() == SAID.splitlines()
    assert "&lt;router&gt;" in parts["text/html"].decode()
    assert "<a" not in parts["text/html"].decode()


@pytest.fixture
def at_receiver(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Telegram, Discord and Slack are at the receiver."""
    monkeypatch.setattr(NotifyTelegram, "notify_url", f"http://127.0.0.1:{receiver.port}/bot")
    monkeypatch.setattr(NotifyDiscord, "notify_url", f"http://127.0.0.1:{receiver.port}/api/webhooks")
    monkeypatch.setattr(NotifySlack, "webhook_url", f"http://127.0.0.1:{receiver.port}/services")


TELEGRAM = "tgram://123456789:abcdefg_hijklmnop/12315544"
DISCORD = "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"
SLACK = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#ops"


@pytest.mark.usefixtures("at_receiver")
@pytest.mark.parametrize(
    "mention", ["@everyone", "@here", "<!channel>", "<!here|all>", "<@U024BE7LH>", "<!subteam^S1>", "<@&165511591>"]
)
@pytest.mark.parametrize("url", [DISCORD, SLACK])
def test_the_words_of_a_target_mention_no_one_in_a_team_chat(receiver: Receiver, url: str, mention: str) -> None:
    said = replace(MESSAGE, words=f"New cause: {mention} is down", detail=f"ask {mention} by mail: a@example.com")
    send(_apprise(url), said, NOW)  # the receiver does not answer as Slack does
    body = receiver.bodies[0].decode("unicode-escape").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert "is down" in body
    assert "a@example.com" in body
    assert mention not in body
    assert mention.strip("<>") not in body


@pytest.mark.usefixtures("at_receiver")
def test_a_service_that_puts_the_title_into_html_gets_that_escaped_too(receiver: Receiver) -> None:
    assert send(_apprise(TELEGRAM), MARK_UP, NOW).error == ""
    said = json.loads(receiver.bodies[0])["text"]
    assert said.startswith("<b>Target &lt;prod&gt; is away</b>")
    assert "&lt;a href=" in said


@pytest.mark.usefixtures("at_receiver")
@pytest.mark.parametrize(("url", "key", "limit"), [(TELEGRAM, "text", 4096), (DISCORD, "content", 2000)])
def test_a_detail_that_is_too_long_for_a_service_is_shortened_to_its_limit_and_the_link_is_not(
    receiver: Receiver, url: str, key: str, limit: int
) -> None:
    titles = [f"• New cause on <router> & others: section repeated, number {number}" * 5 for number in range(20)]
    assert send(_apprise(url), replace(MESSAGE, detail="\n".join(titles)), NOW).error == ""
    [body] = receiver.bodies
    said = json.loads(body)[key]
    assert limit / 2 < len(said) <= limit
    head, _, link = said.rpartition("…")
    assert "number 0" in head
    assert link.strip() == "https://gadfly.example/targets/3"


@pytest.mark.usefixtures("at_receiver")
def test_a_detail_that_just_fits_is_sent_whole(receiver: Receiver) -> None:
    detail = "x" * (2000 - 32 - len(MESSAGE.words) - len("\n\n" + MESSAGE.link))
    channel = _apprise(DISCORD)
    send(channel, replace(MESSAGE, detail=detail), NOW)
    send(channel, replace(MESSAGE, detail=f"{detail}x"), NOW)
    whole, shortened = (json.loads(body)["content"] for body in receiver.bodies)
    assert f"{detail}\n\n{MESSAGE.link}" in whole
    assert f"{detail[:-1]}…\n\n{MESSAGE.link}" in shortened


def test_a_service_of_plain_text_gets_the_words_as_they_are(receiver: Receiver) -> None:
    assert send(_apprise(f"json://127.0.0.1:{receiver.port}/"), MARK_UP, NOW).error == ""
    said = json.loads(receiver.bodies[0])
    assert (said["title"], said["message"]) == ("Target <prod> is away", SAID)


@pytest.mark.parametrize("login", ["gadfly:pässword-4711@", "gädfly:password-4711@"])
def test_a_login_at_a_mail_server_that_is_not_ascii_is_named_before_it_is_tried(
    mail_server: MailServer, login: str
) -> None:
    channel = _apprise(mail_server.url(login=login))
    with pytest.raises(InvalidChannelError, match="must be ASCII"):
        check_channel(channel)
    for error in (mail_trouble(channel), send_test(channel).error):
        assert "must be ASCII characters alone" in error
        assert "4711" not in error
    assert mail_server.mails == []


def test_a_mail_server_whose_name_cannot_be_looked_up_is_named() -> None:
    error = mail_trouble(_apprise("mailto://example.com?from=a@example.com&to=b@example.com&smtp=mail..example.com"))
    assert "label empty" in error


@pytest.mark.parametrize("status", [302, 400, 410, 500, 503])
def test_what_is_not_taken_in_is_said_without_the_address(
    make_channel: MakeChannel, receiver: Receiver, status: int
) -> None:
    receiver.status = status
    assert send(make_channel(), MESSAGE, NOW).error == f"HTTP {status}"


def test_a_receiver_that_does_not_answer_is_not_waited_for(
    make_channel: MakeChannel, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "POST_LIMIT_S", 0.2)
    receiver.release.clear()
    assert send(make_channel(), MESSAGE, NOW).error == "no answer within 0.2 s"


def test_a_service_that_hangs_is_not_waited_for(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "SEND_LIMIT_S", 0.2)
    receiver.release.clear()
    assert send(_apprise(f"json://127.0.0.1:{receiver.port}/"), MESSAGE, NOW).error == "not sent within 0.2 s"


def test_a_receiver_that_is_away_is_said_to_be(make_channel: MakeChannel, receiver: Receiver) -> None:
    channel = make_channel()
    receiver.close()
    assert "refused" in send(channel, MESSAGE, NOW).error


def test_a_service_that_fails_is_said_to_fail_and_no_part_of_its_url_is_told_or_logged(
    receiver: Receiver, capfd: pytest.CaptureFixture[str]
) -> None:
    receiver.status = 500
    url = f"json://someone:passw0rd-99@127.0.0.1:{receiver.port}/t0ken-4711?+X-Team=s3cret-header"
    error = send(_apprise(url), MESSAGE, NOW).error
    assert "500" in error
    logged = capfd.readouterr().err
    for secret in ("passw0rd-99", "t0ken-4711", "s3cret-header"):
        assert secret not in error
        assert secret not in logged


@pytest.mark.parametrize("url", ["http://169.254.169.254/x", "http://[fe80::1]/x", "http://0.0.0.0:9/x"])
def test_a_webhook_is_never_at_a_link_local_metadata_or_unspecified_address(
    make_channel: MakeChannel, url: str
) -> None:
    channel = make_channel(url=url)
    with pytest.raises(InvalidChannelError, match="nothing may be sent there"):
        check_channel(channel)
    assert "nothing may be sent there" in send(channel, MESSAGE, NOW).error


def test_where_targets_may_not_be_private_webhooks_may_not_either_by_address_or_by_name(
    make_channel: MakeChannel, receiver: Receiver, settings: Any
) -> None:
    settings.TARGET_PRIVATE = False
    for host in ("127.0.0.1", "localhost"):
        error = send(make_channel(host, url=f"http://{host}:{receiver.port}/"), MESSAGE, NOW).error
        assert "TARGET_PRIVATE=false" in error
    assert receiver.bodies == []


def test_services_of_apprise_connect_to_no_metadata_address(make_channel: MakeChannel) -> None:
    with pytest.raises(InvalidChannelError, match="nothing may be sent there"):
        check_channel(make_channel(kind="apprise", url="json://169.254.169.254/"))
    # Its own hook, as that of the tests would stop a real connection first.
    with apprise_service._watched() as said, pytest.raises(apprise_service.RefusedConnectionError):
        apprise_service._guard("socket.connect", (None, ("169.254.169.254", 80)))
    assert "metadata service" in said[0]


def test_services_of_apprise_connect_to_allowed_addresses_only(receiver: Receiver, settings: Any) -> None:
    settings.TARGET_PRIVATE = False
    assert "TARGET_PRIVATE=false" in send(_apprise(f"json://localhost:{receiver.port}/"), MESSAGE, NOW).error
    assert receiver.bodies == []


def test_others_may_connect_anywhere_while_and_after_apprise_sends(
    make_channel: MakeChannel, receiver: Receiver, settings: Any
) -> None:
    settings.TARGET_PRIVATE = False
    send(_apprise(f"json://localhost:{receiver.port}/"), MESSAGE, NOW)
    settings.TARGET_PRIVATE = True
    assert send(make_channel(), MESSAGE, NOW).error == ""


@pytest.mark.parametrize(
    ("columns", "field"),
    [
        ({"url": "ftp://host/x"}, "url"),
        ({"url": "https://me:passw0rd@host/x"}, "url"),
        ({"secret": ""}, "secret"),
        ({"secret": "whsec_c2hvcnQ="}, "secret"),
        ({"kind": "apprise", "url": "nonsense://x"}, "url"),
        ({"kind": "apprise", "url": "slack://x"}, "url"),
    ],
)
def test_a_channel_that_cannot_work_is_refused_without_repeating_it(
    make_channel: MakeChannel, columns: dict[str, str], field: str
) -> None:
    with pytest.raises(InvalidChannelError) as refusal:
        check_channel(make_channel(**columns))
    assert refusal.value.field == field
    assert "passw0rd" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "mailto://example.com?from=a@example.com&to=a@example.com,b@example.com",
        "slack://TokenA12345/TokenB1234/TokenC1234567890/#ops/#search",
        "ntfy://ntfy.example/gadfly/ops",
        "irc://irc.example/#ops/#search",
    ],
)
def test_a_url_of_several_recipients_is_refused_as_what_one_refuses_would_be_sent_to_all_again(url: str) -> None:
    with pytest.raises(InvalidChannelError, match="make a channel for each") as refusal:
        check_channel(_apprise(url))
    assert refusal.value.field == "url"


@pytest.mark.parametrize(
    "url",
    [
        "mailto://example.com?from=a@example.com&to=a@example.com&cc=b@example.com",
        "slack://TokenA12345/TokenB1234/TokenC1234567890/#ops?retry=2",
        "ntfy://ntfy.example/gadfly",
        "irc://irc.example/#ops",
        "json://ntfy.example/gadfly",
    ],
)
def test_a_url_of_one_recipient_is_taken_whatever_it_says_of_copies_and_tries(url: str) -> None:
    check_channel(_apprise(url))


def test_what_is_shown_of_an_address_names_the_host_of_a_webhook_and_the_service_of_others(
    make_channel: MakeChannel, receiver: Receiver
) -> None:
    assert masked_url(make_channel()) == f"http://127.0.0.1:{receiver.port}/••••"
    assert masked_url(_apprise("slack://TokenA12345/TokenB1234/TokenC1234567890/#ops")) == "slack://••••"


def test_a_test_is_sent_while_testing_is_off_and_leaves_nothing_behind(
    make_channel: MakeChannel, receiver: Receiver, settings: Any
) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    settings.PUBLIC_URL = "https://gadfly.example"
    assert send_test(make_channel(enabled=False)).error == ""
    said = json.loads(receiver.bodies[0])
    assert said["type"] == "test"
    assert said["data"]["link"] == "https://gadfly.example/status"
    assert not Notice.objects.exists()
    assert not Delivery.objects.exists()


def test_the_database_holds_no_address_and_a_new_secret_key_takes_them_over(
    make_channel: MakeChannel, settings: Any
) -> None:
    channel = make_channel()
    stored = str(Channel.objects.extra(select={"a": "url", "b": "secret"}).values("a", "b").get())
    assert "t0ken-4711" not in stored
    assert SECRET not in stored
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another one that is long enough for it"
    assert renew_encryption() == ["Encrypted by the present SECRET_KEY from now on: the URLs of 1 channels."]
    settings.SECRET_KEY_FALLBACKS = []
    assert Channel.objects.get() == channel
    assert Channel.objects.get().secret == SECRET
    settings.SECRET_KEY = "yet another one that is long enough for it"
    assert "enter it again in the admin" in renew_encryption()[0]
    assert "enter it again in the admin" in send_test(Channel.objects.get()).error


def test_what_cannot_be_decrypted_is_named_and_a_secret_that_nothing_needs_hinders_nothing(
    make_channel: MakeChannel, receiver: Receiver, settings: Any
) -> None:
    make_channel()
    settings.SECRET_KEY = "another one that is long enough for it"
    webhook = Channel.objects.get()
    webhook.url = receiver.url
    webhook.save()
    said = "The signing secret of channel team cannot be decrypted, as SECRET_KEY was replaced: enter it or a new one"
    assert send_test(webhook).error.startswith(said)
    assert [sentence.startswith(said) for sentence in renew_encryption()] == [True]
    webhook.kind, webhook.url = Channel.Kind.APPRISE, f"json://127.0.0.1:{receiver.port}/"
    webhook.save()
    assert send_test(webhook).error == ""
    assert renew_encryption() == []
