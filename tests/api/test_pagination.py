"""Pages by key: whole, without doubles, and steady while rows arrive."""

from base64 import urlsafe_b64encode
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import History, answer_to, error_of, reading

pytestmark = pytest.mark.django_db


def read(client: Client, listing: str, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = answer_to(client, reading(listing, **query))
    return found


def cursor_of(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.fixture
def seven(history: History) -> History:
    for number in range(7):
        history.flagged(f"topic {number}")
    return history


@pytest.mark.parametrize("listing", ["combinations", "runs", "flags"])
@pytest.mark.parametrize("limit", [1, 3, 6, 7, 8])
def test_the_pages_together_are_the_whole_listing(listing: str, limit: int, caller: Client, seven: History) -> None:
    whole = [item["id"] for item in read(caller, listing)["items"]]
    assert len(whole) == 7
    found: list[int] = []
    query: dict[str, Any] = {"limit": limit}
    while query.get("cursor", "first") is not None:
        page = read(caller, listing, **query)
        assert 0 < len(page["items"]) <= limit
        found += [item["id"] for item in page["items"]]
        query["cursor"] = page["next"]
    assert found == whole == sorted(whole, reverse=True)


def test_rows_that_arrive_meanwhile_move_nothing(caller: Client, seven: History) -> None:
    first = read(caller, "combinations", limit=4)
    seven.flagged("new")
    second = read(caller, "combinations", limit=4, cursor=first["next"])
    topics = [item["last_query_text"] for item in first["items"] + second["items"]]
    assert topics == [f"topic {number}" for number in (6, 5, 4, 3, 2, 1, 0)]


def test_a_filter_holds_on_every_page(caller: Client, seven: History) -> None:
    seven.run(seven.combination("clean"))
    first = read(caller, "combinations", limit=4, state="queue")
    second = read(caller, "combinations", limit=4, state="queue", cursor=first["next"])
    assert (len(first["items"]), len(second["items"]), second["next"]) == (4, 3, None)


def test_targets_have_pages_too(caller: Client, make_target: Any) -> None:
    names = [make_target(f"target {number}").name for number in range(3)]
    first = read(caller, "targets", limit=2)
    second = read(caller, "targets", limit=2, cursor=first["next"])
    assert [item["name"] for item in first["items"] + second["items"]] == names


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "7",
        "nonsense",
        "\x00",
        "é",
        "=",
        "====",
        cursor_of("combinations:7"),  # of another listing
        cursor_of("runs:"),
        cursor_of("runs:-1"),
        cursor_of("runs:1.5"),
        cursor_of("runs:٧"),
        cursor_of("runs:007"),
        cursor_of("runs:7\n"),
        cursor_of(f"runs:{2**63}"),
        cursor_of("runs:" + "9" * 5000),
        cursor_of("runs:7") + "=",
        cursor_of("runs:7")[:-1] + "!",
        urlsafe_b64encode(b"\xff\xfe").decode(),
        "A" * 10_240,
    ],
)
def test_a_cursor_that_no_page_gave_is_refused(cursor: str, caller: Client, seven: History) -> None:
    error = error_of(caller.get("/api/v1/runs", {"cursor": cursor}), 422)
    assert (error["code"], error["field"]) == ("invalid", "cursor")


def test_a_cursor_past_the_end_is_an_empty_page(caller: Client, seven: History) -> None:
    assert read(caller, "runs", cursor=cursor_of("runs:0")) == {"items": [], "next": None}


@pytest.mark.parametrize("listing", ["targets", "combinations", "runs", "flags", "cycles"])
def test_no_page_is_counted_off_from_the_start(listing: str, caller: Client, seven: History) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        read(caller, listing, limit=1, cursor=cursor_of(f"{listing}:9999999"))
    assert queries.captured_queries
    assert not any("OFFSET" in query["sql"] for query in queries.captured_queries)
