"""Every page: nothing refused by the content security policy, no error on the console, no barrier that axe finds.

None is too wide for its screen, and on a narrow one what is clicked or touched is 24 pixels high and wide (WCAG 2.5.8).
"""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from review.models import SavedView
from tests.browser.addresses import addresses
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer

LEVELS_A_AND_AA = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # of level A too, and off unless it is asked for
}

# A box or a dot counts as large as the label it stands in. Points in a chart are links in the table behind it, too.
TOO_SMALL = """
() => [...document.querySelectorAll("a[href]:not(svg a), button, summary, select, textarea, input:not([type=hidden])")]
  .filter((element) => element.checkVisibility() && !element.matches(".skip"))
  .map((element) => [element, (element.closest("label") ?? element).getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 24)
  .map(([element, box]) => `${element.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`)
"""
# What is fixed to the window does not widen the page that it reaches out of.
TOO_WIDE = """
() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")]
  .filter((element) => getComputedStyle(element).position === "fixed" && element.checkVisibility())
  .map((element) => element.getBoundingClientRect().left + element.scrollWidth)) - document.documentElement.clientWidth
"""
NARROW = 390


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", NARROW)])
def test_no_page_breaks_the_policy_or_bars_anybody(
    live_server: LiveServer, browser: Browser, reviewer: User, scheme: Literal["light", "dark"], width: int
) -> None:
    pages = addresses(reviewer)
    SavedView.objects.create(owner=reviewer, name="x", query="check=crash")
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    watching = watch(page)
    barriers: dict[str, object] = {}

    def look(address: str) -> None:
        page.evaluate("scrollTo(0, 0)")  # elsewhere what stays in sight lies over a part of what is scrolled under it
        found = Axe().run(page, options=LEVELS_A_AND_AA)
        if found.violations_count:
            barriers[address] = found.generate_report()
        if wide := page.evaluate(TOO_WIDE):
            barriers[f"{address}, pixels too wide"] = wide
        if width == NARROW and (small := page.evaluate(TOO_SMALL)):
            barriers[f"{address}, too small"] = small

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
        for closed in page.locator("summary:visible").all()[:6]:
            closed.click()
        watching.settle(page)
        look(address)
    page.goto(f"{live_server.url}/flags")
    if width == NARROW:
        page.get_by_text("Act on several").click()
    page.get_by_role("button", name="matching…").click()
    page.wait_for_url("**/bulk/*")
    look("/bulk")
    assert barriers == {}
    assert watching.faults == []
    context.close()


def test_a_name_that_hides_what_is_seen_is_found(live_server: LiveServer, page: Page, reviewer: User) -> None:
    page.goto(f"{live_server.url}/sign-in")
    page.evaluate("document.querySelector('button').setAttribute('aria-label', 'Onwards')")
    assert "label-content-name-mismatch" in Axe().run(page, options=LEVELS_A_AND_AA).generate_snapshot()


def test_a_planted_barrier_and_a_planted_breach_are_found(live_server: LiveServer, page: Page, reviewer: User) -> None:
    watching = watch(page)
    page.goto(f"{live_server.url}/sign-in")
    page.evaluate("document.querySelector('img').removeAttribute('alt')")
    assert "image-alt" in Axe().run(page, options=LEVELS_A_AND_AA).generate_snapshot()
    page.evaluate("document.querySelector('h1').innerHTML = '<button class=\"link\">x</button>'")
    assert [found.split(":")[0] for found in page.evaluate(TOO_SMALL)] == ['<button class="link">x</button>']
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert any("style-src" in fault for fault in watching.faults)
