"""What these tests share: a scripted server, a target that asks it, and ports that do not answer."""

import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import pytest

from selftest.core.judging.answers import Answer
from selftest.targets.http.settings import HttpSettings
from selftest.targets.http.target import HttpTarget
from tests.targets.http.raw_server import RawServer, Script

TargetAt = Callable[..., HttpTarget]


@pytest.fixture
def server() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.stop()


@pytest.fixture
def target_at() -> Iterator[TargetAt]:
    """An HTTP target at a URL, closed at the end of the test; its limit is ample unless the test is about it."""
    with ExitStack() as stack:

        def build(base_url: str, **settings: object) -> HttpTarget:
            settings = {"time_limit_s": 5.0, **settings}
            return stack.enter_context(closing(HttpTarget(HttpSettings(base_url, **settings))))  # type: ignore[arg-type]

        yield build


@pytest.fixture
def ask(server: RawServer, target_at: TargetAt):
    """Asks a target that answers /search by the given script."""

    def ask(script: Script, **settings: object) -> Answer:
        server.scripts["/search"] = script
        return target_at(server.url, **settings).ask("weather plus headlines")

    return ask


@pytest.fixture
def closed_port():
    """A port of ours on which no program listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def full_port():
    """A port whose queue of connections is full, so that the next one is never taken up."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for caller in (first, second):
            caller.setblocking(False)
            caller.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@pytest.fixture
def dripping_tls(tmp_path):
    """A TLS server, and its certificate, that takes one question and drips headers until its caller hangs up."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate, and is not installed")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    self_signed = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=test"
    command = [openssl, *self_signed.split(), "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def drip(listener: socket.socket) -> None:
        plain, _ = listener.accept()
        with suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
            question = b""
            while not question.endswith(b"}"):
                question += connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not select.select([connection], [], [], 0.03)[0]:
                connection.sendall(b"a")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,), daemon=True)
        thread.start()
        yield f"https://127.0.0.1:{listener.getsockname()[1]}", certificate
        thread.join(5)
