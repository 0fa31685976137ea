"""What is shown when something is not there, not allowed or broken."""

import io
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import Client
from django.views.defaults import bad_request, permission_denied, server_error

from review import log_lines
from review.views import queue
from tests.review.pages import text_of


def test_an_unknown_address_says_so_in_the_look_of_the_rest(vera: Client) -> None:
    response = vera.get("/nothing/here")
    assert response.status_code == 404
    assert "Page not found" in text_of(response)
    assert "There is no page at this address." in text_of(response)
    assert "Cycles" in text_of(response)


def test_a_stranger_gets_no_rail(client: Client, db: None) -> None:
    response = client.get("/nothing/here")
    assert response.status_code == 404
    assert "Sign out" not in text_of(response)


def test_a_form_that_makes_no_sense_says_so(vera: Client) -> None:
    assert "Bad request" in text_of(vera.get("/flags?after=x"))


def test_the_other_pages_stand_without_any_context() -> None:
    request = HttpRequest()
    assert "Bad request" in text_of(bad_request(request, Exception()))
    assert "Not allowed" in text_of(permission_denied(request, Exception()))
    assert "Gadfly failed" in text_of(server_error(request))
    csrf = render_to_string("403_csrf.html")
    assert "out of date" in csrf
    assert "an admin should check <code>CSRF_TRUSTED_ORIGINS</code>" in csrf


def test_a_failure_of_ours_shows_a_page_and_not_the_reason(vera: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(queue, "current_status", breaks)
    vera.raise_request_exception = False
    response = vera.get("/flags")
    assert response.status_code == 500
    assert "This is an error in Gadfly" in text_of(response)
    assert "a secret" not in response.content.decode()


def test_a_host_that_is_not_ours_is_refused_with_one_line_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/sign-in", headers={"host": "evil.example"}).status_code == 400
    (record,) = caplog.records
    assert "evil.example" in record.getMessage()
    assert record.exc_info is None  # scanning the internet fills no log with tracebacks


def _disk_is_full(*_: object) -> None:
    """As SQLite and Django say it."""
    with closing(sqlite3.connect(":memory:")) as database, connection.wrap_database_errors:
        database.execute("PRAGMA max_page_count = 1")
        database.execute("CREATE TABLE texts (text TEXT)")


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What the log of the product would have of this."""
    log_lines.forget()
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(log_lines.OneLinePerFault())
    logging.getLogger().addHandler(handler)
    found: list[str] = []
    yield found
    logging.getLogger().removeHandler(handler)
    log_lines.forget()
    assert stream.getvalue().splitlines() == found


@pytest.mark.database("sqlite")
def test_a_full_disk_is_said_on_the_page_with_what_to_do_and_in_one_line_of_the_log(
    vera: Client, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    monkeypatch.setattr(queue, "current_status", _disk_is_full)
    vera.raise_request_exception = False
    for _ in range(2):
        response = vera.get("/flags")
        assert response.status_code == 503
        assert response["Retry-After"] == "30"
        assert "The disk is full: free some space where the database is, then try again." in text_of(response)
    lines.append(
        "Service Unavailable: /flags: The disk is full: free some space where the database is, then try again. "
        "(django.db.utils.OperationalError: database or disk is full)"
    )


def test_a_session_that_cannot_be_kept_is_no_fault_of_ours_either(
    vera: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionStore, "load", _disk_is_full)
    vera.raise_request_exception = False
    assert vera.get("/flags").status_code == 503
    response = vera.get("/api/v1/targets")
    assert response.status_code == 503
    assert response.json()["error"]["code"] == "database_unavailable"
