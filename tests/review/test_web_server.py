"""What gunicorn itself refuses has the API's shape of an error, and what waits for what. Asked over sockets."""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http.client import HTTPResponse
from pathlib import Path
from threading import Barrier, Event, Semaphore
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import close_old_connections, connection, connections
from gunicorn.workers.gthread import DEFAULT_WORKER_DATA_TIMEOUT, ThreadWorker

from review.api.deadline import DEADLINE_S
from review.kept_connections import KeptConnections
from review.web_server import RECEIVE_S, Socket, Threads, Worker, one_page_at_a_time
from tests.database import ROOT, empty_sqlite

pytestmark = pytest.mark.process
LIMIT_S = 30
THREADS = 4
LINGER_S = 2.0  # how long gunicorn waits for a client to close
SERVE = ["--worker-class", "review.web_server.Worker", "--threads", str(THREADS), "--no-control-socket"]
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of gunicorn with our worker; the application behind it plays no part."""
    yield from _serving("wsgiref.simple_server:demo_app")


@pytest.fixture
def port_of_held_pages() -> Iterator[int]:
    yield from _serving("tests.review.held_pages:application")


@pytest.fixture
def port_of_garbage() -> Iterator[int]:
    yield from _serving("tests.review.garbage:application")


@pytest.fixture(scope="module")
def port_of_slow_clients() -> Iterator[int]:
    """Of a server that waits a second for a request, and as long again for each 100 bytes."""
    yield from _serving("tests.review.slow_clients:application")


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that takes connections and says nothing, as one on a machine that froze."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield listener.getsockname()[1]


def _serving(application: str, **variables: str) -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        command = [sys.executable, "-m", "gunicorn", application, *SERVE, "--bind", f"fd://{listener.fileno()}"]
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **variables},
            pass_fds=[listener.fileno()],
            stderr=subprocess.DEVNULL,
        )
        number = listener.getsockname()[1]
    try:
        _ask(number, HEALTH)
        yield number
    finally:
        server.terminate()
        server.wait(LIMIT_S)


def _ask(port: int, request: bytes) -> tuple[HTTPResponse, bytes]:
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as client:
        client.sendall(request)
        answer = HTTPResponse(client)
        answer.begin()
        return answer, answer.read()


REFUSED = {
    "a line too long": (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "uri_too_long"),
    "a header too long": (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 9000 + b"\r\n\r\n",
        431,
        "headers_too_large",
    ),
    "too many headers": (
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % number for number in range(200)) + b"\r\n",
        431,
        "headers_too_large",
    ),
    "no request": (b"nonsense\r\n\r\n", 400, "bad_request"),
    "no method": (b"G(T / HTTP/1.1\r\n\r\n", 400, "bad_request"),
    "no version": (b"GET / HTTP/9.9.9\r\n\r\n", 400, "bad_request"),
    "no name of a header": (b"GET / HTTP/1.1\r\nHo st: x\r\n\r\n", 400, "bad_request"),
    "two lengths": (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400, "bad_request"),
    "no length": (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\nx", 400, "bad_request"),
    "an unknown coding": (b"POST / HTTP/1.1\r\nTransfer-Encoding: brotli\r\n\r\n", 501, "not_implemented"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_request_that_cannot_be_read_is_refused_in_the_one_shape(port: int, what: str) -> None:
    request, status, code = REFUSED[what]
    answer, body = _ask(port, request)
    assert answer.status == status
    assert answer.getheader("Content-Type") == "application/json"
    document: dict[str, Any] = json.loads(body)
    assert list(document) == ["error"]
    assert list(document["error"]) == ["code", "message", "field"]
    assert document["error"]["code"] == code
    assert document["error"]["message"]
    assert b"x" * 20 not in body, "what was sent is not sent back"


def test_what_can_be_read_is_answered_by_the_application(port: int) -> None:
    answer, body = _ask(port, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.status == 200
    assert b"Hello" in body


def test_health_waits_for_no_page(port_of_held_pages: int) -> None:
    with ThreadPoolExecutor(2 * THREADS) as readers:
        page = HEALTH.replace(b"/health", b"/a-page")
        pages = [readers.submit(_ask, port_of_held_pages, page) for _ in range(2 * THREADS)]
        try:
            until = time.monotonic() + LIMIT_S
            while not int(_ask(port_of_held_pages, HEALTH)[1]):
                assert time.monotonic() < until
        finally:
            _ask(port_of_held_pages, HEALTH.replace(b"/health", b"/health?let-go"))
        assert [page.result()[0].status for page in pages] == [200] * len(pages)


@pytest.mark.parametrize(("patience_s", "at_once"), [(LIMIT_S, 1), (0.0, 2)])
def test_a_page_waits_for_the_one_before_it_but_not_for_ever(patience_s: float, at_once: int) -> None:
    begun, let_go = Semaphore(0), Event()

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        begun.release()
        assert let_go.wait(LIMIT_S)
        return [b""]

    serve = one_page_at_a_time(application, patience_s)
    with ThreadPoolExecutor(2) as readers:
        pages = [readers.submit(serve, {"REQUEST_METHOD": "GET", "PATH_INFO": "/flags"}, None) for _ in range(2)]
        try:
            assert begun.acquire(timeout=LIMIT_S)
            assert begun.acquire(timeout=LIMIT_S if at_once == 2 else 0.2) == (at_once == 2)
        finally:
            let_go.set()
        assert [page.result() for page in pages] == [[b""], [b""]]


def test_no_call_of_a_page_has_to_wait_for_room_on_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new piece of the stack is memory that the system gives, which it counts as a fault of a page."""
    calls, few, depths = 200, 20, range(300)

    def called(a: int = 1, b: int = 2, c: int = 3, d: int = 4, e: int = 5, f: int = 6) -> None:
        g = h = i = j = k = m = a  # noqa: F841 - so wide that it meets the end of a piece at some depth

    def faults(deeper: int) -> int:
        if deeper:
            return faults(deeper - 1)
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
        for _ in range(calls):
            called()
        return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before

    def load(worker: Any) -> None:
        worker.wsgi = lambda environ, start_response: [faults(environ["deeper"])]

    def page_faults(deeper: int) -> int:
        (counted,) = worker.wsgi({"REQUEST_METHOD": "GET", "PATH_INFO": "/", "deeper": deeper}, None)
        return int(counted)

    monkeypatch.setattr(ThreadWorker, "load_wsgi", load)
    worker: Any = Worker.__new__(Worker)
    worker.load_wsgi()
    with ThreadPoolExecutor(1) as thread:  # its stack is its own
        assert max(thread.map(faults, depths)) >= calls
        assert max(thread.map(page_faults, depths)) < few


def test_no_page_pays_for_looking_through_the_oldest_objects_but_a_quiet_second_does(port_of_garbage: int) -> None:
    def collections(path: bytes) -> int:
        return int(_ask(port_of_garbage, HEALTH.replace(b"/health", path))[1])

    before = collections(b"/age")
    until = time.monotonic() + 2.5
    while time.monotonic() < until:
        assert collections(b"/") == before
        time.sleep(0.1)
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until and collections(b"/") == before:
        time.sleep(2.0)
    time.sleep(2.0)
    assert collections(b"/") == before + 1, "once, as nothing has grown old since"


@pytest.mark.parametrize(
    ("path", "connection"), [("/", "close"), ("/causes/1", "close"), ("/static/app.js", "keep-alive")]
)
def test_a_page_closes_its_connection_so_that_the_next_one_goes_to_a_free_process(
    port: int, path: str, connection: str
) -> None:
    answer, _ = _ask(port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert answer.getheader("Connection") == connection


@pytest.mark.parametrize(("connections", "wait_s"), [(0, 0.0), (8, 0.0016), (1000, 0.01)])
def test_a_process_with_more_connections_waits_longer_before_it_takes_one_more(
    connections: int, wait_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setattr("review.web_server.time.sleep", done.append)
    monkeypatch.setattr(ThreadWorker, "accept", lambda worker, listener: done.append(listener))
    worker = Worker.__new__(Worker)
    worker.nr_conns = connections
    with socket.socket() as listener:
        worker.accept(listener)
        assert done == [pytest.approx(wait_s), listener]


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /health HTTP/1.0\r\n\r\n",
        b"GET /health HTTP/1.1\r\nbad header\r\n\r\n",
    ],
)
def test_who_does_not_close_keeps_no_one_waiting(port: int, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as client:
        client.sendall(request_)
        HTTPResponse(client).begin()
        began = time.monotonic()
        while time.monotonic() - began < 3 * LINGER_S:
            asked = time.monotonic()
            assert _ask(port, HEALTH)[0].status == 200
            assert time.monotonic() - asked < LINGER_S / 2
            time.sleep(LINGER_S / 10)


def test_who_sends_nothing_keeps_no_one_waiting(port: int) -> None:
    with ExitStack() as silent:
        for _ in range(2 * THREADS):
            silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S))
        began = time.monotonic()
        assert _ask(port, HEALTH.replace(b"/health", b"/"))[0].status == 200
        assert time.monotonic() - began < DEFAULT_WORKER_DATA_TIMEOUT, "gunicorn's own threads wait as long"


def test_half_a_request_keeps_no_thread_of_health_and_any_other_for_ten_seconds(port: int) -> None:
    with ExitStack() as silent:
        for request in (b"GET /health HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n"):
            for _ in range(THREADS // 2):
                client = silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S))
                client.sendall(request)
        time.sleep(0.5)
        began = time.monotonic()
        assert _ask(port, HEALTH)[0].status == 200
        assert time.monotonic() - began < 1
        assert _ask(port, HEALTH.replace(b"/health", b"/"))[0].status == 200
        assert time.monotonic() - began < RECEIVE_S + 5


def test_a_request_that_comes_byte_by_byte_keeps_a_thread_no_longer_than_half_of_one(port_of_slow_clients: int) -> None:
    ended = Event()

    def trickle(client: socket.socket) -> None:
        with suppress(ConnectionError):
            while not ended.wait(0.2):
                client.sendall(b"a")

    with ThreadPoolExecutor(2 * THREADS) as senders, ExitStack() as slow:
        for _ in range(2 * THREADS):
            client = slow.enter_context(socket.create_connection(("127.0.0.1", port_of_slow_clients), timeout=LIMIT_S))
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
            senders.submit(trickle, client)
        slow.callback(ended.set)
        time.sleep(0.5)
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", port_of_slow_clients), timeout=5) as client:
            client.sendall(HEALTH.replace(b"/health", b"/"))
            assert client.recv(12) == b"HTTP/1.1 200"
        assert time.monotonic() - began < 4, "two rounds of a second, as there are twice as many as threads"


def test_a_body_over_a_slow_line_may_take_longer_than_a_request_is_waited_for(port_of_slow_clients: int) -> None:
    with socket.create_connection(("127.0.0.1", port_of_slow_clients), timeout=LIMIT_S) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 250\r\n\r\n")
        for _ in range(5):  # 2 s altogether
            time.sleep(0.4)
            client.sendall(b"x" * 50)
        answer = HTTPResponse(client)
        answer.begin()
        assert (answer.status, answer.read()) == (200, b"250")


def test_each_request_of_a_connection_is_waited_for_as_long(port_of_slow_clients: int) -> None:
    with socket.create_connection(("127.0.0.1", port_of_slow_clients), timeout=LIMIT_S) as client:
        for _ in range(3):
            client.sendall(b"GET /static/app.js HTTP/1.1\r\n")
            time.sleep(0.6)
            client.sendall(b"Host: localhost\r\n\r\n")
            answer = HTTPResponse(client)
            answer.begin()
            assert (answer.status, answer.read()) == (200, b"  0")


def _health_of_eight_at_once(port: int) -> tuple[float, dict[str, Any]]:
    """For how long the last one waited, and what it was told; each was answered."""
    began = time.monotonic()
    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(_ask, [port] * 8, [HEALTH] * 8))
    assert [answer.status for answer, _ in answers] == [200] * 8
    return time.monotonic() - began, json.loads(answers[-1][1])


def test_health_answers_while_redis_is_silent(silent: int, tmp_path: Path) -> None:
    shutil.copyfile(empty_sqlite(), tmp_path / "gadfly.sqlite3")
    for port in _serving("review.wsgi:application", DATA_DIR=str(tmp_path), REDIS_URL=f"redis://127.0.0.1:{silent}"):
        took_s, answer = _health_of_eight_at_once(port)
        assert took_s < 1
        assert (answer["database"], answer["worker"]) == ({"status": "ok"}, {"status": "unknown", "clusters": None})


def test_health_answers_while_the_database_is_silent(silent: int, tmp_path: Path) -> None:
    database = f"postgres://gadfly@127.0.0.1:{silent}/gadfly"
    stop_soon = "--graceful-timeout 1"  # one thread still waits for the database
    variables = {"DATA_DIR": str(tmp_path), "DATABASE_URL": database, "GUNICORN_CMD_ARGS": stop_soon}
    for port in _serving("review.wsgi:application", **variables):
        took_s, answer = _health_of_eight_at_once(port)
        assert took_s < DEADLINE_S + 1
        assert (answer["status"], answer["database"]) == ("degraded", {"status": "unavailable"})


@pytest.mark.django_db(transaction=True)
def test_a_connection_to_the_database_goes_from_thread_to_thread_and_is_closed_when_none_needs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, together = KeptConnections(), Barrier(3)

    def used(at_once: bool = False) -> int:
        kept.take()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if at_once:
                together.wait(LIMIT_S)
            return id(connections["default"])
        finally:
            kept.give_back()

    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(used, at_once=True) for _ in range(3)]
        assert len({one.result(LIMIT_S) for one in asked}) == 3
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as another:
        found = {thread.submit(used).result(LIMIT_S) for thread in (one, another, one, another)}
    assert len(found) == 1, "the one used last"
    assert kept.open_count == 3
    kept.close_idle()
    assert kept.open_count == 3
    monkeypatch.setattr("review.kept_connections.IDLE_S", 0.0)
    kept.close_idle()
    assert kept.open_count == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.database("postgresql")
def test_a_kept_connection_that_the_server_has_ended_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptConnections()

    def session() -> int:
        """The server's number of the one that a request uses; requests begin by closing what is too old."""
        kept.take()
        close_old_connections()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                return int(cursor.fetchone()[0])
        finally:
            kept.give_back()

    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(session).result(LIMIT_S)
        assert thread.submit(session).result(LIMIT_S) == first
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
        assert thread.submit(session).result(LIMIT_S) != first
    monkeypatch.setattr("review.kept_connections.IDLE_S", 0.0)
    kept.close_idle()


def test_pages_give_way_to_health_on_the_same_cores() -> None:
    def niceness(request: bytes) -> int:
        accepted, theirs = socket.socketpair()
        with Socket(fileno=accepted.detach()) as ours, theirs:
            theirs.sendall(request)
            asked = threads.submit(lambda _: os.getpriority(os.PRIO_PROCESS, 0), SimpleNamespace(sock=ours))
            return int(asked.result(LIMIT_S))

    threads, own = Threads(1), os.getpriority(os.PRIO_PROCESS, 0)
    try:
        assert niceness(HEALTH) == own
        assert niceness(HEALTH.replace(b"/health", b"/flags")) == max(own, 1)
    finally:
        threads.shutdown()
