"""What is kept of searches: a hash and figures, one rating a reader, clicks a day; never the words."""

import hashlib
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.contrib.auth.models import User

from selftest.knowledge import search_records
from selftest.knowledge.core.answers import SearchAnswer
from selftest.knowledge.models import Click, Feedback, HistoryEntry, Search
from selftest.models import Actor

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
ADA = Actor("ada")


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
