"""Suggestions for a vocabulary in a browser without scripts: one is edited and accepted, another one refused."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from selftest.evaluation.models import Suggestion
from tests.browser.pages import sign_in
from tests.browser.scenes import make_reviewer
from tests.review import factory

pytestmark = pytest.mark.django_db(transaction=True)


def test_suggestions_are_decided_without_scripts(live_server: LiveServer, browser: Browser) -> None:
    make_reviewer()
    target = factory.a_target()
    for text in ("desert foxes", "lava lamps"):
        Suggestion.objects.create(
            target=target, kind="topic", text=text, origin="mined", why="in 2 answers", created_at=timezone.now()
        )
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/targets/{target.pk}")
    page.get_by_label("Select lava lamps").check()
    page.get_by_role("button", name="Refuse selected").click()
    page.get_by_label("Select desert foxes").check()
    page.locator('input[value="desert foxes"]').fill("arctic foxes")
    page.get_by_label("Reason").fill("worth asking")
    page.get_by_role("button", name="Accept selected").click()
    expect(page.locator("#suggestions")).to_contain_text("worth asking")
    expect(page.locator("#vocabulary")).to_contain_text("arctic foxes")
    found = Suggestion.objects.order_by("text").values_list("text", "state")
    assert list(found) == [("arctic foxes", "accepted"), ("lava lamps", "refused")]
    context.close()
