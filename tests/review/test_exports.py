"""Lists as CSV and JSON: all rows of a view in its order, whatever their number, and safe to open in a spreadsheet."""

import csv
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, IncompleteRead
from io import StringIO
from itertools import product
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from review.api.cause_schemas import CauseRow
from review.api.schemas import FlaggedRow
from review.contexts.records import CAUSE_COLUMNS, FLAG_COLUMNS
from review.models import SavedView
from review.row_files import csv_pieces, json_pieces
from review.views import queue as queue_view
from review.views.queue import COUNTED_VIEWS
from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, Combination
from selftest.operating.keys import make_api_key
from selftest.reading import exports
from selftest.reading.queue import Sort, Tab
from selftest.reviewing.causes import assign_cause, judge
from selftest.reviewing.dismissal import dismiss
from selftest.reviewing.judgement import Judgement
from tests.database import ROOT
from tests.review import factory
from tests.review.pages import text_of

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
CRASH, BLANK = CheckName.CRASH, CheckName.SECTION_BLANK
LIMIT_S = 30


def content(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert response.status_code == 200
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response)


def document(client: Client, address: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(content(client, address))
    return rows


def table(client: Client, address: str) -> list[list[str]]:
    return list(csv.reader(StringIO(content(client, address).decode("utf-8-sig"), newline="")))


def keys_on(client: Client, address: str) -> list[int]:
    """Of the rows that a page and those after it show."""
    found: list[int] = []
    while address:
        page = client.get(address).context["page"]
        found += [row.pk for row in page.rows]
        address = page.older
    return found


@pytest.fixture
def short_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few rows are many chunks, and several stretches of sorted keys."""
    monkeypatch.setattr(exports, "CHUNK_ROWS", 2)
    monkeypatch.setattr(exports, "SORTED_ROWS", 5)


@pytest.fixture
def many(db: None) -> None:
    """More than a page shows, of several checks and times, some dismissed, some clean since."""
    for number in range(22):
        at = NOON - timedelta(hours=number % 7)
        made = factory.flagged(f"subject {number}", factory.finding(CRASH if number % 3 else BLANK), now=at)
        if number % 4 == 0:
            factory.ask(made, now=at + timedelta(minutes=1))
        if number % 5 == 0:
            dismiss(made, Actor("vera"))


# --- which rows ---


@pytest.mark.usefixtures("many", "short_chunks")
def test_a_file_has_all_rows_of_its_view_in_the_order_of_the_page(vera: Client) -> None:
    for tab, sort in product(Tab, Sort):
        on_page = keys_on(vera, f"/flags?tab={tab}&sort={sort}&flat=1")
        assert len(on_page) > 4
        assert [row["id"] for row in document(vera, f"/flags.json?tab={tab}&sort={sort}")] == on_page, (tab, sort)


@pytest.mark.usefixtures("many", "short_chunks")
def test_a_filter_leaves_the_same_rows_in_both_files_as_on_the_page(vera: Client) -> None:
    place = FLAG_COLUMNS.index("id")
    for query in ("check=crash", "text=subject+7", "recipe=no_intent_fallthrough&tab=ever"):
        on_page = keys_on(vera, f"/flags?{query}&flat=1")
        assert on_page
        assert [row["id"] for row in document(vera, f"/flags.json?{query}")] == on_page
        assert [row[place] for row in table(vera, f"/flags.csv?{query}")[1:]] == [str(pk) for pk in on_page]


@pytest.mark.usefixtures("many")
def test_where_the_reader_was_in_the_list_plays_no_part(vera: Client) -> None:
    older = vera.get("/flags?flat=1&tab=ever").context["page"].older.partition("?")[2]
    assert len(document(vera, f"/flags.json?{older}")) == 22


@pytest.mark.usefixtures("short_chunks")
def test_a_row_that_goes_while_a_file_is_sent_is_left_out_of_it(vera: Client) -> None:
    oldest, *_ = [factory.flagged(now=NOON + timedelta(minutes=minute)) for minute in range(4)]
    response: Any = vera.get("/flags.json")
    Combination.objects.filter(pk=oldest.pk).delete()
    assert oldest.pk not in [row["id"] for row in json.loads(b"".join(response))]


# --- which columns ---


def test_a_row_says_what_the_api_says_of_it_with_its_check_and_its_cause(vera: Client) -> None:
    factory.flagged("tell me about comets", factory.finding(BLANK), result="[NEWS]\n")
    factory.ask(factory.flagged("tell me about looms", factory.finding(CRASH)))
    key = {"X-API-Key": make_api_key("script")}
    in_api = vera.get("/adversarial/flagged?include_dismissed=true", headers=key).json()["flagged"]
    before = document(vera, "/flags.json?tab=ever")
    assert [{name: row[name] for name in FlaggedRow.model_fields} for row in before] == in_api
    assert [(row["check"], row["cause"]) for row in before] == [("crash", None), ("section_blank", None)]
    assign_causes(factory.a_target(), timezone.now())
    causes = {cause.checks[0]: cause.sentence for cause in Cause.objects.all()}
    assert {row["check"]: row["cause"] for row in document(vera, "/flags.json?tab=ever")} == causes
    assert (*FlaggedRow.model_fields, "check", "cause", "verdict", "dismissed_at") == FLAG_COLUMNS


def test_a_cause_has_the_keys_of_the_api_in_their_order(vera: Client) -> None:
    factory.flagged("tell me about comets", factory.finding(BLANK))
    factory.flagged("tell me about looms", factory.finding(CRASH))
    assign_causes(factory.a_target(), timezone.now())
    judged = Cause.objects.get(checks=["crash"])
    until = Judgement(Cause.Verdict.LATER, "next week", until_new_flags=7)
    judge(judged, until, Actor("ada"))
    assert tuple(CauseRow.model_fields) == CAUSE_COLUMNS
    assert document(vera, "/causes.json?state=all") == vera.get("/api/v1/causes?state=all").json()["causes"]
    head, *rows = table(vera, "/causes.csv?state=all")
    assert tuple(head) == CAUSE_COLUMNS
    by_number = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    row = by_number[str(judged.pk)]
    assert row["checks"] == '["crash"]'
    assert row["until"] == '{"date": null, "new_flags": 7, "target_version": null}'
    assert (row["verdict"], row["in_inbox"], row["assignee"]) == ("later", "false", "")


def test_causes_are_those_of_the_page_in_its_order(vera: Client, reviewer: User) -> None:
    for check, times in ((BLANK, 2), (CRASH, 3), (CheckName.SECTION_REPEATED, 1)):
        for _ in range(times):
            factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), timezone.now())
    judge(Cause.objects.get(checks=["section_repeated"]), Judgement(Cause.Verdict.ACCEPTED, ""), Actor("ada"))
    assign_cause(Cause.objects.get(checks=["crash"]), Actor.person(reviewer), reviewer)
    expected = {"": 2, "state=judged": 1, "state=all": 3, "check=crash": 1, "assignee=none": 1, "assignee=vera": 1}
    for query, count in expected.items():
        on_page = [row.pk for row in vera.get(f"/?{query}" if query else "/").context["page"].rows]
        assert len(on_page) == count, query
        address = f"/causes.json?{query}" if query else "/causes.json"
        assert [row["id"] for row in document(vera, address)] == on_page, query


# --- how they are written ---


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "  =1",
        "\u00a0=1",
        " \tx",
        "＝1",
    ],
)
def test_a_cell_that_a_spreadsheet_would_compute_begins_with_an_apostrophe(text: str) -> None:
    written = b"".join(csv_pieces(["text"], [[{"text": text}]])).decode("utf-8-sig")
    assert list(csv.reader(StringIO(written, newline=""))) == [["text"], [f"'{text}"]]


@pytest.mark.parametrize("text", ["", "weather = rain", "a-b", "1", "'=1", '"quoted", with; separators', "two\nlines"])
def test_any_other_cell_is_as_it_was(text: str) -> None:
    written = b"".join(csv_pieces(["text"], [[{"text": text}]])).decode("utf-8-sig")
    assert list(csv.reader(StringIO(written, newline=""))) == [["text"], [text]]


def test_a_query_like_a_formula_is_safe_in_the_csv_and_unchanged_in_the_json(vera: Client) -> None:
    query = '=HYPERLINK("http://x.example","click")'
    factory.flagged(query)
    head, row = table(vera, "/flags.csv")
    assert dict(zip(head, row, strict=True))["last_query_text"] == f"'{query}"
    assert document(vera, "/flags.json")[0]["last_query_text"] == query


def test_a_spreadsheet_is_told_that_the_letters_are_utf_8(vera: Client) -> None:
    factory.flagged("wеather in Zürich")
    written = content(vera, "/flags.csv")
    assert written.startswith(b"\xef\xbb\xbffingerprint,recipe_name,")
    assert "wеather in Zürich".encode() in written
    assert "wеather in Zürich".encode() in content(vera, "/flags.json")


@pytest.mark.parametrize("name", ["flags", "causes"])
def test_an_empty_view_is_a_head_alone_or_an_empty_array(vera: Client, name: str) -> None:
    columns = {"flags": FLAG_COLUMNS, "causes": CAUSE_COLUMNS}
    assert table(vera, f"/{name}.csv") == [list(columns[name])]
    assert document(vera, f"/{name}.json") == []


def test_json_is_valid_whatever_the_chunks() -> None:
    rows: list[dict[str, Any]] = [{"id": number} for number in range(3)]
    for chunks in ([rows], [[row] for row in rows], [rows[:2], rows[2:]]):
        assert json.loads(b"".join(json_pieces(chunks))) == rows


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize(
    ("address", "kind", "name"),
    [
        ("/flags.csv", "text/csv; charset=utf-8", "gadfly-flags-review-20260630T120000Z.csv"),
        ("/flags.json?tab=ever&sort=age", "application/json", "gadfly-flags-ever-20260630T120000Z.json"),
        ("/flags.csv?check=crash", "text/csv; charset=utf-8", "gadfly-flags-review-filtered-20260630T120000Z.csv"),
        ("/causes.csv?state=all", "text/csv; charset=utf-8", "gadfly-causes-all-20260630T120000Z.csv"),
        ("/causes.json?check=crash", "application/json", "gadfly-causes-inbox-filtered-20260630T120000Z.json"),
    ],
)
def test_a_file_is_named_by_what_it_holds_and_when(vera: Client, address: str, kind: str, name: str) -> None:
    response = vera.get(address)
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response["Content-Type"] == kind
    assert response["Cache-Control"] == "no-store, private"


# --- who, and what is refused ---


def test_a_viewer_may_have_them_too(onlooker: Client) -> None:
    factory.flagged()
    assert len(document(onlooker, "/flags.json")) == 1


@pytest.mark.parametrize("kind", ["csv", "json"])
@pytest.mark.parametrize("query", ["flags?tab=x", "flags?check=x", "flags?age=x", "causes?state=x", "causes?verdict=x"])
def test_a_filter_that_makes_no_sense_is_refused_as_on_the_page(vera: Client, query: str, kind: str) -> None:
    name, _, rest = query.partition("?")
    page = vera.get(f"/flags?{rest}" if name == "flags" else f"/?{rest}")
    refused = vera.get(f"/{name}.{kind}?{rest}")
    assert (refused.status_code, text_of(refused)) == (page.status_code, text_of(page))
    assert refused.status_code == 400


@pytest.mark.usefixtures("many")
def test_the_headers_alone_read_no_row(vera: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "_flags", None)
    response = vera.head("/flags.csv")
    assert (response.status_code, response.content if not response.streaming else b"".join(response)) == (200, b"")


# --- faults ---


@pytest.fixture
def fails_at_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away after the first chunk."""
    read = exports._flags
    chunks = []

    def fail(keys: Any) -> Any:
        chunks.append(keys)
        if len(chunks) > 1:
            raise OperationalError("the database went away")
        return read(keys)

    monkeypatch.setattr(exports, "_flags", fail)


@pytest.mark.usefixtures("many", "short_chunks", "fails_at_second")
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_database_fault_in_the_middle_is_raised_and_ends_no_file(vera: Client, kind: str) -> None:
    response: Any = vera.get(f"/flags.{kind}")
    received = []
    with pytest.raises(OperationalError, match="went away"):
        received.extend(response)
    assert received, "the first rows were sent"
    if kind == "json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(b"".join(received))


@pytest.mark.usefixtures("many")
def test_a_database_fault_before_the_first_row_is_a_page_that_says_so(
    vera: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Any) -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr(exports, "_flags", fail)
    vera.raise_request_exception = False
    response = vera.get("/flags.csv")
    assert response.status_code >= 500
    assert response["Content-Type"].startswith("text/html")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of gunicorn with our worker, before an application whose file breaks off."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        serve = ["gunicorn", "tests.review.breaking_off:application", "--worker-class", "review.web_server.Worker"]
        serve += ["--threads", "2", "--bind", f"fd://{listener.fileno()}", "--no-control-socket"]
        command = [sys.executable, "-m", *serve]
        server = subprocess.Popen(command, cwd=ROOT, pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
        number = listener.getsockname()[1]
    try:
        yield number
    finally:
        server.terminate()
        server.wait(LIMIT_S)


@pytest.mark.process
def test_a_file_that_breaks_off_is_received_as_not_whole(port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)) as connection:
        connection.request("GET", "/whole")
        assert connection.getresponse().read().decode("utf-8-sig") == "id\r\n1\r\n2\r\n"
        connection.request("GET", "/")
        with pytest.raises(IncompleteRead):
            connection.getresponse().read()


# --- on the pages ---


@pytest.mark.parametrize(
    ("page", "query", "files"),
    [
        ("/flags", "check=crash&sort=age", "/flags"),
        ("/flags", "tab=dismissed", "/flags"),
        ("/", "state=judged&verdict=accepted", "/causes"),
        ("/", "", "/causes"),
    ],
)
def test_a_list_links_to_its_files_as_it_is_filtered(vera: Client, page: str, query: str, files: str) -> None:
    rest = f"?{query}" if query else ""
    response = vera.get(f"{page}{rest}")
    assert "CSV · JSON" in text_of(response)
    links = response.context["page"].files
    assert (links.csv, links.json) == (f"{files}.csv{rest}", f"{files}.json{rest}")
    for address in (links.csv, links.json):
        assert f'href="{address.replace("&", "&amp;")}"' in response.content.decode()
        assert vera.get(address).status_code == 200


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for its counts, however slow the machine is."""
    monkeypatch.setattr(queue_view, "COUNTING_S", 3600.0)


def counts(client: Client) -> dict[str, int | None]:
    return {view.name: view.count for view in client.get("/flags").context["page"].views}


def keep(owner: User, name: str, query: str) -> None:
    SavedView.objects.create(owner=owner, name=name, query=query)


@pytest.mark.usefixtures("many", "patience")
def test_a_saved_view_shows_how_many_rows_it_holds_now(vera: Client, reviewer: User) -> None:
    for name, query in {"all": "tab=ever", "crashes": "check=crash", "done": "tab=dismissed&sort=age"}.items():
        keep(reviewer, name, query)
    held = {name: len(document(vera, f"/flags.json?{view}")) for name, view in saved(reviewer).items()}
    assert counts(vera) == held
    assert (held["all"], held["done"]) == (22, 5)
    assert "all 22 crashes" in text_of(vera.get("/flags"))
    dismiss(Combination.objects.filter(flagged_check="crash", review_status=None).latest("pk"), Actor("ada"))
    assert counts(vera) == held | {"crashes": held["crashes"] - 1, "done": held["done"] + 1}


def saved(owner: User) -> dict[str, str]:
    return dict(SavedView.objects.filter(owner=owner).values_list("name", "query"))


@pytest.mark.usefixtures("many", "patience")
def test_a_view_whose_filter_is_not_valid_any_more_shows_no_count(vera: Client, reviewer: User) -> None:
    keep(reviewer, "gone", "check=a_check_that_is_gone")
    keep(reviewer, "fine", "check=crash")
    shown = counts(vera)
    assert shown["gone"] is None
    assert shown["fine"]


@pytest.mark.usefixtures("many", "patience")
def test_only_the_first_views_by_name_are_counted(vera: Client, reviewer: User) -> None:
    for number in range(COUNTED_VIEWS + 3):
        keep(reviewer, f"view {number:02}", f"text=subject+{number}")
    shown = list(counts(vera).values())
    assert None not in shown[:COUNTED_VIEWS]
    assert shown[COUNTED_VIEWS:] == [None] * 3


def queries_for(client: Client) -> int:
    with CaptureQueriesContext(connection) as asked:
        client.get("/flags")
    return len(asked)


@pytest.mark.django_db(transaction=True)  # within one, what was read is not remembered
@pytest.mark.usefixtures("patience")
def test_views_are_counted_once_for_as_long_as_nothing_has_changed(vera: Client, reviewer: User) -> None:
    factory.flagged()
    vera.get("/flags")
    without = queries_for(vera)
    keep(reviewer, "crashes", "check=crash")
    keep(reviewer, "crashes by age", "check=crash&sort=age&tab=ever")
    assert queries_for(vera) == without + 1, "two views that differ in order and tab alone share one count"
    assert queries_for(vera) == without


def test_a_page_does_not_wait_for_counts_that_take_long(
    vera: Client, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory.flagged()
    keep(reviewer, "crashes", "check=crash")
    monkeypatch.setattr(queue_view, "COUNTING_S", 0.0)
    assert counts(vera) == {"crashes": None}
