"""What a reviewer does all day, in a browser: see, open, dismiss, restore."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.models import Combination
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def two(reviewer: User) -> tuple[Combination, Combination]:
    """In the queue: molybdenum above tectonic plates."""
    older = factory.flagged("tell me about tectonic plates", result="They move.")
    return factory.flagged("tell me about molybdenum", result="A metal.\n" * 100), older


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def queue(live_server: LiveServer, two: object, watching: Watch, page: Page) -> Page:
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags?flat=1")
    return page


def test_a_flag_is_seen_dismissed_and_brought_back(
    queue: Page, watching: Watch, two: tuple[Combination, Combination]
) -> None:
    first, second = two
    here = queue.locator(f"#combination-{first.pk}")
    expect(queue.locator("#count")).to_have_text("2")
    expect(here).to_contain_text("Unasked source")

    here.get_by_role("button", name="Dismiss").click()
    restore = here.get_by_role("button", name="Restore")
    expect(restore).to_be_focused()
    expect(here).to_contain_text("Dismissed")
    expect(queue.locator("#count")).to_have_text("1")
    expect(queue.locator(f"#combination-{second.pk}").get_by_role("button", name="Dismiss")).to_be_visible()
    first.refresh_from_db()
    assert first.review_status == "dismissed"

    restore.press("Enter")
    expect(here.get_by_role("button", name="Dismiss")).to_be_focused()
    expect(here).to_contain_text("Flagged now")
    expect(queue.locator("#count")).to_have_text("2")
    assert watching.faults == []


def test_a_dismissal_raced_by_a_new_flag_shows_what_is_new(
    queue: Page, watching: Watch, two: tuple[Combination, Combination]
) -> None:
    first = two[0]
    here = queue.locator(f"#combination-{first.pk}")
    factory.ask(first, [factory.finding(summary="answered by 'news'")])

    here.get_by_role("button", name="Dismiss").click()
    expect(here.get_by_role("alert")).to_contain_text("Flagged again since you looked, by run")
    expect(here).to_contain_text("answered by 'news'")
    first.refresh_from_db()
    assert first.review_status is None

    here.get_by_role("button", name="Dismiss").click()
    expect(here).to_contain_text("Dismissed")
    assert watching.faults == []


def test_the_raw_answer_opens_in_its_row(queue: Page, watching: Watch, two: tuple[Combination, Combination]) -> None:
    here = queue.locator(f"#combination-{two[0].pk}")
    here.get_by_text("More").click()
    here.get_by_text("Raw answer", exact=True).click()
    expect(here.locator("pre")).to_have_text("A metal.\n" * 100)
    expect(here).to_contain_text("900 bytes, all of it")
    assert watching.faults == []


def test_older_rows_follow_on_the_same_page(
    live_server: LiveServer, reviewer: User, watching: Watch, page: Page
) -> None:
    for _ in range(28):
        factory.flagged()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags?flat=1")
    expect(page.locator(".queue-row")).to_have_count(20)
    page.get_by_role("link", name="Older").click()
    expect(page.locator(".queue-row")).to_have_count(28)
    expect(page.locator(".queue-row").nth(20).locator("a.query")).to_be_focused()
    assert watching.faults == []


def test_a_server_that_cannot_be_reached_is_said_to_be_so(
    queue: Page, watching: Watch, two: tuple[Combination, Combination]
) -> None:
    watching.expected = ("ERR_FAILED", "sendError", "htmx:")
    queue.route("**/dismiss", lambda route: route.abort())
    here = queue.locator(f"#combination-{two[0].pk}")
    here.get_by_role("button", name="Dismiss").click()
    expect(queue.get_by_role("alert")).to_contain_text("Gadfly cannot be reached. Nothing was changed.")
    expect(here).to_contain_text("Flagged now")
    queue.locator("#trouble").get_by_role("button", name="Close").click()
    expect(queue.locator("#trouble")).to_be_hidden()


def test_somebody_whose_session_is_over_is_led_to_sign_in_and_back(
    live_server: LiveServer, queue: Page, two: tuple[Combination, Combination]
) -> None:
    queue.context.clear_cookies(name="sessionid")
    queue.locator(f"#combination-{two[0].pk}").get_by_role("button", name="Dismiss").click()
    queue.wait_for_url(f"{live_server.url}/sign-in?next=%2Fflags%3Fflat%3D1")
    two[0].refresh_from_db()
    assert two[0].review_status is None
