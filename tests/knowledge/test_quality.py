"""How well searches do: what is counted, whose words are told, which alerts open and close, what is forgotten."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django_q.models import Schedule

from selftest import tasks
from selftest.knowledge import quality, schedule
from selftest.knowledge.models import Chunk, Feedback, HistoryEntry, QualityAlert, Search, SearchSettings
from selftest.models import Actor

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
WEEK_AGO = NOW - timedelta(days=7)
NAMES = ("a" * 64, "b" * 64, "c" * 64)
ADA = Actor("ada")


def searched(query_sha256: str, times: int = 1, results: int = 3, at: datetime = NOW, **others: object) -> None:
    """The same search several times; fast ones on a page, unless told otherwise."""
    row = {"source": "page", "latency_ms": 8.0, **others}
    Search.objects.bulk_create(Search(query_sha256=query_sha256, results=results, at=at, **row) for _ in range(times))


def rated(key: str, *ratings: str, at: datetime = NOW) -> None:
    """Each by another reader."""
    for place, rating in enumerate(ratings):
        Feedback.objects.create(
            at=at, actor=f"reader {place}", query_sha256=NAMES[0], chunk_key=key, chunk_kind="docs", rating=rating
        )


def made_chunk(key: str, **others: object) -> Chunk:
    row = {"kind": "docs", "domain": "knowledge", "title": "Backups", "body": "How", "language": "en", "sha256": ""}
    return Chunk.objects.create(key=key, **{**row, **others})


def watch() -> schedule.Watched:
    return schedule.watch(SearchSettings.get_solo(), NOW)


def open_alerts() -> list[tuple[str, str]]:
    return sorted(QualityAlert.objects.filter(closed_at=None).values_list("kind", "about"))


# --- figures ---


def test_half_typed_queries_count_as_such_and_not_for_what_was_found() -> None:
    searched(NAMES[0], 6)
    searched(NAMES[1], 2, results=0)
    searched(NAMES[2], 9, results=0, source="typing")
    share = quality.share_without_results(WEEK_AGO)
    assert (share.searches, share.fruitless, share.fraction) == (8, 2, 0.25)
    assert quality.searches_while_typing(WEEK_AGO) == 9
    assert [row.query_sha256 for row in quality.top_queries(WEEK_AGO, names_texts=False)] == [NAMES[0], NAMES[1]]


def test_a_day_is_a_day_in_utc() -> None:
    searched(NAMES[0], at=datetime(2026, 6, 29, 23, 59, tzinfo=UTC))
    searched(NAMES[0], 2, results=0, at=datetime(2026, 6, 30, 0, 0, tzinfo=UTC))
    days = quality.days_of_searches(WEEK_AGO)
    assert [(row.day, row.searches, row.fruitless) for row in days] == [
        (date(2026, 6, 29), 1, 0),
        (date(2026, 6, 30), 2, 2),
    ]
    assert quality.days_ago(NOW, 30) == datetime(2026, 6, 1, 0, 0, tzinfo=UTC)


def test_latency_is_of_all_searches_and_nothing_without_any() -> None:
    assert quality.latency(WEEK_AGO) == quality.Latency(0, None, None)
    for ms in (10.0, 20.0, 30.0):
        searched(NAMES[0], latency_ms=ms, source="typing")
    found = quality.latency(WEEK_AGO)
    assert (found.searches, found.p50_ms) == (3, 20.0)
    assert found.p95_ms == pytest.approx(29.0)  # type 7: 20 + 0.9 × 10


def test_a_query_is_named_only_where_somebody_keeps_theirs_and_only_to_admins() -> None:
    searched(NAMES[0], 3)
    searched(NAMES[1], 5)
    HistoryEntry.objects.create(
        user=User.objects.create_user("ada"), query="restore a backup", query_sha256=NAMES[0], results=3, at=NOW
    )
    assert [row.text for row in quality.top_queries(WEEK_AGO, names_texts=True)] == ["", "restore a backup"]
    assert [row.text for row in quality.top_queries(WEEK_AGO, names_texts=False)] == ["", ""]


def test_a_query_that_found_something_once_is_not_fruitless() -> None:
    searched(NAMES[0], 5, results=0)
    searched(NAMES[1], 5, results=0)
    searched(NAMES[1], 1, results=1)
    searched(NAMES[2], 2, results=0)
    rows = quality.fruitless_queries(WEEK_AGO, names_texts=False)
    assert [(row.query_sha256, row.searches) for row in rows] == [(NAMES[0], 5)]


def test_low_rated_is_what_more_found_unhelpful_and_a_result_that_is_gone_is_listed_too() -> None:
    made_chunk("docs:1", url="/knowledge/docs/README.md")
    rated("docs:1", "down", "down", "down", "up")
    rated("docs:2", "down", "down", "down", "down")
    rated("docs:3", "down", "down")
    rated("docs:4", "down", "down", "down", "up", "up", "up")
    found = quality.low_rated(for_admin=False)
    assert [(row.key, row.title, row.url, row.up, row.down) for row in found] == [
        ("docs:2", "", "", 0, 4),
        ("docs:1", "Backups", "/knowledge/docs/README.md", 1, 3),
    ]


def test_what_only_admins_find_is_not_named_to_others() -> None:
    made_chunk("docs:1", for_admins=True)
    rated("docs:1", "down", "down", "down")
    assert quality.low_rated(for_admin=False) == ()
    assert [row.key for row in quality.low_rated(for_admin=True)] == ["docs:1"]


# --- the monitor ---


def test_an_alert_opens_once_and_closes_when_it_is_no_longer_so() -> None:
    searched(NAMES[0], 14)
    searched(NAMES[1], 6, results=0)  # 30 %, the share that alerts
    assert watch() == schedule.Watched(opened=2, closed=0, open=2)
    assert open_alerts() == [("zero_results", ""), ("zero_results", NAMES[1])]
    assert watch() == schedule.Watched(opened=0, closed=0, open=2)
    searched(NAMES[1], 1, results=1)
    assert watch() == schedule.Watched(opened=0, closed=2, open=0)
    assert QualityAlert.objects.filter(closed_at=NOW).count() == 2


def test_an_open_alert_has_the_figures_of_the_last_look() -> None:
    searched(NAMES[1], 5, results=0)
    watch()
    searched(NAMES[1], 2, results=0)
    watch()
    assert QualityAlert.objects.get().figures == {"searches": 7, "fruitless": 7}


def test_few_searches_say_nothing_about_a_share_or_about_speed() -> None:
    for name in NAMES:
        searched(name, 4, results=0, latency_ms=900.0)
    assert watch().open == 0


def test_slow_searches_and_low_rated_results_alert() -> None:
    searched(NAMES[0], 20, latency_ms=200.1)
    rated("docs:1", "down", "down", "down")
    watch()
    assert open_alerts() == [("low_rated", "docs:1"), ("slow", "")]


def test_what_is_older_than_a_week_alerts_no_more() -> None:
    searched(NAMES[0], 40, results=0, at=NOW - timedelta(days=7, seconds=1))
    assert watch().open == 0


def test_the_monitor_is_scheduled_daily_and_gone_while_it_is_off() -> None:
    schedule.follow_settings(), schedule.follow_settings()
    row = Schedule.objects.get(name=schedule.MONITOR)
    assert (row.func, row.schedule_type, row.repeats) == ("selftest.tasks.watch_searches", "D", -1)
    settings = SearchSettings.get_solo()
    settings.monitor = False
    schedule.put_in_force(settings, ADA)
    assert not Schedule.objects.filter(name=schedule.MONITOR).exists()
    assert tasks.watch_searches() == "switched off"
    settings.monitor = True
    schedule.put_in_force(settings, ADA)
    assert Schedule.objects.filter(name=schedule.MONITOR).count() == 1
    assert tasks.watch_searches() == "Watched(opened=0, closed=0, open=0)"


def test_what_changed_is_taken_into_the_index_once_an_hour() -> None:
    schedule.schedule_index(), schedule.schedule_index()
    row = Schedule.objects.get(name=schedule.CURRENT)
    assert (row.func, row.schedule_type, row.repeats) == ("selftest.tasks.bring_knowledge_current", "H", -1)
    assert tasks.bring_knowledge_current().startswith("took ")


# --- what is forgotten ---


def test_searches_are_forgotten_after_ninety_days_and_ratings_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "DELETED_AT_ONCE", 2)
    searched(NAMES[0], 5, at=NOW - timedelta(days=90, seconds=1))
    searched(NAMES[1], at=NOW - timedelta(days=90))
    rated("docs:1", "down", at=NOW - timedelta(days=400))
    assert schedule.forget_old_searches(NOW) == 5
    assert list(Search.objects.values_list("query_sha256", flat=True)) == [NAMES[1]]
    assert Feedback.objects.count() == 1
