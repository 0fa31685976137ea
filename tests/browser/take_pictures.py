"""Pictures of every page, wide and narrow, light and dark, for a person to look at; nothing is compared.

No part of the suite: `python -m pytest -p tests.isolation tests/browser/take_pictures.py` puts them into `pictures`.
"""

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.models import Cause, Combination, Cycle, Run
from tests.browser import scenes
from tests.browser.pages import sign_in, watch
from tests.review import factory

PICTURES = Path(__file__).parent / "pictures"
WIDTHS = {"wide": (1280, 900), "narrow": (390, 844)}
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")

pytestmark = pytest.mark.django_db(transaction=True)


def act(page: Page) -> None:
    """Leaves a dismissed row with its toast, an open answer, an open group and the word that a request failed."""
    rows = page.locator(".queue-row:not(.queue-group)")
    rows.nth(0).get_by_role("button", name="Dismiss").click()
    expect(rows.nth(0).get_by_role("button", name="Restore")).to_be_focused()
    rows.nth(1).get_by_text("Raw answer").click()
    expect(rows.nth(1)).to_contain_text("sha256")
    page.get_by_role("link", name="Show ").first.click()
    expect(page.locator(".queue-group [data-row]").first).to_be_visible()
    page.evaluate("htmx.trigger(document.body, 'htmx:sendError')")
    expect(page.get_by_role("alert")).to_be_visible()


def take(browser: Browser, live_server: LiveServer, addresses: dict[str, str]) -> list[str]:
    """One picture for each address, width and colour scheme. What went wrong on the pages."""
    PICTURES.mkdir(exist_ok=True)
    faults: list[str] = []
    for width, (columns, lines) in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(viewport={"width": columns, "height": lines}, color_scheme=scheme)
            page = context.new_page()
            watching = watch(page)
            page.goto(f"{live_server.url}/sign-in")
            page.screenshot(path=PICTURES / f"sign-in.{width}.{scheme}.png")
            sign_in(page, live_server.url)
            for name, address in addresses.items():
                watching.expected = ("404",) if name == "not-found" else ()
                page.goto(f"{live_server.url}{address}")
                is_whole = not name.endswith("-top")  # what is seen without scrolling, of a page that is very long
                page.screenshot(path=PICTURES / f"{name}.{width}.{scheme}.png", full_page=is_whole)
                if name == "queue-top":
                    act(page)
                    page.screenshot(path=PICTURES / f"queue-acted.{width}.{scheme}.png")
            faults += watching.faults
            context.close()
    return faults


def test_every_page_of_a_working_day(live_server: LiveServer, browser: Browser) -> None:
    reviewer = scenes.make_reviewer()
    scenes.a_working_day(reviewer)
    storied = Combination.objects.order_by("-times_generated").first()
    first = Cycle.objects.filter(state=Cycle.State.FINISHED).order_by("id").first()
    crash = Run.objects.filter(reason__startswith="crash").first()
    assert storied
    assert first
    assert crash
    cause = Cause.objects.filter(merged_into=None).order_by("-flags").first()
    assert cause
    superseded = scenes.learn(cause, storied)
    report = scenes.ask_golden_set(crash.target)
    pair = report.results.earliest("pk").version.pair_id
    addresses = {
        "evaluation": "/evaluation",
        "pair": f"/evaluation/pairs/{pair}",
        "pair-form": f"/evaluation/pairs/new?combination={storied.pk}",
        "reports": "/evaluation/reports",
        "report": f"/evaluation/reports/{report.pk}",
        "queue": "/flags",
        "queue-top": "/flags",
        "combination": f"/combinations/{storied.pk}",
        "cause": f"/causes/{cause.pk}",
        "findings": "/findings",
        "findings-superseded": "/findings?tab=superseded&category=claim/capability",
        "findings-proposals": "/findings?tab=proposals",
        "finding": f"/findings/{superseded.pk}",
        "finding-form": f"/findings/new?cause={cause.pk}",
        "explained": "/explained",
        "drift": "/drift",
        "drift-series": f"/drift/{scenes.drift().pk}",
        "activity": "/activity",
        "checks": "/checks",
        "cycles": "/cycles",
        "cycle": f"/cycles/{first.pk}",
        "run": f"/runs/{crash.pk}",
        "recipes": "/recipes",
        "recipe": f"/recipes/{crash.recipe_name}",
        "targets": "/targets",
        "target": f"/targets/{crash.target_id}",
        "health": "/status",
        "overview": "/overview",
        "not-found": "/nothing/here",
    }
    assert take(browser, live_server, addresses) == []


def test_the_pages_before_anything_has_run(live_server: LiveServer, browser: Browser) -> None:
    scenes.make_reviewer()
    factory.make_target()
    cycle = factory.make_cycle(Cycle.State.PLANNED)
    addresses = {"queue-never-run": "/flags", "cycle-planned": f"/cycles/{cycle.pk}"}
    assert take(browser, live_server, addresses) == []


def test_the_queue_when_the_target_is_away(live_server: LiveServer, browser: Browser) -> None:
    scenes.make_reviewer()
    factory.ask(factory.make_combination())
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "http://127.0.0.1:9: connection refused")
    assert take(browser, live_server, {"queue-away": "/flags"}) == []
