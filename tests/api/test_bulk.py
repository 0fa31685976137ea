"""POST /api/v1/review/…: many at once, each with its own result."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest.models import Actor, Combination, ReviewEvent
from selftest.reviewing.dismissal import dismiss
from tests.api.conftest import NOON, History, MakeTarget, error_of, finding, minutes

pytestmark = pytest.mark.django_db

DISMISS = "/api/v1/review/dismiss"
UNDISMISS = "/api/v1/review/undismiss"


def post(client: Client, path: str, *items: Any, **more: Any) -> Any:
    return client.post(path, {"items": list(items), **more}, content_type="application/json")


def item_of(combination: Combination, seen: bool = True) -> dict[str, Any]:
    return {"fingerprint": combination.fingerprint, "seen_run": combination.last_run_id if seen else None}


def dismissed() -> list[str]:
    return list(
        Combination.objects.filter(review_status="dismissed").order_by("id").values_list("last_query_text", flat=True)
    )


def test_each_item_has_a_result_in_its_place(caller: Client, history: History) -> None:
    good, bare = history.flagged("good"), history.flagged("bare")
    clean = history.combination("clean")
    outdated = history.flagged("outdated")
    items = [
        item_of(good),
        {"fingerprint": '["topic:nothing"]'},
        item_of(outdated),
        {"fingerprint": clean.fingerprint},
        {"fingerprint": bare.fingerprint},
    ]
    newer = history.run(outdated, NOON + minutes(1), [finding()])
    response = post(caller, DISMISS, *items)
    assert response.status_code == 200
    assert response.json() == {
        "done": 2,
        "failed": 3,
        "results": [
            {"fingerprint": good.fingerprint, "status": "dismissed", "error": None},
            {
                "fingerprint": '["topic:nothing"]',
                "status": "failed",
                "error": {
                    "code": "not_found",
                    "message": "unknown fingerprint '[\"topic:nothing\"]'; give the exact string of a flagged row",
                    "field": None,
                    "key": None,
                },
            },
            {
                "fingerprint": outdated.fingerprint,
                "status": "failed",
                "error": {
                    "code": "outdated",
                    "message": f"flagged again since you looked, by run {newer.pk}; look again first",
                    "field": None,
                    "key": None,
                },
            },
            {
                "fingerprint": clean.fingerprint,
                "status": "failed",
                "error": {
                    "code": "refused",
                    "message": "this combination was never flagged; there is nothing to dismiss",
                    "field": None,
                    "key": None,
                },
            },
            {"fingerprint": bare.fingerprint, "status": "dismissed", "error": None},
        ],
    }
    assert dismissed() == ["good", "bare"]


def test_the_same_one_twice_has_two_results_and_one_event(caller: Client, history: History) -> None:
    combination = history.flagged("comets")
    document = post(caller, DISMISS, item_of(combination), item_of(combination)).json()
    assert [result["status"] for result in document["results"]] == ["dismissed", "dismissed"]
    assert combination.events.filter(kind=ReviewEvent.Kind.DISMISSED).count() == 1


def test_dismissals_are_undone_in_bulk(caller: Client, history: History) -> None:
    first, second = history.flagged("first"), history.flagged("second")
    dismiss(first, Actor("ada"))
    document = post(caller, UNDISMISS, item_of(first), item_of(second)).json()
    assert (document["done"], document["failed"]) == (1, 1)
    assert [result["status"] for result in document["results"]] == ["undismissed", "failed"]
    assert document["results"][1]["error"]["code"] == "refused"
    assert dismissed() == []


def test_the_note_stands_in_every_story(
    signed_in: Client, csrf_token: dict[str, str], person: User, history: History
) -> None:
    items = [item_of(history.flagged(topic)) for topic in ("first", "second")]
    body = {"items": items, "note": "the feeds were down"}
    assert signed_in.post(DISMISS, body, content_type="application/json", headers=csrf_token).status_code == 200
    events = ReviewEvent.objects.filter(kind=ReviewEvent.Kind.DISMISSED)
    assert [(event.actor, event.user, event.note) for event in events] == [("ada", person, "the feeds were down")] * 2


def test_one_verdict_is_given_to_all_with_reason_and_link(caller: Client, history: History) -> None:
    made = [history.flagged(topic) for topic in ("first", "second")]
    said = {"verdict": "accepted", "reason": "since May", "link": "https://tracker.example/7"}
    assert post(caller, DISMISS, *map(item_of, made), **said).json()["done"] == 2
    events = ReviewEvent.objects.filter(kind=ReviewEvent.Kind.DISMISSED)
    told = [(event.verdict, event.note, event.link) for event in events]
    assert told == [("accepted", "since May", "https://tracker.example/7")] * 2
    rows = caller.get("/api/v1/combinations").json()["items"]
    assert [(row["review_status"], row["verdict"]) for row in rows] == [("dismissed", "accepted")] * 2
    assert {row["verdict"] for row in caller.get("/api/v1/flags").json()["items"]} == {"accepted"}
    flagged = caller.get("/adversarial/flagged?include_dismissed=true").json()["flagged"]
    assert "verdict" not in flagged[0], "the call of the specification stays as it is"


def test_later_is_put_off_until_what_was_said(caller: Client, history: History) -> None:
    made = history.flagged("comets")
    until = {"date": "2027-01-31", "target_version": "3.51"}
    assert post(caller, DISMISS, item_of(made), verdict="later", until=until).json()["done"] == 1
    made.refresh_from_db()
    assert (made.verdict, str(made.until_date), made.until_version) == ("later", "2027-01-31", "3.51")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"verdict": "wrong"}, "verdict"),
        ({"link": "javascript:alert(1)"}, "link"),
        ({"reason": "x" * 2001}, "reason"),
        ({"until": {"date": "soon"}}, "until.date"),
        ({"until": {"new_flags": 3}}, "until.new_flags"),
    ],
)
def test_a_verdict_that_cannot_be_kept_is_refused(
    more: dict[str, Any], field: str, caller: Client, history: History
) -> None:
    made = history.flagged("comets")
    assert error_of(post(caller, DISMISS, item_of(made), **more), 422)["field"] == field
    assert dismissed() == []


def test_the_target_that_is_named_is_meant(caller: Client, history: History, make_target: MakeTarget) -> None:
    of_default = history.flagged("comets")
    of_other = History(make_target("other")).flagged("comets")
    assert of_default.fingerprint == of_other.fingerprint
    assert post(caller, DISMISS, item_of(of_other), target="other").json()["done"] == 1
    of_default.refresh_from_db()
    assert of_default.review_status is None
    error_of(post(caller, DISMISS, item_of(of_other), target="nobody"), 404)


def test_five_hundred_is_the_most(caller: Client, history: History) -> None:
    assert post(caller, DISMISS, *[{"fingerprint": "x"}] * 500).json()["failed"] == 500
    assert error_of(post(caller, DISMISS, *[{"fingerprint": "x"}] * 501), 422)["field"] == "items"


@pytest.mark.parametrize("path", [DISMISS, UNDISMISS])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "items"),
        ({"items": []}, "items"),
        ({"items": "x"}, "items"),
        ({"items": [{}]}, "items.0.fingerprint"),
        ({"items": [{"fingerprint": "x"}, {"fingerprint": "a\x00b"}]}, "items.1.fingerprint"),
        ({"items": [{"fingerprint": "\ud800"}]}, "items.0.fingerprint"),
        ({"items": [{"fingerprint": 7}]}, "items.0.fingerprint"),
        ({"items": [{"fingerprint": "x", "seen_run": "7"}]}, "items.0.seen_run"),
        ({"items": [{"fingerprint": "x", "seen_run": True}]}, "items.0.seen_run"),
        ({"items": [{"fingerprint": "x", "seen_run": 2**63}]}, "items.0.seen_run"),
        ({"items": [{"fingerprint": "x", "seen_run": -1}]}, "items.0.seen_run"),
        ({"items": [{"fingerprint": "x", "seen_rum": 1}]}, "items.0.seen_rum"),
        ({"items": [{"fingerprint": "x"}], "note": "a\x00b"}, "note"),
        ({"items": [{"fingerprint": "x"}], "note": "x" * 1001}, "note"),
        ({"items": [{"fingerprint": "x"}], "target": "\x00"}, "target"),
        ({"items": [{"fingerprint": "x"}], "targets": "x"}, "targets"),
    ],
)
def test_one_item_that_cannot_be_understood_stops_all_of_them(
    path: str, body: Any, field: str, caller: Client, history: History
) -> None:
    combination = history.flagged("comets")
    if isinstance(body.get("items"), list) and body["items"]:
        body = {**body, "items": [*body["items"], item_of(combination)]}
    response = caller.post(path, body, content_type="application/json")
    assert error_of(response, 422)["field"] == field
    assert dismissed() == []


def test_a_fingerprint_of_ten_kilobytes_is_just_unknown(caller: Client, history: History) -> None:
    result = post(caller, DISMISS, {"fingerprint": "x" * 10_240}).json()["results"][0]
    assert result["error"]["code"] == "not_found"
    assert len(result["error"]["message"]) <= 500


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'"x"', b"null", b"[" * 100_000, b"\xff", b'{"items": NaN}'])
def test_a_body_that_is_no_such_json_is_refused(body: bytes, caller: Client, history: History) -> None:
    response = caller.post(DISMISS, body, content_type="application/json")
    assert response.status_code in (400, 422)
    error_of(response, response.status_code)


def test_a_form_is_not_json(caller: Client, signed_in: Client, csrf_token: dict[str, str], history: History) -> None:
    form = {"items": "x"}
    assert error_of(caller.post(DISMISS, form), 400)["code"] == "bad_request"
    assert error_of(signed_in.post(DISMISS, form, headers=csrf_token), 400)["code"] == "bad_request"


def test_a_verdict_that_is_named_replaces_that_of_a_dismissed_one_and_is_given_back(
    caller: Client, history: History
) -> None:
    row = history.flagged("known")
    assert post(caller, DISMISS, item_of(row), verdict="accepted", reason="known").json()["done"] == 1
    assert post(caller, DISMISS, item_of(row)).json()["done"] == 1  # names none, so none is changed
    row.refresh_from_db()
    assert row.verdict == "accepted"
    stale = {**item_of(row), "seen_verdict": "later"}
    answer = post(caller, DISMISS, stale, verdict="confirmed").json()
    assert answer["results"][0]["error"]["code"] == "outdated"
    assert post(caller, DISMISS, item_of(row), verdict="confirmed").json()["done"] == 1
    row.refresh_from_db()
    assert row.verdict == "confirmed"
    told = ReviewEvent.objects.get(kind="rejudged")
    assert told.before
    assert (told.before["verdict"], told.verdict) == ("accepted", "confirmed")
    story = caller.get(f"/api/v1/combinations/{row.pk}").json()["story"]["items"]
    assert (story[0]["verdict_before"], story[0]["verdict"]) == ("accepted", "confirmed")
    assert post(caller, UNDISMISS, item_of(row), former_verdict=True).json()["done"] == 1
    row.refresh_from_db()
    assert (row.review_status, row.verdict) == ("dismissed", "accepted")
    assert post(caller, UNDISMISS, item_of(row), former_verdict=True).json()["failed"] == 1
