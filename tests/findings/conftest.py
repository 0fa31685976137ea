"""What the tests of findings share."""

from collections.abc import Callable

import pytest

from selftest.findings.models import FindingSettings
from selftest.findings.saving import About, Draft, Saved, save_finding
from selftest.models import ENGINE, Actor

AGENT, USER = "feedback/from-agent/reports", "feedback/from-user/reports"
CLAIM = "claim/capability/calendar/wrapper"
ALWAYS, NEVER = "Always include a TL;DR in reports.", "Never include a TL;DR in reports."
VERA = Actor("vera")
BOT = Actor(ENGINE)

Save = Callable[..., Saved]


def save(content: str, category: str = AGENT, *tags: str, about: About | None = None, actor: Actor = VERA) -> Saved:
    return save_finding(Draft(category, content, tags, about or About()), actor)


def use_profile(name: str) -> None:
    FindingSettings.get_solo()
    FindingSettings.objects.update(profile=name)


@pytest.fixture(params=["v1", "v2"])
def each_profile(request: pytest.FixtureRequest, db: None) -> str:
    use_profile(request.param)
    return str(request.param)
