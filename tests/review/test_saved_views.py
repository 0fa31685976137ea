"""Views of the queue under a name: made, shared, seen by others, replaced, deleted."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from review.models import SavedView
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, text_of
from tests.roles import give

QUERY = "tab=ever&check=crash&text=loom&sort=age"


@pytest.fixture
def otto(db: None) -> Client:
    """Another reviewer's browser."""
    client = Client()
    client.force_login(give(User.objects.create_user("oskar"), "reviewer"))
    return client


def save(client: Client, name: str, query: str = QUERY, **more: str) -> str:
    """What the page says afterwards."""
    form = {"name": name, "query": query, "back": f"/flags?{query}", **more}
    return text_of(client.post("/views/save", form, follow=True))


def links(client: Client, address: str = "/flags") -> list[tuple[str, str, str]]:
    return [(view.name, view.by, view.address) for view in client.get(address).context["page"].views]


def test_a_view_keeps_its_filters_and_its_order(vera: Client) -> None:
    assert "Saved as “Looms”." in save(vera, "Looms")
    assert links(vera) == [("Looms", "", f"/flags?{QUERY}")]
    page = vera.get(f"/flags?{QUERY}").context["page"]
    assert page.views[0].is_here
    assert not vera.get("/flags").context["page"].views[0].is_here


def test_what_one_keeps_for_oneself_nobody_else_sees(vera: Client, otto: Client) -> None:
    save(vera, "Looms")
    assert links(otto) == []


def test_a_shared_view_is_seen_by_others_with_whose_it_is(vera: Client, otto: Client) -> None:
    factory.a_target()
    assert "Saved as “Looms”, shared with everyone." in save(vera, "Looms", is_shared="on")
    assert links(otto) == [("Looms", "vera", f"/flags?{QUERY}")]
    text = text_of(otto.get(f"/flags?{QUERY}"))
    assert "Looms 0 by vera" in text
    assert "Delete" not in text


def test_under_a_name_that_is_one_s_own_the_view_is_replaced(vera: Client) -> None:
    save(vera, "Looms")
    said = save(vera, "Looms", "check=crash", is_shared="on")
    assert "Saved as “Looms”, shared with everyone, replacing your view of that name." in said
    assert links(vera) == [("Looms", "", "/flags?check=crash")]
    assert SavedView.objects.get().is_shared


def test_two_people_may_use_the_same_name(vera: Client, otto: Client) -> None:
    save(vera, "Looms", is_shared="on")
    save(otto, "Looms", "check=crash")
    assert links(otto) == [("Looms", "vera", f"/flags?{QUERY}"), ("Looms", "", "/flags?check=crash")]


def test_one_s_own_view_is_deleted_where_it_is_looked_at(vera: Client) -> None:
    save(vera, "Looms")
    assert "Delete" in text_of(vera.get(f"/flags?{QUERY}"))
    assert "Delete" not in text_of(vera.get("/flags"))
    view = SavedView.objects.get()
    response = vera.post(f"/views/{view.pk}/delete", {"back": "/flags"}, follow=True)
    assert response.redirect_chain == [("/flags", 302)]
    assert links(vera) == []


def test_somebody_else_s_view_cannot_be_deleted(vera: Client, otto: Client) -> None:
    save(vera, "Looms", is_shared="on")
    response = otto.post(f"/views/{SavedView.objects.get().pk}/delete", {"back": "/flags"}, follow=True)
    assert "That view was already deleted, or it belongs to someone else." in text_of(response)
    assert SavedView.objects.count() == 1


def test_one_that_is_gone_is_said_to_be_gone(vera: Client) -> None:
    assert "That view was already deleted" in text_of(vera.post("/views/4711/delete", {"back": "/flags"}, follow=True))


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "\u202e", "\u200b \u2060\ufeff"])
def test_a_view_needs_a_name(vera: Client, name: str) -> None:
    assert "Nothing was saved: a view needs a name of 1 to 80 characters." in save(vera, name)
    assert not SavedView.objects.exists()


def test_a_name_with_an_invisible_character_beside_others_is_kept(vera: Client) -> None:
    assert "Saved as" in save(vera, "Looms\u200d!")
    assert SavedView.objects.get().name == "Looms\u200d!"


def test_a_view_too_long_to_be_kept_is_refused_in_words(vera: Client) -> None:
    assert "Nothing was saved" in save(vera, "Long", f"text={'x' * 1999}&ingredient={'y' * 1999}")
    assert not SavedView.objects.exists()


def test_a_filter_that_makes_no_sense_is_not_kept(vera: Client) -> None:
    assert vera.post("/views/save", {"name": "Looms", "query": "check=x"}).status_code == 400


def test_what_is_no_filter_is_not_kept(vera: Client) -> None:
    save(vera, "Looms", "check=crash&after=2026-06-30T12:00:00%2B00:00~1&flat=1&x=y")
    assert SavedView.objects.get().query == "check=crash"


def test_script_in_a_name_is_text(vera: Client, otto: Client) -> None:
    save(vera, SCRIPT, is_shared="on")
    for client in (vera, otto):
        assert_escaped(client.get(f"/flags?{QUERY}"))


def test_a_viewer_may_keep_views_too(onlooker: Client) -> None:
    save(onlooker, "Looms")
    assert links(onlooker) == [("Looms", "", f"/flags?{QUERY}")]


@pytest.mark.parametrize("address", ["/views/save", "/views/1/delete"])
def test_nothing_is_done_by_reading(vera: Client, address: str) -> None:
    assert vera.get(address).status_code == 405


@pytest.mark.parametrize("address", ["/views/save", "/views/1/delete"])
def test_a_stranger_can_do_nothing(client: Client, db: None, address: str) -> None:
    assert client.post(address, {"name": "Looms"})["Location"] == "/sign-in"
    assert not SavedView.objects.exists()


def test_a_form_never_leads_to_another_site(vera: Client) -> None:
    response = vera.post("/views/save", {"name": "Looms", "back": "//elsewhere.example/"})
    assert response["Location"] == "/flags"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tab=ever&suspect=topic%3Alooms&sort=age", "tab=ever&ingredient=topic%3Alooms&sort=age"),
        ("suspect=%5B%22a%22%2C+%22b%22%5D&text=a+b", "ingredient=%5B%22a%22%2C+%22b%22%5D&text=a+b"),
        ("ingredient=weather&suspect=topic%3Alooms", "ingredient=weather"),
        (QUERY, QUERY),
    ],
)
def test_a_view_of_an_earlier_version_that_named_a_suspect_names_an_ingredient(
    vera: Client, reviewer: User, before: str, after: str
) -> None:
    SavedView.objects.create(owner=reviewer, name="Looms", query=before)
    import_module("review.migrations.0005_views_without_suspects").rename(apps, None)
    assert links(vera) == [("Looms", "", f"/flags?{after}")]
