"""No form is taken from another site: every path refuses a POST without the token, and every form on a page has one."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from tests.review import factory
from tests.review.pages import text_of

JSON_ROOMS = (
    "/api/",
    "/v1/",
    "/adversarial/",
    "/health",
    "/metrics",
)  # refused by the API itself: tests/api/test_permission.py


def paths(entries: list[Any] | None = None, before: str = "/") -> Iterator[str]:
    """Every address there is, the admin's too, its numbers and names made up."""
    for entry in get_resolver().url_patterns if entries is None else entries:
        if not isinstance(entry.pattern, RoutePattern):
            continue  # Django's catch-all, which answers 404
        path = before + re.sub(r"<(\w+:)?\w+>", "1", str(entry.pattern))
        if isinstance(entry, URLResolver):
            yield from paths(entry.url_patterns, path)
        elif isinstance(entry, URLPattern) and not path.startswith(JSON_ROOMS):
            yield path


@pytest.fixture
def browser(db: None) -> Client:
    """A superuser's, so that nothing else refuses before the token is missed."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_every_address_is_walked() -> None:
    found = set(paths())
    assert {"/", "/combinations/1/dismiss", "/cycles/run", "/profile/password", "/sign-in", "/sign-out"} <= found
    assert {"/admin/login/", "/admin/selftest/target/1/change/", "/admin/auth/user/add/"} <= found


def test_no_address_takes_a_form_without_the_token(browser: Client) -> None:
    taken = {}
    for path in paths():
        response = browser.post(path)
        if response.status_code != 403 or "This form is out of date" not in text_of(response):
            taken[path] = response.status_code
    assert taken == {}


def test_a_stranger_signs_in_with_the_token_alone(db: None) -> None:
    assert Client(enforce_csrf_checks=True).post("/sign-in", {"username": "x", "password": "y"}).status_code == 403


def test_every_form_on_every_page_carries_the_token(browser: Client) -> None:
    combination = factory.flagged()
    walked = 0
    for path in ["/", f"/combinations/{combination.pk}", "/cycles", "/profile", "/profile/password", "/nothing/here"]:
        forms = re.findall(r'<form[^>]*method="post".*?</form>', browser.get(path).content.decode(), flags=re.S)
        assert forms, path
        assert all('name="csrfmiddlewaretoken"' in form for form in forms), path
        walked += len(forms)
    assert walked > 6
