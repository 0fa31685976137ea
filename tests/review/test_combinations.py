"""All combinations: the list, its filters, and looking one up by its words, its fingerprint or its number."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest.models import Actor, Combination, Target
from selftest.reading import combination_search
from selftest.reviewing.dismissal import dismiss
from selftest.storage import full_text
from tests import memory
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


def make(text: str, target: Target | None = None) -> Combination:
    """Findable, as a cycle makes it."""
    combination = factory.make_combination(text, target)
    full_text.note_new([combination])
    return combination


def queries(response: HttpResponse) -> list[str]:
    return [line.query for line in response.context["page"].lines]  # type: ignore[attr-defined]


@pytest.fixture
def mixed(vera: Client) -> None:
    """One of each standing, in this order."""
    factory.ask(make("a clean comet"))
    factory.ask(make("a broken comet"), [factory.finding()], source="home")
    once = make("a comet once broken")
    factory.ask(once, [factory.finding()])
    factory.ask(once)
    closed = make("a closed comet")
    factory.ask(closed, [factory.finding()])
    dismiss(closed, Actor("vera"))
    make("an unasked asteroid")


@pytest.fixture
def short_sight() -> Iterator[None]:
    """Few candidates are looked through for a page."""
    with (
        patch.multiple(combination_search, LOOKED_THROUGH=3, WITH_WORDS_FIRST=2),
        patch.multiple(full_text, NEWEST_ROWS=(3, 6), NEWEST_OF_RECIPE=2),
    ):
        yield


# --- the list ---


@pytest.mark.usefixtures("mixed")
def test_the_newest_comes_first_each_with_where_it_stands(vera: Client) -> None:
    text = text_of(vera.get("/combinations"))
    assert "Not asked yet an unasked asteroid no_intent_fallthrough – – Run 0 × Flagged 0 ×" in text
    assert "Dismissed Unasked source a closed comet" in text
    assert (
        "Was flagged Unasked source a comet once broken no_intent_fallthrough kiwix 35 ms Run 2 × Flagged 1 ×" in text
    )
    assert "Flagged now Unasked source a broken comet no_intent_fallthrough home 35 ms Run 1 × Flagged 1 ×" in text
    assert "Clean a clean comet no_intent_fallthrough kiwix 35 ms Run 1 × Flagged 0 × First seen just now" in text
    factory.ask(factory.make_combination("another comet"), is_unchecked=True)
    assert "Clean, parts not checked another comet" in text_of(vera.get("/combinations"))
    assert text.index("an unasked") < text.index("a closed") < text.index("a broken") < text.index("a clean")


def test_a_row_leads_to_the_combination(vera: Client) -> None:
    combination = make("a comet")
    assert f'href="/combinations/{combination.pk}">a comet</a>' in vera.get("/combinations").content.decode()


def test_coverage_leads_to_the_list(vera: Client) -> None:
    assert '<a href="/combinations">All combinations</a>' in vera.get("/recipes").content.decode()


@pytest.mark.parametrize(("address", "keys"), [("/cycles", 1), ("/flags", 1), ("/combinations", 1), ("/search", 1)])
def test_the_key_for_searching_belongs_to_one_thing_of_a_page(vera: Client, address: str, keys: int) -> None:
    make("a comet")
    assert vera.get(address).content.decode().count('data-key="/"') == keys


def test_older_ones_are_one_link_away_and_none_is_shown_twice(vera: Client) -> None:
    made = [factory.make_combination().pk for _ in range(52)]
    first = vera.get("/combinations").context["page"]
    factory.make_combination("made meanwhile")
    response = vera.get(first.older)
    second = response.context["page"]
    assert [line.pk for line in (*first.lines, *second.lines)] == sorted(made, reverse=True)
    assert second.older == ""
    assert "End of list. Back to the newest" in text_of(response)


def test_the_next_page_keeps_the_filter(vera: Client) -> None:
    for number in range(51):
        make(f"comet {number}")
    older = vera.get("/combinations", {"text": "comet", "recipe": "no_intent_fallthrough"}).context["page"].older
    assert "text=comet" in older
    assert "recipe=no_intent_fallthrough" in older


def test_htmx_gets_the_lines_alone(htmx: Client) -> None:
    make("a comet")
    response = htmx.get("/combinations")
    assert not is_whole(response)
    assert "a comet" in text_of(response)


def test_a_target_is_named_where_there_are_several(vera: Client) -> None:
    make("a comet")
    assert "· bundled" not in text_of(vera.get("/combinations"))
    make("a comet", factory.make_target("other", is_default=False))
    text = text_of(vera.get("/combinations"))
    assert "no_intent_fallthrough · other" in text
    assert "no_intent_fallthrough · bundled" in text


# --- filters ---


FILTERS: list[tuple[dict[str, str], list[str]]] = [
    ({"state": "queue"}, ["a comet once broken", "a broken comet"]),
    ({"state": "flagged_now"}, ["a closed comet", "a broken comet"]),
    ({"state": "ever_flagged"}, ["a closed comet", "a comet once broken", "a broken comet"]),
    ({"state": "dismissed"}, ["a closed comet"]),
    ({"state": "never_flagged"}, ["an unasked asteroid", "a clean comet"]),
    ({"state": "not_asked"}, ["an unasked asteroid"]),
    ({"text": "comet"}, ["a closed comet", "a comet once broken", "a broken comet", "a clean comet"]),
    ({"text": "COMET bro"}, ["a comet once broken", "a broken comet"]),
    ({"text": "omet"}, []),
    ({"text": "comet", "state": "never_flagged"}, ["a clean comet"]),
    ({"text": "comet", "state": "dismissed"}, ["a closed comet"]),
    ({"text": "asteroid", "state": "not_asked"}, ["an unasked asteroid"]),
    ({"text": "comet", "recipe": "multi_intent_chain"}, []),
    ({"text": "closed", "recipe": "no_intent_fallthrough"}, ["a closed comet"]),
    ({"recipe": "multi_intent_chain"}, []),
    ({"recipe": "no_intent_fallthrough", "state": "never_flagged"}, ["an unasked asteroid", "a clean comet"]),
    ({"target": "bundled", "state": "queue"}, ["a comet once broken", "a broken comet"]),
    ({"target": "bundled", "text": "unasked"}, ["an unasked asteroid"]),
]


@pytest.mark.usefixtures("mixed")
def test_the_list_is_of_those_asked_for(vera: Client, subtests: pytest.Subtests) -> None:
    for params, expected in FILTERS:
        with subtests.test(**params):
            assert queries(vera.get("/combinations", params)) == expected


@pytest.mark.usefixtures("mixed")
@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ["of the other"]),
        ({"state": "never_flagged"}, ["of the other"]),
        ({"state": "not_asked"}, ["of the other"]),
        ({"state": "queue"}, []),
        ({"text": "other"}, ["of the other"]),
        ({"text": "comet"}, []),
        ({"recipe": "no_intent_fallthrough"}, ["of the other"]),
    ],
)
def test_each_target_can_be_looked_at_alone(vera: Client, params: dict[str, str], expected: list[str]) -> None:
    make("of the other", factory.make_target("other", is_default=False))
    assert queries(vera.get("/combinations", {"target": "other", **params})) == expected


@pytest.mark.usefixtures("mixed", "short_sight")
def test_a_page_that_looked_far_enough_says_how_far_and_goes_on(vera: Client) -> None:
    response = vera.get("/combinations", {"text": "comet", "state": "never_flagged"})
    assert queries(response) == []
    assert "Searched back to just now . Continue searching" in text_of(response)
    rest = vera.get(response.context["page"].older)
    assert queries(rest) == ["a clean comet"]
    assert rest.context["page"].older == ""


@pytest.mark.usefixtures("short_sight")
def test_all_with_a_word_and_of_a_recipe_are_found_by_going_on(vera: Client) -> None:
    made = [make(f"comet {number}") for number in range(3)]
    for number in range(4):
        make(f"comet of another recipe {number}")
    made += [make(f"asteroid {number}") for number in range(3)]
    Combination.objects.filter(pk__in=[row.pk for row in made]).update(recipe_name="megaquery")
    response = vera.get("/combinations", {"text": "comet", "recipe": "megaquery"})
    found = queries(response)
    while older := response.context["page"].older:
        response = vera.get(older)
        found += queries(response)
    assert found == ["comet 2", "comet 1", "comet 0"]


@pytest.mark.usefixtures("short_sight")
def test_what_no_index_finds_is_looked_for_among_the_newest(vera: Client) -> None:
    for number in range(4):
        make(f"of the default {number}")
    other = factory.make_target("other", is_default=False)
    for number in range(8):
        make(f"of the other {number}", other)
    first = vera.get("/combinations", {"target": "bundled"})
    assert queries(first) == []
    second = vera.get(first.context["page"].older)
    third = vera.get(second.context["page"].older)
    assert queries(second) == []
    assert queries(third) == ["of the default 3"]
    assert queries(vera.get(third.context["page"].older)) == [f"of the default {number}" for number in (2, 1, 0)]


@pytest.mark.usefixtures("short_sight")
def test_a_target_with_few_is_found_however_old_they_are(vera: Client) -> None:
    make("the only one of an old target", factory.make_target("old", is_default=False))
    for _ in range(8):
        make("")
    assert queries(vera.get("/combinations", {"target": "old"})) == ["the only one of an old target"]


def test_the_form_shows_what_is_chosen(vera: Client) -> None:
    make("a comet")
    markup = vera.get("/combinations", {"text": 'a "comet"', "state": "queue"}).content.decode()
    assert 'value="a &quot;comet&quot;"' in markup
    assert '<option value="queue" selected>Waits for review</option>' in markup


# --- one in particular ---


@pytest.mark.parametrize("name", ["text", "fingerprint"])
def test_a_fingerprint_leads_straight_to_its_combination(vera: Client, name: str) -> None:
    combination = make("a comet")
    response = vera.get("/combinations", {name: f" {combination.fingerprint}\n"})
    assert response["Location"] == f"/combinations/{combination.pk}"


@pytest.mark.parametrize("name", ["text", "fingerprint"])
def test_a_fingerprint_that_nothing_has_is_said_to_be_unknown(vera: Client, name: str) -> None:
    make("a comet")
    text = text_of(vera.get("/combinations", {name: '["topic:a com"]'}))
    assert "No combination has exactly this fingerprint" in text
    assert 'with the fingerprint ["topic:a com"]' in text


def test_a_fingerprint_that_several_targets_have_is_a_list(vera: Client) -> None:
    one = make("a comet")
    other = make("a comet", factory.make_target("other", is_default=False))
    response = vera.get("/combinations", {"text": one.fingerprint})
    assert [line.pk for line in response.context["page"].lines] == [other.pk, one.pk]
    aimed = vera.get("/combinations", {"text": one.fingerprint, "target": "other"})
    assert aimed["Location"] == f"/combinations/{other.pk}"


def test_a_number_leads_straight_to_its_combination(vera: Client) -> None:
    combination = make("a comet")
    assert vera.get("/combinations", {"text": f"#{combination.pk}"})["Location"] == f"/combinations/{combination.pk}"


def test_a_number_that_nothing_has_is_said_to_be_unknown(vera: Client) -> None:
    make("a comet")
    assert "There is no combination 4711" in text_of(vera.get("/combinations", {"text": "#4711"}))


def test_a_number_too_long_for_any_row_is_words(vera: Client) -> None:
    make("a comet")
    assert "Nothing matches" in text_of(vera.get("/combinations", {"text": f"#{10**30}"}))


# --- nothing to show ---


def test_before_the_first_one_the_page_says_where_they_come_from(vera: Client, target: Target) -> None:
    response = vera.get("/combinations")
    assert "No combinations yet" in text_of(response)
    assert 'href="/cycles">Show the cycles' in response.content.decode()


def test_where_nothing_matches_it_says_what_was_looked_for_and_widens(vera: Client) -> None:
    make("a comet")
    response = vera.get("/combinations", {"text": "comet", "state": "dismissed", "recipe": "multi_intent_chain"})
    text = text_of(response)
    assert "Nothing matches" in text
    assert (
        "Searched for combinations with the words “comet” , in the state Dismissed , of the recipe multi_intent_chain"
        in text.replace("”,", "” ,").replace("Dismissed,", "Dismissed ,")
    )
    assert '<a href="/combinations?text=comet">Search all combinations for it</a>' in response.content.decode()


def test_where_a_text_alone_finds_nothing_the_way_leads_to_all(vera: Client) -> None:
    make("a comet")
    response = vera.get("/combinations", {"text": "asteroid"})
    assert '<a href="/combinations">All combinations</a></p>' in response.content.decode()


def test_a_search_without_a_word_says_so(vera: Client) -> None:
    make("a comet")
    assert "This search holds no word" in text_of(vera.get("/combinations", {"text": "%"}))


# --- refusals ---


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"state": "new"}, "state"),
        ({"recipe": "soup"}, "recipe"),
        ({"target": "nobody"}, "target"),
        ({"target": "a\x00b"}, "target"),
        ({"before": "x"}, "before"),
        ({"before": "9" * 30}, "before"),
        ({"text": "x" * 2001}, "text"),
        ({"fingerprint": "[" * 20_001}, "fingerprint"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_its_name(
    vera: Client, target: Target, params: dict[str, str], name: str
) -> None:
    response = vera.get("/combinations", params)
    assert response.status_code == 400
    assert f"{name}: " in text_of(response)


@pytest.mark.parametrize("text", ["a\x00b", '"', "comet AND", "x:* & !y", "'); --", "\ud800", "[\x00", "[\ud800"])
def test_no_text_breaks_the_search(vera: Client, text: str) -> None:
    make("a comet")
    for state in ("", "queue"):
        asked = {"text": text.encode(errors="replace"), "state": state}
        assert vera.get("/combinations", asked, follow=True).status_code == 200


def test_script_is_shown_as_text(vera: Client) -> None:
    factory.ask(make(f"tell me {SCRIPT}"), source=SCRIPT)
    make("another", factory.make_target(SCRIPT, is_default=False))
    assert_escaped(vera.get("/combinations", {"text": "script"}))
    assert_escaped(vera.get("/combinations", {"text": SCRIPT + "nothing"}))
    assert_escaped(vera.get("/combinations", {"text": f"[{SCRIPT}"}))


def test_only_reading_is_allowed(vera: Client) -> None:
    assert vera.post("/combinations").status_code == 405


def test_a_stranger_is_sent_to_sign_in_and_back(client: Client, db: None) -> None:
    assert client.get("/combinations?text=x")["Location"] == "/sign-in?next=%2Fcombinations%3Ftext%3Dx"


def test_an_onlooker_may_look(onlooker: Client) -> None:
    assert onlooker.get("/combinations").status_code == 200


# --- how much is read ---


READS: list[tuple[dict[str, str], int]] = [
    ({}, 5),  # session, user, permissions, targets, rows
    ({"recipe": "no_intent_fallthrough"}, 5),
    ({"state": "queue"}, 6),  # keys, then rows
    ({"state": "queue", "text": "comet"}, 7),  # PostgreSQL looks among the newest, among more, and by its index
    ({"state": "not_asked"}, 6),
    ({"text": "comet"}, 8),
    ({"text": "comet", "state": "never_flagged", "target": "other", "recipe": "no_intent_fallthrough"}, 8),
    ({"state": "never_flagged", "recipe": "no_intent_fallthrough"}, 7),  # the last candidate, rows, when it was
    ({"target": "other"}, 7),
    ({"fingerprint": "[]"}, 6),
]


def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, subtests: pytest.Subtests, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    other = factory.make_target("other", is_default=False)
    for count in (1, 20):
        for number in range(count):
            make(f"comet {count} {number}", other)
            factory.ask(make(f"a broken comet {count} {number}"), [factory.finding()])
        for params, most in READS:
            memory.forget()
            with (
                subtests.test(count=count, **params),
                django_assert_max_num_queries(most + 2),  # the roles of the reader
            ):
                vera.get("/combinations", params)
