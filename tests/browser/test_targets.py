"""What is clicked or touched on a narrow screen: 24 pixels high and wide, on every page (WCAG 2.5.8)."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from review.models import SavedView
from tests.browser.pages import sign_in
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import addresses

# A box or a dot counts as large as the label it stands in. Points in a chart are links in the table behind it, too.
TOO_SMALL = """
() => [...document.querySelectorAll("a[href]:not(svg a), button, summary, select, textarea, input:not([type=hidden])")]
  .filter((element) => element.checkVisibility() && !element.matches(".skip"))
  .map((element) => [element, (element.closest("label") ?? element).getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 24)
  .map(([element, box]) => `${element.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`)
"""


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer()


def too_small(page: Page) -> list[str]:
    for closed in page.locator("main details").all()[:4]:
        closed.locator("summary").first.click()
    page.wait_for_load_state("networkidle")
    found: list[str] = page.evaluate(TOO_SMALL)
    return found


def test_nothing_is_too_small_to_hit(live_server: LiveServer, browser: Browser, reviewer: User) -> None:
    pages = [*addresses(reviewer), "/combinations", "/combinations?text=nothing-is-called-that", "/?check=crash"]
    pages += ["/profile", "/profile/password"]
    SavedView.objects.create(owner=reviewer, name="x", query="check=crash")
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{live_server.url}/sign-in")
    missed = {"/sign-in": too_small(page)}
    sign_in(page, live_server.url)
    for address in pages:
        page.goto(f"{live_server.url}{address}")
        missed[address] = too_small(page)
    page.goto(f"{live_server.url}/")
    page.get_by_role("button", name="matching…").click()
    page.wait_for_url("**/bulk/*")
    missed["/bulk"] = too_small(page)
    assert {address: small for address, small in missed.items() if small} == {}
    context.close()


def test_a_planted_small_target_is_found(live_server: LiveServer, page: Page, transactional_db: None) -> None:
    page.goto(f"{live_server.url}/sign-in")
    page.evaluate("document.querySelector('h1').innerHTML = '<button class=\"link\">x</button>'")
    assert [found.split(":")[0] for found in too_small(page)] == ['<button class="link">x</button>']
