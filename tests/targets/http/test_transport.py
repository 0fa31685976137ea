"""Limits of size and time, and connections that break, against a server that plays scripted bytes."""

import json
import re
import socket
import ssl
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest

from selftest.targets.base import TargetAway
from selftest.targets.http import transport
from tests.targets.http.raw_server import Conversation
from tests.targets.http.scripts import DRIPS, GOOD, never_answers, plays, says

FOUR_MIB = 4 * 1024 * 1024


# --- Size ---


def test_an_answer_of_just_the_limit_is_read(ask):
    frame = b'{"source_used": "web", "result": "%s"}'
    body = frame % (b"x" * (FOUR_MIB - len(frame) + 2))
    answer = ask(says(body), time_limit_s=10.0)
    assert (answer.error, answer.length_bytes) == (None, FOUR_MIB)


def test_an_answer_of_one_byte_more_is_a_crash(ask):
    answer = ask(says(b" " * (FOUR_MIB - 1) + b"{}"), time_limit_s=10.0)
    assert answer.error == "the answer is over the limit of 4194304 bytes (4 MiB)"
    assert answer.result == " " * 2000


@pytest.mark.parametrize("head", [b"Content-Length: 31457280\r\n", b""], ids=["announced", "until close"])
def test_thirty_megabytes_are_never_held_in_memory(ask, head):
    piece = b"x" * 65536

    def pours(conversation: Conversation) -> None:
        conversation.send(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
        for _ in range(480):  # 30 MiB
            conversation.send(piece)

    tracemalloc.start()
    try:
        answer = ask(pours, time_limit_s=10.0)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer.error == "the answer is over the limit of 4194304 bytes (4 MiB)"
    assert answer.result == "x" * 2000
    assert answer.length_bytes == FOUR_MIB
    assert peak_bytes < 3 * FOUR_MIB  # the bytes, and their copy while the buffer grows


def test_a_body_that_never_ends_is_cut_at_the_limit(ask):
    def pours(conversation: Conversation) -> None:
        conversation.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not conversation.hung_up_within(0):
            conversation.send(b"8000\r\n" + b"y" * 0x8000 + b"\r\n")

    answer = ask(pours, time_limit_s=10.0)
    assert answer.error == "the answer is over the limit of 4194304 bytes (4 MiB)"
    assert answer.latency_ms < 9000


# --- Time ---


@pytest.mark.parametrize("script", DRIPS.values(), ids=DRIPS)
def test_however_an_answer_drips_it_ends_at_the_limit_in_total(ask, script):
    answer = ask(script, time_limit_s=0.5)
    assert answer.error == "no answer within 0.5 s"
    assert 495 <= answer.latency_ms < 2500


def test_the_limit_holds_for_a_body_that_would_look_whole_when_its_connection_is_shut(ask):
    def whole_but_open(conversation: Conversation) -> None:
        conversation.send(b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(GOOD).encode())
        conversation.hung_up_within(None)

    answer = ask(whole_but_open, time_limit_s=0.5)
    assert answer.error == "no answer within 0.5 s"
    assert answer.result == json.dumps(GOOD)  # what had come is kept as evidence


def test_whole_seconds_are_written_without_a_fraction(ask):
    assert ask(never_answers, time_limit_s=1.0).error == "no answer within 1 s"


def test_a_target_that_does_not_read_the_question_is_given_up_on_in_time(target_at):
    with socket.create_server(("127.0.0.1", 0)) as never_accepts:
        url = f"http://127.0.0.1:{never_accepts.getsockname()[1]}"
        answer = target_at(url, health_path="", time_limit_s=0.5).ask(
            "x" * 20_000_000
        )  # more than the buffers between them hold
    assert answer.error == "no answer within 0.5 s"
    assert answer.latency_ms < 2500


def test_neither_the_connection_nor_the_timer_outlives_the_asking(server, target_at):
    hung_up = threading.Event()

    def drips(conversation: Conversation) -> None:
        conversation.drip(b"HTTP/1.1 2000")
        hung_up.set()

    server.scripts["/search"] = drips
    target_at(server.url, time_limit_s=0.3).ask("one")
    assert hung_up.wait(5)
    for timer in [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]:
        timer.join(5)
        assert not timer.is_alive()


@pytest.mark.process
def test_a_slow_answer_inside_a_tls_connection_ends_at_the_limit_too(monkeypatch, target_at, dripping_tls):
    url, certificate = dripping_tls
    trusting = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(transport, "_tls_context", lambda: trusting)
    answer = target_at(url, health_path="", time_limit_s=0.5).ask("slowly")
    assert answer.error == "no answer within 0.5 s"
    assert 495 <= answer.latency_ms < 2500


# --- Connections that break ---

BREAKS = {
    "at once": lambda conversation: None,
    "reset at once": lambda conversation: conversation.reset(),
    "amid the status line": plays(b"HTTP/1.1 2"),
    "amid the headers": plays(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "amid a body with a length": plays(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", b'{"result": "a'),
    "amid chunks": plays(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"),
}


@pytest.mark.parametrize("script", BREAKS.values(), ids=BREAKS)
def test_a_connection_dropped_by_a_target_that_is_up_is_a_crash(ask, script):
    assert ask(script).error == "connection closed before the answer was whole"


@pytest.mark.parametrize("script", BREAKS.values(), ids=BREAKS)
def test_a_connection_dropped_by_a_target_that_is_down_is_an_outage(server, ask, script):
    server.scripts["/health"] = says("", "503 Service Unavailable")
    with pytest.raises(TargetAway, match=r"connection closed before the answer was whole; .*HTTP 503"):
        ask(script)


def test_what_came_before_the_break_is_kept(ask):
    answer = ask(BREAKS["amid a body with a length"])
    assert (answer.result, answer.http_status, answer.length_bytes) == ('{"result": "a', 200, 13)


GARBAGE = {
    "no HTTP": plays(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    "a chunk of no size": plays(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
    "two lengths": plays(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    "a negative length": plays(b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}"),
    "NUL in a header": plays(b"HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\r\n{}"),
    "an endless header": plays(b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 300_000),
}


@pytest.mark.parametrize("script", GARBAGE.values(), ids=GARBAGE)
def test_what_is_not_http_is_a_crash_with_the_reason_spelled_out(ask, script):
    assert re.match("the answer is not valid HTTP: .+|connection closed before", ask(script).error or "")


def test_a_body_longer_than_its_length_is_read_to_its_length(ask):
    answer = ask(plays(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{} and more"))
    assert (answer.error, answer.result) == ("field 'result' is missing", "{}")


def test_bytes_that_are_no_text_in_headers_do_no_harm(ask):
    assert ask(says(GOOD, headers="X-Odd: \u00ff\r\nServer: \u00e9\r\n")).error is None


# --- Closing ---


def test_closing_ends_the_conversations_under_way(server, target_at):
    """A worker that stops does not wait for a target that hangs."""
    asked = threading.Event()

    def hang(conversation: Conversation) -> None:
        asked.set()
        never_answers(conversation)

    server.scripts["/search"] = hang
    target = target_at(server.url, time_limit_s=60.0)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(target.ask, "still there?")
        assert asked.wait(10)
        target.close()
        with pytest.raises(TargetAway, match="not waited for, as this target was closed"):
            asking.result(10)
    with pytest.raises(TargetAway, match="not sent, as this target was closed"):
        target.ask("still there?")
    assert server.asked("/health") == []
