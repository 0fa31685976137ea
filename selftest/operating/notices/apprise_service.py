"""Apprise: one URL for each of some hundred services. Decides what is a URL of it, and why a sending failed.

It is imported when it is first needed: it takes half a second and 9 MB.
"""

import logging
import re
import smtplib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from html import escape
from ipaddress import ip_address
from typing import Any

from django.conf import settings

from selftest.operating.notices.message import Message
from selftest.targets.http.addresses import check_literal, refusal, way_out
from selftest.targets.limits import one_line

LOGGER = "apprise"
READ_LIMIT_S = 10.0  # its own are 4 s; what is taken in slowly and counts as failed is sent twice
AROUND_TITLE = 32  # characters that apprise adds to a title, of those that the service takes
RECIPIENT_LISTS = ("targets", "channels", "users", "rooms")  # of the services that do not count them
# By them a team chat notifies all in a channel, or one person: @everyone, <!channel>, <@U024BE7LH>.
MENTIONS = re.compile(r"(?<=[!@])(?=[^\s|<>]+[|>]|(?:everyone|here|channel|group|subteam|all)\b)", re.IGNORECASE)
ZERO_WIDTH_SPACE = "\u200b"
CONNECTING = "socket.connect"  # Python's audit event

_sending = threading.local()


class RefusedConnectionError(OSError):
    """A service is at an address where nothing may be sent to."""


def check_url(url: str) -> None:
    """ValueError for what apprise knows no service, several recipients, a login or an address that cannot be used.

    Sends nothing.
    """
    service = _service(url)
    if service is None:
        raise ValueError(
            "is not a URL that apprise knows, such as slack://…, mailto://… or ntfy://…; the services are listed at "
            "appriseit.com"
        )
    if _recipients(service) > 1:
        raise ValueError("names several recipients: make a channel for each, as what one refuses is sent to all again")
    if trouble := _login_trouble(service):
        raise ValueError(f"cannot be used: {trouble}")
    for host in (getattr(service, "host", None), getattr(service, "smtp_host", None)):
        if isinstance(host, str):
            check_literal(host, settings.TARGET_PRIVATE)


def send(url: str, message: Message) -> str:
    """Sends it once; "" where the service took it, else why not. The reason may hold parts of the URL."""
    service = _service(url)
    if service is None:
        return "not a URL that apprise knows any more"
    if trouble := _login_trouble(service):
        return trouble
    title, body = _written_for(service, message)
    with _watched() as said:
        was_sent = service.notify(title=title, body=body, body_format="text")
    return "" if was_sent else "; ".join(said) or "the service did not take it"


def mail_trouble(url: str) -> str:
    """Why the mail server of this URL takes no mail; "" where it would.

    Connects and signs in as a sending does, and sends nothing. The reason may hold parts of the URL.
    """
    service = _service(url)
    server = getattr(service, "smtp_host", None)
    if not isinstance(server, str):
        return "not a URL of a mail server that apprise knows"
    if trouble := _login_trouble(service):
        return trouble
    with _watched() as said:
        try:
            _sign_in(server, service)
        except (OSError, UnicodeError, smtplib.SMTPException) as fault:  # UnicodeError: of a host's name
            return "; ".join(said) or one_line(f"{server}:{service.port}: {fault}")
    return ""


def _login_trouble(service: Any) -> str:
    """Why smtplib cannot sign in at a mail server, which sends names and passwords of ASCII alone; "" where it can."""
    is_mail = isinstance(getattr(service, "smtp_host", None), str)
    if is_mail and service.user and service.password and not f"{service.user}{service.password}".isascii():
        return "the name and password of a mail server must be ASCII characters alone, without umlauts or accents"
    return ""


def _sign_in(server: str, service: Any) -> None:
    is_encrypted = service.secure and service.secure_mode == "ssl"
    connect = smtplib.SMTP_SSL if is_encrypted else smtplib.SMTP
    with connect(server, service.port, timeout=READ_LIMIT_S) as session:
        if service.secure and not is_encrypted:
            session.starttls()
        if service.user and service.password:
            session.login(service.user, service.password)
        session.noop()


def _written_for(service: Any, message: Message) -> tuple[str, str]:
    """Title and body as plain text, or escaped where the service takes HTML: targets write some of the words.

    For the same reason their mentions are broken. Detail is shortened to what the service takes, never the link.
    """
    message = replace(message, words=_without_mentions(message.words), detail=_without_mentions(message.detail))
    is_html = service.notify_format == "html"
    title = escape(message.words) if is_html and service.title_maxlen <= 0 else message.words
    written = _as_html if is_html else str
    body = written(message.text)
    excess = len(title) + AROUND_TITLE + len(body) - service.body_maxlen
    if excess > 0:
        kept = max(0, len(message.detail) - excess - 1)
        body = written(replace(message, detail=f"{message.detail[:kept]}…" if kept else "").text)
    return title, body


def _without_mentions(text: str) -> str:
    return MENTIONS.sub(ZERO_WIDTH_SPACE, text)


def _as_html(text: str) -> str:
    return escape(text).replace("\n", "<br/>")


def _recipients(service: Any) -> int:
    """How many it sends to one after the other; a batch in one request is one, as are the copies of a mail."""
    from apprise import NotifyBase

    if type(service).__len__ is not NotifyBase.__len__:
        return len(service)
    return sum(len(getattr(service, name, None) or ()) for name in RECIPIENT_LISTS)


def _service(url: str) -> Any:
    import apprise  # here, for what it takes

    asset = apprise.AppriseAsset(app_id="Gadfly", async_mode=False, http_redirects=False)
    # Not by `Apprise.add`, which takes several URLs: what one of two did not get could not be sent again to it alone.
    service = apprise.Apprise.instantiate(url, asset=asset, suppress_exceptions=True)
    if service is not None:
        # Never in several parts: where one of them failed, all would be sent again.
        service.overflow_mode = apprise.OverflowMode.TRUNCATE
        service.retry = 0  # a delivery is tried again by Gadfly; and its length is recipients times tries
        service.socket_read_timeout = max(service.socket_read_timeout, READ_LIMIT_S)
    return service


@contextmanager
def _watched() -> Iterator[list[str]]:
    """What apprise reports in this thread, and no connection of it to an address where no target may be."""
    _install_guard()
    said: list[str] = []
    handler = _OfThisThread(said)
    logger = logging.getLogger(LOGGER)
    logger.addHandler(handler)
    _sending.refused = []
    try:
        yield said
    finally:
        said[:] = _sending.refused or said  # "connection error" adds nothing to why it was refused
        del _sending.refused
        logger.removeHandler(handler)


class _OfThisThread(logging.Handler):
    """Keeps the warnings of the thread that made it: several channels are sent to at once."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._said = said
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps it on one line."""
        if record.thread == self._thread:
            self._said.append(one_line(record.getMessage()))


@cache
def _install_guard() -> None:
    """Once a process: apprise's services connect by several libraries, which have this event alone in common."""
    sys.addaudithook(_guard)


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event != CONNECTING or not hasattr(_sending, "refused"):
        return
    address = arguments[1]
    if not isinstance(address, tuple):  # a socket in the file system
        return
    reason = refusal(ip_address(str(address[0]).partition("%")[0]), settings.TARGET_PRIVATE)
    if reason:
        _sending.refused.append(f"{address[0]} is {reason}; {way_out(reason)}")
        raise RefusedConnectionError(_sending.refused[-1])
