"""`/news`: what a queue that lies open does not know yet; 204 where that is nothing."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Cycle, Tuning
from selftest.reviewing.dismissal import dismiss
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

VERA = Actor("vera")
HTMX = {"HX-Request": "true"}


def asked_next(response: HttpResponse) -> str:
    """Where the page, or the polled part of it, asks next."""
    found = re.search(r'<div id="news"[^>]* hx-get="([^"]*)"', response.content.decode())
    assert found
    return found[1].replace("&amp;", "&")


def test_with_nothing_new_there_is_no_content(vera: Client) -> None:
    factory.flagged()
    response = vera.get(asked_next(vera.get("/flags")), headers=HTMX)
    assert response.status_code == 204
    assert response.content == b""


def test_flags_that_came_since_are_counted_and_shown_by_a_link(vera: Client) -> None:
    factory.flagged()
    asked = asked_next(vera.get("/flags"))
    for _ in range(6):
        factory.flagged()
    response = vera.get(asked, headers=HTMX)
    assert response.status_code == 200
    assert "6 new flags: show" in text_of(response)
    assert 'data-flagged="6"' in response.content.decode()
    assert vera.get(asked_next(response), headers=HTMX).status_code == 204
    factory.flagged()
    assert "7 new flags: show" in text_of(vera.get(asked_next(response), headers=HTMX))


def test_one_is_said_as_one(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags"))
    factory.flagged()
    assert "1 new flag: show" in text_of(vera.get(asked, headers=HTMX))


def test_one_flagged_again_is_news_and_a_clean_run_is_none(vera: Client) -> None:
    again, clean = factory.flagged(), factory.flagged()
    asked = asked_next(vera.get("/flags"))
    factory.ask(clean)
    assert "new flag" not in text_of(vera.get(asked, headers=HTMX))
    factory.ask(again, [factory.finding()])
    assert "1 new flag: show" in text_of(vera.get(asked, headers=HTMX))


def test_what_another_reviewer_dismissed_meanwhile_is_no_news(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags"))
    dismiss(factory.flagged(), VERA)
    assert "new flag" not in text_of(vera.get(asked, headers=HTMX))


def test_only_flags_of_the_filtered_list_are_news(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags?check=crash&sort=age"))
    factory.flagged()
    assert "new flag" not in text_of(vera.get(asked, headers=HTMX))
    factory.flagged("", factory.finding(CheckName.CRASH))
    response = vera.get(asked, headers=HTMX)
    assert "1 new flag: show" in text_of(response)
    assert 'href="/flags?check=crash&amp;sort=age"' in response.content.decode()


def test_how_testing_goes_is_news_too(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags"))
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    response = vera.get(asked, headers=HTMX)
    assert f"Cycle {cycle.pk} is running" in text_of(response)
    Cycle.objects.update(state=Cycle.State.TARGET_UNAVAILABLE, finished_at=timezone.now(), note="connection refused")
    assert "bundled is away." in text_of(vera.get(asked_next(response), headers=HTMX))


def test_script_in_an_outage_is_text(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags"))
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, SCRIPT)
    assert_escaped(vera.get(asked, headers=HTMX))


def test_htmx_gets_the_polled_part_alone(vera: Client) -> None:
    factory.a_target()
    asked = asked_next(vera.get("/flags"))
    factory.flagged()
    response = vera.get(asked, headers=HTMX)
    assert not is_whole(response)
    assert response.content.strip().startswith(b'<div id="news"')
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("asked", ["since=x", "since=-1", f"since={'9' * 40}", "check=x"])
def test_what_makes_no_sense_is_refused(vera: Client, asked: str) -> None:
    assert vera.get(f"/news?{asked}", headers=HTMX).status_code == 400


def test_who_opens_the_address_itself_is_led_to_the_list(vera: Client) -> None:
    assert vera.get("/news?check=crash&since=1&seen=x")["Location"] == "/flags?check=crash"


def test_only_reading_is_allowed(vera: Client) -> None:
    assert vera.post("/news").status_code == 405


def test_strangers_are_told_where_to_sign_in_and_come_back_to_the_queue(client: Client, db: None) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/?tab=ever"}
    assert client.get("/news", headers=headers)["HX-Redirect"] == "/sign-in?next=%2F%3Ftab%3Dever"


def test_the_number_of_queries_does_not_grow_with_the_news(vera: Client) -> None:
    Tuning.get_solo()
    factory.flagged(now=timezone.now() - timedelta(hours=1))
    asked = asked_next(vera.get("/flags"))
    counts = []
    for new in (1, 12):
        for _ in range(new):
            factory.flagged()
        with CaptureQueriesContext(connection) as queries:
            vera.get(asked, headers=HTMX)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 16
