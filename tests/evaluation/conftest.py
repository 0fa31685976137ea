"""What the tests of evaluation share."""

import pytest

from selftest.models import Target
from tests.review.factory import make_target


@pytest.fixture
def target(db: None) -> Target:
    """The bundled router, with its vocabulary in force."""
    return make_target()
