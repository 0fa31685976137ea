"""The golden set in a browser without scripts: a combination is promoted, the pair edited and archived."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from selftest.evaluation import saving
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.models import GoldenSet, PairVersion
from tests.browser.pages import sign_in
from tests.browser.scenes import make_reviewer
from tests.evaluation.pairs import CLEO, content
from tests.evaluation.test_saving import BOTH, merged
from tests.review import factory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("columns", [1280, 390])
def test_a_set_with_a_long_name_leaves_its_pages_as_wide_as_the_window(
    live_server: LiveServer, browser: Browser, columns: int
) -> None:
    make_reviewer()
    target = factory.a_target()
    long = GoldenSet.objects.create(name="a" * 100)
    ground = saving.ground_of(target)
    saving.promote(long, "b" * 200, content(sources=("forecast",)), ground, CLEO, "")
    evaluate(long, target, CLEO)
    page = browser.new_page(viewport={"width": columns, "height": 844})
    sign_in(page, live_server.url)
    for address in ("/evaluation", "/evaluation/pairs/new", "/evaluation/reports", "/comparisons"):
        page.goto(f"{live_server.url}{address}")
        assert page.evaluate("document.documentElement.scrollWidth") <= columns, address
    if columns == 1280:
        page.goto(f"{live_server.url}/evaluation")
        width = page.locator(".table-query").first.bounding_box()
        assert width is not None
        assert width["width"] > 300  # room for the pair itself
    page.close()


def test_a_combination_is_promoted_without_scripts(live_server: LiveServer, browser: Browser) -> None:
    make_reviewer()
    target = factory.a_target()
    combination = factory.combination_of(BOTH, target)
    factory.ask(combination, result=merged(target), source="fusion")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{combination.pk}")
    page.get_by_role("link", name="Promote").click()
    expect(page.get_by_label("Content from these sources")).to_have_value("forecast\nnews")
    page.get_by_label("Phrases that must not stand in it").fill("pwned")
    page.get_by_label("Reason").fill("it was lost once")
    page.get_by_role("button", name="Promote").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(BOTH.text)
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Kind").select_option("synthesis")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Archive").click()
    expect(page.locator(".status-line")).to_contain_text("Archived")
    versions = PairVersion.objects.order_by("number").values_list("act", "kind", "why")
    assert list(versions) == [
        ("promoted", "happy", "it was lost once"),
        ("edited", "synthesis", ""),
        ("archived", "synthesis", ""),
    ]
    context.close()
