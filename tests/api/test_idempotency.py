"""The header Idempotency-Key: what is sent twice acts once, on any database, however close together it is sent."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.db import connections
from django.test import Client

from selftest.cycles import handing_over
from selftest.findings.models import Finding
from selftest.models import Combination, IdempotentCall, Reduction
from selftest.operating.housekeeping import keep_house
from selftest.operating.idempotency import acting, claim
from selftest.operating.keys import make_api_key
from selftest.refusals import UnderWayError
from selftest.storage import broker_faults
from tests.api.conftest import NOON, History, error_of

pytestmark = pytest.mark.django_db

FINDINGS = "/api/v1/findings"
KEY = '"8e03978e-40d5-43dd-bc93-6894a57f9324"'
NOTE = {"category": "notes/speed", "content": "It is slow."}
OTHER_NOTE = {**NOTE, "content": "It is quick."}


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates


def save(client: Client, key: str | None = KEY, note: dict[str, str] = NOTE, path: str = FINDINGS) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(path, note, content_type="application/json", headers=headers)


def saved() -> int:
    return Finding.objects.count()


# --- the same call again ---


def test_the_same_call_acts_once_and_gets_the_first_answer_again(caller: Client) -> None:
    first, second = save(caller), save(caller)
    assert (first.status_code, second.status_code, saved()) == (201, 201, 1)
    assert second.content == first.content
    assert second["Content-Type"].partition(";")[0] == "application/json"
    assert ("Idempotency-Replayed" in first, second["Idempotency-Replayed"]) == (False, "true")


def test_without_a_key_and_with_another_one_it_acts_again(caller: Client) -> None:
    for key in (None, None, "one", "two"):
        assert save(caller, key).status_code == 201
    assert saved() == 4


@pytest.mark.parametrize(("note", "path"), [(OTHER_NOTE, FINDINGS), (NOTE, f"{FINDINGS}?x=1")])
def test_with_another_request_the_key_is_refused(note: dict[str, str], path: str, caller: Client) -> None:
    save(caller)
    assert error_of(save(caller, note=note, path=path), 422)["code"] == "key_reused"
    assert saved() == 1


def test_a_key_belongs_to_one_caller_and_one_path(caller: Client, signed_in: Client, csrf_token: Any) -> None:
    another = Client(headers={"X-API-Key": make_api_key("another script")})
    assert save(caller).json()["finding"]["saved_by"] == "key script"
    assert save(another, note=OTHER_NOTE).json()["finding"]["saved_by"] == "key another script"
    browsers = {**csrf_token, "Idempotency-Key": KEY}
    for _ in range(2):
        found = signed_in.post(FINDINGS, NOTE, content_type="application/json", headers=browsers)
        assert found.json()["finding"]["saved_by"] == "ada"
    assert saved() == 3
    path = f"{FINDINGS}/{found.json()['finding']['id']}"
    for _ in range(2):
        assert caller.delete(path, headers={"Idempotency-Key": KEY}).json()["freed"] == []
    assert saved() == 2


def test_a_call_that_changes_nothing_needs_no_key_and_keeps_none(caller: Client) -> None:
    assert caller.get(FINDINGS, headers={"Idempotency-Key": KEY}).json() == {"findings": [], "next": None}
    assert not IdempotentCall.objects.exists()


def test_the_calls_of_the_specification_take_no_notice_of_it(caller: Client, history: History) -> None:
    fingerprint = history.flagged("comets").fingerprint
    response = caller.post("/adversarial/dismiss", {"fingerprint": fingerprint}, headers={"Idempotency-Key": "x" * 256})
    assert response.status_code == 200
    assert not IdempotentCall.objects.exists()


# --- refusals ---


def test_a_refused_call_leaves_its_key_free(caller: Client) -> None:
    error_of(save(caller, note={"category": "notes"}), 422)
    error_of(caller.delete(f"{FINDINGS}/7", headers={"Idempotency-Key": KEY}), 404)
    assert not IdempotentCall.objects.exists()
    assert save(caller).status_code == 201


def test_a_call_that_fails_has_changed_nothing_and_leaves_its_key_free(caller: Client) -> None:
    caller.raise_request_exception = False
    with patch("review.api.findings.reading.finding_answer", side_effect=RuntimeError("after it was saved")):
        error_of(save(caller), 500)
    assert (saved(), IdempotentCall.objects.count()) == (0, 0)
    assert save(caller).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_what_could_not_be_handed_to_the_worker_leaves_its_key_free(caller: Client, history: History) -> None:
    row = history.flagged("comets")
    path = f"/api/v1/combinations/{row.pk}/reduce"
    [lost, *_] = broker_faults.BROKER_AWAY
    with patch.object(handing_over, "hand_over_requested", side_effect=lost):
        assert error_of(caller.post(path, headers={"Idempotency-Key": KEY}), 503)["code"] == "broker_away"
    answers = [caller.post(path, headers={"Idempotency-Key": KEY}).json() for _ in range(2)]
    assert answers == [{"status": "queued", "reduction": Reduction.objects.latest("pk").pk}] * 2


@pytest.mark.parametrize("text", ["", "x" * 256, "two words", "café", "tab\there"])
def test_a_key_is_up_to_255_visible_ascii_characters(text: str, caller: Client) -> None:
    error = error_of(save(caller, text), 422)
    assert (error["code"], error["field"]) == ("invalid", "Idempotency-Key")
    assert saved() == 0


def test_a_key_of_255_characters_is_taken(caller: Client) -> None:
    assert [save(caller, "x" * 255).status_code for _ in range(2)] == [201, 201]
    assert saved() == 1


def test_who_may_not_call_is_told_so_first(anyone: Client, signed_in: Client) -> None:
    error_of(save(anyone), 401)
    error_of(save(anyone, ""), 401)
    assert error_of(save(signed_in), 403)["code"] == "csrf_failed"
    assert not IdempotentCall.objects.exists()


# --- one that is under way ---


def _under_way(caller: Client) -> IdempotentCall:
    """The same call as `save(caller)`, whose process has claimed it and gone no further."""
    save(caller)
    Finding.objects.all().delete()
    IdempotentCall.objects.update(status=None, body="")
    return IdempotentCall.objects.get()


def test_while_it_is_under_way_the_same_call_is_refused_for_now(caller: Client) -> None:
    _under_way(caller)
    response = save(caller)
    assert error_of(response, 409)["code"] == "under_way"
    assert response["Retry-After"] == "1"
    assert saved() == 0


def test_one_that_died_in_the_middle_is_taken_over_after_two_minutes(caller: Client, clock: Any) -> None:
    lost = _under_way(caller)
    clock.shift(timedelta(seconds=119))
    error_of(save(caller), 409)
    clock.shift(timedelta(seconds=1))
    assert save(caller).status_code == 201
    with pytest.raises(UnderWayError), acting(lost):  # it was only slow
        pytest.fail("it acts a second time")
    assert save(caller)["Idempotency-Replayed"] == "true"
    assert saved() == 1


def test_an_identity_is_claimed_once() -> None:
    assert claim("a" * 64, "b" * 64).status is None
    with pytest.raises(UnderWayError):
        claim("a" * 64, "b" * 64)


# --- for how long ---


def test_an_answer_is_kept_for_a_day(caller: Client, clock: Any) -> None:
    save(caller)
    clock.shift(timedelta(hours=24, seconds=-1))
    assert save(caller)["Idempotency-Replayed"] == "true"
    clock.shift(timedelta(seconds=1))
    assert "Idempotency-Replayed" not in save(caller)
    assert saved() == 2


def test_housekeeping_forgets_it_after_a_day(caller: Client, clock: Any) -> None:
    save(caller, "old")
    clock.shift(timedelta(hours=24))
    save(caller, "new")
    keep_house()
    assert IdempotentCall.objects.get().created_at == NOON + timedelta(hours=24)


# --- at the same time ---


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_several_at_the_same_time_one_acts(turn: int, key: str) -> None:
    barrier = Barrier(8)

    def send(_: int) -> Any:
        try:
            barrier.wait(60)
            return save(Client(headers={"X-API-Key": key}))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert {answer.status_code for answer in answers} <= {201, 409}
    bodies = {answer.content for answer in answers if answer.status_code == 201}
    acted = [answer for answer in answers if answer.status_code == 201 and "Idempotency-Replayed" not in answer]
    assert (len(bodies), len(acted), saved()) == (1, 1, 1)
    assert {error_of(answer, 409)["code"] for answer in answers if answer.status_code == 409} <= {"under_way"}


@pytest.mark.django_db(transaction=True)
def test_bulk_review_sent_at_the_same_time_dismisses_once(key: str, history: History) -> None:
    rows = [history.flagged(f"topic {number}") for number in range(5)]
    items = [{"fingerprint": row.fingerprint} for row in rows]
    barrier = Barrier(4)

    def send(turn: int) -> Any:
        try:
            barrier.wait(60)
            return Client(headers={"X-API-Key": key}).post(
                "/api/v1/review/dismiss",
                {"items": items},
                content_type="application/json",
                headers={"Idempotency-Key": KEY},
            )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    done = {answer.json()["done"] for answer in answers if answer.status_code == 200}
    assert done == {5}
    assert Combination.objects.filter(review_status="dismissed").count() == 5
    assert {answer.status_code for answer in answers} <= {200, 409}


# --- the document ---


def test_the_document_says_so_of_each_call_of_v1_that_changes_something(caller: Client) -> None:
    paths = caller.get("/api/v1/openapi.json").json()["paths"]
    for path, calls in paths.items():
        for method, call in calls.items():
            takes_it = "Idempotency-Key" in {parameter["name"] for parameter in call["parameters"]}
            assert takes_it == (method != "get" and path.startswith("/api/v1/")), (method, path)
            if takes_it:
                assert "409" in call["responses"]
                fine = [answer for status, answer in call["responses"].items() if status < "400"]
                assert all("Idempotency-Replayed" in answer["headers"] for answer in fine)
