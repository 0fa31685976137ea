"""The OpenAPI document and the page that shows it, under the same strict policy as every page."""

import json
import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.api.conftest import error_of

pytestmark = pytest.mark.django_db

PATHS = {
    "/adversarial/dismiss": {"post"},
    "/adversarial/flagged": {"get"},
    "/adversarial/trigger": {"post"},
    "/adversarial/undismiss": {"post"},
    "/api/v1/causes": {"get"},
    "/api/v1/causes/{cause_id}": {"get"},
    "/api/v1/causes/{cause_id}/assign": {"post"},
    "/api/v1/causes/{cause_id}/flags": {"get"},
    "/api/v1/causes/{cause_id}/judge": {"post"},
    "/api/v1/causes/{cause_id}/reopen": {"post"},
    "/api/v1/combinations": {"get"},
    "/api/v1/combinations/{combination_id}": {"get"},
    "/api/v1/combinations/{combination_id}/reduce": {"post"},
    "/api/v1/combinations/{combination_id}/reductions": {"get"},
    "/api/v1/coverage": {"get"},
    "/api/v1/cycles": {"get"},
    "/api/v1/cycles/{cycle_id}": {"get"},
    "/api/v1/drift": {"get"},
    "/api/v1/drift/alerts": {"get"},
    "/api/v1/drift/{series_id}": {"get"},
    "/api/v1/explained": {"get"},
    "/api/v1/targets/{target_id}/suggestions": {"get"},
    "/api/v1/targets/{target_id}/suggestions/accept": {"post"},
    "/api/v1/targets/{target_id}/suggestions/refuse": {"post"},
    "/api/v1/comparisons": {"get", "post"},
    "/api/v1/comparisons/{comparison_id}": {"get"},
    "/api/v1/comparisons/{comparison_id}/stop": {"post"},
    "/api/v1/pairs": {"get", "post"},
    "/api/v1/pairs/{pair_id}": {"get"},
    "/api/v1/pairs/{pair_id}/edit": {"post"},
    "/api/v1/pairs/{pair_id}/rebaseline": {"post"},
    "/api/v1/pairs/{pair_id}/archive": {"post"},
    "/api/v1/pairs/{pair_id}/restore": {"post"},
    "/api/v1/reports": {"get"},
    "/api/v1/reports/{report_id}": {"get"},
    "/api/v1/findings": {"get", "post"},
    "/api/v1/findings/{finding_id}": {"delete", "get"},
    "/api/v1/findings/{finding_id}/example": {"delete", "post"},
    "/api/v1/findings/{finding_id}/undo": {"post"},
    "/api/v1/flags": {"get"},
    "/api/v1/proposals": {"get"},
    "/api/v1/proposals/{proposal_id}/accept": {"post"},
    "/api/v1/proposals/{proposal_id}/refuse": {"post"},
    "/api/v1/review/dismiss": {"post"},
    "/api/v1/review/undismiss": {"post"},
    "/api/v1/runs": {"get"},
    "/api/v1/runs/{run_id}": {"get"},
    "/api/v1/targets": {"get"},
    "/api/v1/tuning": {"get"},
    "/health": {"get"},
    "/metrics": {"get"},
    "/v1/advisory-ai/index/rebuild": {"post"},
    "/v1/advisory-ai/search": {"post"},
    "/v1/search/feedback": {"post"},
    "/v1/search/history": {"get", "delete"},
    "/v1/search/index/rebuild": {"post"},
    "/v1/search/query": {"post"},
}


class _Page(HTMLParser):
    """What the page loads and runs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.inline_scripts: list[dict[str, str | None]] = []
        self.inline_styles: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag != "a":  # a link is followed, not loaded
            self.loads += [str(attributes[name]) for name in ("src", "href") if attributes.get(name)]
        self.handlers += [name for name in attributes if name.startswith("on") or name == "style"]
        if tag == "script" and "src" not in attributes:
            self.inline_scripts.append(attributes)
        if tag == "style":
            self.inline_styles.append(tag)


def test_the_document_tells_of_every_call(signed_in: Client) -> None:
    document = signed_in.get("/api/v1/openapi.json").json()
    assert {path: set(calls) for path, calls in document["paths"].items()} == PATHS
    assert set(document["components"]["securitySchemes"]) == {"ApiKey", "BearerKey", "Session"}
    assert document["info"]["title"] == "Gadfly"


def test_the_page_shows_the_document(signed_in: Client) -> None:
    response = signed_in.get("/api/v1/docs")
    assert response.status_code == 200
    assert '"url": "/api/v1/openapi.json"' in response.content.decode()


def test_the_page_loads_nothing_from_elsewhere_and_runs_nothing_inline(signed_in: Client) -> None:
    response = signed_in.get("/api/v1/docs")
    page = _Page(response.content.decode())
    assert page.loads
    assert all(place.startswith("/static/") for place in page.loads)
    assert not re.search(rb"(?:https?:)?//[a-z]", response.content)
    assert [script["type"] for script in page.inline_scripts] == ["application/json"]  # data, which nothing runs
    assert page.inline_styles == page.handlers == []


def test_everything_that_the_page_loads_is_served_from_here(signed_in: Client) -> None:
    page = _Page(signed_in.get("/api/v1/docs").content.decode())
    for place in page.loads:
        assert signed_in.get(place).status_code == 200, place


def test_the_page_has_a_language_and_a_way_back(signed_in: Client) -> None:
    page = signed_in.get("/api/v1/docs").content.decode()
    assert '<html lang="en">' in page
    assert re.search(r'<a href="/">.*Back to Gadfly</a>', page)


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/openapi.json"])
def test_the_policy_is_as_strict_there_as_anywhere(path: str, signed_in: Client) -> None:
    policy = signed_in.get(path)["Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == "'self'"


def test_the_page_hands_the_token_on_for_calls_by_a_session(signed_in: Client) -> None:
    page = signed_in.get("/api/v1/docs").content.decode()
    assert 'data-api-csrf="true"' in page
    assert re.search(r'data-csrf-token="\w{64}"', page)


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/openapi.json"])
def test_both_are_read_with_a_key_or_a_session_alone(
    path: str, anyone: Client, caller: Client, signed_in: Client
) -> None:
    assert error_of(anyone.get(path), 401)["message"] == "send a key as X-API-Key, or sign in"
    assert anyone.get(path)["WWW-Authenticate"] == "X-API-Key"
    error_of(anyone.get(path, headers={"X-API-Key": "never made"}), 401)
    assert caller.get(path).status_code == 200
    assert signed_in.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/openapi.json"])
def test_without_a_role_neither_is_read(path: str, signed_in: Client, person: User) -> None:
    person.groups.clear()
    assert error_of(signed_in.get(path), 403)["code"] == "forbidden"


@pytest.mark.parametrize("path", ["/api/v1/docs", "/api/v1/openapi.json"])
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_there_is_nothing_to_change(path: str, method: str, anyone: Client) -> None:
    response = getattr(anyone, method)(path)
    error_of(response, 405)
    assert response["Allow"] == "GET, HEAD"


def test_every_call_that_changes_something_wants_a_key_or_a_session(signed_in: Client) -> None:
    document = json.loads(signed_in.get("/api/v1/openapi.json").content)
    for path, calls in document["paths"].items():
        for call in calls.values():
            ways = call["security"]
            assert {"ApiKey": []} in ways
            assert {"Session": []} in ways
            assert ({} in ways) == (path in ("/health", "/adversarial/flagged")), path
