"""Causes: the ranking of each check's suspects, with the counts that speak against them."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest.cycles.ingredients import ingredient_ids
from selftest.models import ANY_CHECK, CheckTally, Combination, IngredientTally, Installation, PairTally, Target
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

CRASH = "crash"
AND, HOLES, TIDES, NEWS = "joint: and ", "topic:black holes", "topic:tides", "intent:news:headlines"


def in_all(target: Target, runs: int, **flagged: int) -> None:
    for check, counted in {ANY_CHECK: runs, **flagged}.items():
        CheckTally.objects.create(target=target, check_name=check, runs=counted)


def said(target: Target, name: str, runs: int, flagged: int, check: str = CRASH) -> None:
    for of, counted in ((ANY_CHECK, runs), (check, flagged)):
        IngredientTally.objects.create(
            target=target, ingredient_id=ingredient_ids([name])[name], check_name=of, runs=counted
        )


def together(target: Target, one: str, other: str, runs: int, flagged: int) -> None:
    lower, higher = sorted(ingredient_ids([one, other]).values())
    for of, counted in ((ANY_CHECK, runs), (CRASH, flagged)):
        PairTally.objects.create(target=target, ingredient_id=lower, check_name=of, runs={str(higher): counted})


@pytest.fixture
def counted(target: Target) -> Target:
    """33 crashes in a thousand runs: 31 of black holes, and 2 of something else."""
    in_all(target, 1000, crash=33, latency_outlier=2)
    said(target, HOLES, 40, 31)
    said(target, AND, 500, 18)
    said(target, NEWS, 300, 11)
    said(target, TIDES, 1, 0)
    return target


# --- the ranking ---


def test_the_strongest_comes_first_with_its_counts(vera: Client, counted: Target) -> None:
    text = text_of(vera.get("/blame"))
    assert "33 flags in 1,000 runs" in text
    # 31/√(40 · 33) = 0.85, 18/√(500 · 33) = 0.14
    assert "black holes topic 0.85 0.85 31 of 40 runs with it flagged In the queue 0" in text
    evident, chance = text.split("Possibly chance")[0], text.split("Possibly chance")[1]
    assert "black holes" in evident
    assert "18 of 500 runs with it flagged" in chance
    assert "tides" not in text, "it was never flagged"


def test_the_figure_is_a_bar_with_words(vera: Client, counted: Target) -> None:
    bar = '<progress value="0.853" max="1" aria-label="Strength of black holes">0.85</progress>'
    assert bar in vera.get("/blame").content.decode()


def test_a_pair_is_one_suspect_and_both_of_it_are_named(vera: Client, target: Target) -> None:
    in_all(target, 1000, crash=20)
    said(target, HOLES, 100, 20)
    said(target, NEWS, 200, 20)
    together(target, HOLES, NEWS, 20, 20)
    assert [line.runs for line in vera.get("/blame").context["page"].evident] == [100, 200], "none is put down to both"
    row = factory.flagged("the crash of it", factory.finding())
    both = json.dumps([NEWS, HOLES])
    Combination.objects.filter(pk=row.pk).update(flagged_check=CRASH, suspect=ingredient_ids([both])[both])
    Installation.queue_changed()
    response = vera.get("/blame")
    text = text_of(response)
    assert "headlines intent → news and black holes topic 1.00 1.00 20 of 20 runs with it flagged" in text
    assert text.index("headlines intent → news and black holes topic") < text.index("0.45")  # 20/√(100 · 20)
    assert [line.runs for line in response.context["page"].evident] == [20, 100, 200]


def test_each_leads_to_its_flags_and_to_what_is_put_down_to_it(vera: Client, counted: Target) -> None:
    row = factory.flagged("the crash of it", factory.finding())
    Combination.objects.filter(pk=row.pk).update(flagged_check=CRASH, suspect=ingredient_ids([HOLES])[HOLES])
    Installation.queue_changed()
    row.ingredients.add(ingredient_ids([HOLES])[HOLES])
    response = vera.get("/blame?check=crash")
    line = response.context["page"].evident[0]
    assert line.open == 1
    for address in (line.queue, line.flags):
        assert address.replace("&", "&amp;") in response.content.decode()
        assert [found.pk for found in vera.get(address).context["page"].rows] == [row.pk]


def test_what_both_of_a_pair_were_said_in_is_found(vera: Client, target: Target) -> None:
    ids = ingredient_ids([HOLES, NEWS])
    for names in ([HOLES], [NEWS], [HOLES, NEWS]):
        factory.flagged(" ".join(names)).ingredients.add(*(ids[name] for name in names))
    rows = vera.get("/flags", {"ingredient": json.dumps([NEWS, HOLES]), "flat": "1"}).context["page"].rows
    assert [row.query for row in rows] == [f"{HOLES} {NEWS}"]


def test_each_check_has_its_own(vera: Client, counted: Target) -> None:
    said(counted, "topic:slow", 2, 2, "latency_outlier")
    response = vera.get("/blame?check=latency_outlier")
    text = text_of(response)
    assert "2 flags in" in text
    assert "slow" in text
    assert "black holes" not in text
    choices = response.context["page"].checks
    assert [choice.words.rsplit(" ", 1)[1] for choice in choices] == ["33", "2"], "what flagged most comes first"
    assert [choice.is_chosen for choice in choices] == [False, True]


def test_each_target_has_its_own(vera: Client, counted: Target) -> None:
    other = factory.make_target("the other", is_default=False)
    in_all(other, 10, crash=1)
    said(other, "topic:else", 1, 1)
    assert "?target=the+other&amp;check=crash" in vera.get("/blame").content.decode()
    text = text_of(vera.get("/blame?target=the+other"))
    assert "1 flag in 10 runs" in text
    assert "black holes" not in text
    line = vera.get("/blame?target=the+other").context["page"].others[0]
    assert "target=the+other" in line.queue


def test_only_the_strongest_are_shown_and_the_rest_is_counted(vera: Client, target: Target) -> None:
    in_all(target, 10_000, crash=500)
    for number in range(25):
        said(target, f"topic:{number}", 20, 20)
    for number in range(25, 37):
        said(target, f"topic:{number}", 20, 1)
    page = vera.get("/blame").context["page"]
    assert (len(page.evident), len(page.others), page.left_out) == (20, 10, 7)
    assert "7 weaker ones not shown" in text_of(vera.get("/blame"))


# --- little or nothing ---


def test_without_a_target_it_says_so(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/blame"))


def test_before_anything_was_counted_it_says_so(vera: Client, target: Target) -> None:
    assert "Nothing counted yet" in text_of(vera.get("/blame"))


def test_without_a_flag_there_is_no_suspect(vera: Client, target: Target) -> None:
    in_all(target, 1000)
    assert "No flags so far 1,000 runs of bundled, none of them flagged" in text_of(vera.get("/blame"))
    assert "no flags 1,000 runs of bundled, none of them flagged by this check" in text_of(
        vera.get("/blame?check=crash")
    )


def test_where_chance_would_do_the_same_it_says_so(vera: Client, target: Target) -> None:
    in_all(target, 8, crash=3)
    said(target, HOLES, 1, 1)
    text = text_of(vera.get("/blame"))
    assert "No ingredient stands out clearly" in text
    assert "1 of 1 run with it flagged" in text


def test_flags_counted_before_their_ingredients_were_are_no_trouble(vera: Client, target: Target) -> None:
    in_all(target, 0, crash=3)
    assert vera.get("/blame").status_code == 200
    CheckTally.objects.filter(check_name=ANY_CHECK).update(runs=5)
    assert vera.get("/blame").status_code == 200


# --- who may, and how ---


@pytest.mark.parametrize(
    ("address", "code"),
    [("/blame?check=nonsense", 400), ("/blame?target=nobody", 404), (f"/blame?target={'x' * 2001}", 400)],
)
def test_what_makes_no_sense_is_refused(address: str, code: int, vera: Client, target: Target) -> None:
    assert vera.get(address).status_code == code


def test_a_viewer_sees_it(onlooker: Client, counted: Target) -> None:
    assert "black holes" in text_of(onlooker.get("/blame"))


def test_nobody_else_does(client: Client, counted: Target) -> None:
    assert client.get("/blame")["Location"].startswith("/sign-in")
    client.force_login(User.objects.create_user("nobody"))
    assert client.get("/blame").status_code == 403


def test_it_is_only_looked_at(vera: Client, counted: Target) -> None:
    assert vera.post("/blame").status_code == 405


def test_to_htmx_the_whole_page_is_given(htmx: Client, counted: Target) -> None:
    assert is_whole(htmx.get("/blame"))


def test_the_page_of_the_checks_leads_to_it_and_the_rail_says_where_one_is(vera: Client, counted: Target) -> None:
    assert '<a href="/blame">' in vera.get("/checks").content.decode()
    assert '<a href="/checks" aria-current="true">' in vera.get("/blame").content.decode()


def test_a_script_is_shown_and_never_run(vera: Client, counted: Target) -> None:
    said(counted, f"topic:{SCRIPT}", 30, 30)
    assert_escaped(vera.get("/blame"))


def test_the_number_of_queries_does_not_grow(
    vera: Client, counted: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    vera.get("/blame")
    for number in range(30):
        said(counted, f"topic:{number}", 20, 10)
        if number:
            together(counted, f"topic:{number - 1}", f"topic:{number}", 10, 10)
        factory.flagged(f"number {number}")
    with django_assert_max_num_queries(14):
        assert vera.get("/blame").status_code == 200
