"""Every error under the API's paths is JSON in one shape, whatever raised it."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from selftest.refusals import RefusedError
from tests.api.conftest import History, error_of

pytestmark = pytest.mark.django_db

GETS = [
    "/health",
    "/adversarial/flagged",
    "/api/v1/targets",
    "/api/v1/combinations",
    "/api/v1/combinations/1",
    "/api/v1/runs",
    "/api/v1/runs/1",
    "/api/v1/explained",
    "/api/v1/flags",
    "/api/v1/cycles",
    "/api/v1/cycles/1",
    "/api/v1/coverage",
    "/api/v1/tuning",
]
POSTS = [
    "/adversarial/trigger",
    "/adversarial/dismiss",
    "/adversarial/undismiss",
    "/api/v1/review/dismiss",
    "/api/v1/review/undismiss",
]
UNKNOWN = [
    "/adversarial",
    "/adversarial/",
    "/adversarial/nothing",
    "/adversarial/flagged/",
    "/health/",
    "/health/nothing",
    "/api",
    "/api/",
    "/api/v1",
    "/api/v2/runs",
    "/api/v1/runs/",
    "/api/v1/runs/one",
    "/api/v1/runs/-1",
    "/api/v1/runs/\x00",
    "/api/v1/runs/" + "9" * 5000,
    "/api/v1/" + "x" * 10_000,
]


@pytest.mark.parametrize("path", UNKNOWN)
def test_an_unknown_path_is_not_found(path: str, anyone: Client) -> None:
    for method in ("GET", "POST", "PUT"):
        error = error_of(anyone.generic(method, path), 404)
        assert (error["code"], error["field"]) == ("not_found", None)


@pytest.mark.parametrize("path", GETS)
def test_what_is_only_read_takes_no_other_method(path: str, caller: Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        response = caller.generic(method, path)
        error = error_of(response, 405)
        assert response["Allow"] == "GET"
        assert error["code"] == "method_not_allowed"
        assert error["message"] == f"{method} is not allowed here; allowed: GET"


@pytest.mark.parametrize("path", POSTS)
def test_what_only_changes_takes_no_other_method(path: str, caller: Client) -> None:
    for method in ("GET", "PUT", "PATCH", "DELETE", "OPTIONS"):
        response = caller.generic(method, path)
        assert error_of(response, 405)["code"] == "method_not_allowed"
        assert response["Allow"] == "POST"


@pytest.mark.parametrize("is_debugging", [False, True])
def test_a_fault_of_ours_tells_nothing_of_itself(
    is_debugging: bool, monkeypatch: pytest.MonkeyPatch, settings: Settings, history: History
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("the password is hunter2")

    settings.DEBUG = is_debugging
    monkeypatch.setattr("selftest.reading.queue.flagged", fail)
    client = Client(raise_request_exception=False)
    error = error_of(client.get("/adversarial/flagged"), 500)
    assert error == {
        "code": "internal_error",
        "message": "something failed here; the log says what",
        "field": None,
    }


def test_several_faults_are_all_named_and_the_first_is_the_field(caller: Client) -> None:
    error = error_of(caller.get("/api/v1/runs?limit=0&cycle=x"), 422)
    assert error["code"] == "invalid"
    assert error["field"] == "cycle"
    assert "cycle: must be a whole number" in error["message"]
    assert "limit: must be a whole number from 1 to 500" in error["message"]


def test_a_hundred_faults_are_not_all_named(caller: Client, history: History) -> None:
    error = error_of(caller.post("/api/v1/review/dismiss", {"items": [{}] * 100}, content_type="application/json"), 422)
    assert error["field"] == "items.0.fingerprint"
    assert error["message"].endswith("and 95 more")


def test_a_refusal_of_the_services_without_a_name_of_its_own_is_a_conflict(
    caller: Client, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Any:
        raise RefusedError("not today")

    monkeypatch.setattr("selftest.reviewing.dismissal.dismiss", refuse)
    combination = history.flagged("comets")
    response = caller.post("/adversarial/dismiss", query_params={"fingerprint": combination.fingerprint})
    assert error_of(response, 409) == {"code": "refused", "message": "not today", "field": None}


def test_a_form_of_too_many_fields_is_refused(caller: Client, history: History) -> None:
    form = {f"field {number}": "x" for number in range(1001)}
    response = caller.post("/adversarial/dismiss", form)
    assert response.status_code in (400, 413)
    error_of(response, response.status_code)


def test_a_body_of_three_megabytes_is_refused(caller: Client, history: History) -> None:
    response = caller.post("/api/v1/review/dismiss", b"x" * 3_000_000, content_type="application/json")
    assert response.status_code in (400, 413)
    error_of(response, response.status_code)


def test_a_middleware_of_django_is_reworded_too_where_ours_stands_before_it(anyone: Client, settings: Settings) -> None:
    ours = "review.api.errors.OneErrorShapeMiddleware"
    settings.MIDDLEWARE = [ours, *(name for name in settings.MIDDLEWARE if name != ours)]
    response = anyone.get("/health", headers={"Host": "elsewhere.example"})
    assert error_of(response, 400)["code"] == "bad_request"
    assert response.get("Content-Length", str(len(response.content))) == str(len(response.content))


def test_pages_keep_their_own_errors(anyone: Client) -> None:
    assert anyone.get("/nothing-here")["Content-Type"].startswith("text/html")
    assert anyone.get("/healthy")["Content-Type"].startswith("text/html")


def test_a_database_that_cannot_be_written_to_is_said_with_what_to_do(
    anyone: Client, monkeypatch: pytest.MonkeyPatch, history: History
) -> None:
    def full(*_: Any) -> Any:
        with closing(sqlite3.connect(":memory:")) as database, connection.wrap_database_errors:
            database.execute("PRAGMA query_only = 1")
            database.execute("CREATE TABLE texts (text TEXT)")

    monkeypatch.setattr("selftest.reading.queue.flagged", full)
    response = anyone.get("/adversarial/flagged")
    assert error_of(response, 503) == {
        "code": "database_unavailable",
        "message": "The database may not be written to: make its folder and files writable, then try again.",
        "field": None,
    }
    assert response["Retry-After"] == "30"
