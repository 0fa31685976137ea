"""Dismiss and Undo: with htmx the row is swapped, without it the form comes back to its page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest import services
from selftest.models import Combination, ReviewEvent
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of


@pytest.fixture
def broken(db: None) -> Combination:
    return factory.flagged("tell me about molybdenum")


def seen(combination: Combination) -> dict[str, object]:
    return {"seen_run": combination.last_run_id, "back": "/"}


def is_dismissed(combination: Combination) -> bool:
    combination.refresh_from_db()
    return combination.review_status == "dismissed"


def test_dismissing_leaves_a_quiet_row_with_its_undo(htmx: Client, broken: Combination) -> None:
    response = htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    assert response.status_code == 200
    assert not is_whole(response)
    assert is_dismissed(broken)
    assert text_of(response) == "Dismissed tell me about molybdenum Undo 0"
    assert 'id="count" hx-swap-oob="true">0<' in response.content.decode()
    assert b" autofocus" in response.content


def test_it_is_told_who_dismissed_it(vera: Client, broken: Combination) -> None:
    vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    event = broken.events.get(kind=ReviewEvent.Kind.DISMISSED)
    assert event.actor == "vera"


def test_undo_brings_the_row_back(htmx: Client, broken: Combination) -> None:
    htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    response = htmx.post(f"/combinations/{broken.pk}/undismiss", {"back": "/"})
    assert response.status_code == 200
    assert not is_dismissed(broken)
    assert "Flagged now" in text_of(response)
    assert text_of(response).endswith("Dismiss 1")


def test_one_flagged_again_since_is_not_dismissed_and_shown_as_it_is(htmx: Client, broken: Combination) -> None:
    looked = seen(broken)
    factory.ask(broken, [factory.finding(summary="answered by 'news'")])
    response = htmx.post(f"/combinations/{broken.pk}/dismiss", looked)
    assert response.status_code == 409
    assert not is_dismissed(broken)
    text = text_of(response)
    assert "It was flagged again since you looked. Nothing was dismissed" in text
    assert "answered by 'news'" in text
    assert f'name="seen_run" value="{broken.last_run_id}"' in response.content.decode()


def test_one_that_ran_clean_since_can_be_dismissed(htmx: Client, broken: Combination) -> None:
    looked = seen(broken)
    factory.ask(broken)
    assert htmx.post(f"/combinations/{broken.pk}/dismiss", looked).status_code == 200
    assert is_dismissed(broken)


def test_dismissing_twice_says_the_same_twice(htmx: Client, broken: Combination) -> None:
    for _ in range(2):
        response = htmx.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
        assert response.status_code == 200
        assert "Dismissed" in text_of(response)
    assert broken.events.filter(kind=ReviewEvent.Kind.DISMISSED).count() == 1


def test_undoing_what_was_flagged_again_says_so(htmx: Client, broken: Combination, reviewer: User) -> None:
    services.dismiss(broken, services.Actor.person(reviewer))
    factory.ask(broken, [factory.finding()])
    response = htmx.post(f"/combinations/{broken.pk}/undismiss")
    assert response.status_code == 409
    assert "It is in the queue already" in text_of(response)


def test_script_in_the_quiet_row_is_text(htmx: Client) -> None:
    combination = factory.flagged(f"tell me {SCRIPT}")
    assert_escaped(htmx.post(f"/combinations/{combination.pk}/dismiss", seen(combination)))


# --- without JavaScript ---


def test_the_form_comes_back_to_the_queue_with_the_undo_on_top(vera: Client, broken: Combination) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", seen(broken), follow=True)
    assert response.redirect_chain == [(f"/?dismissed={broken.pk}", 302)]
    assert "0 to review" in text_of(response)
    assert "Dismissed tell me about molybdenum Undo" in text_of(response)


def test_undoing_comes_back_with_a_message(vera: Client, broken: Combination, reviewer: User) -> None:
    services.dismiss(broken, services.Actor.person(reviewer))
    response = vera.post(f"/combinations/{broken.pk}/undismiss", {"back": "/"}, follow=True)
    assert "Back in the queue." in text_of(response)
    assert "1 to review" in text_of(response)


def test_a_refusal_comes_back_with_a_message(vera: Client, broken: Combination) -> None:
    looked = seen(broken)
    factory.ask(broken, [factory.finding()])
    response = vera.post(f"/combinations/{broken.pk}/dismiss", looked, follow=True)
    assert "It was flagged again since you looked." in text_of(response)
    assert not is_dismissed(broken)


def test_from_its_own_page_the_form_comes_back_there(vera: Client, broken: Combination) -> None:
    here = f"/combinations/{broken.pk}"
    response = vera.post(f"{here}/dismiss", {**seen(broken), "back": here}, follow=True)
    assert response.redirect_chain == [(here, 302)]
    assert "Dismissed." in text_of(response)


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example", "javascript:1", ""]
)
def test_a_form_never_leads_to_another_site(vera: Client, broken: Combination, back: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", {**seen(broken), "back": back})
    assert response["Location"] == f"/?dismissed={broken.pk}"


# --- refusals ---


def test_one_that_was_never_flagged_cannot_be_dismissed(vera: Client) -> None:
    clean = factory.make_combination()
    factory.ask(clean)
    response = vera.post(f"/combinations/{clean.pk}/dismiss", {"back": "/"}, follow=True)
    assert "This combination was never flagged" in text_of(response)


def test_nor_by_htmx(htmx: Client) -> None:
    clean = factory.make_combination()
    assert htmx.post(f"/combinations/{clean.pk}/dismiss").status_code == 400


@pytest.mark.parametrize("action", ["dismiss", "undismiss"])
def test_an_unknown_one_is_not_found(vera: Client, action: str) -> None:
    assert vera.post(f"/combinations/4711/{action}").status_code == 404


@pytest.mark.parametrize("action", ["dismiss", "undismiss"])
def test_nothing_is_done_by_reading(vera: Client, broken: Combination, action: str) -> None:
    assert vera.get(f"/combinations/{broken.pk}/{action}").status_code == 405


@pytest.mark.parametrize("seen_run", ["x", "-1", "1.5", "9" * 40])
def test_a_run_that_is_no_number_is_refused(vera: Client, broken: Combination, seen_run: str) -> None:
    response = vera.post(f"/combinations/{broken.pk}/dismiss", {"seen_run": seen_run})
    assert response.status_code == 400
    assert not is_dismissed(broken)


def test_a_stranger_can_do_nothing(client: Client, broken: Combination) -> None:
    response = client.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    assert response["Location"] == "/sign-in"
    assert not is_dismissed(broken)


def test_without_the_token_of_the_form_nothing_is_done(reviewer: User, broken: Combination) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reviewer)
    response = strict.post(f"/combinations/{broken.pk}/dismiss", seen(broken))
    assert response.status_code == 403
    assert "This form is out of date" in text_of(response)
    assert not is_dismissed(broken)
