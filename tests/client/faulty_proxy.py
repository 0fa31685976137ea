"""A proxy in front of a server that does what networks do: answers by itself, cuts, hangs. Real sockets."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Literal

LIMIT_S = 60
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


@dataclass(frozen=True)
class Answer:
    """The proxy answers; nothing reaches the server."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b"<html>a proxy</html>"


# But for an Answer, the server has acted; then the connection is cut before its answer or in it, or held for ever.
Fault = Answer | Literal["pass", "cut", "cut in the body", "hang", "trickle"]


@dataclass
class FaultyProxy:
    """faults: one for each request, in order; when they are used up, all pass. seen: method, path, key of each."""

    server: str
    faults: list[Fault] = field(default_factory=list)
    seen: list[tuple[str, str, str | None]] = field(default_factory=list)
    url: str = ""
    over: Event = field(default_factory=Event)

    @property
    def keys(self) -> list[str | None]:
        return [key for _, _, key in self.seen]


@contextmanager
def faulty_proxy(server: str) -> Iterator[FaultyProxy]:
    """server: its host and port."""
    proxy = FaultyProxy(server)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            with suppress(ConnectionError):
                super().handle_one_request()

        def log_message(self, *_: Any) -> None:
            pass

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            proxy.seen.append((self.command, self.path, self.headers.get("Idempotency-Key")))
            fault = proxy.faults.pop(0) if proxy.faults else "pass"
            if isinstance(fault, Answer):
                self._answer(fault.status, fault.headers, fault.body)
                return
            upstream = HTTPConnection(proxy.server, timeout=LIMIT_S)
            upstream.request(self.command, self.path, body, dict(self.headers))
            response = upstream.getresponse()
            told = tuple((name, value) for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP)
            content = response.read()
            upstream.close()
            match fault:
                case "pass":
                    self._answer(response.status, told, content)
                case "cut in the body":
                    self._answer(response.status, told, content, sent=len(content) // 2)
                    self._cut()
                case "cut":
                    self._cut()
                case "hang":
                    proxy.over.wait(LIMIT_S)
                    self._cut()
                case "trickle":
                    self._answer(response.status, told, content, sent=0)
                    for byte in content:
                        self.wfile.write(bytes([byte]))
                        if proxy.over.wait(0.05):
                            break
                    self._cut()

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815 - as the library calls them

        def _answer(
            self, status: int, headers: tuple[tuple[str, str], ...], body: bytes, sent: int | None = None
        ) -> None:
            self.send_response_only(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:sent])

        def _cut(self) -> None:
            self.close_connection = True
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        proxy.url = f"http://127.0.0.1:{listening.server_port}"
        thread = Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.over.set()
            listening.shutdown()
            thread.join(LIMIT_S)
