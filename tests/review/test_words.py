"""Values as a reader has them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
import time_machine
from django.utils.html import strip_tags

from review.templatetags.words import ago, ago_between, breakable, ms, relative, seconds

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before_s", "words"),
    [
        (0, "just now"),
        (44, "just now"),
        (46, "1 min ago"),
        (89, "1 min ago"),
        (59 * 60, "59 min ago"),
        (3600, "1 h ago"),
        (23 * 3600, "23 h ago"),
        (86400, "1 day ago"),
        (3 * 86400, "3 days ago"),
        (40 * 86400, "21 May 2026"),
        (-10, "in a moment"),
        (-57 * 60, "in 57 min"),
        (-2 * 3600, "in 2 h"),
    ],
)
def test_times_are_told_from_now(before_s: int, words: str) -> None:
    assert relative(NOW - timedelta(seconds=before_s), NOW) == words


@pytest.mark.parametrize(("size_s", "words"), [(59 * 60 + 45, "1 h ago"), (23 * 3600 + 1900, "1 day ago")])
def test_no_figure_reaches_the_next_unit(size_s: int, words: str) -> None:
    assert relative(NOW - timedelta(seconds=size_s), NOW) == words


def test_the_exact_time_is_in_utc_whatever_came() -> None:
    moment = NOW.astimezone(timezone(timedelta(hours=2)))
    assert '<time datetime="2026-06-30T12:00:00Z" title="2026-06-30 12:00:00 UTC">' in ago(moment)


@pytest.mark.parametrize(
    ("first_s", "last_s", "words"),
    [
        (125, 121, "2 min ago"),
        (3 * 86400, 125, "3 days ago – 2 min ago"),
    ],
)
def test_from_when_to_when_is_told_once_where_both_read_alike(first_s: int, last_s: int, words: str) -> None:
    first, last = NOW - timedelta(seconds=first_s), NOW - timedelta(seconds=last_s)
    with time_machine.travel(NOW, tick=False):
        assert strip_tags(ago_between(first, last)) == words


def test_what_is_not_known_is_a_dash() -> None:
    assert ago(None) == ms(None) == seconds(None) == "–"


@pytest.mark.parametrize(("latency_ms", "words"), [(0.4, "0 ms"), (35.2, "35 ms"), (11900.0, "11900 ms")])
def test_latencies_are_whole_milliseconds(latency_ms: float, words: str) -> None:
    assert ms(latency_ms) == words


@pytest.mark.parametrize(
    ("duration_s", "words"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (42.2, "42 s"), (59.7, "1 min 0 s"), (125, "2 min 5 s")]
)
def test_durations_are_in_minutes_and_seconds(duration_s: float, words: str) -> None:
    assert seconds(duration_s) == words


def test_a_name_in_snake_case_breaks_after_its_underscores_only() -> None:
    assert breakable("no_intent<b>") == "no_<wbr>intent&lt;b&gt;"
