"""Whether an HTTP target is up, and its version. Expected values come from TARGET.md."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from selftest.targets.base import Reachability
from selftest.targets.http import target as http_target
from tests.targets.http.raw_server import Conversation
from tests.targets.http.scripts import DRIPS, never_answers, says


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
    monkeypatch.setattr(http_target, "HEALTH_TIME_LIMIT_S", 0.3)
    server.scripts["/health"] = DRIPS["body until close"]
    assert target_at(server.url).reach().reachable is True


def test_a_health_call_that_is_never_answered_means_that_it_is_away(server, target_at, monkeypatch):
    monkeypatch.setattr(http_target, "HEALTH_TIME_LIMIT_S", 0.3)
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
