"""Looking for a combination: from a search by its words, then narrowed, then by its fingerprint."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.models import Combination
from selftest.storage import full_text
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer()


def make(text: str) -> Combination:
    combination = factory.make_combination(text)
    full_text.note_new([combination])
    return combination


def test_a_combination_is_found_by_its_words_and_by_its_fingerprint(
    live_server: LiveServer, page: Page, reviewer: User
) -> None:
    watching = watch(page)
    factory.ask(make("how hot is the comet"))
    broken = make("where does the comet go")
    factory.ask(broken, [factory.finding()], source="home")
    for number in range(51):
        make(f"where is asteroid {number}")
    sign_in(page, live_server.url)

    page.goto(f"{live_server.url}/search?q=comet")
    page.get_by_role("link", name="Search all combinations for “comet”").click()
    page.wait_for_url("**/combinations?text=comet")
    rows = page.locator(".combinations-table .table-line")
    expect(rows).to_have_count(2)

    narrow = page.get_by_role("search", name="Search and filter combinations")
    narrow.get_by_label("State").select_option("Waits for review")
    narrow.get_by_role("button", name="Search").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Flagged now")

    narrow.get_by_label("Words, a fingerprint").fill("asteroid")
    narrow.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("link", name="Search all combinations for it").click()
    expect(rows).to_have_count(50)
    page.get_by_role("link", name="Older").click()
    expect(rows).to_have_count(51)

    narrow.get_by_label("Words, a fingerprint").fill(broken.fingerprint)
    narrow.get_by_role("button", name="Search").click()
    page.wait_for_url(f"**/combinations/{broken.pk}")
    assert watching.faults == []


CUT_LINE = """
(link) => [link.scrollHeight > link.clientHeight, link.clientHeight % parseFloat(getComputedStyle(link).lineHeight)]
"""
SELECTED = "(heading) => { getSelection().selectAllChildren(heading); return getSelection().toString(); }"


def test_a_long_query_ends_with_a_whole_line(live_server: LiveServer, page: Page, reviewer: User) -> None:
    make("how hot is the comet " * 14)
    page.set_viewport_size({"width": 320, "height": 900})
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations")
    assert page.locator(".combinations-table .query").evaluate(CUT_LINE) == [True, 0]


def test_what_is_copied_of_a_marked_query_is_the_query(live_server: LiveServer, page: Page, reviewer: User) -> None:
    text = "we\N{CYRILLIC SMALL LETTER A}ther\N{ZERO WIDTH SPACE} and rss"
    combination = make(text)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{combination.pk}")
    heading = page.get_by_role("heading", name="U+0430 CYRILLIC SMALL LETTER A")
    assert heading.evaluate(SELECTED).strip() == text
