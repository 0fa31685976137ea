"""A limit on one whole conversation over a socket. Must not know what is said in it."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any


class Deadline:
    """A context that ends a conversation at its limit: it shuts the connection down while it is being read.

    limit_s: seconds from entering the context. A read time-out starts again with every byte, in the headers as in the
    body, so it bounds no total. `passed` tells afterwards; a response without a length looks whole when its connection
    is shut down.
    """

    def __init__(self, limit_s: float) -> None:
        self.passed = False
        self._connection: socket.socket | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(limit_s, self.end)
        self._timer.daemon = True  # a worker that stops does not wait for it

    def __enter__(self) -> "Deadline":
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """httpcore's `trace` extension: the one place that shows the connection before a response has begun."""
        if event != "connection.connect_tcp.complete":
            return
        with self._lock:
            # A duplicate outlives the wrapping in TLS, and its number cannot become that of another connection.
            self._connection = info["return_value"].get_extra_info("socket").dup()
            self._shut_down_if_passed()

    def end(self) -> None:
        """Shuts the conversation down, now or as soon as it has a connection. Called from any thread."""
        with self._lock:
            self.passed = True
            self._shut_down_if_passed()

    def _shut_down_if_passed(self) -> None:
        if self.passed and self._connection is not None:
            with suppress(OSError):  # the other side was quicker
                self._connection.shutdown(socket.SHUT_RDWR)
