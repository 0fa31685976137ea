"""Pictures of every page, wide and narrow, light and dark, for a person to look at; nothing is compared.

No part of the suite: `python -m pytest -p tests.isolation tests/browser/take_pictures.py` puts them into `pictures`.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.models import Cycle
from tests.browser import scenes
from tests.browser.addresses import addresses
from tests.browser.pages import sign_in, watch
from tests.review import factory

PICTURES = Path(__file__).parent / "pictures"
WIDTHS = {1280: 900, 1440: 900, 390: 844}
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")

pytestmark = pytest.mark.django_db(transaction=True)


def name_of(address: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", address.lower()).strip("-") or "inbox"


def dismiss(page: Page) -> None:
    """Leaves a dismissed row with its toast, what is beside the next one, and the word that a request failed."""
    page.keyboard.press("j")
    page.keyboard.press("d")
    expect(page.locator(".toast:visible").first).to_be_visible()
    page.evaluate("htmx.trigger(document.body, 'htmx:sendError')")
    expect(page.get_by_role("alert")).to_be_visible()


def take(
    browser: Browser,
    live_server: LiveServer,
    pages: dict[str, str],
    acts: dict[str, Callable[[Page], None]] | None = None,
) -> list[str]:
    """One picture for each address, width and colour scheme: the whole page, and what is seen after an act.

    pages: addresses by the names of their pictures. What went wrong on the pages.
    """
    PICTURES.mkdir(exist_ok=True)
    faults: list[str] = []
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            watching = watch(page)
            page.goto(f"{live_server.url}/sign-in")
            page.screenshot(path=PICTURES / f"sign-in.{width}.{scheme}.png")
            sign_in(page, live_server.url)
            for name, address in pages.items():
                watching.expected = ("404",) if "nothing" in name else ()
                page.goto(f"{live_server.url}{address}")
                watching.settle(page)
                page.screenshot(path=PICTURES / f"{name}.{width}.{scheme}.png", full_page=True)
            for name, act in (acts or {}).items():
                page.goto(f"{live_server.url}{pages[name]}")
                watching.settle(page)
                act(page)
                page.screenshot(path=PICTURES / f"{name}-acted.{width}.{scheme}.png")
                page.keyboard.press("z")
                watching.settle(page)
            faults += watching.faults
            context.close()
    return faults


def test_every_page_of_a_working_day(live_server: LiveServer, browser: Browser) -> None:
    pages = {name_of(address): address for address in addresses(scenes.make_reviewer())}
    acts = {"inbox": dismiss, "flags": dismiss}
    assert take(browser, live_server, {**pages, "profile": "/profile", "admin": "/admin/"}, acts) == []


def test_the_pages_before_anything_has_run(live_server: LiveServer, browser: Browser) -> None:
    scenes.make_reviewer()
    factory.make_target()
    cycle = factory.make_cycle(Cycle.State.PLANNED)
    pages = {"inbox-never-run": "/", "flags-never-run": "/flags", "cycle-planned": f"/cycles/{cycle.pk}"}
    assert take(browser, live_server, pages) == []


def test_the_inbox_when_the_target_is_away(live_server: LiveServer, browser: Browser) -> None:
    scenes.make_reviewer()
    factory.ask(factory.make_combination())
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "http://127.0.0.1:9: connection refused")
    assert take(browser, live_server, {"inbox-away": "/", "flags-away": "/flags"}) == []
