"""Gunicorn's worker: one page at a time, /health beside it, and refusals in the shape of the API's errors.

Imported before the fork, so it loads neither Django nor the API.
"""

import errno
import gc
import json
import selectors
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Semaphore
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from review.stack_room import with_stack_room
from selftest.operating.priority import PAGE_NICENESS, give_way

# By what gunicorn raises, the special before the general: status, reason, code, message.
REFUSALS: list[tuple[type[Exception], int, str, str, str]] = [
    (errors.LimitRequestLine, 414, "URI Too Long", "uri_too_long", "the first line of the request is too long"),
    (
        errors.LimitRequestHeaders,
        431,
        "Request Header Fields Too Large",
        "headers_too_large",
        "the headers are too many or too long",
    ),
    (errors.ExpectationFailed, 417, "Expectation Failed", "expectation_failed", "this expectation is not known"),
    (errors.ForbiddenProxyRequest, 403, "Forbidden", "forbidden", "this call is not allowed"),
    (errors.UnsupportedTransferCoding, 501, "Not Implemented", "not_implemented", "this transfer coding is not known"),
    # Of these the fault is ours.
    (errors.ConfigurationProblem, 500, "Internal Server Error", "internal_error", ""),
    (errors.InvalidResponseHeader, 500, "Internal Server Error", "internal_error", ""),
    (errors.InvalidResponseHeaderName, 500, "Internal Server Error", "internal_error", ""),
    (errors.ParseException, 400, "Bad Request", "bad_request", "the request could not be understood"),
    (Exception, 500, "Internal Server Error", "internal_error", ""),
]
OUR_FAULT = "something failed here; the log says what"


PATIENCE_S = 0.5  # a page waits for its turn, as two would share one lock; behind a slow one no longer than this
SWITCH_S = 0.0002  # after which a page hands that lock to a thread that waits, as /health does; by default 5 ms
STAGGER_S, LONGEST_STAGGER_S = 0.0002, 0.01  # for each open connection
GARBAGE_DUE = 10  # collections of younger objects, after which Python itself looks through the oldest
GARBAGE_OVERDUE = 200  # where no second is quiet
KEPT_OPEN = ("/static/", "/health")  # what begins so leaves its connection open
OF_HEALTH = (b"GET /health ", b"GET /health?", b"HEAD /health ", b"HEAD /health?")
END_OF_HEAD = b"\r\n\r\n"
LONGEST_START = 8192  # a request for /health is shorter
LINGER_S = 2.0  # for which a client may take to close a connection that was closed here
HEALTH_LINGER_S = 0.05  # as all calls of /health have one thread
RECEIVE_S = 10  # for which a thread waits for a request altogether
RECEIVE_BYTES = 10_240  # that came meanwhile, as of a file over a slow line, are worth as long again

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads as gunicorn has them. No thread waits for a client that has sent nothing, and /health for no page."""

    def init_process(self) -> None:
        """Runs until it is stopped."""
        sys.setswitchinterval(SWITCH_S)
        leave_garbage_to_quiet_seconds()
        super().init_process()

    def load_wsgi(self) -> None:
        """Loads what is served."""
        super().load_wsgi()
        from review.kept_connections import KeptConnections  # loads Django, as what is served has now

        self._kept = KeptConnections()
        self.wsgi: Application = with_stack_room(one_page_at_a_time(self._with_connection(self.wsgi)))

    def _with_connection(self, application: Application) -> Application:
        def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            self._kept.take()
            return application(environ, start_response)

        return serve

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Called by gunicorn, again and again."""
        began = time.monotonic()
        super().wait_for_and_dispatch_events(timeout)
        if time.monotonic() - began >= timeout:  # nothing came
            self._kept.close_idle()
            collect_garbage()

    def get_thread_pool(self) -> "Threads":
        """Called by gunicorn."""
        return Threads(self.cfg.threads)

    def accept(self, listener: socket.socket) -> None:
        """Takes a new connection, unless a process with fewer of them takes it first."""
        time.sleep(min(self.nr_conns * STAGGER_S, LONGEST_STAGGER_S))
        super().accept(listener)

    def enqueue_req(self, conn: Any) -> None:
        """Has a connection handled, once something has come on it."""
        if not isinstance(conn.sock, Socket):
            conn.sock = Socket(fileno=conn.sock.detach())
        if conn.initialized or conn.data_ready or start_of(conn.sock) is not None:
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: Any) -> Any:
        """Called by gunicorn in one of the threads, for each request of a connection."""
        conn.sock.begin_request()
        stays_open = super().handle(conn)
        if not stays_open:  # what waits for the client is this thread, and not the one that takes connections
            with suppress(OSError):
                util.close_graceful(conn.sock.dup(), conn.sock.linger_s)
                conn.sock.shutdown(socket.SHUT_RDWR)
        return stays_open

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answers it. After a page its connection is closed, so that the next click goes to a process that is free."""
        if not req.path.startswith(KEPT_OPEN):
            req.force_close()
        try:
            return bool(super().handle_request(req, conn))
        finally:
            self._kept.give_back()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answers what cannot be read, or failed outside Django, and has the connection closed."""
        status, reason, code, message = next(row for kind, *row in REFUSALS if isinstance(exc, kind))
        if status == 500:
            self.log.error("Error handling a request", exc_info=exc)
        else:
            self.log.warning("Invalid request from ip=%s: %s", (addr or ("",))[0], exc)
        body = json.dumps({"error": {"code": code, "message": message or OUR_FAULT, "field": None}})
        head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\n"
        try:
            util.write_nonblock(client, f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        except OSError as fault:
            self.log.debug("The refusal could not be sent: %s", fault)


class Socket(socket.socket):
    """Of a client. A thread waits for a request no longer than RECEIVE_S, unless RECEIVE_BYTES come meanwhile.

    Only waiting counts: not the time that an answer takes, nor that until a thread is free.
    """

    linger_s = LINGER_S
    left_s: float = RECEIVE_S
    _received = 0

    def begin_request(self) -> None:
        """A thread waits from now on."""
        self.left_s, self._received = RECEIVE_S, 0

    def recv(self, *arguments: Any) -> bytes:
        """What has come. A client that sends no more counts as one that has gone, which is no fault to be logged."""
        if self.left_s <= 0:
            raise self._given_up()
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _as_timeval(self.left_s))
        began = time.monotonic()
        try:
            received = super().recv(*arguments)
        except BlockingIOError as fault:
            self.left_s = 0.0
            raise self._given_up() from fault
        self.left_s -= time.monotonic() - began
        self._received += len(received)
        if self._received >= RECEIVE_BYTES:
            self.begin_request()
        return received

    def _given_up(self) -> ConnectionResetError:
        """Closed at once: it is waited for no more, not even until it closes."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)
        return ConnectionResetError(errno.ECONNRESET, "the rest of the request did not come in time")


def _as_timeval(seconds: float) -> bytes:
    """As the system takes it. Zero would be without end."""
    return struct.pack("ll", *divmod(int(seconds * 1_000_000) + 1, 1_000_000))


class Threads:
    """Those of a process: one for /health, which is short, and all others."""

    def __init__(self, others: int) -> None:
        self._health = ThreadPoolExecutor(1, "health")
        self._others = ThreadPoolExecutor(others, "requests", partial(give_way, PAGE_NICENESS))

    def submit(self, handle: Callable[[Any], Any], conn: Any) -> "Future[Any]":
        """As an executor has it."""
        head = start_of(conn.sock) or b""
        is_health = head.startswith(OF_HEALTH) and END_OF_HEAD in head  # it waits for no rest
        if is_health:
            conn.sock.linger_s = HEALTH_LINGER_S
        return (self._health if is_health else self._others).submit(handle, conn)

    def shutdown(self, wait: bool = True) -> None:
        """As an executor has it."""
        self._health.shutdown(wait)
        self._others.shutdown(wait)


def start_of(connection: socket.socket) -> bytes | None:
    """The first bytes that wait to be read, b"" where it was closed; None where nothing has come yet."""
    try:
        return socket.socket.recv(connection, LONGEST_START, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return None
    except OSError:
        return b""  # it broke: reading it says so again


def leave_garbage_to_quiet_seconds() -> None:
    """The oldest objects, of which caches keep many, are hardly looked through any more unless by `collect_garbage`.

    It takes 20 to 100 ms of whatever page it falls upon, and the more, the more is kept.
    """
    youngest, younger, _ = gc.get_threshold()
    gc.set_threshold(youngest, younger, GARBAGE_OVERDUE)


def collect_garbage() -> None:
    """Looks through the oldest objects where that is due."""
    if gc.get_count()[2] > GARBAGE_DUE:
        gc.collect()


def one_page_at_a_time(application: Application, patience_s: float = PATIENCE_S) -> Application:
    """What only reads waits for its turn. What may wait itself, as a triggered cycle, takes none; /health neither."""
    turn = Semaphore()  # in the order in which they came, unlike a Lock

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or environ["PATH_INFO"] == "/health":
            return application(environ, start_response)
        has_turn = turn.acquire(timeout=patience_s)
        try:
            return application(environ, start_response)
        finally:
            if has_turn:
                turn.release()

    return serve
