"""Services of our own on the loopback interface, some up and some down, for the uptime report to be about something."""

import selectors
import socket
import threading
from dataclasses import dataclass

LOOPBACK = "127.0.0.1"
BACKLOG = 64
SERVICES_UP = ("media library", "home gateway", "backup store")
SERVICES_DOWN = ("print server",)


@dataclass(frozen=True)
class Service:
    """Something that should answer on host:port."""

    name: str
    host: str
    port: int


class LoopbackServices:
    """Listens from the start until `close`; one thread accepts and hangs up.

    A service that is down only holds its port.
    """

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._up = {name: self._listener() for name in SERVICES_UP}
        # Bound and not listening: connections are refused, and no other program can take the port meanwhile.
        self._down = {name: self._bound() for name in SERVICES_DOWN}
        self._stop, self._stopped = socket.socketpair()
        self._selector.register(self._stopped, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._hang_up, name="reference-services", daemon=True)
        self._thread.start()

    @property
    def services(self) -> tuple[Service, ...]:
        """Those that are up, then those that are down."""
        return tuple(Service(name, *bound.getsockname()) for name, bound in {**self._up, **self._down}.items())

    def close(self) -> None:
        """Gives the ports back; to be called once. Returns when the thread has ended."""
        self._stop.close()
        self._thread.join()

    def _bound(self) -> socket.socket:
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        bound.bind((LOOPBACK, 0))
        return bound

    def _listener(self) -> socket.socket:
        listener = self._bound()
        listener.listen(BACKLOG)
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)
        return listener

    def _hang_up(self) -> None:
        while True:
            ready = [key.fileobj for key, _ in self._selector.select()]
            if self._stopped in ready:
                break
            for listener in ready:
                self._accept(listener)
        for opened in (*self._up.values(), *self._down.values(), self._stopped):
            opened.close()
        self._selector.close()

    def _accept(self, listener: object) -> None:
        if isinstance(listener, socket.socket):
            try:
                listener.accept()[0].close()
            except OSError:  # the caller hung up first
                return


class OwnServices:
    """Loopback services that start when they are first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: LoopbackServices | None = None

    def __call__(self) -> tuple[Service, ...]:
        with self._lock:
            if self._running is None:
                self._running = LoopbackServices()
            return self._running.services

    def close(self) -> None:
        """Stops them where they run. Safe to call twice; asked for again, they start again."""
        with self._lock:
            if self._running is not None:
                self._running.close()
                self._running = None
