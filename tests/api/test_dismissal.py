"""POST /adversarial/dismiss and /undismiss: the only ways off the queue and back onto it by hand."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from selftest.models import Actor, Combination, ReviewEvent
from selftest.reviewing.dismissal import dismiss, undismiss
from tests.api.conftest import NOON, History, MakeTarget, error_of, finding, minutes

pytestmark = pytest.mark.django_db

DISMISS = "/adversarial/dismiss"
UNDISMISS = "/adversarial/undismiss"


def post(client: Client, path: str, **query: Any) -> Any:
    return client.post(path, query_params=query)


def status_of(combination: Combination) -> str | None:
    combination.refresh_from_db()
    return combination.review_status


def test_a_dismissed_combination_leaves_the_queue_and_keeps_its_history(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    response = post(caller, DISMISS, fingerprint=combination.fingerprint)
    assert (response.status_code, response.json()) == (
        200,
        {"status": "dismissed", "fingerprint": '["topic:comets"]'},
    )
    assert status_of(combination) == "dismissed"
    assert caller.get("/adversarial/flagged").json()["count"] == 0
    assert combination.runs.count() == 1
    assert combination.flags.count() == 1


def test_the_story_names_the_key_that_did_it_and_why(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    post(caller, DISMISS, fingerprint=combination.fingerprint, note="known outage")
    event = combination.events.get(kind=ReviewEvent.Kind.DISMISSED)
    assert (event.actor, event.user, event.note) == ("key script", None, "known outage")


def test_the_story_names_the_person_who_did_it(signed_in: Client, csrf_token: dict[str, str], history: History) -> None:
    combination = history.flagged("comets")
    response = signed_in.post(DISMISS, query_params={"fingerprint": combination.fingerprint}, headers=csrf_token)
    assert response.status_code == 200
    event = combination.events.get(kind=ReviewEvent.Kind.DISMISSED)
    assert event.actor == "ada"
    assert event.user is not None


def test_dismissing_twice_is_the_same_as_once(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    for _ in range(2):
        assert post(caller, DISMISS, fingerprint=combination.fingerprint).json()["status"] == "dismissed"
    assert combination.events.filter(kind=ReviewEvent.Kind.DISMISSED).count() == 1


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
def test_an_unknown_fingerprint_is_not_found(path: str, caller: Client, history: History) -> None:
    assert error_of(post(caller, path, fingerprint='["topic:nothing"]'), 404)["code"] == "not_found"


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
def test_the_fingerprint_of_another_target_is_not_found(
    path: str, caller: Client, history: History, make_target: MakeTarget
) -> None:
    combination = History(make_target("other")).flagged("comets")
    error_of(post(caller, path, fingerprint=combination.fingerprint), 404)
    assert post(caller, DISMISS, fingerprint=combination.fingerprint, target="other").status_code == 200
    assert post(caller, UNDISMISS, fingerprint=combination.fingerprint, target="other").status_code == 200


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
def test_an_unknown_target_is_not_found(path: str, caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    error_of(post(caller, path, fingerprint=combination.fingerprint, target="nobody"), 404)


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
def test_without_a_fingerprint_nothing_is_done(path: str, caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    assert error_of(caller.post(path), 422)["field"] == "fingerprint"
    assert status_of(combination) is None


def test_what_was_never_flagged_cannot_be_dismissed(caller: Client, history: History) -> None:
    combination = history.combination("comets")
    history.run(combination)
    error = error_of(post(caller, DISMISS, fingerprint=combination.fingerprint), 409)
    assert error["code"] == "refused"
    assert "never flagged" in error["message"]


def test_a_flag_since_the_listing_keeps_it_open(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    seen = caller.get("/adversarial/flagged").json()["flagged"][0]["last_run_id"]
    again = history.run(combination, NOON + minutes(1), [finding()])
    error = error_of(post(caller, DISMISS, fingerprint=combination.fingerprint, seen_run=seen), 409)
    assert error["code"] == "outdated"
    assert str(again.pk) in error["message"]
    assert status_of(combination) is None


def test_a_clean_run_since_the_listing_hinders_nobody(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    seen = caller.get("/adversarial/flagged").json()["flagged"][0]["last_run_id"]
    history.run(combination, NOON + minutes(1))
    assert post(caller, DISMISS, fingerprint=combination.fingerprint, seen_run=seen).status_code == 200


def test_a_new_flag_brings_a_dismissed_one_back(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    post(caller, DISMISS, fingerprint=combination.fingerprint)
    history.run(combination, NOON + minutes(1), [finding()])
    assert caller.get("/adversarial/flagged").json()["flagged"][0]["fingerprint"] == combination.fingerprint


@pytest.mark.parametrize("seen_run", ["-1", "last", "1.0", "9" * 19, "9" * 5000, "", "\x00"])
def test_a_seen_run_that_is_no_number_is_refused(seen_run: str, caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    error = error_of(post(caller, DISMISS, fingerprint=combination.fingerprint, seen_run=seen_run), 422)
    assert error["field"] == "seen_run"
    assert status_of(combination) is None


def test_the_largest_number_is_a_run_that_nobody_was_faster_than(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    assert post(caller, DISMISS, fingerprint=combination.fingerprint, seen_run=2**63 - 1).status_code == 200


def test_an_undone_dismissal_is_back_in_the_queue(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    dismiss(combination, Actor("ada"))
    response = post(caller, UNDISMISS, fingerprint=combination.fingerprint, note="too early")
    assert (response.status_code, response.json()) == (
        200,
        {"status": "undismissed", "fingerprint": '["topic:comets"]'},
    )
    assert caller.get("/adversarial/flagged").json()["count"] == 1
    assert combination.events.get(kind=ReviewEvent.Kind.UNDISMISSED).note == "too early"


def test_what_is_not_dismissed_cannot_be_undone(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    error = error_of(post(caller, UNDISMISS, fingerprint=combination.fingerprint), 409)
    assert (error["code"], error["field"]) == ("refused", None)
    dismiss(combination, Actor("ada"))
    undismiss(combination, Actor("ada"))
    error_of(post(caller, UNDISMISS, fingerprint=combination.fingerprint), 409)


@pytest.mark.parametrize("kind", ["form", "multipart", "json"])
def test_the_fingerprint_may_stand_in_the_body(kind: str, caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    fields = {"fingerprint": combination.fingerprint, "seen_run": combination.last_run_id}
    match kind:
        case "form":
            response = caller.post(DISMISS, urlencode(fields), content_type="application/x-www-form-urlencoded")
        case "multipart":
            response = caller.post(DISMISS, fields)
        case _:
            response = caller.post(DISMISS, fields, content_type="application/json")
    assert response.json() == {"status": "dismissed", "fingerprint": combination.fingerprint}


def test_the_query_wins_over_the_body(caller: Client, history: History) -> None:
    meant, other = history.flagged("meant"), history.flagged("other")
    body = {"fingerprint": other.fingerprint}
    query = {"fingerprint": meant.fingerprint}
    caller.post(DISMISS, body, content_type="application/json", query_params=query)
    assert (status_of(meant), status_of(other)) == ("dismissed", None)


@pytest.mark.parametrize("body", ["{", "[]", '"text"', "[" * 100_000, "\xff"])
def test_a_body_that_is_no_json_object_is_refused(body: str, caller: Client, history: History) -> None:
    response = caller.post(DISMISS, body.encode("latin-1"), content_type="application/json")
    assert error_of(response, 400)["code"] == "bad_request"


@pytest.mark.parametrize("fingerprint", ["\x00", '["topic:a\x00b"]', "\ud800", json.loads('"\\udfff"'), 7, None, ["a"]])
def test_a_fingerprint_that_no_database_can_hold_is_invalid(fingerprint: Any, caller: Client, target: Any) -> None:
    response = caller.post(DISMISS, json.dumps({"fingerprint": fingerprint}), content_type="application/json")
    assert error_of(response, 422)["field"] == "fingerprint"


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
@pytest.mark.parametrize("fingerprint", ["x" * 10_240, "é" * 10_240, "%ED%A0%80", "' OR 1=1 --", "[]", ""])
def test_a_fingerprint_of_any_shape_is_just_unknown(
    path: str, fingerprint: str, caller: Client, history: History
) -> None:
    error = error_of(post(caller, path, fingerprint=fingerprint), 404)
    assert len(error["message"]) <= 500


def test_a_nul_in_the_query_is_invalid(caller: Client, target: Any) -> None:
    for field in ("fingerprint", "target", "note"):
        error = error_of(post(caller, DISMISS, **{"fingerprint": "x", field: "a\x00b"}), 422)
        assert error["field"] == field


def test_half_a_surrogate_pair_in_the_query_harms_nothing(caller: Client, target: Any) -> None:
    error_of(caller.post(f"{DISMISS}?fingerprint=%ED%A0%80"), 404)
