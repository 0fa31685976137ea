"""Recipes: how much of each was tried and how it fared; one with its examples, latencies and flags."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest.core.generation.recipes import RECIPES
from selftest.models import Combination, Cycle, RecipeTally, Run, Target, Tuning, VocabularyVersion
from selftest.operating.vocabularies import import_vocabulary
from selftest.reading.coverage import coverage
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of
from tests.vocabularies import example_document, small_document

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
OPEN = "no_intent_fallthrough"


def tally(target: Target, day: date, runs: int, flagged: int = 0, novel: int = 0, check: str = "") -> None:
    RecipeTally.objects.create(
        target=target, recipe_name=OPEN, check_name=check, day=day, runs=runs, flagged=flagged, novel=novel
    )


def ask_in(latencies_ms: list[float]) -> None:
    combination = factory.make_combination()
    cycle = factory.make_cycle()
    for latency_ms in latencies_ms:
        run = factory.ask(combination, cycle=cycle)
        Run.objects.filter(pk=run.pk).update(latency_ms=latency_ms)


# --- the list ---


def test_each_recipe_says_what_it_stresses_and_how_much_of_it_was_tried(vera: Client, target: Target) -> None:
    import_vocabulary(target, small_document())  # five open topics
    tally(target, NOON.date() - timedelta(days=1), runs=300, flagged=2, novel=2)
    tally(target, NOON.date(), runs=100, flagged=3, novel=1)
    tally(target, NOON.date(), runs=3, check="crash")
    text = text_of(vera.get("/recipes"))
    assert "No keyword at all: does it fall through to the encyclopedia? 3 of 5 60.0 % 60.0 % Runs 400" in text
    assert "Flagged per 1,000 12.5" in text
    assert text.count("Flagged per 1,000 –") == len(RECIPES) - 1  # the others were not asked


def test_what_was_tried_is_a_bar_with_words(vera: Client, target: Target) -> None:
    import_vocabulary(target, small_document())
    tally(target, NOON.date(), runs=5, novel=4)
    markup = vera.get("/recipes").content.decode()
    assert f'<progress value="4" max="5" aria-label="Tried of {OPEN}">80.0 %</progress>' in markup


@pytest.mark.parametrize(
    ("tried", "words"),
    [
        (0, "0 of 5 0.0 %"),
        (5, "5 of 5 all of them"),
        (7, "7 of 5 all, and some of earlier vocabularies"),
    ],
)
def test_the_ends_of_the_bar_are_said_in_words(tried: int, words: str, vera: Client, target: Target) -> None:
    import_vocabulary(target, small_document())
    tally(target, NOON.date(), runs=7, novel=tried)
    assert words in text_of(vera.get("/recipes"))


def test_a_little_of_very_much_is_not_nothing(vera: Client, target: Target) -> None:
    import_vocabulary(target, example_document())
    RecipeTally.objects.create(target=target, recipe_name="multi_intent_chain", day=NOON.date(), runs=1, novel=1)
    assert "1 of 132,690 under 0.1 %" in text_of(vera.get("/recipes"))


def test_the_running_cycle_counts_before_it_is_over(target: Target) -> None:
    tally(target, NOON.date(), runs=2, novel=2)
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    factory.ask(factory.make_combination(), cycle=cycle)
    again = factory.make_combination()
    Combination.objects.filter(pk=again.pk).update(times_generated=1)
    again.refresh_from_db()
    factory.ask(again, cycle=cycle)
    factory.plan_run(factory.make_combination(), cycle)
    assert {row.recipe_name: row.tried for row in coverage(target)}[OPEN] == 3


def test_the_p95_is_of_the_last_timed_runs(vera: Client, target: Target) -> None:
    ask_in([100.0] * 15 + [2000.0] * 5)
    assert "p95 2000 ms" in text_of(vera.get("/recipes"))


def test_too_few_runs_have_no_p95(vera: Client, target: Target) -> None:
    ask_in([100.0] * 9)
    text = text_of(vera.get("/recipes"))
    assert "p95 100 ms" not in text
    assert text.count("p95 –") == len(RECIPES)


def test_each_target_has_its_own_figures(vera: Client, target: Target) -> None:
    second = factory.make_target("the other", is_default=False)
    tally(target, NOON.date(), runs=41)
    tally(second, NOON.date(), runs=7)
    response = vera.get("/recipes")
    assert "Runs 41" in text_of(response)
    assert "?target=the+other" in response.content.decode()
    assert "Runs 7" in text_of(vera.get("/recipes?target=the+other"))


def test_nothing_tried_yet_says_so_and_where_it_starts(vera: Client, target: Target) -> None:
    text = text_of(vera.get("/recipes"))
    assert "bundled has not been asked anything yet. Run a cycle" in text


def test_without_a_target_it_says_what_recipes_need(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/recipes"))


def test_without_a_vocabulary_it_says_so_and_shows_what_was_asked(vera: Client, target: Target) -> None:
    tally(target, NOON.date(), runs=41, novel=3)
    target.vocabularies.all().delete()
    text = text_of(vera.get("/recipes"))
    assert "The number of combinations for bundled is unknown. It has no vocabulary yet." in text
    assert "Runs 41" in text
    assert "3 unknown without a vocabulary" in text


def test_a_vocabulary_that_cannot_be_read_any_more_is_named(vera: Client, target: Target) -> None:
    VocabularyVersion.objects.update(content={"name": "old"}, sha256="0" * 64)
    response = vera.get("/recipes")
    assert response.status_code == 200
    assert "can no longer be read: sources: missing" in text_of(response)
    assert vera.get(f"/recipes/{OPEN}").status_code == 200


# --- one recipe ---


def test_a_recipe_shows_an_example_of_each_shape_with_its_parts(vera: Client, target: Target) -> None:
    page = vera.get("/recipes/multi_intent_chain").context["page"]
    assert [example.shape for example in page.examples] == [
        "3 intents, 2 joints",
        "4 intents, 3 joints",
        "5 intents, 4 joints",
    ]
    for example in page.examples:
        assert "".join(part.text for part in example.parts).strip() == example.text


def test_other_examples_are_one_link_away_and_the_same_link_gives_the_same(vera: Client, target: Target) -> None:
    first = vera.get("/recipes/multi_intent_chain").context["page"]
    others = vera.get(first.others).context["page"]
    assert others.examples != first.examples
    assert vera.get(first.others).context["page"].examples == others.examples


def test_the_latencies_are_those_of_its_newest_timed_runs(vera: Client, target: Target) -> None:
    ask_in([100.0] * 12)
    page = vera.get(f"/recipes/{OPEN}").context["page"]
    assert sum(bin_.runs for bin_ in page.latencies.bins) == 12


@time_machine.travel(NOON, tick=False)
def test_flags_are_counted_by_check_and_day(vera: Client, target: Target) -> None:
    tally(target, date(2026, 6, 30), runs=3, check="crash")
    tally(target, date(2026, 6, 1), runs=2, check="crash")  # the first of thirty days
    tally(target, date(2026, 5, 31), runs=11, check="unexpected_empty")
    tally(target, date(2026, 6, 30), runs=50, flagged=5)

    def totals(address: str) -> dict[str, int]:
        return {row.shape: row.total for row in vera.get(address).context["page"].flags.rows if row.total}

    assert totals(f"/recipes/{OPEN}") == {"crash": 5}
    assert totals(f"/recipes/{OPEN}?days=90") == {"crash": 5, "unexpected_empty": 11}


def test_it_leads_to_its_queue_and_to_all_its_combinations(vera: Client, target: Target) -> None:
    markup = vera.get(f"/recipes/{OPEN}").content.decode()
    assert f'href="/flags?recipe={OPEN}&amp;target=bundled"' in markup
    assert f'href="/combinations?recipe={OPEN}&amp;target=bundled"' in markup


def test_a_recipe_never_asked_says_what_it_has_none_of(vera: Client, target: Target) -> None:
    text = text_of(vera.get(f"/recipes/{OPEN}"))
    assert "No run was timed yet." in text
    assert "No flags in 30 days" in text


def test_a_vocabulary_without_its_words_makes_nothing(vera: Client, target: Target) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = []
    import_vocabulary(target, document)
    text = text_of(vera.get(f"/recipes/{OPEN}"))
    assert "None: the vocabulary in force lacks phrases that this recipe needs." in text
    assert "this vocabulary has none" in text


def test_script_is_shown_as_text(vera: Client, target: Target) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = [SCRIPT]
    import_vocabulary(target, document)
    Target.objects.update(name=SCRIPT)
    assert_escaped(vera.get("/recipes"))
    assert_escaped(vera.get(f"/recipes/{OPEN}"))


# --- refusals and cost ---


@pytest.mark.parametrize("address", ["/recipes/soup", "/recipes?target=nobody", f"/recipes/{OPEN}?target=nobody"])
def test_an_unknown_one_is_not_found(address: str, vera: Client, target: Target) -> None:
    assert vera.get(address).status_code == 404


@pytest.mark.parametrize("query", ["days=7", "days=x", "seed=x"])
def test_what_makes_no_sense_is_refused(query: str, vera: Client, target: Target) -> None:
    assert vera.get(f"/recipes/{OPEN}?{query}").status_code == 400


@pytest.mark.parametrize("address", ["/recipes", f"/recipes/{OPEN}"])
def test_anybody_with_a_role_may_read_it(
    address: str, vera: Client, onlooker: Client, client: Client, target: Target
) -> None:
    assert vera.post(address).status_code == 405
    assert onlooker.get(address).status_code == 200
    assert client.get(address)["Location"].startswith("/sign-in?next=")
    client.force_login(User.objects.create_user("nobody"))
    assert client.get(address).status_code == 403


@pytest.mark.parametrize(("address", "queries"), [("/recipes", 11 + len(RECIPES)), (f"/recipes/{OPEN}", 15)])
def test_the_number_of_queries_does_not_grow_with_the_rows(
    address: str,
    queries: int,
    vera: Client,
    target: Target,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    Tuning.get_solo()
    vera.get(address)  # reads the vocabulary, which a process then remembers
    for day in range(12):
        factory.ask(factory.make_combination(), [factory.finding()])
        tally(target, NOON.date() - timedelta(days=day), runs=3, novel=1)
        if day in (0, 11):
            with django_assert_max_num_queries(queries):
                vera.get(address)
