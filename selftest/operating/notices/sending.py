"""One message sent to one channel, now: the outcome in words, without secrets."""

import logging
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from selftest.models import Channel, Delivery, Notice
from selftest.models.encrypted import UnreadableSecret
from selftest.operating.notices import apprise_service, webhook
from selftest.operating.notices.channels import unreadable, unreadable_column
from selftest.operating.notices.message import Message
from selftest.storage.texts import storable
from selftest.targets.limits import one_line
from selftest.targets.redaction import Redactor, Secret

log = logging.getLogger(__name__)

MAIL_SCHEMES = ("mailto", "mailtos")
LATE = timedelta(minutes=5)  # then a reader has to be told when it was
SEND_LIMIT_S = 30.0  # longer than any part of it may take; what it cuts off may still arrive, and is tried again


@dataclass(frozen=True)
class Outcome:
    """error: "" where it was sent. seconds: how long that took."""

    error: str
    seconds: float


def message_of(delivery: Delivery, now: datetime) -> Message:
    """What is sent for it at this time."""
    notice = delivery.notice
    at = notice.created_at
    link = settings.PUBLIC_URL + notice.link
    is_late = now - at > LATE
    return Message(notice.kind, notice.words, notice.detail, link, at, delivery.uid, {**notice.facts}, is_late)


def send_test(channel: Channel) -> Outcome:
    """Sends a test to the channel as it is saved, also where it or testing is off. Where it was sent, that is noted."""
    now = timezone.now()
    words = "Test from Gadfly"
    detail = f"Notices for {channel.name} arrive here."
    message = Message(Notice.Kind.TEST, words, detail, settings.PUBLIC_URL + reverse("health-page"), now, uuid4())
    outcome = send(channel, message, now)
    if not outcome.error:
        Channel.objects.filter(pk=channel.pk).update(tested_at=timezone.now())
    return outcome


def sends_mail(channel: Channel) -> bool:
    """Whether its URL is of a mail server, as far as it can be read."""
    is_readable = channel.kind == Channel.Kind.APPRISE and not isinstance(channel.url, UnreadableSecret)
    return is_readable and urlsplit(channel.url).scheme in MAIL_SCHEMES


def mail_trouble(channel: Channel) -> str:
    """Why the mail server of a channel that sends mail takes none; "" where it would. Sends nothing."""
    return _without_secrets(channel, apprise_service.mail_trouble(channel.url))


def send(channel: Channel, message: Message, now: datetime) -> Outcome:
    """Sends it once, within SEND_LIMIT_S. Never raises: a failure is in the outcome."""
    return send_all([(channel, message)], now)[0]


def send_all(messages: Sequence[tuple[Channel, Message]], now: datetime) -> list[Outcome]:
    """All at the same time, each once, within SEND_LIMIT_S together; the outcomes are in their order."""
    started = perf_counter()
    under_way = [_start(channel, message, now) for channel, message in messages]
    outcomes = []
    for answer in under_way:
        try:
            error = answer.get(timeout=max(0.0, started + SEND_LIMIT_S - perf_counter()))
        except queue.Empty:
            error = f"not sent within {SEND_LIMIT_S:g} s"
        outcomes.append(Outcome(error, perf_counter() - started))
    return outcomes


def _start(channel: Channel, message: Message, now: datetime) -> "queue.SimpleQueue[str]":
    """Sends in a thread; the error is put into the queue. A daemon: what hangs keeps no process from its end."""
    answer: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: answer.put(_sent(channel, message, now)), name="send", daemon=True).start()
    return answer


def _sent(channel: Channel, message: Message, now: datetime) -> str:
    if column := unreadable_column(channel):
        return unreadable(channel, column)
    try:
        if channel.kind == Channel.Kind.WEBHOOK:
            error = webhook.send(channel.url, channel.secret, message, now)
        else:
            error = apprise_service.send(channel.url, message)
    except ValueError as fault:
        error = f"cannot be sent: the URL {fault}"
    except Exception as failure:  # noqa: BLE001 - some hundred services, and their words may hold the URL
        log.error("Sending to channel %s failed: %s", channel.pk, type(failure).__name__)
        error = f"Gadfly itself failed ({type(failure).__name__})"
    return _without_secrets(channel, error)


def _without_secrets(channel: Channel, error: str) -> str:
    return one_line(storable(Redactor(_secrets(channel)).text(error)))


def _secrets(channel: Channel) -> Iterator[Secret]:
    """The whole of the URL, and each part of it that may be a token."""
    url = urlsplit(channel.url)
    yield Secret("url", channel.url)
    yield Secret("secret", channel.secret)
    hosts = url.netloc.rpartition("@")
    parts = [*hosts[0].split(":"), *url.path.split("/"), *url.query.replace("&", "=").split("="), url.fragment]
    if channel.kind == Channel.Kind.APPRISE:
        parts.append(hosts[2])
    for part in parts:
        yield Secret("url", unquote(part))
