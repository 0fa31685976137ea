"""/api/v1/pairs and /api/v1/reports: what is promoted, changed and listed, and what each answer tells."""

from typing import Any

import pytest
from django.test import Client

from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.saving import default_set
from selftest.models import Target
from tests.api.conftest import error_of
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.evaluation.test_saving import BOTH, merged, rename_header
from tests.review import factory

pytestmark = pytest.mark.django_db

PAIRS = "/api/v1/pairs"
WEATHER = {"query": "weather", "expectations": {"sources": ["forecast"]}}


@pytest.fixture
def bundled(db: None) -> Target:
    return factory.make_target()


def post(client: Client, path: str, body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def made(client: Client, **body: Any) -> dict[str, Any]:
    response = post(client, PAIRS, {"name": "weather", "content": WEATHER, **body})
    assert response.status_code == 201, response.content
    document: dict[str, Any] = response.json()
    return document


def test_a_pair_is_made_and_found_by_its_number(caller: Client, bundled: Target) -> None:
    pair = made(caller, why="from CI")
    assert (pair["set"], pair["target"], pair["version"], pair["rebaseline"]) == ("golden", "bundled", 1, [])
    found = caller.get(f"{PAIRS}/{pair['id']}").json()
    assert {name: found[name] for name in pair} == pair
    assert [version["why"] for version in found["versions"]] == ["from CI"]


def test_a_combination_is_promoted_as_its_last_good_answer_has_it(caller: Client, bundled: Target) -> None:
    combination = factory.combination_of(BOTH, bundled)
    factory.ask(combination, result=merged(bundled), source="fusion")
    pair = made(caller, content=None, combination=combination.pk)
    assert pair["expectations"]["headers"] == ["forecast", "news"]
    assert pair["combination"] == combination.pk


def test_a_pair_is_edited_archived_and_restored_by_the_version_that_was_seen(caller: Client, bundled: Target) -> None:
    path = f"{PAIRS}/{made(caller)['id']}"
    edited = post(caller, f"{path}/edit", {"seen": 1, "content": {**WEATHER, "kind": "vague"}}).json()
    assert (edited["version"], edited["kind"]) == (2, "vague")
    error_of(post(caller, f"{path}/archive", {"seen": 1}), 409)
    assert post(caller, f"{path}/archive", {"seen": 2}).json()["is_archived"] is True
    assert caller.get(PAIRS).json()["pairs"] == []
    assert len(caller.get(PAIRS, {"state": "archived"}).json()["pairs"]) == 1
    assert post(caller, f"{path}/restore", {"seen": 3}).json()["version"] == 4


def test_a_pair_whose_ground_has_moved_is_listed_and_rebaselined(caller: Client, bundled: Target) -> None:
    pair = made_pair("news", bundled, content("headlines", sources=("news",)))
    rename_header(bundled)
    (listed,) = caller.get(PAIRS, {"state": "rebaseline"}).json()["pairs"]
    assert listed["rebaseline"][0].startswith("header of news: was")
    assert post(caller, f"{PAIRS}/{pair.pk}/rebaseline", {"seen": 1}).json()["rebaseline"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"content": None}, 409),
        ({"content": {**WEATHER, "expectations": {"headers": ["news", "news"]}}}, 409),
        ({"content": {**WEATHER, "expectations": {"sources": ["news"], "refuses": True}}}, 409),
        ({"content": {"query": ""}}, 422),
        ({"content": {**WEATHER, "expectations": {"latency": "soon"}}}, 422),
        ({"set": "nowhere"}, 404),
        ({"target": "nowhere"}, 404),
        ({"combination": 9}, 404),
        ({"cause": 9}, 404),
    ],
)
def test_what_makes_no_sense_is_refused(caller: Client, bundled: Target, body: dict[str, Any], status: int) -> None:
    error_of(post(caller, PAIRS, {"name": "weather", "content": WEATHER, **body}), status)


def test_a_source_that_the_target_does_not_have_is_refused_by_name(caller: Client, bundled: Target) -> None:
    body = {"name": "x", "content": {**WEATHER, "expectations": {"sources": ["teletext"]}}}
    assert "teletext" in error_of(post(caller, PAIRS, body), 409)["message"]


@pytest.mark.django_db(transaction=True)
def test_a_report_tells_each_pair_and_what_graders_said(caller: Client, bundled: Target) -> None:
    made_pair("weather", bundled, content("weather", sources=("forecast",), keyphrases=("°C",)))
    report = evaluate(default_set(), bundled, CLEO)
    (listed,) = caller.get("/api/v1/reports", {"set": "golden", "target": "bundled"}).json()["reports"]
    assert (listed["id"], listed["passes"], listed["pairs"]) == (report.pk, True, 1)
    (result,) = caller.get(f"/api/v1/reports/{report.pk}").json()["results"]
    assert [one["holds"] for one in result["expectations"]] == [True, True, True]
    assert result["scores"]["keyphrase_coverage"]["score"] == 1.0
    error_of(caller.get("/api/v1/reports/999999"), 404)
