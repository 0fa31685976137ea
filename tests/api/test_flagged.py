"""GET /adversarial/flagged: what waits for a person."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from selftest.core.judging.check_table import CHECKS
from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Combination, Tuning
from selftest.reviewing.dismissal import dismiss
from tests.api.conftest import NOON, History, MakeTarget, error_of, finding, minutes

pytestmark = pytest.mark.django_db

CONTRACT_KEYS = [
    "fingerprint",
    "recipe_name",
    "first_seen_timestamp",
    "times_generated",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "last_flagged_reason",
    "last_run_timestamp",
    "ever_flagged",
    "currently_flagged",
    "first_flagged_reason",
    "first_flagged_timestamp",
    "review_status",
    "last_flagged_result_excerpt",
]


def topics(document: dict[str, Any]) -> list[str]:
    return [row["last_query_text"] for row in document["flagged"]]


def test_nothing_flagged_is_an_empty_list(anyone: Client, history: History) -> None:
    history.run(history.combination("comets"))
    assert anyone.get("/adversarial/flagged").json() == {"count": 0, "flagged": []}


def test_an_installation_without_a_target_has_nothing_flagged(anyone: Client) -> None:
    assert anyone.get("/adversarial/flagged").json() == {"count": 0, "flagged": []}


def test_a_row_says_all_that_the_contract_promises(caller: Client, history: History) -> None:
    combination = history.combination("comets")
    first = history.run(combination, NOON, [finding(CheckName.CRASH, "no worker left")], result="x" * 700)
    second = history.run(combination, NOON + minutes(5))
    document = caller.get("/adversarial/flagged").json()
    assert document == {
        "count": 1,
        "flagged": [
            {
                "fingerprint": '["topic:comets"]',
                "recipe_name": "no_intent_fallthrough",
                "first_seen_timestamp": "2026-06-30T12:00:00Z",
                "times_generated": 2,
                "last_query_text": "comets",
                "last_source_used": "kiwix",
                "last_latency_ms": 12.5,
                "last_flagged_reason": None,
                "last_run_timestamp": "2026-06-30T12:05:00Z",
                "ever_flagged": True,
                "currently_flagged": False,
                "first_flagged_reason": "crash: no worker left",
                "first_flagged_timestamp": "2026-06-30T12:00:00Z",
                "review_status": None,
                "last_flagged_result_excerpt": "x" * 500,
                "id": combination.pk,
                "last_run_id": second.pk,
                "last_flagged_run_id": first.pk,
                "target": "household",
            }
        ],
    }
    assert list(document["flagged"][0])[: len(CONTRACT_KEYS)] == CONTRACT_KEYS


def test_the_newest_run_comes_first(anyone: Client, history: History) -> None:
    history.flagged("second", NOON + minutes(2))
    history.flagged("first", NOON + minutes(3))
    history.flagged("third", NOON + minutes(1))
    assert topics(anyone.get("/adversarial/flagged").json()) == ["first", "second", "third"]


def test_a_clean_rerun_keeps_it_there(anyone: Client, history: History) -> None:
    history.run(history.flagged("comets"), NOON + minutes(1))
    assert topics(anyone.get("/adversarial/flagged").json()) == ["comets"]


def test_a_dismissed_one_is_there_only_on_request(anyone: Client, history: History) -> None:
    dismiss(history.flagged("comets"), Actor("ada"))
    assert anyone.get("/adversarial/flagged").json() == {"count": 0, "flagged": []}
    audit = anyone.get("/adversarial/flagged?include_dismissed=true").json()
    assert [row["review_status"] for row in audit["flagged"]] == ["dismissed"]
    assert anyone.get("/adversarial/flagged?include_dismissed=false").json()["count"] == 0


def test_count_is_the_number_of_rows_returned(anyone: Client, history: History) -> None:
    for number in range(3):
        history.flagged(f"topic {number}", NOON + minutes(number))
    document = anyone.get("/adversarial/flagged?limit=2").json()
    assert (document["count"], topics(document)) == (2, ["topic 2", "topic 1"])


def test_fifty_rows_come_where_no_limit_is_given(anyone: Client, history: History) -> None:
    for number in range(51):
        history.flagged(f"topic {number}")
    assert anyone.get("/adversarial/flagged").json()["count"] == 50
    assert anyone.get("/adversarial/flagged?limit=500").json()["count"] == 51


@pytest.mark.parametrize("limit", ["0", "501", "-1", "many", "", "5.0", "5_0", "٥", "1e2", "9" * 5000])
def test_a_limit_that_is_none_is_refused_in_words(limit: str, anyone: Client) -> None:
    error = error_of(anyone.get("/adversarial/flagged", {"limit": limit}), 422)
    assert error == {
        "code": "invalid",
        "message": "limit: must be a whole number from 1 to 500",
        "field": "limit",
    }


@pytest.mark.parametrize("limit", ["1", "500"])
def test_the_bounds_of_limit_are_valid_themselves(limit: str, anyone: Client) -> None:
    assert anyone.get("/adversarial/flagged", {"limit": limit}).status_code == 200


def test_include_dismissed_is_true_or_false(anyone: Client) -> None:
    error = error_of(anyone.get("/adversarial/flagged?include_dismissed=perhaps"), 422)
    assert error["field"] == "include_dismissed"


@pytest.mark.parametrize("switch", ["environment", "settings", "target"])
def test_switched_off_it_says_so_and_shows_nothing(
    switch: str, anyone: Client, history: History, settings: Settings
) -> None:
    history.flagged("comets")
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    elif switch == "settings":
        Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    else:
        history.target.enabled = False
        history.target.save()
    response = anyone.get("/adversarial/flagged")
    assert json.loads(response.content) == {"status": "disabled", "count": 0, "flagged": []}


def test_without_a_name_the_default_target_is_meant(anyone: Client, history: History, make_target: MakeTarget) -> None:
    history.flagged("of the default one")
    History(make_target("other")).flagged("of the other one", NOON + minutes(9))
    assert topics(anyone.get("/adversarial/flagged").json()) == ["of the default one"]
    assert topics(anyone.get("/adversarial/flagged?target=other").json()) == ["of the other one"]


def test_an_unknown_target_is_not_found(caller: Client, history: History) -> None:
    error = error_of(caller.get("/adversarial/flagged?target=nobody"), 404)
    assert error["code"] == "not_found"
    assert "household" in error["message"]


def test_the_number_of_queries_does_not_grow_with_the_rows(
    anyone: Client, history: History, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()  # the first call makes the row
    for count in (1, 20):
        for number in range(count):
            history.flagged(f"{count} {number}")
        # open? · the default target · switched on? (settings, target) · the rows
        with django_assert_num_queries(5):
            anyone.get("/adversarial/flagged")
    assert Combination.objects.count() == 21


@pytest.mark.parametrize("check", [CheckName.CRASH, CheckName.HEADER_UNKNOWN, CheckName.FRAME_DEBRIS])
def test_a_reason_quotes_no_answer_to_a_caller_without_a_key(
    anyone: Client, caller: Client, history: History, check: CheckName
) -> None:
    history.run(history.combination("comets"), NOON, [finding(check, "balance of Alice is 1234")])
    for key in ("last_flagged_reason", "first_flagged_reason"):
        assert anyone.get("/adversarial/flagged").json()["flagged"][0][key] == f"{check}: {CHECKS[check].doc}"
        assert caller.get("/adversarial/flagged").json()["flagged"][0][key] == f"{check}: balance of Alice is 1234"


def test_a_reason_that_quotes_no_answer_is_told_to_all(anyone: Client, history: History) -> None:
    history.run(history.combination("comets"), NOON, [finding(CheckName.SECTION_REPEATED, "2 sections of web")])
    (row,) = anyone.get("/adversarial/flagged").json()["flagged"]
    assert row["last_flagged_reason"] == "section_repeated: 2 sections of web"
