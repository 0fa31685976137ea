"""/profile: colours, keys, role and password; and that other pages follow without asking the database."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from review.models import Profile
from tests.review.pages import SCRIPT, text_of
from tests.roles import give

OLD, NEW = "a long enough password", "another quite long one"


def scheme_of(client: Client, path: str = "/profile") -> str:
    """Of a page: light, dark, or both, between which the system decides."""
    found = re.search(r'<meta name="color-scheme" content="([^"]*)">', client.get(path).content.decode())
    assert found
    return found[1]


def test_looking_at_it_writes_nothing(vera: Client) -> None:
    page = vera.get("/profile")
    assert page.status_code == 200
    assert "vera" in text_of(page)
    assert "Reviewer dismisses, restores" in text_of(page)
    assert not Profile.objects.exists()


def test_at_first_the_system_decides_and_keys_do_something(vera: Client) -> None:
    page = vera.get("/profile").content.decode()
    assert scheme_of(vera) == "light dark"
    assert '<body data-keyboard="on">' in page
    assert re.search(r'value="system"[^>]* checked', page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_chosen_holds_on_every_page_at_once(vera: Client, theme: str) -> None:
    response = vera.post("/profile", {"theme": theme}, follow=True)
    assert response.redirect_chain == [("/profile", 302)]
    assert "Saved." in text_of(response)
    for path in ("/flags", "/cycles", "/nothing/here"):
        assert scheme_of(vera, path) == theme
    assert '<body data-keyboard="off">' in vera.get("/profile").content.decode()  # its box was not ticked


def test_it_holds_at_the_next_sign_in_too(client: Client, vera: Client, reviewer: User) -> None:
    vera.post("/profile", {"theme": "dark", "keyboard": "on"})
    client.post("/sign-in", {"username": "vera", "password": OLD})
    assert scheme_of(client) == "dark"
    client.post("/sign-out")
    assert scheme_of(client, "/sign-in") == "light dark"


def test_the_system_may_decide_again(vera: Client) -> None:
    vera.post("/profile", {"theme": "dark", "keyboard": "on"})
    vera.post("/profile", {"theme": "system", "keyboard": "on"})
    assert scheme_of(vera) == "light dark"
    assert Profile.objects.count() == 1


def test_a_scheme_that_is_none_is_refused(vera: Client) -> None:
    response = vera.post("/profile", {"theme": SCRIPT})
    assert response.status_code == 200
    assert "not one of the available choices" in text_of(response)
    assert SCRIPT not in response.content.decode()
    assert not Profile.objects.exists()


def test_other_pages_ask_the_database_no_more_for_it(
    vera: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    vera.post("/profile", {"theme": "dark"})
    with django_assert_num_queries(2) as asked:  # the session and the user, who has to be named in the rail
        assert vera.get("/profile/password").status_code == 200
    assert not any("review_profile" in query["sql"] or "axes" in query["sql"] for query in asked.captured_queries)


def test_everybody_has_their_own(vera: Client, onlooker: Client) -> None:
    vera.post("/profile", {"theme": "dark"})
    assert scheme_of(onlooker) == "light dark"


def test_roles_are_named_and_their_lack_is(onlooker: Client, db: None) -> None:
    assert "Viewer looks at everything" in text_of(onlooker.get("/profile"))
    client = Client()
    client.force_login(User.objects.create_user("nell"))
    assert "None yet. Until an admin makes you" in text_of(client.get("/profile"))
    client.force_login(give(User.objects.create_superuser("root"), "admin"))
    text = text_of(client.get("/profile"))
    assert "Admin changes targets" in text
    assert "Superuser may do everything" in text


def test_the_rail_leads_there(vera: Client) -> None:
    assert '<a class="rail-user-name" href="/profile"' in vera.get("/flags").content.decode()


def test_nobody_sees_it_without_signing_in(client: Client, db: None) -> None:
    assert client.get("/profile")["Location"] == "/sign-in?next=%2Fprofile"
    assert client.post("/profile/password", {})["Location"] == "/sign-in"


def test_other_methods_are_refused(vera: Client) -> None:
    assert vera.put("/profile").status_code == 405
    assert vera.delete("/profile/password").status_code == 405


def change(client: Client, old: str, new: str, again: str | None = None) -> str:
    form = {"old_password": old, "new_password1": new, "new_password2": again or new}
    return text_of(client.post("/profile/password", form, follow=True))


def test_a_password_is_changed_and_only_this_browser_stays(vera: Client, reviewer: User) -> None:
    vera.post("/profile", {"theme": "dark"})
    other = Client()
    other.force_login(reviewer)
    assert "Your password is changed." in change(vera, OLD, NEW)
    assert scheme_of(vera) == "dark"
    assert vera.get("/flags").status_code == 200
    assert other.get("/flags").status_code == 302
    reviewer.refresh_from_db()
    assert reviewer.check_password(NEW)


@pytest.mark.parametrize(
    ("old", "new", "again", "words"),
    [
        ("wrong", NEW, NEW, "Your old password was entered incorrectly"),
        (OLD, NEW, "something else", "didn’t match"),
        (OLD, "short", "short", "at least 10 characters"),
        (OLD, "password123", "password123", "too common"),
    ],
)
def test_a_password_that_will_not_do_is_refused_in_words(
    vera: Client, reviewer: User, old: str, new: str, again: str, words: str
) -> None:
    assert words in change(vera, old, new, again)
    reviewer.refresh_from_db()
    assert reviewer.check_password(OLD)
