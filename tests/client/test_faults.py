"""Both clients against a real server, with what networks do in between: nothing that changes something acts twice."""

import socket
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.http import http_date

from review.client import operations as call
from review.client.clients import Client
from review.client.errors import (
    CallError,
    ConflictError,
    ConnectionFailedError,
    DeadlineExceededError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    RequestRefusedError,
    ServerError,
    TimedOutError,
    UnauthorisedError,
    UnderWayError,
    UnreadableAnswerError,
)
from review.client.models import FindingIn, JudgeIn
from review.client.policy import Terms
from selftest.cycles.cause_assignment import assign_causes
from selftest.findings.models import Finding
from selftest.models import Target
from tests.api.conftest import History
from tests.client.conftest import Send, Waits
from tests.client.faulty_proxy import Answer, Fault, FaultyProxy

pytestmark = pytest.mark.django_db(transaction=True)

NOTE = FindingIn(category="notes/speed", content="It is slow.")
BUSY = Answer(503)
SOON = Terms(deadline_s=0.8, timeout_s=0.3, first_wait_s=0.01)


def saved() -> int:
    return Finding.objects.count()


# --- what passes ---


def test_after_a_503_the_answer_of_the_next_attempt_counts(
    send: Send, proxy: FaultyProxy, waits: Waits, target: Target
) -> None:
    proxy.faults = [BUSY, BUSY]
    assert [row.name for row in send(call.targets()).items] == [target.name]
    assert len(proxy.seen) == 3
    first, second = waits.slept
    assert 0.25 <= first <= 0.5 <= second <= 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_each_passing_status_passes(status: int, send: Send, proxy: FaultyProxy) -> None:
    proxy.faults = [Answer(status)]
    assert send(call.targets()).items == []


def test_a_429_is_waited_out_for_as_long_as_it_asks(send: Send, proxy: FaultyProxy, waits: Waits) -> None:
    proxy.faults = [Answer(429, (("Retry-After", "2"),))]
    send(call.targets())
    [slept] = waits.slept
    assert 2 <= slept <= 2.5


def test_a_date_is_waited_for_too(send: Send, proxy: FaultyProxy, waits: Waits) -> None:
    moment = timezone.now() + timedelta(seconds=10)
    proxy.faults = [Answer(503, (("Retry-After", http_date(moment.timestamp())),))]
    send(call.targets())
    [slept] = waits.slept
    assert 5 <= slept <= 10.5  # a date has whole seconds, and the machine may be slow


def test_the_client_truly_waits(proxy: FaultyProxy, key: str) -> None:
    proxy.faults = [Answer(429, (("Retry-After", "1"),))]
    began = time.monotonic()
    with Client(proxy.url, key) as client:
        client.send(call.targets())
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize("fault", ["cut", "cut in the body"])
def test_a_connection_that_is_cut_is_made_again(fault: Fault, send: Send, proxy: FaultyProxy, target: Target) -> None:
    proxy.faults = [fault]
    assert [row.name for row in send(call.targets()).items] == [target.name]
    assert len(proxy.seen) == 2


# --- the deadline ---


def test_the_deadline_ends_a_retry_in_its_middle(send: Send, proxy: FaultyProxy) -> None:
    proxy.faults = [BUSY, "hang"]
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError) as caught:
        send(call.targets(), replace(SOON, timeout_s=60))
    assert time.monotonic() - began < 5  # and not the minute that a read may take
    assert len(proxy.seen) == 2
    assert isinstance(caught.value.__cause__, TimedOutError)


def test_the_deadline_ends_an_answer_that_comes_byte_by_byte(send: Send, proxy: FaultyProxy, target: Target) -> None:
    proxy.faults = ["trickle"]
    began = time.monotonic()
    with pytest.raises(DeadlineExceededError):
        send(call.targets(), replace(SOON, timeout_s=60))
    assert time.monotonic() - began < 5
    assert len(proxy.seen) == 1


def test_attempts_end_with_the_deadline(send: Send, proxy: FaultyProxy, waits: Waits) -> None:
    proxy.faults = [BUSY] * 100
    with pytest.raises(DeadlineExceededError, match="no answer within 30 s; the last attempt: HTTP 503") as caught:
        send(call.targets())
    assert sum(waits.slept) < 30
    assert 5 <= len(proxy.seen) == caught.value.told.attempts <= 12
    assert isinstance(caught.value.__cause__, ServerError)


def test_a_wait_beyond_the_deadline_is_told_at_once(send: Send, proxy: FaultyProxy, waits: Waits) -> None:
    proxy.faults = [Answer(429, (("Retry-After", "3600"),))]
    with pytest.raises(RateLimitedError) as caught:
        send(call.targets())
    assert (caught.value.told.retry_after_s, waits.slept) == (3600, [])


def test_without_a_server_attempts_end_with_the_deadline(send: Send, waits: Waits) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(DeadlineExceededError) as caught:
            send(call.targets(), url=f"http://127.0.0.1:{closed.getsockname()[1]}")
    assert isinstance(caught.value.__cause__, ConnectionFailedError)
    assert len(waits.slept) >= 4


# --- nothing acts twice ---

LOST: list[Fault] = [BUSY, Answer(502), Answer(429), "cut", "cut in the body"]


@pytest.mark.parametrize("fault", LOST)
def test_a_change_is_sent_again_with_its_key_and_acts_once(fault: Fault, send: Send, proxy: FaultyProxy) -> None:
    proxy.faults = [fault, fault]
    operation = call.save_finding(NOTE)
    answer = send(operation)
    assert proxy.keys == [f'"{operation.key}"'] * 3
    assert (saved(), answer.finding.id) == (1, Finding.objects.get().pk)


def test_the_same_operation_sent_again_brings_the_first_answer(send: Send) -> None:
    operation = call.save_finding(NOTE)
    assert send(operation) == send(operation)
    assert send(call.save_finding(NOTE)).finding.id != send(operation).finding.id
    assert saved() == 2


def test_a_change_that_hangs_is_done_once_and_its_answer_comes_with_the_next_attempt(
    send: Send, proxy: FaultyProxy
) -> None:
    proxy.faults = ["hang"]
    assert send(call.save_finding(NOTE), Terms(timeout_s=2)).finding.content == "It is slow."
    assert (saved(), len(proxy.seen)) == (1, 2)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (BUSY, ServerError),
        (Answer(429, (("Retry-After", "1"),)), RateLimitedError),
        ("cut", ConnectionFailedError),
        ("cut in the body", ConnectionFailedError),
        ("hang", TimedOutError),
    ],
)
def test_without_a_key_a_change_is_sent_once_whatever_happens(
    fault: Fault, kind: type[CallError], send: Send, proxy: FaultyProxy, waits: Waits
) -> None:
    proxy.faults = [fault]
    with pytest.raises(kind):
        send(replace(call.save_finding(NOTE), key=None), Terms(timeout_s=2))
    assert (proxy.keys, waits.slept) == ([None], [])
    assert saved() == (0 if isinstance(fault, Answer) else 1)


def test_a_deletion_whose_answer_is_lost_is_no_missing_finding(send: Send, proxy: FaultyProxy) -> None:
    number = send(call.save_finding(NOTE)).finding.id
    proxy.faults = ["cut"]
    assert send(call.delete_finding(number)).deleted == number
    assert saved() == 0


# --- refusals, each of its own type and sent once ---


def test_what_does_not_exist_is_not_found(send: Send, proxy: FaultyProxy) -> None:
    with pytest.raises(NotFoundError) as caught:
        send(call.run(7))
    told = caught.value.told
    assert (told.status, told.code, told.attempts, len(proxy.seen)) == (404, "not_found", 1, 1)
    assert str(caught.value) == (
        f"run: GET {proxy.url}/api/v1/runs/7: HTTP 404 not_found: there is no run 7. "
        "Look up its number or name again; check the base URL if nothing is found."
    )


def test_a_wrong_field_is_named(send: Send, proxy: FaultyProxy) -> None:
    with pytest.raises(RequestRefusedError) as caught:
        send(call.save_finding(FindingIn(category=" ", content="It is slow.")))
    assert (caught.value.told.status, caught.value.told.field) == (422, "category")
    with pytest.raises(RequestRefusedError) as caught:
        send(call.targets(limit=0))
    assert caught.value.told.field == "limit"
    assert len(proxy.seen) == 2


def test_a_conflict_says_what_has_changed(send: Send, proxy: FaultyProxy, history: History) -> None:
    history.flagged("comets")
    assign_causes(history.target, timezone.now())
    [cause] = send(call.causes()).items
    with pytest.raises(ConflictError) as caught:
        send(call.judge_cause(cause.id, JudgeIn(verdict="confirmed", seen_flags=0)))
    assert caught.value.told.code == "outdated"
    assert not isinstance(caught.value, UnderWayError)
    assert len(proxy.seen) == 2


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RequestRefusedError),
        (401, UnauthorisedError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (405, RequestRefusedError),
        (409, ConflictError),
        (413, RequestRefusedError),
        (418, RequestRefusedError),
        (422, RequestRefusedError),
        (500, ServerError),
        (501, ServerError),
        (302, UnreadableAnswerError),
    ],
)
def test_a_status_that_stays_is_an_error_at_once(
    status: int, kind: type[CallError], send: Send, proxy: FaultyProxy
) -> None:
    proxy.faults = [Answer(status)]
    with pytest.raises(kind) as caught:
        send(call.save_finding(NOTE))
    assert type(caught.value) is kind
    assert "<html>a proxy</html>" in str(caught.value)
    assert (len(proxy.seen), saved()) == (1, 0)


def test_a_change_that_is_under_way_is_an_error_of_its_own(send: Send, proxy: FaultyProxy) -> None:
    body = b'{"error": {"code": "under_way", "message": "in a moment", "field": null}}'
    proxy.faults = [Answer(409, (("Retry-After", "1"),), body)]
    with pytest.raises(UnderWayError) as caught:
        send(call.save_finding(NOTE))
    assert caught.value.told.retry_after_s == 1
    assert caught.value.told.key is not None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"items": []}', b"\xff", b'{"items": 7, "next": null}'])
def test_an_answer_of_something_else_is_told(body: bytes, send: Send, proxy: FaultyProxy) -> None:
    proxy.faults = [Answer(200, body=body)]
    with pytest.raises(UnreadableAnswerError):
        send(call.targets())


def test_an_error_tells_no_secrets(send: Send, proxy: FaultyProxy, key: str) -> None:
    url = proxy.url.replace("http://", "http://ada:hunter2@")
    proxy.faults = [Answer(500)]
    with pytest.raises(ServerError) as caught:
        send(call.flags(check="crash"), url=url)
    for text in (str(caught.value), repr(caught.value), repr(caught.value.told)):
        assert "hunter2" not in text
        assert key not in text
    assert f"{proxy.url}/api/v1/flags?check=crash" in str(caught.value)
