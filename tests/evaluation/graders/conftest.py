"""What the tests of graders share."""

import pytest

from selftest.evaluation.models import GraderSettings


@pytest.fixture
def judge_settings() -> GraderSettings:
    """A judge that is switched on, at an address where nothing listens."""
    return GraderSettings(judge_is_on=True, judge_url="http://127.0.0.1:9/v1", judge_model="tiny", judge_timeout_s=5.0)
