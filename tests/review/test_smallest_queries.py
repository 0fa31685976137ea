"""The smallest query on a combination's page: the button, how far it is, what was found, and what came before."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import DjangoAssertNumQueries

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.cycles import ownership
from selftest.models import Combination, Reduction, Tuning
from selftest.storage.serialization import query_document
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of

A = Part(PartKind.INTENT, "weather", "forecast")
B = Part(PartKind.INTENT, "headlines", "news")
C = Part(PartKind.INTENT, "uptime", "status")
AND = Part(PartKind.CONJUNCTION, " and ")
THEN = Part(PartKind.CONJUNCTION, " then ")


@pytest.fixture
def chain(db: None) -> Combination:
    """Flagged: weather and headlines then uptime."""
    combination = factory.make_combination("weather and headlines then uptime")
    combination.query = query_document(Query("multi_intent_chain", (A, AND, B, THEN, C)))
    combination.save()
    factory.ask(combination, [factory.finding()])
    return combination


def look_for(combination: Combination, **columns: Any) -> Reduction:
    """A search that found "weather then uptime", or what `columns` say."""
    now = timezone.now()
    found = {
        "state": "finished",
        "askings": 12,
        "askings_at_most": 40,
        "smallest": query_document(Query("multi_intent_chain", (A, THEN, C))),
        "smallest_text": "weather then uptime",
        "kept": [0, 3, 4],
        "is_minimal": True,
        "result": "Traceback",
        "source_used": "home",
        "created_at": now,
        "finished_at": now,
    }
    return Reduction.objects.create(
        combination=combination,
        run_id=combination.last_flagged_run_id,
        check_name=combination.flagged_check,
        **found | columns,
    )


UNFOUND: dict[str, Any] = {"smallest": None, "smallest_text": "", "kept": [], "is_minimal": False, "result": ""}


def section(client: Client, combination: Combination) -> str:
    text = text_of(client.get(f"/combinations/{combination.pk}"))
    return text[text.index("Smallest query") : text.index("Flagged answer")]


def test_before_any_search_the_page_says_what_it_would_do(vera: Client, chain: Combination) -> None:
    text = section(vera, chain)
    assert "Removes parts and simplifies the rest as long as the same finding is reproduced." in text
    assert "Asks the target up to 40 times." in text
    assert "Minimise" in text


def test_the_button_hands_it_to_the_worker_and_the_page_shows_how_far_it_is(
    vera: Client, reviewer: User, chain: Combination, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = vera.post(f"/combinations/{chain.pk}/reduce", {"list": "sort=age"})
    assert response["Location"] == f"/combinations/{chain.pk}?sort=age#smallest"
    planned = Reduction.objects.get()
    assert (planned.requested_by, planned.run_id) == (reviewer, chain.last_flagged_run_id)
    assert OrmQ.objects.get().task["args"] == (planned.pk,)
    page = vera.get(f"/combinations/{chain.pk}?sort=age").content.decode()
    assert f'hx-get="/combinations/{chain.pk}/reductions/{planned.pk}?sort=age&amp;seen=planned-0"' in page
    assert "Waiting for the worker." in page
    assert 'id="minimise"' not in page


def test_a_running_one_tells_how_often_it_asked(vera: Client, chain: Combination) -> None:
    look_for(chain, state="running", askings=7, owner="elsewhere:1:1.0", last_sign_at=timezone.now(), **UNFOUND)
    text = section(vera, chain)
    assert "7 requests so far, 40 at most." in text
    assert "Minimise again" not in text


def test_the_smallest_stands_beside_the_whole_with_what_is_left_out(vera: Client, chain: Combination) -> None:
    look_for(chain)
    text = section(vera, chain)
    assert "12 requests; nothing more can be removed." in text
    assert "Smallest weather then uptime Copy" in text
    assert "weather removed: and headlines (end of removed text) then uptime" in text
    assert "Unasked source, answered by home" in text
    page = vera.get(f"/combinations/{chain.pk}").content.decode()
    assert '<del><span class="unseen">removed: </span> and headlines<span class="unseen">' in page
    assert 'data-copy="smallest-text"' in page


def test_where_the_budget_was_up_that_is_said(vera: Client, chain: Combination) -> None:
    look_for(chain, is_minimal=False, askings=40, note="all 40 requests are used up")
    assert "40 requests, the limit; more could perhaps be removed." in section(vera, chain)


def test_where_nothing_could_be_left_out_that_is_said(vera: Client, chain: Combination) -> None:
    whole = "weather and headlines then uptime"
    look_for(chain, smallest_text=whole, kept=[0, 1, 2, 3, 4])
    text = section(vera, chain)
    assert "The query could not be made smaller." in text
    assert "removed:" not in text


def test_what_did_not_come_again_is_said_in_plain_words(vera: Client, chain: Combination) -> None:
    note = "reproduced 0 of 3 with the whole query"
    look_for(chain, state="not_seen_again", note=note, **UNFOUND)
    text = section(vera, chain)
    assert "The finding was not reproduced Reproduced 0 of 3 with the whole query." in text
    assert "Minimise again" in text


def test_a_target_that_went_away_is_said_with_the_smallest_so_far(vera: Client, chain: Combination) -> None:
    look_for(chain, state="stopped", note="the target is away: refused", is_minimal=False)
    text = section(vera, chain)
    assert "Stopped The target is away: refused. Smallest so far, after 12 requests." in text
    assert "Smallest weather then uptime" in text


def test_a_dead_workers_search_is_said_to_begin_again_and_needs_no_button(vera: Client, chain: Combination) -> None:
    look_for(chain, state="running", owner=ownership.this_process(), **UNFOUND)
    text = section(vera, chain)
    assert "Planned Its worker died; the next one begins again." in text
    assert "Minimise again" not in text


def test_the_newest_is_shown_and_the_others_are_listed(vera: Client, chain: Combination) -> None:
    look_for(chain, smallest_text="weather", kept=[0], askings=5)
    look_for(chain)
    text = section(vera, chain)
    assert "Smallest weather then uptime" in text
    assert "Earlier searches weather 5 requests; nothing more can be removed." in text


def test_what_is_stored_is_shown_and_never_run(vera: Client, chain: Combination) -> None:
    look_for(chain, smallest_text=SCRIPT, result=SCRIPT, note=SCRIPT, source_used=SCRIPT)
    assert_escaped(vera.get(f"/combinations/{chain.pk}"))


def test_one_that_was_never_flagged_has_no_such_section(vera: Client) -> None:
    combination = factory.make_combination()
    factory.ask(combination)
    assert "Smallest query" not in text_of(vera.get(f"/combinations/{combination.pk}"))


# --- the part that comes by itself ---


def test_the_poll_says_nothing_until_there_is_news(htmx: Client, chain: Combination) -> None:
    search = look_for(chain, state="running", askings=7, owner="x:1:1.0", last_sign_at=timezone.now(), **UNFOUND)
    path = f"/combinations/{chain.pk}/reductions/{search.pk}"
    assert htmx.get(f"{path}?seen=running-7").status_code == 204
    response = htmx.get(f"{path}?seen=running-6")
    assert "7 requests so far" in text_of(response)
    assert b"<html" not in response.content
    assert b'id="story"' not in response.content


def test_the_poll_ends_with_the_story_once_it_is_over(htmx: Client, chain: Combination) -> None:
    search = look_for(chain)
    response = htmx.get(f"/combinations/{chain.pk}/reductions/{search.pk}?seen=running-7")
    assert b"data-poll-s" not in response.content
    assert b'id="story" hx-swap-oob="true"' in response.content


def test_without_htmx_it_leads_to_the_page(vera: Client, chain: Combination) -> None:
    search = look_for(chain)
    response = vera.get(f"/combinations/{chain.pk}/reductions/{search.pk}?sort=age")
    assert response["Location"] == f"/combinations/{chain.pk}?sort=age#smallest"


def test_a_search_of_another_one_is_not_found(vera: Client, chain: Combination) -> None:
    search = look_for(chain)
    other = factory.flagged()
    assert vera.get(f"/combinations/{other.pk}/reductions/{search.pk}").status_code == 404
    assert vera.get(f"/combinations/4711/reductions/{search.pk}").status_code == 404


# --- who may, and what stands in the way ---


def test_an_onlooker_sees_it_and_has_no_button(onlooker: Client, chain: Combination) -> None:
    look_for(chain)
    text = section(onlooker, chain)
    assert "Smallest weather then uptime" in text
    assert "Minimise again" not in text
    assert onlooker.post(f"/combinations/{chain.pk}/reduce", {"list": ""}).status_code == 403


def test_a_stranger_signs_in_first(client: Client, chain: Combination) -> None:
    search = look_for(chain)
    for path in (f"/combinations/{chain.pk}/reductions/{search.pk}", f"/combinations/{chain.pk}"):
        assert client.get(path)["Location"].startswith("/sign-in?next=")
    assert client.post(f"/combinations/{chain.pk}/reduce")["Location"].startswith("/sign-in")


def test_only_the_right_method_is_taken(vera: Client, chain: Combination) -> None:
    search = look_for(chain)
    assert vera.get(f"/combinations/{chain.pk}/reduce").status_code == 405
    assert vera.post(f"/combinations/{chain.pk}/reductions/{search.pk}").status_code == 405
    assert vera.post("/combinations/4711/reduce").status_code == 404


def test_one_at_a_time(vera: Client, chain: Combination) -> None:
    vera.post(f"/combinations/{chain.pk}/reduce", {"list": ""})
    response = vera.post(f"/combinations/{chain.pk}/reduce", {"list": ""}, follow=True)
    assert "Nothing was asked: its smallest query is being looked for already" in text_of(response)
    assert Reduction.objects.count() == 1


def test_where_testing_is_off_that_is_said(vera: Client, chain: Combination) -> None:
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    response = vera.post(f"/combinations/{chain.pk}/reduce", {"list": ""}, follow=True)
    assert "Testing is switched off, so nothing was asked." in text_of(response)


def test_where_the_broker_is_away_that_is_said(
    vera: Client, chain: Combination, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OSError("refused")

    monkeypatch.setattr("selftest.cycles.handing_over.async_task", away)
    monkeypatch.setattr(transaction, "on_commit", lambda act: act())  # as in real life, where no transaction is open
    response = vera.post(f"/combinations/{chain.pk}/reduce", {"list": ""}, follow=True)
    assert "Nothing was asked: the broker between here and the worker is away" in text_of(response)


def test_the_number_of_queries_does_not_grow(
    vera: Client, chain: Combination, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(8):
        look_for(chain)
    vera.get(f"/combinations/{chain.pk}")
    with django_assert_max_num_queries(20):
        vera.get(f"/combinations/{chain.pk}")
