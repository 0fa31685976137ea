"""What search refuses: by name, with the key of the message, in the reader's language."""

from typing import Any

import pytest
from django.test import Client

from selftest.knowledge.core.chunks import Domain, Kind
from selftest.knowledge.index import writing
from selftest.models import Target
from tests.api.search_calls import LEGACY, QUERY, refused, send
from tests.knowledge.pieces import EVERY

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("filters", "field", "named", "known"),
    [
        ({"domains": ["knowledge", "vex"]}, "filters.domains", "'vex'", list(Domain)),
        ({"domains": "Knowledge"}, "filters.domains", "'Knowledge'", list(Domain)),
        ({"entityTypes": ["policy_rule"]}, "filters.entityTypes", "'policy_rule'", list(Kind)),
        ({"type": "finding"}, "filters.type", "'finding'", ["docs", "api", "doctor"]),
        ({"type": ["docs", ""]}, "filters.type", "''", ["docs", "api", "doctor"]),
        ({"target": ["household", "elsewhere"]}, "filters.target", "'elsewhere'", ["household"]),
        ({"tags": ["care", "none"]}, "filters.tags", "'none'", ["care"]),
        ({"product": "x"}, "filters.product", "'x'", []),
        ({"version": "x"}, "filters.version", "'x'", []),
        ({"service": "brew"}, "filters.service", "'brew'", ["brewer"]),
        ({"service": "brew", "type": "api", "entityTypes": "docs"}, "filters.service", "'brew'", ["brewer"]),
    ],
)
def test_an_unknown_value_is_refused_by_name(
    caller: Client, target: Target, filters: dict[str, Any], field: str, named: str, known: list[str]
) -> None:
    writing.put(EVERY)
    error = refused(send(caller, QUERY, {"q": "tank", "filters": filters}))
    assert (error["code"], error["field"], error["key"]) == (
        "bad_request",
        field,
        "knowledge.validation.unknown_value",
    )
    assert named in error["message"]
    assert all(word in error["message"] for word in known)


@pytest.mark.parametrize(
    ("body", "field", "told"),
    [
        ({}, "q", "q_required"),
        ({"q": None}, "q", "q_required"),
        ({"q": ""}, "q", "q_required"),
        ({"q": " \t\n\x00"}, "q", "q_required"),
        ({"q": "x" * 513}, "q", "q_max_512"),
        ({"q": 7}, "q", "malformed"),
        ({"q": "x", "k": 0}, "k", "k_range"),
        ({"q": "x", "k": 51}, "k", "k_range"),
        ({"q": "x", "k": "5"}, "k", "k_range"),
        ({"q": "x", "k": True}, "k", "k_range"),
        ({"q": "x", "k": 1.5}, "k", "k_range"),
        ({"q": "x", "k": None}, "k", "k_range"),
        ({"q": "x", "includeDebug": "yes"}, "includeDebug", "malformed"),
        ({"q": "x", "kind": "docs"}, "kind", "unknown_field"),
        ({"q": "x", "filters": {"kind": "docs"}}, "filters.kind", "unknown_filter"),
        ({"q": "x", "filters": {"Type": "docs"}}, "filters.Type", "unknown_filter"),
        ({"q": "x", "filters": []}, "filters", "malformed"),
        ({"q": "x", "filters": {"target": ""}}, "filters.target", "tenant_required"),
        ({"q": "x", "filters": {"target": []}}, "filters.target", "tenant_required"),
        ({"q": "x", "filters": {"service": ""}}, "filters.service", "malformed"),
        ({"q": "x", "filters": {"tags": ["a"] * 51}}, "filters.tags", "malformed"),
        ([], None, "no_object"),
        (None, None, "no_object"),
        ("q", None, "no_object"),
    ],
)
@pytest.mark.parametrize("path", [QUERY, LEGACY])
def test_a_faulty_request_is_a_400_with_the_key_of_its_message(
    caller: Client, body: Any, field: str | None, told: str, path: str
) -> None:
    error = refused(send(caller, path, body))
    assert (error["field"], error["key"]) == (field, f"knowledge.validation.{told}")


def test_what_is_no_json_is_refused(caller: Client) -> None:
    for body, told in (("", "q_required"), ("{", "no_object"), ('{"q": "x', "no_object"), ("\x00", "no_object")):
        assert refused(caller.post(QUERY, body, "application/json"))["key"] == f"knowledge.validation.{told}"


@pytest.mark.parametrize(
    ("headers", "language", "words"),
    [
        ({}, "en-US", "q must hold something to search for"),
        ({"X-Locale": "de-DE"}, "de-DE", "q muss etwas enthalten, wonach gesucht wird"),
        ({"X-Locale": "de"}, "de-DE", "q muss"),
        ({"Accept-Language": "fr-FR, de-AT;q=0.8, en;q=0.5"}, "de-DE", "q muss"),
        ({"X-Locale": "en-US", "Accept-Language": "de"}, "en-US", "q must"),
        ({"X-Locale": "fr-FR", "Accept-Language": "de"}, "de-DE", "q muss"),
        ({"X-Locale": "x" * 2000, "Accept-Language": "%%%"}, "en-US", "q must"),
    ],
)
def test_messages_are_in_the_readers_language(
    caller: Client, headers: dict[str, str], language: str, words: str
) -> None:
    response = send(caller, QUERY, {"q": ""}, **headers)
    error = refused(response)
    assert (response["Content-Language"], error["key"]) == (language, "knowledge.validation.q_required")
    assert error["message"].startswith(words)
    assert {"X-Locale", "Accept-Language"} <= set(response["Vary"].split(", "))


def test_the_language_of_one_call_is_not_that_of_the_next(caller: Client) -> None:
    send(caller, QUERY, {"q": ""}, **{"X-Locale": "de-DE"})
    assert refused(send(caller, QUERY, {"q": ""}))["message"].startswith("q must")
