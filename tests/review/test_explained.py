"""Explained findings: the page of them, summed up per source, and where runs and combinations tell of them."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest.core.judging.findings import CheckName
from selftest.core.judging.probes import Purpose
from selftest.models import Explanation, Flag, Run, Target, Tuning
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


def a_run(text: str = "are the services up and what is new", target: Target | None = None) -> Run:
    return factory.ask(factory.make_combination(text, target), cycle=factory.make_cycle(target=target))


def test_a_finding_stands_with_its_cause_and_what_it_rests_on(vera: Client) -> None:
    run = a_run("are the services up and what is new")
    factory.explanation(run)
    response = vera.get("/explained")
    text = text_of(response)
    assert "Part lost uptime says 'could not connect' alone too are the services up and what is new" in text
    assert "The source has nothing on that part alone either: uptime" in text
    assert "Asked alone are the services up returned nothing: Could not connect." in text
    assert f'href="/runs/{run.pk}"' in response.content.decode()


def test_a_source_is_summed_up_over_the_different_parts_that_it_was_asked(vera: Client) -> None:
    run = a_run()
    for number in range(14):
        factory.probe(run, f"is service {number} up", "uptime", "could not connect")
    for number in range(3):
        factory.probe(run, f"paper {number}", "news", "nothing found" if number else "")
    factory.probe(run, "tell me about iron", "kiwix")
    text = text_of(vera.get("/explained"))
    assert "uptime answers “could not connect” to 14 of 14" in text
    assert "news answers “nothing found” to 2 of 3" in text
    assert "kiwix answers the only one" in text
    assert text.index("uptime answers") < text.index("news answers") < text.index("kiwix answers")


def test_of_each_part_the_last_answer_counts_and_only_parts_do(vera: Client) -> None:
    run = a_run()
    for phrase in ("could not connect", "could not connect", "not configured"):
        factory.probe(run, "are the services up", "uptime", phrase)
    factory.probe(run, "is the printer up", "uptime", "could not connect")
    factory.probe(run, "whatever else", "uptime", "could not connect", Purpose.CONTROL)
    text = text_of(vera.get("/explained"))
    assert "uptime answers “could not connect” to 1 and “not configured” to 1 of 2" in text


def test_it_is_held_to_a_source_and_a_check(vera: Client) -> None:
    run, other = a_run("one"), a_run("another")
    factory.explanation(run)
    factory.explanation(run, CheckName.PART_COUNT_MISMATCH, "news", summary="1 of 3")
    factory.explanation(other, CheckName.PART_COUNT_MISMATCH, summary="2 of 5")
    shown = {
        address: [line.found.finding.summary for line in vera.get(f"/explained?{address}").context["page"].found]
        for address in ("source=news", "check=part_count_mismatch", "source=uptime&check=part_count_mismatch")
    }
    assert shown == {
        "source=news": ["1 of 3"],
        "check=part_count_mismatch": ["2 of 5", "1 of 3"],
        "source=uptime&check=part_count_mismatch": ["2 of 5"],
    }
    text = text_of(vera.get("/explained?source=web"))
    assert "Nothing was explained for this source and check." in text


def test_older_ones_are_one_link_away_and_stay_held_to_the_source(vera: Client) -> None:
    made = [factory.explanation(a_run(f"query {number}")).pk for number in range(27)]
    factory.explanation(a_run("of another source"), source="news")
    first = vera.get("/explained?source=uptime").context["page"]
    second = vera.get(first.older).context["page"]
    assert [line.found.pk for line in (*first.found, *second.found)] == sorted(made, reverse=True)
    assert second.older == ""


def test_htmx_gets_the_findings_alone(htmx: Client) -> None:
    factory.explanation(a_run("one"))
    response = htmx.get("/explained")
    assert not is_whole(response)
    assert text_of(response).startswith("Part lost")


def test_each_target_has_its_own(vera: Client) -> None:
    other = factory.make_target("other", is_default=False)
    factory.explanation(a_run("asked of the default one"))
    theirs = a_run("asked of the other", other)
    factory.explanation(theirs, source="news")
    factory.probe(theirs, "are the services up", "uptime", "could not connect")
    here, there = text_of(vera.get("/explained")), text_of(vera.get("/explained?target=other"))
    assert "asked of the default one" in here
    assert "asked of the other" not in here
    assert "uptime answers" not in here
    assert "asked of the other" in there
    assert "uptime answers “could not connect” to 1 of 1" in there
    assert vera.get("/explained?target=nobody").status_code == 404


def test_without_any_it_says_what_would_be_here(vera: Client, target: Target) -> None:
    text = text_of(vera.get("/explained"))
    assert "No explanations yet" in text
    assert "switched off" not in text


def test_without_a_target_it_says_how_to_get_one(vera: Client) -> None:
    assert "No target yet" in text_of(vera.get("/explained"))


def test_switched_off_it_says_so_and_shows_what_was_explained_before(vera: Client, reviewer: User) -> None:
    factory.explanation(a_run("explained before"))
    Tuning.objects.update_or_create(defaults={"explains": False})
    text = text_of(vera.get("/explained"))
    assert "Explanations are switched off" in text
    assert "explained before" in text
    assert "Settings" not in text
    reviewer.is_staff = True
    reviewer.save()
    assert "Settings" in text_of(vera.get("/explained"))


@pytest.mark.parametrize("query", ["check=nothing", "before=x", "source=" + "x" * 3000])
def test_an_address_that_makes_no_sense_is_refused(vera: Client, target: Target, query: str) -> None:
    assert vera.get(f"/explained?{query}").status_code == 400


def test_only_reading_is_allowed(vera: Client, target: Target) -> None:
    assert vera.post("/explained").status_code == 405


def test_a_stranger_is_sent_to_sign_in_and_an_onlooker_sees_it(client: Client, onlooker: Client) -> None:
    assert client.get("/explained")["Location"].startswith("/sign-in?next=")
    assert onlooker.get("/explained").status_code == 200


def test_the_number_of_queries_does_not_grow_with_what_is_there(
    vera: Client, django_assert_num_queries: DjangoAssertNumQueries, target: Target
) -> None:
    vera.get("/explained")  # the vocabulary is read once
    sources = len(vera.get("/explained").context["page"].sources)
    for rounds in range(2):
        for number in range(4):
            run = a_run(f"query {rounds} {number}")
            factory.explanation(run)
            factory.explanation(run, CheckName.PART_COUNT_MISMATCH)
            factory.probe(run, f"part {rounds} {number}", "uptime", "could not connect")
        # Session, user, rights twice, settings, target, findings, targets, vocabulary; and one a source.
        with django_assert_num_queries(9 + sources):
            vera.get("/explained")


def test_script_is_shown_as_text(vera: Client) -> None:
    run = a_run(f"tell me {SCRIPT}")
    factory.explanation(run, summary=SCRIPT, seen=SCRIPT)
    Explanation.objects.update(source=SCRIPT[:200])
    factory.probe(run, SCRIPT, "uptime", SCRIPT)
    for address in ("/explained", f"/runs/{run.pk}", f"/combinations/{run.combination_id}"):
        assert_escaped(vera.get(address))


# --- on other pages ---


def test_a_run_tells_what_was_explained_of_it(vera: Client) -> None:
    run = a_run()
    factory.explanation(run)
    text = text_of(vera.get(f"/runs/{run.pk}"))
    assert "Explained, not flagged Part lost The source has nothing on that part alone either: uptime" in text
    assert "Asked alone are the services up returned nothing: Could not connect." in text
    assert "Explained, not flagged" not in text_of(vera.get(f"/runs/{a_run('plain').pk}"))


def test_a_combination_tells_what_was_explained_of_its_last_run_and_of_the_flagged_one(vera: Client) -> None:
    combination = factory.flagged("are the services up")
    flagged_run = combination.last_flagged_run
    assert flagged_run is not None
    factory.explanation(flagged_run, summary="of the flagged one")
    between = factory.ask(combination)
    factory.explanation(between, summary="of one between")
    last = factory.ask(combination)
    factory.explanation(last, summary="of the last")
    text = text_of(vera.get(f"/combinations/{combination.pk}"))
    assert text.index("of the last") < text.index("of the flagged one")
    assert "of one between" not in text


def test_what_a_flag_rests_on_stands_beside_it(vera: Client) -> None:
    combination = factory.flagged("are the services up and tell me about iron")
    evidence = {
        "promised": "p",
        "seen": "s",
        "where": "headers",
        "asked": [
            factory.asked_alone("tell me about iron", "kiwix", "web", excerpt="Iron is a metal."),
            factory.asked_alone("tell me about iron", "kiwix", "web", excerpt="Iron is a metal."),
            {**factory.asked_alone("iron, and the services"), "purpose": "order"},
        ],
    }
    Flag.objects.update(evidence=evidence)
    for address in (f"/combinations/{combination.pk}", f"/runs/{combination.last_flagged_run_id}"):
        text = text_of(vera.get(address))
        assert "Asked alone tell me about iron returned kiwix, web: Iron is a metal." in text
        assert "Other order iron, and the services returned nothing" in text
        assert text.count("Asked alone tell me about iron") == 1, "asked twice, it brought the same"
    Flag.objects.update(evidence={"promised": "p", "seen": "s", "where": "headers"})
    assert "Asked alone" not in text_of(vera.get(f"/combinations/{combination.pk}"))


@pytest.mark.parametrize(
    ("asked", "seen", "words"),
    [(3, 2, "Reproduced 2 of 3"), (3, 0, "Reproduced 0 of 3"), (0, 0, None)],
)
def test_how_often_a_finding_was_reproduced_is_shown(vera: Client, asked: int, seen: int, words: str | None) -> None:
    combination = factory.flagged("are the services up")
    Flag.objects.update(asked_again=asked, seen_again=seen)
    for address in ("/flags", f"/combinations/{combination.pk}", f"/runs/{combination.last_flagged_run_id}"):
        text = text_of(vera.get(address))
        assert (words in text) if words else "Reproduced" not in text
