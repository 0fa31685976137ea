"""The page Search quality: what it counts, whose words it tells, what it proposes instead of a query that fails."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from review.charts.searches import DayCount, search_bars
from selftest.knowledge.models import Feedback, HistoryEntry, QualityAlert, Search
from tests.review.pages import SCRIPT, text_of
from tests.roles import give

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
HASH = "c0ffee" + "0" * 58


@pytest.fixture
def ada(db: None) -> Client:
    """The browser of an admin."""
    client = Client()
    client.force_login(give(User.objects.create_user("ada"), "admin"))
    return client


def searched(times: int, results: int, at: datetime = NOON) -> None:
    Search.objects.bulk_create(
        Search(at=at, query_sha256=HASH, source="page", results=results, latency_ms=12.0) for _ in range(times)
    )


def shown(client: Client) -> str:
    with time_machine.travel(NOON, tick=False):
        response = client.get("/search/quality")
    assert response.status_code == 200
    return text_of(response)


def test_without_searches_the_page_says_so(vera: Client) -> None:
    text = shown(vera)
    assert "No searches in 30 days" in text
    assert "Alerts None." in text


def test_figures_count_what_was_searched(vera: Client) -> None:
    searched(6, 3)
    searched(3, 0)
    searched(50, 0, at=NOON - timedelta(days=31))
    text = shown(vera)
    assert "Searches 9 Without a result 3 (33 %)" in text
    assert "p50 12 ms p95 12 ms" in text
    assert "9 searches, 3 without a result in 30 days" in text


def test_words_of_a_query_are_for_admins_where_a_person_keeps_theirs(vera: Client, ada: Client) -> None:
    searched(3, 0)
    assert "c0ffee000000…" in shown(vera)
    HistoryEntry.objects.create(
        user=User.objects.get(username="vera"), query=f"comet {SCRIPT}", query_sha256=HASH, results=0, at=NOON
    )
    assert "comet" not in shown(vera)
    assert f"comet {SCRIPT}" in shown(ada)
    assert SCRIPT not in ada.get("/search/quality").content.decode()


def test_what_is_rated_low_is_listed_with_what_it_leads_to(vera: Client) -> None:
    for reader in ("a", "b", "c"):
        Feedback.objects.create(
            at=NOON, actor=reader, query_sha256=HASH, chunk_key="docs:gone", chunk_kind="docs", rating="down"
        )
    assert "docs:gone Docs 3 not helpful 0 helpful" in shown(vera)


def test_open_alerts_stand_there_and_closed_ones_do_not(ada: Client) -> None:
    QualityAlert.objects.create(kind="slow", opened_at=NOON, figures={"searches": 20, "p95_ms": 412.0})
    QualityAlert.objects.create(
        kind="zero_results", about=HASH, opened_at=NOON, figures={"searches": 5, "fruitless": 5}
    )
    QualityAlert.objects.create(kind="low_rated", about="docs:1", opened_at=NOON, closed_at=NOON)
    text = shown(ada)
    assert "Searches are slow p95 412 ms over 20 searches in a week" in text
    assert "A query finds nothing c0ffee000000 5 of 5 searches in a week" in text
    assert "not helpful" not in text.partition("Alerts")[2].partition("Searches per day")[0]


def test_bars_end_today_and_have_the_fruitless_part_in_them() -> None:
    chart = search_bars(
        [DayCount(date(2026, 6, 30), 10, 5), DayCount(date(2026, 6, 1), 4, 0), DayCount(date(2026, 5, 31), 9, 9)],
        date(2026, 6, 30),
        30,
    )
    assert (len(chart.bars), len(chart.fruitless)) == (2, 1)
    assert chart.words == "14 searches, 5 without a result in 30 days"
    assert chart.bars[1].height == 2 * chart.fruitless[0].height
    assert chart.fruitless[0].x == chart.bars[1].x
    assert [line.day.day for line in chart.lines] == [30, 1]
    assert (chart.first, chart.last) == ("1 Jun 2026", "30 Jun 2026")


def test_it_takes_a_role_to_see_it(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("nora"))
    assert client.get("/search/quality").status_code == 403
