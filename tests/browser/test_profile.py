"""The chosen colours against the system's, what a viewer is told, and the pages of the door and the profile for axe."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import LEVELS_A_AND_AA
from tests.review import factory

DARK_GROUND, LIGHT_GROUND = "rgb(23, 22, 20)", "rgb(253, 252, 250)"


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


def ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


def choose(page: Page, address: str, theme: str) -> None:
    page.goto(f"{address}/profile")
    page.get_by_label(theme, exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


@pytest.mark.parametrize(
    ("system", "its_ground", "other", "other_ground"),
    [("light", LIGHT_GROUND, "Dark", DARK_GROUND), ("dark", DARK_GROUND, "Light", LIGHT_GROUND)],
)
def test_the_system_decides_until_somebody_chooses(
    live_server: LiveServer,
    browser: Browser,
    reviewer: User,
    system: Literal["light", "dark"],
    its_ground: str,
    other: str,
    other_ground: str,
) -> None:
    page = browser.new_context(color_scheme=system).new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    assert ground(page) == its_ground
    choose(page, live_server.url, other)
    assert ground(page) == other_ground
    page.goto(f"{live_server.url}/cycles")
    assert ground(page) == other_ground
    choose(page, live_server.url, "As the system")
    assert ground(page) == its_ground
    assert watching.faults == []
    page.context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_profile_and_locked_door_bar_nobody(
    live_server: LiveServer, browser: Browser, reviewer: User, scheme: Literal["light", "dark"], width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    watching = watch(page)
    barriers = {}

    def look(name: str) -> None:
        found = Axe().run(page, options=LEVELS_A_AND_AA)
        if found.violations_count:
            barriers[name] = found.generate_report()
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if overflow:
            barriers[f"{name}, too wide"] = overflow

    sign_in(page, live_server.url)
    for path in ("/profile", "/profile/password"):
        page.goto(f"{live_server.url}{path}")
        look(path)
    if width < 768:
        page.locator(".rail-menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{live_server.url}/sign-in")
    watching.expected = ("429",)
    for attempt in range(1, 6):
        page.goto(f"{live_server.url}/sign-in")
        page.get_by_label("Name").fill("vera")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        said = "Too many failed attempts" if attempt == 5 else "Name and password do not match."
        expect(page.locator("main")).to_contain_text(said)
        watching.settle(page)
    expect(page.get_by_role("heading")).to_contain_text("Too many failed attempts")
    look("locked")
    assert barriers == {}
    assert watching.faults == []
    context.close()


def test_who_is_no_reviewer_any_more_is_told_so_and_the_row_stays(
    live_server: LiveServer, page: Page, reviewer: User
) -> None:
    factory.flagged("what is a sextant")
    watching = watch(page)
    sign_in(page, live_server.url)
    reviewer.groups.clear()
    watching.expected = ("403",)
    page.get_by_role("button", name="Dismiss what is a sextant").first.click()
    expect(page.get_by_role("alert")).to_contain_text("You are signed in but have no role yet.")
    expect(page.get_by_text("what is a sextant").first).to_be_visible()
    assert watching.faults == []
