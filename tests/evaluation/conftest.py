"""What the tests of evaluation share."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selftest.models import Target
from tests.review.factory import make_target
from tests.roles import give


@pytest.fixture
def target(db: None) -> Target:
    """The bundled router, with its vocabulary in force."""
    return make_target()


@pytest.fixture
def vera(db: None) -> Client:
    """The browser of a reviewer."""
    client = Client()
    client.force_login(give(User.objects.create_user("vera"), "reviewer"))
    return client
