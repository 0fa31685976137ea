"""A person signed in, and the target that the pages speak of."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest.models import Target
from tests.review import factory
from tests.roles import give


@pytest.fixture
def reviewer(db: None) -> User:
    return give(User.objects.create_user("vera", password="a long enough password"), "reviewer")


@pytest.fixture
def vera(reviewer: User) -> Client:
    """Vera's browser: she may review, and is no admin."""
    client = Client()
    client.force_login(reviewer)
    return client


@pytest.fixture
def onlooker(db: None) -> Client:
    """The browser of a person who may look and not review."""
    client = Client()
    client.force_login(give(User.objects.create_user("otto"), "viewer"))
    return client


@pytest.fixture
def htmx(vera: Client) -> Client:
    """Vera's browser, when htmx asks."""
    vera.defaults["HTTP_HX_REQUEST"] = "true"
    return vera


@pytest.fixture
def target(db: None) -> Target:
    return factory.make_target()


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """One cluster beats, until a test says otherwise."""

    def beat(clusters: int) -> None:
        monkeypatch.setattr("selftest.reading.worker.heartbeats", lambda: clusters)

    beat(1)
    return beat
