"""What each source does with its local data. Thursday 15 October 2026, noon, unless said otherwise."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from selftest.targets.reference.content import rows
from selftest.targets.reference.loopback import LOOPBACK, LoopbackServices, Service
from selftest.targets.reference.sources import indexes
from selftest.targets.reference.sources.encyclopedia import encyclopedia
from selftest.targets.reference.sources.forecast import forecast
from selftest.targets.reference.sources.fulltext import Document, Index
from selftest.targets.reference.sources.house import changes, home
from selftest.targets.reference.sources.news import news
from selftest.targets.reference.sources.uptime import uptime
from selftest.targets.reference.sources.web import web
from selftest.targets.reference.steps import FoundItem, Question

from .conftest import THURSDAY_NOON


def asked(text: str, at: datetime = THURSDAY_NOON) -> Question:
    return Question(text, at)


def names(items: tuple[FoundItem, ...]) -> list[str]:
    return [item.text.removeprefix("- ").split(":")[0] for item in items]


def test_the_encyclopedia_has_at_least_sixty_short_articles() -> None:
    articles = rows("articles")
    assert len(articles) >= 60
    assert len({article["title"] for article in articles}) == len(articles)
    assert all(2 <= article["text"].count(". ") + 1 <= 5 for article in articles)


def test_the_encyclopedia_finds_by_stem_and_puts_the_subject_first() -> None:
    assert names(encyclopedia(asked("roman aqueducts"), indexes.articles()))[0] == "Roman aqueduct"
    assert names(encyclopedia(asked("tell me about glaciers please"), indexes.articles()))[0] == "Glacier"


def test_the_encyclopedia_leaves_out_what_only_mentions_a_word() -> None:
    assert names(encyclopedia(asked("black holes"), indexes.articles())) == ["Black hole"]


def test_the_encyclopedia_has_nothing_on_what_no_article_mentions() -> None:
    assert encyclopedia(asked("xyzzy plugh"), indexes.articles()) == ()


@pytest.mark.parametrize("text", ["' OR 1", "NEAR(a b)", "title:*", "a AND", "日本"])
def test_no_text_breaks_the_search(text: str) -> None:
    assert len(web(asked(text), indexes.everything())) >= 1
    encyclopedia(asked(text), indexes.articles())


@pytest.mark.parametrize("text", ['"', "", "(", "\x00", "-- ;", "?", "🙂🙂"])
def test_the_web_has_nothing_on_a_text_without_a_word(text: str) -> None:
    assert web(asked(text), indexes.everything()) == ()
    assert encyclopedia(asked(text), indexes.articles()) == ()


def test_a_title_counts_for_more_than_a_mention() -> None:
    index = Index([Document("a", "Tea", "Not about rivers."), Document("b", "Rivers", "Water. Tea can be had there.")])
    assert [hit.document.key for hit in index.search(["tea"], 5)] == ["a", "b"]


def test_the_web_shows_the_nearest_where_nothing_matches() -> None:
    assert any("Lighthouse" in item.text for item in web(asked("lihgthouse"), indexes.everything()))


def test_the_feed_holds_what_was_published_last() -> None:
    assert [item.text for item in news(asked("headlines"))][:2] == [
        "- Volcano on the northern rift quiet again after three days (science, Thu 15 Oct 11:10)",
        "- Bridge to the island shut for a week of inspections (transport, Thu 15 Oct 07:05)",
    ]


def test_the_feed_puts_a_topic_that_is_asked_for_first() -> None:
    assert "(sport, " in news(asked("sport headlines"))[0].text


def test_the_feed_moves_with_the_clock() -> None:
    later = THURSDAY_NOON + timedelta(hours=4)
    assert "heat pumps" in news(asked("headlines", later))[0].text


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("later today", ["Thursday 15 October", "Night after Thursday"]),
        ("how cold tonight", ["Thursday 15 October", "Night after Thursday"]),
        ("tomorrow morning", ["Friday 16 October"]),
        ("this weekend", ["Saturday 17 October", "Sunday 18 October"]),
        ("weather", ["Thursday 15 October", "Friday 16 October", "Saturday 17 October"]),
    ],
)
def test_the_forecast_is_for_the_days_that_are_asked_for(text: str, days: list[str]) -> None:
    assert names(forecast(asked(text))) == days


def test_a_weekend_asked_for_on_a_saturday_is_this_one() -> None:
    assert names(forecast(asked("this weekend", datetime(2026, 10, 17, 9, tzinfo=UTC))))[0] == "Saturday 17 October"


def test_a_day_is_forecast_alike_from_whichever_day_it_is_asked() -> None:
    saturday = {item.text for item in forecast(asked("this weekend"))}
    assert saturday == {item.text for item in forecast(asked("this weekend", THURSDAY_NOON + timedelta(days=1)))}


def test_july_is_warmer_than_january() -> None:
    def high_c(month: int) -> int:
        (item,) = forecast(asked("tomorrow", datetime(2026, month, 14, tzinfo=UTC)))
        return int(item.text.split(" to ")[1].split(" ")[0])

    assert high_c(7) > high_c(1)


def test_the_house_changes_with_the_time_of_day() -> None:
    night = THURSDAY_NOON.replace(hour=2)
    assert home(asked("front door locked", night))[0].text == "- Front door: locked"
    assert home(asked("front door locked"))[0].text == "- Front door: unlocked"


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("lights on", ["Hall light", "Kitchen light", "Porch light"]),
        ("battery levels", ["Door sensor battery", "Smoke detector battery"]),
        ("energy usage", ["Heating", "Electricity meter"]),
    ],
)
def test_the_house_answers_for_the_devices_that_are_asked_about(text: str, devices: list[str]) -> None:
    assert names(home(asked(text))) == devices


def test_the_whole_house_answers_where_no_device_is_named() -> None:
    assert len(home(asked("how is everything"))) == 14


def test_a_window_shows_what_it_was_and_what_it_is() -> None:
    at_nine = THURSDAY_NOON.replace(hour=21, minute=45)
    found = {item.text for item in changes(asked("in the last 4 hours", at_nine))}
    assert "- Front door: unlocked → locked, changed once since Thu 17:45" in found
    assert any(text.startswith("- Electricity meter: ") and " kWh → " in text for text in found)


def test_what_went_there_and_back_is_said_to_be_as_it_was() -> None:
    found = {item.text for item in changes(asked("since last time"))}
    assert "- Front door: unlocked again, changed 2 times since Wed 12:00" in found


@pytest.mark.parametrize("hour", range(0, 24, 3))
@pytest.mark.parametrize(
    "text", ["what changed", "while i was away", "overnight changes", "in the last few hours", "1 hour"]
)
def test_every_window_holds_some_change(text: str, hour: int) -> None:
    assert changes(asked(text, THURSDAY_NOON.replace(hour=hour)))


@pytest.fixture
def services() -> Iterator[tuple[Service, ...]]:
    running = LoopbackServices()
    yield running.services
    running.close()


def test_uptime_really_connects_and_tells_up_from_down(services: tuple[Service, ...]) -> None:
    found = [item.text for item in uptime(asked("is it up"), services)]
    assert [": up, answered within " in text for text in found] == [True, True, True, False]
    assert found[3].endswith(": down, connection refused")


def test_a_service_that_stops_is_down_at_the_next_question() -> None:
    with socket.create_server((LOOPBACK, 0)) as listener:
        told = Service("door bell", LOOPBACK, listener.getsockname()[1])
        assert ": up," in uptime(asked("is it up"), [told])[0].text
    assert ": down," in uptime(asked("is it up"), [told])[0].text


def test_a_service_that_is_named_is_reported_alone(services: tuple[Service, ...]) -> None:
    assert len(uptime(asked("is the print server up"), services)) == 1


def test_closing_the_loopback_services_gives_their_ports_back() -> None:
    running = LoopbackServices()
    ports = [service.port for service in running.services]
    running.close()
    for port in ports:
        socket.create_server((LOOPBACK, port)).close()
