"""The rail on wide and narrow screens, what stands in it of what was just done, and the queue below it."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from review.models import SavedView
from selftest.core.judging.findings import CheckName
from selftest.models import Combination
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import LEVELS_A_AND_AA
from tests.review import factory

FIRST_ROW_TOP_PX = 300
NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}
# What can be pressed in the page, and lies under what was just done or what went wrong.
COVERED = """
() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const boxes = seen(".toast").map((element) => element.getBoundingClientRect());
  const overlap = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  return seen(":is(main, .rail) :is(a, button, input, select, summary)")
    .filter((element) => !element.closest(".toast"))
    .filter((element) => boxes.some((box) => overlap(element.getBoundingClientRect(), box)))
    .map((element) => element.outerHTML.slice(0, 120));
}
"""
TOP_OF_FIRST_ROW = "document.querySelector('[data-row]').getBoundingClientRect().top"


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def flags(reviewer: User) -> list[Combination]:
    """Enough to scroll through, of a check each, the newest first."""
    checks = [CheckName.CRASH, CheckName.UNEXPECTED_EMPTY, CheckName.PART_COUNT_MISMATCH, CheckName.LATENCY_OUTLIER]
    return [factory.flagged(f"what is {check}", factory.finding(check)) for check in checks][::-1]


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


def open_queue(page: Page, live_server: LiveServer, size: dict[str, int]) -> None:
    page.set_viewport_size({"width": size["width"], "height": size["height"]})
    sign_in(page, live_server.url)


def dismiss_first(page: Page) -> None:
    page.get_by_role("button", name="Dismiss what is").first.click()
    expect(page.locator("#toasts .toast").first).to_be_visible()


# --- wide ---


def test_on_a_wide_screen_all_links_are_seen_and_there_is_no_menu(
    live_server: LiveServer, flags: object, page: Page, watching: Watch
) -> None:
    open_queue(page, live_server, WIDE)
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    expect(links).to_have_text(
        [
            "Inbox",
            "All flags",
            "Judged",
            "Checks",
            "Coverage",
            "Explained",
            "Findings",
            "Evaluation",
            "Cycles",
            "Targets",
            "Health",
            "Search quality",
        ]
    )
    for link in links.all():
        expect(link).to_be_in_viewport()
    expect(page.get_by_text("Menu", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Sign out")).to_be_in_viewport()
    assert watching.faults == []


def test_in_a_low_window_the_foot_stays_in_sight_and_the_groups_scroll(
    live_server: LiveServer, flags: object, page: Page
) -> None:
    open_queue(page, live_server, {"width": 1280, "height": 480})
    dismiss_first(page)
    expect(page.get_by_role("button", name="Sign out")).to_be_in_viewport(ratio=1)
    expect(page.locator("#toasts").get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Health").click()
    page.wait_for_url("**/status")


# --- what was just done ---


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_was_done_covers_nothing_and_moves_nothing(
    live_server: LiveServer, flags: list[Combination], page: Page, watching: Watch, size: dict[str, int]
) -> None:
    open_queue(page, live_server, size)
    before = page.evaluate(TOP_OF_FIRST_ROW)
    dismiss_first(page)
    assert page.evaluate(TOP_OF_FIRST_ROW) == before
    assert page.evaluate(COVERED) == []
    page.evaluate("htmx.trigger(document.body, 'htmx:sendError')")
    expect(page.get_by_role("alert")).to_contain_text("Gadfly cannot be reached.")
    assert page.evaluate(COVERED) == []
    assert watching.faults == []


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_it_is_in_sight_and_undone_from_the_end_of_the_page(
    live_server: LiveServer, flags: list[Combination], page: Page, watching: Watch, size: dict[str, int]
) -> None:
    open_queue(page, live_server, size)
    dismiss_first(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    toast = page.locator("#toasts .toast")
    expect(toast).to_contain_text(f"Dismissed: {flags[0].last_query_text}")
    expect(toast.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_have_count(0)
    assert not Combination.objects.filter(review_status="dismissed").exists()
    assert watching.faults == []


def test_the_newest_is_in_sight_and_the_earlier_are_folded(
    live_server: LiveServer, flags: list[Combination], page: Page, watching: Watch
) -> None:
    open_queue(page, live_server, WIDE)
    for count in (1, 2, 3):
        page.get_by_role("button", name="Dismiss what is").first.click()
        expect(page.locator("#toasts .toast")).to_have_count(count)
    expect(page.locator("#toasts .toast:visible")).to_have_count(1)
    expect(page.locator("#toasts .toast:visible")).to_contain_text(flags[2].last_query_text)
    page.get_by_text("2 earlier").click()
    expect(page.locator("#toasts .toast:visible")).to_have_count(3)
    page.get_by_role("button", name=f"Undo Dismissed: {flags[0].last_query_text}").click()
    expect(page.locator("#toasts .toast")).to_have_count(2)
    assert watching.faults == []


def test_a_wall_screen_says_what_went_wrong_and_has_no_rail(
    live_server: LiveServer, flags: object, page: Page, watching: Watch
) -> None:
    open_queue(page, live_server, WIDE)
    dismiss_first(page)
    page.goto(f"{live_server.url}/overview")
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    expect(page.locator("#toasts")).to_be_hidden()
    page.evaluate("htmx.trigger(document.body, 'htmx:sendError')")
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    assert watching.faults == []


# --- narrow ---


@pytest.mark.parametrize("has_javascript", [True, False])
def test_on_a_narrow_screen_the_links_are_behind_a_menu(
    live_server: LiveServer, browser: Browser, flags: object, has_javascript: bool
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, java_script_enabled=has_javascript
    )
    page = context.new_page()
    sign_in(page, live_server.url)
    links = page.get_by_role("navigation", name="Pages")
    expect(links).to_be_hidden()
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    page.get_by_text("Menu", exact=True).tap()
    search = page.get_by_role("button", name="Search") if has_javascript else page.get_by_label("Search", exact=True)
    expect(search).to_be_in_viewport()
    expect(page.get_by_role("button", name="Sign out")).to_be_in_viewport()
    links.get_by_role("link", name="Explained").tap()
    page.wait_for_url("**/explained")
    expect(links).to_be_hidden()
    context.close()


@pytest.mark.parametrize("has_javascript", [True, False])
@pytest.mark.parametrize("query", ["", "?tab=ever", "?text=what&check=crash&source=kiwix&sort=age"])
def test_on_a_narrow_screen_the_first_row_begins_above_300_px(
    live_server: LiveServer, browser: Browser, reviewer: User, flags: object, query: str, has_javascript: bool
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, java_script_enabled=has_javascript
    )
    page = context.new_page()
    for name in ("Crashes", "Everything of news", "What is mine", "What was found today"):
        SavedView.objects.create(owner=reviewer, name=name, query="check=crash")
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags{query}")
    box = page.locator("[data-row]").first.bounding_box()
    assert box
    assert box["y"] < FIRST_ROW_TOP_PX
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    context.close()


@pytest.mark.parametrize("has_javascript", [True, False])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_filters_fold_and_say_what_is_set(
    live_server: LiveServer, browser: Browser, flags: object, width: int, has_javascript: bool
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, java_script_enabled=has_javascript)
    page = context.new_page()
    sign_in(page, live_server.url)
    check = page.get_by_label("Check", exact=True)
    expect(check).to_be_hidden()
    page.get_by_text("Filters", exact=True).click()
    check.select_option("crash")
    page.get_by_role("button", name="Filter").click()
    page.wait_for_url("**/flags?check=crash")
    expect(page.get_by_text("Filters: Crash")).to_be_visible()
    expect(check).to_be_hidden()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_role("link", name="Clear").click()
    expect(page.locator("[data-row]")).to_have_count(4)
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_unfolds_bars_nobody(
    live_server: LiveServer, browser: Browser, flags: object, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    dismiss_first(page)
    for words in ("Menu", "Filters", "Act on several", "Save this view"):
        page.get_by_text(words, exact=True).click()
    found = Axe().run(page, options=LEVELS_A_AND_AA)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert watching.faults == []
    context.close()
