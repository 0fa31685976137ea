"""The page of explained findings in a browser: from a source to its findings, and on to older ones."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.judging.findings import CheckName
from selftest.models import Explanation, Run
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


def explain_many(count: int) -> Run:
    """So many explained findings of uptime, and one of the news."""
    for number in range(count):
        run = factory.ask(factory.make_combination(f"is service {number} up, and what is new in the papers"))
        factory.probe(run, f"is service {number} up", "uptime", "could not connect")
        factory.probe(run, f"paper {number}", "news", "" if number % 3 else "no results found")
        factory.explanation(run)
    factory.explanation(run, CheckName.PART_COUNT_MISMATCH, "news", Explanation.Cause.STOOD_IN, summary="1 of 3")
    return run


def test_a_source_leads_to_its_findings_and_those_to_older_ones(
    live_server: LiveServer, page: Page, reviewer: User
) -> None:
    explain_many(30)
    watching = watch(page)
    sign_in(page, live_server.url)
    page.get_by_role("link", name="Explained").click()
    expect(page.locator("li.explained")).to_have_count(25)
    page.locator(".alone").get_by_role("link", name="uptime").click()
    expect(page).to_have_url(f"{live_server.url}/explained?target=bundled&source=uptime")
    page.get_by_role("link", name="Older").click()
    expect(page.locator("li.explained")).to_have_count(30)
    expect(page.get_by_role("link", name="Older")).to_have_count(0)
    page.get_by_label("Check").select_option("part_count_mismatch")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("No findings match")).to_be_visible()
    assert watching.faults == []
