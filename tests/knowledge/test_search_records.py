"""What is kept of searches: a hash and figures, one rating a reader, clicks a day; words of those who chose it."""

import hashlib
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.test import Client

from selftest.knowledge import search_records
from selftest.knowledge.core.answers import SearchAnswer
from selftest.knowledge.index import writing
from selftest.knowledge.models import Click, Feedback, HistoryEntry, Search
from selftest.models import Actor
from tests.api.conftest import caller, key  # noqa: F401 - fixtures
from tests.knowledge.pieces import piece
from tests.roles import give

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
ADA = Actor("ada")
PIECE = piece("Kettles", "Water for tea comes from here.")


def test_a_query_is_kept_as_the_hash_of_what_it_says() -> None:
    search_records.note_search("  Restore   a BACKUP ", SearchAnswer([], intent="how_to", latency_ms=7.5), "page")
    row = Search.objects.get()
    assert row.query_sha256 == hashlib.sha256(b"restore a backup").hexdigest()
    assert (row.source, row.results, row.intent, row.latency_ms) == ("page", 0, "how_to", 7.5)


def test_a_reader_has_one_rating_of_a_result_of_a_query() -> None:
    search_records.rate(ADA, "restore", "docs:1", "docs", "up")
    search_records.rate(ADA, "Restore ", "docs:1", "docs", "down")
    search_records.rate(Actor("otto"), "restore", "docs:1", "docs", "up")
    assert Feedback.objects.count() == 2
    assert search_records.ratings(ADA, "restore") == {"docs:1": "down"}
    assert search_records.ratings(ADA, "backup") == {}


def test_clicks_are_counted_a_day() -> None:
    with time_machine.travel(NOON, tick=False):
        search_records.note_click("docs:1")
        search_records.note_click("docs:1")
    with time_machine.travel(NOON.replace(month=7), tick=False):
        search_records.note_click("docs:1")
    assert list(Click.objects.order_by("day").values_list("day", "count")) == [
        (date(2026, 6, 30), 2),
        (date(2026, 7, 30), 1),
    ]


def test_recent_queries_are_ones_own_the_newest_first() -> None:
    ada, otto = (User.objects.create_user(name) for name in ("ada", "otto"))
    for user, query, day in ((ada, "first", 1), (ada, "second", 2), (otto, "other", 3)):
        HistoryEntry.objects.create(
            user=user, query=query, query_sha256=search_records.query_sha256(query), results=1, at=NOON.replace(day=day)
        )
    assert search_records.recent(ada) == ["second", "first"]


# --- the words themselves ---

PLANTED = "quokka in the samovar"
TOKEN = {"X-CSRFToken": "a" * 32}


@pytest.fixture
def vic(db: None) -> Client:
    """The browser of a viewer."""
    client = Client()
    client.force_login(give(User.objects.create_user("vic"), "viewer"))
    client.cookies["csrftoken"] = TOKEN["X-CSRFToken"]
    return client


def tables_with(text: str) -> set[str]:
    """Every table of the database that holds it somewhere, in any case."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            if any(text in str(value).lower() for row in cursor.fetchall() for value in row):
                found.add(table)
    return found


def search_everywhere(client: Client, key: str) -> None:  # noqa: F811
    writing.put([PIECE])
    said = {"q": PLANTED}
    for path in ("/v1/search/query", "/v1/advisory-ai/search"):
        assert client.post(path, said, "application/json", headers=TOKEN).status_code == 200
        assert client.post(path, said, "application/json", headers={"X-API-Key": key}).status_code == 200
        client.post(path, {**said, "filters": {"target": PLANTED}}, "application/json", headers=TOKEN)
        client.post(path, {**said, PLANTED: 1}, "application/json", headers=TOKEN)
    rating = {**said, "id": PIECE.id, "rating": "down"}
    assert client.post("/v1/search/feedback", rating, "application/json", headers=TOKEN).status_code == 200
    assert client.get("/search", said).status_code == 200


def test_no_table_and_no_line_of_the_log_has_the_words(
    vic: Client,
    key: str,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    search_everywhere(vic, key)
    assert Search.objects.count() == 5
    assert tables_with("quokka") == tables_with("samovar") == set()
    assert "quokka" not in caplog.text


def test_who_chose_it_has_theirs_kept_and_can_have_them_deleted(vic: Client, key: str) -> None:  # noqa: F811
    assert vic.get("/v1/search/history").json() == {"kept": False, "entries": []}
    vic.post("/profile", {"theme": "system", "keep_searches": "on"})
    assert 'name="keep_searches" id="id_keep_searches" checked' in vic.get("/profile").content.decode()
    with time_machine.travel(NOON, tick=False):
        search_everywhere(vic, key)
    assert tables_with("quokka") == {"knowledge_historyentry"}
    kept = vic.get("/v1/search/history").json()
    assert kept == {"kept": True, "entries": [{"q": PLANTED, "results": 0, "at": "2026-06-30T12:00:00Z"}]}
    assert vic.delete("/v1/search/history", headers=TOKEN).json() == {"deleted": 1}
    assert tables_with("quokka") == set()


def test_to_choose_otherwise_deletes_what_was_kept(vic: Client, key: str) -> None:  # noqa: F811
    vic.post("/profile", {"theme": "system", "keep_searches": "on"})
    search_everywhere(vic, key)
    vic.post("/profile", {"theme": "system"})
    assert vic.get("/v1/search/history").json() == {"kept": False, "entries": []}
    assert tables_with("quokka") == set()


def test_the_history_of_one_is_not_that_of_another_and_a_key_has_none(vic: Client, caller: Client) -> None:  # noqa: F811
    ada = User.objects.create_user("ada")
    search_records.choose_history(ada, True)
    search_records.note_search(PLANTED, SearchAnswer(()), "api", ada)
    assert vic.get("/v1/search/history").json()["entries"] == []
    assert vic.delete("/v1/search/history", headers=TOKEN).json() == {"deleted": 0}
    assert HistoryEntry.objects.filter(user=ada).count() == 1
    refused = caller.get("/v1/search/history", headers={"X-Locale": "de-DE"})
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "knowledge.history.no_person")


def test_a_hundred_queries_of_a_person_are_kept_and_none_that_is_typed_in_passing(db: None) -> None:
    ada = User.objects.create_user("ada")
    search_records.choose_history(ada, True)
    for number in range(102):
        search_records.note_search(f"query {number}", SearchAnswer(()), "page", ada)
    search_records.note_search("query 5", SearchAnswer(()), "page", ada)
    search_records.note_search("que", SearchAnswer(()), "typing", ada)
    queries = [row.query for row in search_records.history(ada)]
    assert (len(queries), HistoryEntry.objects.count()) == (100, 100)
    assert queries[:3] == ["query 5", "query 101", "query 100"]
    assert not {"query 0", "query 1", "que"} & set(queries)


def test_a_record_that_cannot_be_made_is_a_line_in_the_log_without_the_words(
    vic: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(**_: object) -> None:
        raise DatabaseError(f"value {PLANTED!r} is refused")

    monkeypatch.setattr(Search.objects, "create", away)
    response = vic.post("/v1/search/query", {"q": PLANTED}, "application/json", headers=TOKEN)
    assert response.status_code == 200
    assert "could not be recorded: DatabaseError" in caplog.text
    assert "quokka" not in caplog.text
