"""The HTTP application over a real socket."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from selftest.targets.reference.app import serve
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.chance import marked_phrase
from selftest.targets.reference.target import VERSION, ReferenceTarget

Reply = tuple[int, dict[str, str], Any]
Send = Callable[..., Reply]


@pytest.fixture
def running() -> Iterator[Callable[..., Send]]:
    """Serves targets on free ports until the test ends; what it returns sends one request."""
    servers = []

    def run(api_key: str = "", **options: Any) -> Send:
        target = ReferenceTarget(sleep=lambda seconds: None, **options)
        server = serve(target, port=0, api_key=api_key)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread, target))

        def send(method: str, path: str, body: Any = None, raw: bytes | None = None, **headers: str) -> Reply:
            connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            payload = raw if raw is not None else None if body is None else json.dumps(body).encode()
            connection.request(
                method, path, payload, {name.replace("_", "-"): value for name, value in headers.items()}
            )
            response = connection.getresponse()
            reply = response.status, dict(response.getheaders()), json.loads(response.read())
            connection.close()
            return reply

        return send

    yield run
    for server, thread, target in servers:
        server.shutdown()
        server.server_close()
        thread.join()
        target.close()


def test_a_search_is_answered_with_every_documented_field(running: Callable[..., Send]) -> None:
    status, headers, body = running()("POST", "/search", {"query": "weather plus headlines", "source": "auto"})
    assert status == 200
    assert headers["X-Version"] == VERSION
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert body.pop("result").startswith("[FORECAST — ")
    assert body == {
        "query": "weather plus headlines",
        "source_used": "fusion",
        "success": True,
        "cached": False,
        "error": None,
    }


def test_one_source_can_be_asked_alone(running: Callable[..., Send]) -> None:
    assert running()("POST", "/search", {"query": "glaciers", "source": "kiwix"})[2]["source_used"] == "kiwix"


def test_health_gives_a_version(running: Callable[..., Send]) -> None:
    status, headers, body = running()("GET", "/health")
    assert (status, body) == (200, {"status": "ok", "version": VERSION})
    assert headers["X-Version"] == VERSION


def test_the_second_asking_is_cached_unless_it_is_synthetic(running: Callable[..., Send]) -> None:
    send = running()
    query = {"query": "molybdenum"}
    synthetic = send("POST", "/search", query, X_Selftest="1")[2]["cached"]
    real = [send("POST", "/search", query)[2]["cached"] for _ in range(2)]
    again = send("POST", "/search", query, X_Selftest="1")[2]["cached"]
    assert [synthetic, *real, again] == [False, False, True, False]


def test_a_crash_is_told_in_the_body_and_the_next_request_is_answered(running: Callable[..., Send]) -> None:
    send = running(faults=["exception_on_phrase"])
    phrase = marked_phrase("exception_on_phrase", reference_vocabulary().sources)
    status, _, body = send("POST", "/search", {"query": phrase})
    assert (status, body["success"], body["error"]) == (200, False, "IndexError: list index out of range")
    assert send("POST", "/search", {"query": "molybdenum"})[2]["success"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "body: not JSON"),
        (b"{", "body: not JSON"),
        (b"\xff", "body: not JSON"),
        (b"[" * 60_000, "body: not JSON"),
        (b"[]", "body: an object is needed"),
        (b"{}", "query: text is needed"),
        (b'{"query": 7}', "query: text is needed"),
        (b'{"query": "  "}', "query: text is needed"),
        (b'{"query": "weather", "source": null}', "source: text is needed"),
        (b'{"query": "weather", "source": "wikipedia"}', "source: unknown source 'wikipedia'; known: auto, changes"),
    ],
)
def test_a_bad_request_is_refused_with_its_fault(body: bytes, error: str, running: Callable[..., Send]) -> None:
    status, headers, reply = running()("POST", "/search", raw=body)
    assert status == 400
    assert reply["error"].startswith(error)
    assert headers["X-Version"] == VERSION


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/search", 405, "POST"),
        ("PUT", "/search", 405, "POST"),
        ("POST", "/health", 405, "GET"),
        ("GET", "/", 404, None),
        ("POST", "/search/", 404, None),
    ],
)
def test_other_paths_and_methods_are_refused(
    method: str, path: str, status: int, allow: str | None, running: Callable[..., Send]
) -> None:
    seen, headers, reply = running()(method, path)
    assert (seen, headers.get("Allow")) == (status, allow)
    assert reply["error"]


def test_a_body_that_is_too_long_is_refused_while_it_is_still_being_sent(running: Callable[..., Send]) -> None:
    status, _, reply = running()("POST", "/search", {"query": "x" * 100_000})
    assert status == 413
    assert reply["error"] == "body: 100013 bytes; at most 65536"


def test_with_an_api_key_only_its_holder_may_search_and_anybody_may_ask_for_health(
    running: Callable[..., Send],
) -> None:
    send = running(api_key="s3same")
    query = {"query": "molybdenum"}
    statuses = [
        send("POST", "/search", query, **given)[0] for given in ({}, {"X_API_Key": "no"}, {"X_API_Key": "s3same"})
    ]
    assert statuses == [401, 401, 200]
    assert send("GET", "/health")[0] == 200


def test_any_text_can_be_asked(running: Callable[..., Send]) -> None:
    send = running()
    for query in ("\x00", "日本 and Ελλάδα", "if , , ,", " and and and ", "'" * 2000, "compare"):
        status, _, body = send("POST", "/search", {"query": query})
        assert (status, body["success"], body["query"]) == (200, True, query)


def test_nothing_is_printed(running: Callable[..., Send], capfd: pytest.CaptureFixture[str]) -> None:
    send = running()
    send("POST", "/search", {"query": "weather"})
    send("GET", "/nowhere")
    assert capfd.readouterr() == ("", "")


def test_a_client_that_hangs_up_leaves_the_server_answering(
    running: Callable[..., Send], capfd: pytest.CaptureFixture[str]
) -> None:
    target = ReferenceTarget()
    server = serve(target)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    for said in (b"", b"POST /search HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", server.server_port)) as client:
            client.sendall(said)
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", "/health")
    assert connection.getresponse().status == 200
    connection.close()
    server.shutdown()
    server.server_close()
    thread.join()
    target.close()
    assert capfd.readouterr() == ("", "")
