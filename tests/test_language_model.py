"""A language model's endpoint, as bad as can be: what comes of it is an error in time, and never another one."""

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request

from selftest.language_model import LanguageModel, ModelError

COMPLETION = {"choices": [{"message": {"role": "assistant", "content": "yes"}}]}


def model(url: str, key: str = "secret") -> LanguageModel:
    return LanguageModel(url, "tiny", key, timeout_s=1.0, most_tokens=10, most_bytes=1_000)


@contextmanager
def stalling(status: str, pieces: Sequence[bytes], pause_s: float) -> Iterator[str]:
    """A server that sends a head, then these pieces with a pause before each, until it is told to end."""
    done = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
            connection.sendall(head.encode())
            for piece in pieces:
                if done.wait(pause_s):
                    return
                try:
                    connection.sendall(piece)
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            done.set()
            thread.join()


def test_it_answers_what_the_model_says(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions", method="POST").respond_with_json(COMPLETION)
    assert model(httpserver.url_for("/v1")).answer_to("Be brief.", "Is it?") == "yes"
    request: Request = httpserver.log[0][0]
    assert request.headers["Authorization"] == "Bearer secret"
    assert json.loads(request.data)["max_tokens"] == 10


@pytest.mark.parametrize("status", ["200 OK", "500 Broken", "302 Found"])
@pytest.mark.parametrize(
    ("pieces", "pause_s"), [([b" "], 30.0), ([b" "] * 100, 0.2), ([], 0.0)], ids=["silent", "dripping", "cut"]
)
def test_an_answer_or_an_error_that_stalls_or_breaks_off_is_left_in_time(
    status: str, pieces: list[bytes], pause_s: float
) -> None:
    started = time.monotonic()
    with stalling(status, pieces, pause_s) as url, pytest.raises(ModelError):
        model(url).answer_to("Be brief.", "Is it?")
    assert time.monotonic() - started < 10


def test_the_body_of_an_error_is_not_read(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json({"error": "very long"}, 401)
    with pytest.raises(ModelError, match="Error code: 401") as failed:
        model(httpserver.url_for("/v1")).answer_to("Be brief.", "Is it?")
    assert "very long" not in str(failed.value)


@pytest.mark.parametrize(
    ("url", "key"), [("http://127.0.0.1:9/v1", "ключ"), ("http://127.0.0.1:9/v1", "a\nb"), ("http://a..b/v1", "secret")]
)
def test_a_host_or_a_key_that_cannot_be_sent_is_an_error_like_others(url: str, key: str) -> None:
    with pytest.raises(ModelError):
        model(url, key).answer_to("Be brief.", "Is it?")
