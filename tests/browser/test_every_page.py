"""Every page: nothing refused by the content security policy, no error on the console, no barrier that axe finds."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from selftest.models import Combination, Run
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import a_working_day, make_reviewer

LEVELS_A_AND_AA = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer()


def addresses(reviewer: User) -> list[str]:
    a_working_day(reviewer)
    flagged = Combination.objects.filter(currently_flagged=True).order_by("-times_generated").first()
    dismissed = Combination.objects.filter(ever_flagged=True).order_by("id").first()
    crash = Run.objects.filter(reason__startswith="crash").first()
    assert flagged
    assert dismissed
    assert crash
    return [
        "/",
        "/?tab=dismissed",
        "/?tab=ever&flat=1&sort=severity",
        f"/combinations/{flagged.pk}",
        f"/combinations/{flagged.pk}/diff",
        f"/combinations/{dismissed.pk}",
        f"/combinations/{dismissed.pk}/next?text=nothing-is-called-that",  # comes back with a message
        "/explained",
        "/explained?source=uptime&check=part_lost",
        "/blame",
        "/cycles",
        f"/cycles/{crash.cycle_id}",
        f"/runs/{crash.pk}",
        "/recipes",
        f"/recipes/{crash.recipe_name}?days=90",
        "/targets",
        f"/targets/{crash.target_id}",
        "/status",
        "/overview",
        "/nothing/here",
    ]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_page_breaks_the_policy_or_bars_anybody(
    live_server: LiveServer, browser: Browser, reviewer: User, scheme: Literal["light", "dark"], width: int
) -> None:
    pages = addresses(reviewer)
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    watching = watch(page)
    barriers: dict[str, str] = {}

    def look(address: str) -> None:
        found = Axe().run(page, options=LEVELS_A_AND_AA)
        if found.violations_count:
            barriers[address] = found.generate_report()

    page.goto(f"{live_server.url}/sign-in")
    look("/sign-in")
    sign_in(page, live_server.url)
    for address in pages:
        watching.expected = ("404",) if "nothing" in address else ()
        response = page.goto(f"{live_server.url}{address}")
        assert response
        policy = [directive.strip() for directive in response.headers["content-security-policy"].split(";")]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        for closed in page.locator("details").all()[:2]:
            closed.locator("summary").click()
        page.wait_for_load_state("networkidle")
        look(address)
    assert barriers == {}
    assert watching.faults == []
    context.close()


def test_a_planted_barrier_and_a_planted_breach_are_found(live_server: LiveServer, page: Page, reviewer: User) -> None:
    watching = watch(page)
    page.goto(f"{live_server.url}/sign-in")
    page.evaluate("document.querySelector('img').removeAttribute('alt')")
    assert "image-alt" in Axe().run(page, options=LEVELS_A_AND_AA).generate_snapshot()
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert any("style-src" in fault for fault in watching.faults)
