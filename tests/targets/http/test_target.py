"""An HTTP target asks as TARGET.md says, and tells an answer from an outage."""

import hashlib
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from selftest.targets.base import TargetAway
from selftest.targets.http import target as http_target
from selftest.targets.http.settings import HttpSettings
from tests.targets.http.raw_server import Conversation
from tests.targets.http.scripts import DRIPS, GOOD, never_answers, says

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
        target_at(f"http://127.0.0.1:{closed_port}").ask("still there?")


def test_a_name_that_does_not_resolve_is_an_outage(target_at, monkeypatch):
    def no_such_name(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    target = target_at("http://nowhere.invalid")
    with pytest.raises(TargetAway, match="Name or service not known"):
        target.ask("still there?")
    assert target.reach().reachable is False


def test_a_connection_that_is_never_taken_up_is_an_outage(target_at, full_port):
    with pytest.raises(TargetAway, match=r"no connection within 0\.3 s"):
        target_at(f"http://127.0.0.1:{full_port}", time_limit_s=0.3).ask("still there?")


@pytest.mark.process
def test_a_certificate_that_nobody_vouches_for_is_an_outage(target_at, dripping_tls):
    url, _ = dripping_tls
    with pytest.raises(TargetAway, match="certificate verify failed"):
        target_at(url).ask("who are you?")


def test_plain_http_spoken_to_as_tls_is_an_outage(server, target_at):
    with pytest.raises(TargetAway):
        target_at(server.url.replace("http:", "https:"), time_limit_s=0.3).ask("still there?")


def test_no_answer_from_a_target_whose_health_is_down_is_an_outage(server, ask):
    server.scripts["/health"] = says("", "502 Bad Gateway")
    with pytest.raises(TargetAway, match=r"no answer within 0\.5 s; GET .*/health: HTTP 502"):
        ask(never_answers, time_limit_s=0.5)


def test_no_answer_from_a_target_whose_health_hangs_is_an_outage(server, ask, monkeypatch):
    monkeypatch.setattr(http_target, "HEALTH_TIME_LIMIT_S", 0.3)
    server.scripts["/health"] = DRIPS["headers"]
    with pytest.raises(TargetAway, match=r"/health: no answer within 0\.3 s"):
        ask(never_answers, time_limit_s=0.3)


def test_no_answer_from_a_target_that_is_up_but_has_no_health_page_is_a_crash(server, ask):
    server.scripts["/health"] = says("no such page", "404 Not Found")
    assert ask(never_answers, time_limit_s=0.5).error == "no answer within 0.5 s"
