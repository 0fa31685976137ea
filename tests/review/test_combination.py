"""The page of one combination: its findings, the promise they rest on, its answer, its story and its runs."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from selftest import services
from selftest.core.checks import CheckName
from selftest.models import Combination
from selftest.store import bundled_vocabulary
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of


@pytest.fixture
def broken(db: None) -> Combination:
    return factory.flagged("tell me about molybdenum", factory.finding(), factory.finding(CheckName.LATENCY_OUTLIER))


def test_it_tells_every_finding_and_the_promise_of_the_first(vera: Client, broken: Combination) -> None:
    text = text_of(vera.get(f"/combinations/{broken.pk}"))
    assert "tell me about molybdenum" in text
    assert "Unasked source The answer comes from a source that nothing in the query points at." in text
    assert "Promised a source: kiwix, web Seen home Where the source that the answer names" in text
    assert "source_mismatch: answered by 'home'" in text
    assert "Slow answer" in text
    assert "What breaks it" in text
    assert "What does not The merged source, always" in text


def test_a_place_that_the_evidence_names_already_is_left_out(vera: Client) -> None:
    slow = factory.finding(CheckName.LATENCY_OUTLIER, seen="4210 ms", where="latency_ms")
    text = text_of(vera.get(f"/combinations/{factory.flagged('', slow).pk}"))
    assert "Seen 4210 ms Reason" in text
    assert "latency_ms" not in text


def test_its_recipe_breaks_between_words(vera: Client, broken: Combination) -> None:
    page = vera.get(f"/combinations/{broken.pk}").content.decode()
    assert "no_<wbr>intent_<wbr>fallthrough" in page


def test_the_answer_is_there_whole_with_its_headers_told_apart(vera: Client) -> None:
    document = bundled_vocabulary()
    assert isinstance(document, dict)
    header = next(iter(document["headers"].values()))
    result = f"{header}\nOne & two <three>.\n\nThe end."
    combination = factory.flagged(result=result)
    page = vera.get(f"/combinations/{combination.pk}").content.decode()
    assert f"<strong>{header}\n</strong>One &amp; two &lt;three&gt;.\n\nThe end.</pre>" in page


def test_the_story_is_told_from_its_newest_event(vera: Client, reviewer: User, broken: Combination) -> None:
    services.dismiss(broken, services.Actor.person(reviewer))
    factory.ask(broken, [factory.finding()])
    factory.ask(broken)
    text = text_of(vera.get(f"/combinations/{broken.pk}"))
    story = text[text.index("Story") :]
    places = [story.index(words) for words in ("Came back clean", "Flagged again", "Dismissed by vera")]
    assert places == sorted(places)
    assert "Was flagged" in text
    assert "Run 3 times" in text


def test_a_clean_run_does_not_hide_the_answer_that_was_flagged(vera: Client) -> None:
    combination = factory.flagged(result="The answer that broke it.")
    factory.ask(combination, result="A good one.")
    text = text_of(vera.get(f"/combinations/{combination.pk}"))
    assert "The answer that broke it." in text
    assert "Broken when last flagged" in text


def test_it_offers_what_can_be_done_now(vera: Client, reviewer: User, broken: Combination) -> None:
    assert "Dismiss Flagged now" in text_of(vera.get(f"/combinations/{broken.pk}"))
    services.dismiss(broken, services.Actor.person(reviewer))
    assert "Undo Dismissed" in text_of(vera.get(f"/combinations/{broken.pk}"))


def test_one_that_was_never_asked_says_so(vera: Client) -> None:
    fresh = factory.make_combination()
    text = text_of(vera.get(f"/combinations/{fresh.pk}"))
    assert "Not asked yet" in text
    assert "Nothing has happened to it." in text
    assert "Dismiss" not in text


def test_one_that_was_never_flagged_has_nothing_to_dismiss(vera: Client) -> None:
    clean = factory.make_combination()
    factory.ask(clean)
    text = text_of(vera.get(f"/combinations/{clean.pk}"))
    assert "Never flagged" in text
    assert "Dismiss" not in text


def test_one_whose_runs_were_deleted_still_tells_its_first_reason(vera: Client, broken: Combination) -> None:
    broken.runs.all().delete()
    text = text_of(vera.get(f"/combinations/{broken.pk}"))
    assert "source_mismatch: answered by 'home'" in text
    assert "Unasked source answered by 'home'" in text_of(vera.get("/"))


def test_many_runs_come_in_pages(vera: Client) -> None:
    combination = factory.make_combination()
    runs = [factory.ask(combination).pk for _ in range(27)]
    first = vera.get(f"/combinations/{combination.pk}").context["page"]
    second = vera.get(first.older_runs).context["page"]
    assert [run.pk for run in (*first.runs, *second.runs)] == sorted(runs, reverse=True)


def test_script_anywhere_is_shown_as_text(vera: Client) -> None:
    broken = factory.finding(summary=SCRIPT, promised=SCRIPT, seen=SCRIPT, where=SCRIPT)
    combination = factory.flagged(f"tell me {SCRIPT}", broken, result=SCRIPT, source=SCRIPT, error=SCRIPT)
    assert_escaped(vera.get(f"/combinations/{combination.pk}"))


def test_the_number_of_queries_does_not_grow_with_the_runs(
    vera: Client, broken: Combination, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 20):
        for _ in range(count):
            factory.ask(broken, [factory.finding()])
        with django_assert_max_num_queries(11):
            vera.get(f"/combinations/{broken.pk}")


@pytest.mark.parametrize("pk", [4711, 10**30])
def test_an_unknown_one_is_not_found(vera: Client, pk: int) -> None:
    assert vera.get(f"/combinations/{pk}").status_code == 404


def test_only_reading_is_allowed(vera: Client, broken: Combination) -> None:
    assert vera.post(f"/combinations/{broken.pk}").status_code == 405


def test_a_stranger_is_sent_to_sign_in(client: Client, broken: Combination) -> None:
    assert client.get(f"/combinations/{broken.pk}")["Location"].startswith("/sign-in?next=")
