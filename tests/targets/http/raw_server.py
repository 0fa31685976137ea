"""A TCP server that plays scripted bytes, so that a target can misbehave below HTTP. Knows nothing of the engine."""

import json
import select
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field


@dataclass
class Request:
    """One request as it came. headers: names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Conversation:
    """The server's end of one connection; a script says what it does."""

    request: Request
    connection: socket.socket
    stopping: socket.socket

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def answer(self, body: bytes | str | object, status: str = "200 OK", headers: str = "") -> None:
        """A whole, well-formed answer; what is neither bytes nor str is sent as JSON."""
        if isinstance(body, str):
            body = body.encode()
        elif not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body)

    def hung_up_within(self, wait_s: float | None) -> bool:
        """Whether the other side closed, or the server is to stop, before `wait_s` was over. None: waits for it."""
        readable, _, _ = select.select([self.connection, self.stopping], [], [], wait_s)
        return bool(readable)

    def drip(self, data: bytes, every_s: float = 0.03) -> None:
        """`data` byte by byte for as long as the other side listens, its last byte without end."""
        position = 0
        while not self.hung_up_within(every_s):
            self.send(data[position : position + 1])
            position = min(position + 1, len(data) - 1)

    def reset(self) -> None:
        """Closes with a RST instead of a FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


Script = Callable[[Conversation], None]


def healthy(conversation: Conversation) -> None:
    conversation.answer({"status": "ok"})


@dataclass
class RawServer:
    """Listens on loopback; one thread a connection; one script a path, chosen by what the test puts into `scripts`."""

    scripts: dict[str, Script] = field(default_factory=lambda: {"/health": healthy})
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopping, self._stop = socket.socketpair()
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def asked(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def stop(self) -> None:
        self._stop.close()
        for thread in self._threads:
            thread.join(5)
        self._listener.close()
        self._stopping.close()

    def _start(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            readable, _, _ = select.select([self._listener, self._stopping], [], [])
            if self._stopping in readable:
                return
            connection, _ = self._listener.accept()
            self._start(lambda connection=connection: self._converse(connection))  # type: ignore[misc]

    def _converse(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):  # the other side hung up: often the very point of a test
            request = _read_request(connection)
            if request is None:  # the other side only looked whether the port is open
                return
            self.requests.append(request)
            self.scripts[request.path](Conversation(request, connection, self._stopping))


def _read_request(connection: socket.socket) -> Request | None:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return None
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    return Request(method, path, headers, body)
