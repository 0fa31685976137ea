"""What the tests of notices share: a clock, channels, and a receiver on a real socket."""

import email
import socket
import threading
from collections.abc import Callable, Iterator
from email.message import Message as Mail
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import time_machine
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from django.utils import timezone

from selftest.models import Channel, Notice
from selftest.operating.notices import events
from selftest.operating.notices.events import Event
from tests.engine.conftest import NOW

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # the standard's own example

MakeChannel = Callable[..., Channel]


class Receiver:
    """Takes in whatever is posted, and answers `status` once `release` is set; 400 to what holds `refused`."""

    def __init__(self) -> None:
        self.status = 200
        self.refused = b""
        self.release = threading.Event()
        self.release.set()
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.release.wait(30)
                receiver.bodies.append(body)
                receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(400 if receiver.refused and receiver.refused in body else receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks/t0ken-4711"

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


class MailServer:
    """Takes in each mail, for any recipient."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:
        content = envelope.content
        self.mails.append(email.message_from_bytes(content if isinstance(content, bytes) else content.encode()))
        return "250 OK"

    def url(self, recipients: str = "ops@example.com", login: str = "") -> str:
        return f"mailto://{login}127.0.0.1:{self.port}?from=gadfly@example.com&to={recipients}&mode=insecure"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    made = MailServer()
    controller = Controller(made, "127.0.0.1", made.port, auth_require_tls=False)
    controller.start()
    yield made
    controller.stop()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stands at NOW until a test shifts it."""
    with time_machine.travel(NOW, tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def make_channel(receiver: Receiver) -> MakeChannel:
    """A webhook at the receiver that wants everything but the digest, and is as old as the clock says."""

    def make(name: str = "team", **columns: Any) -> Channel:
        webhook = {"kind": Channel.Kind.WEBHOOK, "url": receiver.url, "secret": SECRET}
        return Channel.objects.create(**{"name": name, "created_at": timezone.now(), **webhook, **columns})

    return make


def tell(count: int = 1, kind: Notice.Kind = Notice.Kind.CAUSE_NEW) -> None:
    """Events that happen now."""
    for number in range(Notice.objects.count(), Notice.objects.count() + count):
        events.tell(Event(kind, f"event {number}", f"Event {number}", "/causes/7", timezone.now()), timezone.now())
