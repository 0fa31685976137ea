"""An HTTP target against a server that plays scripted bytes. Expected values come from TARGET.md."""

import gzip
import hashlib
import json
import re
import select
import shutil
import socket
import ssl
import subprocess
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from selftest.core.judging.answers import Answer
from selftest.targets.base import Reachability, TargetAway
from selftest.targets.http import target as http
from selftest.targets.http.target import HttpSettings, HttpTarget
from tests.targets.conftest import TargetAt
from tests.targets.raw_server import Conversation, RawServer, Script

GOOD = {
    "query": "weather plus headlines",
    "source_used": "fusion",
    "result": "[FORECAST — …]\nsun",
    "success": True,
    "cached": False,
    "error": None,
}
FOUR_MIB = 4 * 1024 * 1024


def says(body: object, status: str = "200 OK", headers: str = "") -> Script:
    return lambda conversation: conversation.answer(body, status, headers)


def plays(*pieces: bytes) -> Script:
    def script(conversation: Conversation) -> None:
        for piece in pieces:
            conversation.send(piece)

    return script


def never_answers(conversation: Conversation) -> None:
    conversation.hung_up_within(None)


@pytest.fixture
def ask(server: RawServer, target_at: TargetAt):
    """Asks a target that answers /search by the given script."""

    def ask(script: Script, **settings: object) -> Answer:
        server.scripts["/search"] = script
        return target_at(server.url, **settings).ask("weather plus headlines")

    return ask


# --- A good answer ---


def test_an_answer_is_read_and_timed(ask):
    body = json.dumps(GOOD).encode()
    answer = ask(says(body))
    assert answer.result == "[FORECAST — …]\nsun"
    assert answer.source_used == "fusion"
    assert answer.error is None
    assert answer.http_status == 200
    assert answer.cached is False
    assert answer.length_bytes == len(body)
    assert answer.sha256 == hashlib.sha256(body).hexdigest()
    assert 0 < answer.latency_ms < 5000


def test_the_question_is_posted_as_json_with_the_source(server, target_at):
    server.scripts["/search"] = says(GOOD)
    target_at(server.url).ask("what's new?", "kiwix")
    request = server.asked("/search")[0]
    assert request.method == "POST"
    assert json.loads(request.body) == {"query": "what's new?", "source": "kiwix"}
    assert request.headers["content-type"] == "application/json"


def test_a_routed_answer_is_asked_for_with_the_source_auto(server, ask):
    ask(says(GOOD))
    assert json.loads(server.requests[0].body)["source"] == "auto"


def test_a_selftest_header_is_always_sent_and_no_key_where_none_is_set(server, ask):
    ask(says(GOOD))
    assert server.requests[0].headers["x-selftest"] == "1"
    assert server.requests[0].headers["accept-encoding"] == "identity"
    assert "x-api-key" not in server.requests[0].headers


def test_the_api_key_is_sent_where_one_is_set(server, ask):
    ask(says(GOOD), api_key="s3cret")
    assert server.requests[0].headers["x-api-key"] == "s3cret"


def test_the_api_key_is_not_shown_with_the_settings():
    assert "s3cret" not in repr(HttpSettings("http://localhost", api_key="s3cret"))


def test_path_and_field_names_are_settings(server, target_at):
    server.scripts["/v1/find?lang=en"] = says({"data": {"answer": "yes", "from": {"name": "web"}}, "hit": True})
    target = target_at(
        server.url + "/",
        path="/v1/find?lang=en",
        query_field="q",
        source_field="engine",
        result_field="data.answer",
        source_used_field="data.from.name",
        cached_field="hit",
    )
    answer = target.ask("is it?")
    assert (answer.result, answer.source_used, answer.cached, answer.error) == ("yes", "web", True, None)
    assert json.loads(server.requests[0].body) == {"q": "is it?", "engine": "auto"}


def test_missing_success_and_cached_count_as_true_and_false(ask):
    answer = ask(says({"result": "text", "source_used": "web"}))
    assert (answer.error, answer.cached) == (None, False)


def test_a_cached_answer_says_so(ask):
    assert ask(says({**GOOD, "cached": True})).cached is True


def test_proxies_of_the_environment_are_not_used(ask, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert ask(says(GOOD)).error is None


def test_cookies_of_one_answer_do_not_colour_the_next_question(server, target_at):
    server.scripts["/search"] = says(GOOD, headers="Set-Cookie: seen=1; Path=/\r\n")
    target = target_at(server.url)
    target.ask("one")
    target.ask("two")
    assert "cookie" not in server.requests[1].headers


def test_a_query_with_a_lone_surrogate_can_be_asked(server, target_at):
    server.scripts["/search"] = says(GOOD)
    target_at(server.url).ask("half \ud83d a face")
    assert json.loads(server.requests[0].body)["query"] == "half \ud83d a face"


def test_no_more_questions_are_open_at_once_than_allowed_and_waiting_is_not_timed(server, target_at):
    lock = threading.Lock()
    open_now: list[int] = []
    most_open: list[int] = []

    def one_at_a_time(conversation: Conversation) -> None:
        with lock:
            open_now.append(1)
            most_open.append(len(open_now))
        conversation.hung_up_within(0.2)
        with lock:
            open_now.pop()
        conversation.answer(GOOD)

    server.scripts["/search"] = one_at_a_time
    target = target_at(server.url, requests_at_once=2, time_limit_s=0.5)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(target.ask, "abcdefgh"))
    assert max(most_open) == 2
    assert [answer.error for answer in answers] == [None] * 8  # the last waited for 0.6 s before it was sent


# --- Crashes that the target itself tells of ---


def test_success_false_is_a_crash_although_the_status_is_200(ask):
    answer = ask(says({**GOOD, "success": False, "error": "kiwix: connection pool is closed", "result": None}))
    assert answer.error == "kiwix: connection pool is closed"
    assert (answer.http_status, answer.result, answer.source_used) == (200, "", "fusion")


def test_an_error_that_is_no_text_is_rendered_as_json(ask):
    answer = ask(says({"success": False, "error": {"code": 7, "why": "brüchig"}}))
    assert answer.error == '{"code": 7, "why": "brüchig"}'


@pytest.mark.parametrize("error", [None, ""])
def test_success_false_without_a_reason_is_a_crash_too(ask, error):
    answer = ask(says({**GOOD, "success": False, "error": error}))
    assert answer.error == "field 'success' is false, and no reason is given"


def test_a_success_that_is_neither_true_nor_false_is_spelled_out(ask):
    assert ask(says({**GOOD, "success": "yes"})).error == "field 'success' is text, neither true nor false"


def test_a_500_with_a_body_is_a_crash_with_its_first_bytes(ask):
    answer = ask(says("Traceback (most recent call last):\n  File …", "500 Internal Server Error"))
    assert answer.error == "HTTP 500: Traceback (most recent call last): File …"
    assert answer.result == "Traceback (most recent call last):\n  File …"
    assert (answer.http_status, answer.source_used) == (500, "")


def test_a_500_without_a_body_is_a_crash(ask):
    assert ask(says("", "500 Internal Server Error")).error == "HTTP 500, without a body"


@pytest.mark.parametrize("status", ["400 Bad Request", "422 Unprocessable", "429 Too Many", "410 Gone"])
def test_another_4xx_is_a_crash_with_its_first_bytes(ask, status):
    assert ask(says("not like this", status)).error == f"HTTP {status[:3]}: not like this"


def test_a_long_error_page_is_cut(ask):
    answer = ask(says("x" * 10_000, "400 Bad Request"))
    assert answer.error == "HTTP 400: " + "x" * 200 + "…"
    assert answer.result == "x" * 2000
    assert answer.length_bytes == 10_000


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden"])
def test_a_refused_api_key_is_no_crash_and_says_what_to_do(server, ask, status):
    with pytest.raises(TargetAway) as away:
        ask(says("who are you, stale?", status), api_key="stale")
    assert str(away.value) == (
        f"POST {server.url}/search: HTTP {status[:3]}: the API key was refused;"
        " set it on the target in the admin, or TARGET_API_KEY"
    )


def test_a_refusal_without_a_key_says_that_none_is_set(ask):
    with pytest.raises(TargetAway, match="HTTP 401: an API key is wanted and none is set; set it on the target"):
        ask(says("", "401 Unauthorized"))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("404 Not Found", "HTTP 404: nothing at this path; set the target's path"),
        ("405 Method Not Allowed", "HTTP 405: this path takes no POST; set the target's path"),
    ],
)
def test_a_wrong_path_is_no_crash_and_says_what_to_do(server, ask, status, said):
    with pytest.raises(TargetAway) as away:
        ask(says("no such page", status))
    assert str(away.value) == f"POST {server.url}/search: {said}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_crash_and_is_not_followed(server, ask, status):
    answer = ask(says("", f"{status} Elsewhere", "Location: /elsewhere\r\n"))
    assert answer.error == f"HTTP {status}: a redirect to /elsewhere; redirects are not followed"
    assert [request.path for request in server.requests] == ["/search"]


@pytest.mark.parametrize("location", ["http://[", "gopher://x", "http://h:99999999/", "\\\\", "//", "x" * 70_000])
def test_a_redirect_to_nonsense_is_a_crash_like_any(ask, location):
    answer = ask(says("", "302 Found", f"Location: {location}\r\n"))
    assert answer.error is not None
    assert answer.error.startswith("HTTP 302: a redirect to ")


# --- Answers in which there is none ---

NOT_ANSWERS = {
    "html": (b"<html>welcome</html>", "the answer is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "empty": (b"", "the answer is empty, not JSON"),
    "blank": (b" \r\n ", "the answer is empty, not JSON"),
    "cut JSON": (
        b'{"result": "a',
        "the answer is not JSON: Unterminated string starting at: line 1 column 12 (char 11)",
    ),
    "list": (b'["result"]', "the answer is not a JSON object but a list"),
    "text": (b'"result"', "the answer is not a JSON object but text"),
    "number": (b"5", "the answer is not a JSON object but a number"),
    "null": (b"null", "the answer is not a JSON object but null"),
    "no result": (b'{"source_used": "web"}', "field 'result' is missing"),
    "no source": (b'{"result": "text"}', "field 'source_used' is missing"),
    "null result": (b'{"result": null, "source_used": "web"}', "field 'result' is null, not text"),
    "true result": (b'{"result": true, "source_used": "web"}', "field 'result' is a boolean, not text"),
    "NaN result": (b'{"result": NaN, "source_used": "web"}', "field 'result' is a number, not text"),
    "object result": (b'{"result": {}, "source_used": "web"}', "field 'result' is an object, not text"),
    "number source": (b'{"result": "", "source_used": 3}', "field 'source_used' is a number, not text"),
    "latin-1": (b'{"result": "gr\xfcn"}', "the answer is not JSON: invalid UTF-8 at byte 14"),
}


@pytest.mark.parametrize(("body", "error"), NOT_ANSWERS.values(), ids=NOT_ANSWERS)
def test_a_body_without_an_answer_is_a_crash_with_the_reason_and_its_first_bytes(ask, body, error):
    answer = ask(says(body))
    assert answer.error == error
    assert answer.result == body.decode("utf-8", errors="replace")
    assert answer.source_used == ""
    assert answer.http_status == 200
    assert answer.sha256 == hashlib.sha256(body).hexdigest()


def test_a_dotted_path_that_ends_too_early_is_named_whole(ask):
    answer = ask(says({"data": "text", "source_used": "web"}), result_field="data.answer")
    assert answer.error == "field 'data.answer' is missing"


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_nesting_is_a_crash_of_the_target_not_of_ours(ask, opening):
    answer = ask(says(b'{"result": ' + opening * 200_000))
    assert answer.error == "the answer is JSON nested too deeply to be read"
    assert len(answer.result) == 2000


def test_a_deeply_nested_error_does_not_raise(ask):
    for depth in range(100, 1100, 100):
        answer = ask(says(b'{"success": false, "error": ' + b"[" * depth + b"]" * depth + b"}"))
        assert answer.error


def test_huge_numbers_and_nan_beside_the_answer_do_no_harm(ask):
    body = b'{"result": "text", "source_used": "web", "n": 1%s, "m": -1%s.5e99999, "x": [NaN, -Infinity]}'
    answer = ask(says(body % (b"0" * 9000, b"0" * 9000)))
    assert (answer.result, answer.error) == ("text", None)


def test_a_huge_number_as_the_error_does_not_raise(ask):
    assert ask(says(b'{"success": false, "error": ' + b"9" * 50_000 + b"}")).error == "Infinity"


def test_nul_is_kept_as_it_came(ask):
    answer = ask(says(b'{"result": "a\\u0000b", "source_used": "web"}'))
    assert (answer.result, answer.error) == ("a\0b", None)


def test_a_lone_surrogate_is_kept_as_it_came(ask):
    body = b'{"result": "a\\ud800b", "source_used": "web"}'
    answer = ask(says(body))
    assert (answer.result, answer.error) == ("a\ud800b", None)
    assert (answer.length_bytes, answer.sha256) == (len(body), hashlib.sha256(body).hexdigest())


def test_a_reason_shows_no_control_characters(ask):
    assert ask(says(b"a\0b\x1b[31m\xff", "500 Oops")).error == "HTTP 500: a b [31m�"


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


def test_a_gzip_bomb_is_not_unpacked(ask):
    bomb = gzip.compress(b" " * 50_000_000)
    answer = ask(says(bomb, headers="Content-Encoding: gzip\r\n"))
    assert answer.error == "the answer is in Content-Encoding gzip, although identity was asked for"
    assert answer.length_bytes == len(bomb)


def test_a_compressed_error_page_is_not_shown_as_noise(ask):
    answer = ask(says(gzip.compress(b"oops"), "500 Oops", "Content-Encoding: gzip\r\n"))
    assert answer.error == "HTTP 500, with a body in Content-Encoding gzip"


def test_identity_spelled_out_is_no_encoding(ask):
    assert ask(says(GOOD, headers="Content-Encoding: Identity\r\n")).error is None


# --- Time ---

DRIPS = {
    "nothing at all": never_answers,
    "status line": lambda conversation: conversation.drip(b"HTTP/1.1 2000"),
    "headers": lambda conversation: conversation.drip(b"HTTP/1.1 200 OK\r\nX-Slow: aaaa"),
    "informational answers": lambda conversation: conversation.drip(b"HTTP/1.1 102 Processing\r\n\r\n" * 1000, 0.001),
    "body with a length": lambda c: (c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"), c.drip(b"{ ")),
    "body until close": lambda c: (c.send(b"HTTP/1.1 200 OK\r\n\r\n"), c.drip(b"{ ")),
    "chunk size": lambda c: (c.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), c.drip(b"1;aaaa")),
}


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


def test_a_slow_answer_inside_a_tls_connection_ends_at_the_limit_too(monkeypatch, target_at, dripping_tls):
    url, certificate = dripping_tls
    trusting = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr(http, "_tls_context", lambda: trusting)
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


# --- Outages ---


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_502_503_or_504_is_an_outage_whatever_its_body_says(ask, status):
    with pytest.raises(TargetAway, match=f"HTTP {status}"):
        ask(says({**GOOD, "success": False, "error": "busy"}, f"{status} Away"))


def test_an_outage_told_by_status_is_not_waited_for_to_end(ask):
    def endless(conversation: Conversation) -> None:
        conversation.send(b"HTTP/1.1 503 Away\r\n\r\n")
        conversation.hung_up_within(None)

    with pytest.raises(TargetAway, match="HTTP 503"):
        ask(endless)


def test_a_refused_connection_is_an_outage(target_at, closed_port):
    with pytest.raises(TargetAway, match="Connection refused"):
        target_at(f"http://127.0.0.1:{closed_port}").ask("anybody?")


def test_a_name_that_does_not_resolve_is_an_outage(target_at, monkeypatch):
    def no_such_name(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    target = target_at("http://nowhere.invalid")
    with pytest.raises(TargetAway, match="Name or service not known"):
        target.ask("anybody?")
    assert target.reach().reachable is False


def test_a_connection_that_is_never_taken_up_is_an_outage(target_at, full_port):
    with pytest.raises(TargetAway, match=r"no connection within 0\.3 s"):
        target_at(f"http://127.0.0.1:{full_port}", time_limit_s=0.3).ask("anybody?")


def test_a_certificate_that_nobody_vouches_for_is_an_outage(target_at, dripping_tls):
    url, _ = dripping_tls
    with pytest.raises(TargetAway, match="certificate verify failed"):
        target_at(url).ask("who are you?")


def test_plain_http_spoken_to_as_tls_is_an_outage(server, target_at):
    with pytest.raises(TargetAway):
        target_at(server.url.replace("http:", "https:"), time_limit_s=0.3).ask("anybody?")


def test_no_answer_from_a_target_whose_health_is_down_is_an_outage(server, ask):
    server.scripts["/health"] = says("", "502 Bad Gateway")
    with pytest.raises(TargetAway, match=r"no answer within 0\.5 s; GET .*/health: HTTP 502"):
        ask(never_answers, time_limit_s=0.5)


def test_no_answer_from_a_target_whose_health_hangs_is_an_outage(server, ask, monkeypatch):
    monkeypatch.setattr(http, "HEALTH_TIME_LIMIT_S", 0.3)
    server.scripts["/health"] = DRIPS["headers"]
    with pytest.raises(TargetAway, match=r"/health: no answer within 0\.3 s"):
        ask(never_answers, time_limit_s=0.3)


def test_no_answer_from_a_target_that_is_up_but_has_no_health_page_is_a_crash(server, ask):
    server.scripts["/health"] = says("no such page", "404 Not Found")
    assert ask(never_answers, time_limit_s=0.5).error == "no answer within 0.5 s"


# --- Reach ---


def test_any_answer_to_the_health_call_means_that_the_target_is_there(server, target_at):
    for status in ("200 OK", "204 No Content", "302 Found", "401 Unauthorized", "404 Not Found", "500 Oops"):
        server.scripts["/health"] = says("", status)
        assert target_at(server.url).reach() == Reachability(True, f"GET {server.url}/health: HTTP {status[:3]}")


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_health_call_answered_by_an_absent_gateway_means_that_it_is_away(server, target_at, status):
    server.scripts["/health"] = says("{}", f"{status} Away")
    assert target_at(server.url).reach().reachable is False


def test_the_version_is_taken_from_the_health_body(server, target_at):
    server.scripts["/health"] = says({"status": "ok", "version": "3.41.0"})
    assert target_at(server.url).reach().version == "3.41.0"


def test_the_version_header_wins_over_the_body(server, target_at):
    server.scripts["/health"] = says({"version": "3.41.0"}, headers="X-Version: 4.0\r\n")
    assert target_at(server.url).reach().version == "4.0"


@pytest.mark.parametrize(
    "body", ["", "fine", "[]", '{"version": null}', '{"version": {}}', '{"version": true}', "[" * 60_000, "9" * 90_000]
)
def test_a_health_answer_without_a_readable_version_has_none(server, target_at, body):
    server.scripts["/health"] = says(body)
    reachability = target_at(server.url).reach()
    assert (reachability.reachable, reachability.version) == (True, "")


def test_a_health_body_that_drips_has_answered_all_the_same(server, target_at, monkeypatch):
    monkeypatch.setattr(http, "HEALTH_TIME_LIMIT_S", 0.3)
    server.scripts["/health"] = DRIPS["body until close"]
    assert target_at(server.url).reach().reachable is True


def test_a_health_call_that_is_never_answered_means_that_it_is_away(server, target_at, monkeypatch):
    monkeypatch.setattr(http, "HEALTH_TIME_LIMIT_S", 0.3)
    server.scripts["/health"] = never_answers
    reachability = target_at(server.url).reach()
    assert reachability == Reachability(False, f"GET {server.url}/health: no answer within 0.3 s")


def test_a_health_call_does_not_wait_for_slow_answers(server, target_at):
    asked = threading.Event()

    def slow(conversation: Conversation) -> None:
        asked.set()
        conversation.hung_up_within(None)

    server.scripts["/search"] = slow
    target = target_at(server.url, requests_at_once=1, time_limit_s=1.0)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(target.ask, "slow one")
        assert asked.wait(5)
        assert target.reach().reachable is True
        assert not answer.done()
        assert answer.result().error == "no answer within 1 s"


def test_without_a_health_path_an_open_port_is_enough(server, target_at):
    target = target_at(server.url, health_path="")
    assert target.reach() == Reachability(True, f"connecting to 127.0.0.1 port {server.port}: connected")
    assert server.requests == []


def test_without_a_health_path_a_closed_port_means_that_it_is_away(target_at, closed_port):
    reachability = target_at(f"http://127.0.0.1:{closed_port}", health_path="").reach()
    assert reachability.reachable is False
    assert "refused" in reachability.detail


# --- Settings that cannot be ---

BAD_SETTINGS = {
    "no scheme": ("base_url", {"base_url": "localhost:8000"}),
    "empty": ("base_url", {"base_url": ""}),
    "no host": ("base_url", {"base_url": "http://"}),
    "another scheme": ("base_url", {"base_url": "ftp://localhost"}),
    "a port too high": ("base_url", {"base_url": "http://localhost:70000"}),
    "port nought": ("base_url", {"base_url": "http://localhost:0"}),
    "a port of letters": ("base_url", {"base_url": "http://localhost:http"}),
    "a label too long": ("base_url", {"base_url": f"http://{'a' * 64}.org"}),
    "an empty label": ("base_url", {"base_url": "http://a..b"}),
    "half an address": ("base_url", {"base_url": "http://[::1"}),
    "a line break": ("base_url", {"base_url": "http://local\nhost"}),
    "far too long": ("base_url", {"base_url": "http://localhost/" + "a" * 70_000}),
    "a password": ("base_url", {"base_url": "http://me:pw@localhost"}),
    "a query": ("base_url", {"base_url": "http://localhost?x=1"}),
    "a surrogate": ("base_url", {"base_url": "http://localhost/\ud800"}),
    "a path without slash": ("path", {"path": "@elsewhere.org/"}),
    "a path too long": ("path", {"path": "/" + "a" * 70_000}),
    "a health path without slash": ("health_path", {"health_path": "health"}),
    "a key of two lines": ("api_key", {"api_key": "a\r\nX-Evil: 1"}),
    "a key beyond ASCII": ("api_key", {"api_key": "schlüssel"}),
    "no time": ("time_limit_s", {"time_limit_s": 0}),
    "time that is none": ("time_limit_s", {"time_limit_s": float("nan")}),
    "no requests": ("requests_at_once", {"requests_at_once": 0}),
    "a nameless question": ("query_field", {"query_field": ""}),
    "a nameless answer": ("result_field", {"result_field": ""}),
    "a gap in a path": ("source_used_field", {"source_used_field": "data..source"}),
}


@pytest.mark.parametrize(("named", "settings"), BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_settings_that_cannot_be_are_refused_by_name(named, settings):
    with pytest.raises(ValueError, match=f"^{named}: "):
        HttpTarget(HttpSettings(**{"base_url": "http://localhost", **settings}))


@pytest.mark.parametrize("base_url", ["http://[::1]:8000", "https://bücher.example/api/", "http://10.0.0.7"])
def test_usual_addresses_are_taken(base_url):
    HttpTarget(HttpSettings(base_url)).close()


# --- Ports and certificates ---


@pytest.fixture
def closed_port():
    """A port of ours on which nobody listens."""
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


def test_closing_ends_the_conversations_under_way(server, target_at):
    """Whoever stops does not wait for a target that hangs."""
    asked = threading.Event()

    def hang(conversation: Conversation) -> None:
        asked.set()
        never_answers(conversation)

    server.scripts["/search"] = hang
    target = target_at(server.url, time_limit_s=60.0)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(target.ask, "anybody?")
        assert asked.wait(10)
        target.close()
        with pytest.raises(TargetAway, match="not waited for any more"):
            asking.result(10)
    with pytest.raises(TargetAway, match="not asked any more"):
        target.ask("anybody?")
    assert server.asked("/health") == []
