"""Causes, and a group of two suspects: what they say, no barrier, nothing that is too wide."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName
from selftest.cycles import statistics
from selftest.cycles.suspect_assignment import update_suspects
from selftest.models import Combination, Target
from selftest.storage.serialization import query_document
from selftest.storage.texts import sha256_hex
from tests.browser.pages import sign_in
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import LEVELS_A_AND_AA, TOO_WIDE
from tests.review import factory

pytestmark = pytest.mark.django_db(transaction=True)

WEATHER = Part(PartKind.INTENT, "weather for the weekend", "forecast")
UPTIME = Part(PartKind.INTENT, "is everything up", "uptime")
AND = Part(PartKind.CONJUNCTION, " and also, while we are at it, ")
HOLES = Part(PartKind.TOPIC, "black holes")


def asked(target: Target, *parts: Part, crashed: bool) -> None:
    query = Query("multi_intent_chain", parts)
    combination, _ = Combination.objects.get_or_create(
        target=target,
        fingerprint_sha256=sha256_hex(fingerprint_of(query)),
        defaults={
            "fingerprint": fingerprint_of(query),
            "recipe_name": query.recipe,
            "query": query_document(query),
            "first_seen_timestamp": "2026-06-30T12:00:00Z",
            "last_query_text": query.text,
        },
    )
    cycle = factory.make_cycle()
    factory.ask(combination, [factory.finding(CheckName.CRASH, summary="HTTP 500")] * crashed, cycle=cycle)
    statistics.count(cycle, cycle.created_at)


@pytest.fixture
def target(transactional_db: None) -> Target:
    """Weather and uptime fail together and neither alone; black holes always."""
    make_reviewer()
    target = factory.make_target()
    for number in range(20):
        other = Part(PartKind.TOPIC, f"the number {number}")
        asked(target, WEATHER, AND, other, crashed=False)
        asked(target, UPTIME, AND, other, crashed=False)
        asked(target, other, AND, HOLES, crashed=number < 8)
        asked(target, WEATHER, AND, UPTIME, AND, other, crashed=number < 15)
    update_suspects(target, [CheckName.CRASH])
    return target


def test_two_are_named_as_one_cause(live_server: LiveServer, page: Page, target: Target) -> None:
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags")
    heap = page.locator(".queue-group", has_text="is everything up")
    expect(heap).to_contain_text("15 flags")
    expect(heap.locator(".query-part-suspect")).to_have_text(["weather for the weekend", "is everything up"])
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Checks").click()
    page.get_by_role("link", name="Ingredients that go with the flags").click()
    first = page.get_by_role("table", name="Likely causes").get_by_role("row").nth(1)
    expect(first).to_contain_text("15 of 20 runs with it flagged")
    first.get_by_role("link", name="15 with").click()
    expect(page.locator(".note")).to_contain_text("Only flags with the suspects")
    expect(page.locator("[data-row]")).to_have_count(15)
    page.locator("[data-row] a.query").first.click()
    expect(page.locator(".made-of-suspect")).to_have_count(2)


@pytest.mark.parametrize("width", [1280, 390])
def test_it_bars_nobody_and_is_not_too_wide(live_server: LiveServer, page: Page, target: Target, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    sign_in(page, live_server.url)
    for address in ("/blame", "/blame?check=latency_outlier", "/flags"):
        page.goto(f"{live_server.url}{address}")
        found = Axe().run(page, options=LEVELS_A_AND_AA)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate(TOO_WIDE) == 0
