"""Every act of the queue with JavaScript switched off: links and forms alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Combination
from selftest.reviewing.dismissal import dismiss
from tests.browser.pages import sign_in
from tests.browser.scenes import make_reviewer
from tests.review import factory


@pytest.fixture
def five(transactional_db: None) -> list[Combination]:
    """Two rows, the newer first, above a group of three."""
    make_reviewer(is_admin=False)
    heap = factory.heap(3)
    older = factory.flagged("what is a crash", factory.finding(CheckName.CRASH))
    return [factory.flagged("tell me about molybdenum", result="A metal.\n" * 100), older, *heap[::-1]]


@pytest.fixture
def queue(live_server: LiveServer, five: object, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    yield page
    context.close()


def row(page: Page, combination: Combination) -> Locator:
    return page.locator(f"#combination-{combination.pk}")


def statuses(combinations: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([combination.pk for combination in combinations])
    return [found[combination.pk].review_status for combination in combinations]


def test_nothing_is_offered_that_only_a_script_could_do(queue: Page) -> None:
    expect(queue.locator("kbd:visible")).to_have_count(0)
    expect(queue.get_by_role("button", name="Keys")).to_have_count(0)
    expect(queue.get_by_text("all on this page")).to_have_count(0)


def test_the_queue_is_filtered_and_cleared(queue: Page) -> None:
    queue.get_by_text("Filters", exact=True).click()
    queue.get_by_label("Check", exact=True).select_option("crash")
    queue.get_by_role("button", name="Filter").click()
    expect(queue.locator("[data-row]")).to_have_count(1)
    queue.get_by_role("link", name="Flagged now").click()
    expect(queue.get_by_label("Check", exact=True)).to_have_value("crash")
    queue.get_by_role("link", name="Clear").click()
    expect(queue.locator("[data-row]")).to_have_count(3)


def test_a_row_is_opened_dismissed_undone_and_refused(queue: Page, five: list[Combination]) -> None:
    here = row(queue, five[0])
    here.get_by_text("More").click()
    here.get_by_text("Raw answer", exact=True).click()
    expect(here.locator("pre")).to_contain_text("A metal.")
    here.get_by_role("link", name="Whole answer").click()
    expect(queue.locator("main")).to_contain_text("900 bytes, all of it")
    queue.go_back()

    here.get_by_role("button", name="Dismiss").click()
    expect(queue.locator("#count")).to_have_text("4")
    expect(here).to_have_count(0)
    toast = queue.locator("#toasts")
    expect(toast).to_contain_text("Dismissed: tell me about molybdenum")
    toast.get_by_role("button", name="Undo").click()
    expect(queue.get_by_text("Back in the queue: tell me about molybdenum")).to_be_visible()
    expect(here).to_be_visible()

    factory.ask(five[0], [factory.finding()])
    here.get_by_role("button", name="Dismiss").click()
    expect(queue.get_by_text("Flagged again since you looked")).to_be_visible()
    expect(queue.locator("#count")).to_have_text("5")


def test_what_was_dismissed_is_put_back_from_its_tab(queue: Page, five: list[Combination]) -> None:
    dismiss(five[0], Actor("oskar"))
    queue.get_by_role("link", name="Dismissed").click()
    row(queue, five[0]).get_by_role("button", name="Restore").click()
    expect(queue.get_by_text("Back in the queue: tell me about molybdenum")).to_be_visible()
    assert statuses(five[:1]) == [None]


def test_a_toast_is_closed(queue: Page, five: list[Combination]) -> None:
    row(queue, five[0]).get_by_role("button", name="Dismiss").click()
    queue.locator("#toasts").get_by_role("button", name="Close").click()
    expect(queue.locator("#toasts .toast")).to_have_count(0)
    assert statuses(five[:1]) == ["dismissed"]


def test_a_group_is_opened_dismissed_and_undone(queue: Page, five: list[Combination]) -> None:
    queue.get_by_role("link", name="Show 3 flags").click()
    expect(queue.locator("[data-row]")).to_have_count(3)
    queue.get_by_role("link", name="Show all").click()
    queue.locator(".queue-group").get_by_role("button", name="Dismiss 3").click()
    expect(queue.locator("#toasts")).to_contain_text("Dismissed: 3 flags")
    assert statuses(five) == [None, None, "dismissed", "dismissed", "dismissed"]
    queue.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(queue.get_by_text("Undone: 3 flags as before.")).to_be_visible()
    assert statuses(five) == [None] * 5


def test_selected_rows_and_all_that_match_are_dismissed(queue: Page, five: list[Combination]) -> None:
    for combination in five[:2]:
        row(queue, combination).get_by_role("checkbox").check()
    queue.locator("#selection").get_by_role("button", name="Dismiss").click()
    expect(queue.locator("#toasts")).to_contain_text("Dismissed: 2 flags")
    queue.get_by_role("button", name="Judge all 3 matching").click()
    queue.get_by_role("button", name="Dismiss", exact=True).click()
    expect(queue.locator("#count")).to_have_text("0")
    expect(queue.get_by_text("Done for today")).to_be_visible()
    assert statuses(five) == ["dismissed"] * 5


def test_a_view_is_saved_and_deleted(live_server: LiveServer, queue: Page) -> None:
    queue.goto(f"{live_server.url}/flags?check=crash")
    queue.get_by_text("Save this view").click()
    queue.get_by_label("Name", exact=True).fill("Crashes")
    queue.get_by_role("button", name="Save").click()
    expect(queue.get_by_text("Saved as “Crashes”.")).to_be_visible()
    queue.get_by_role("button", name="Delete the view Crashes").click()
    expect(queue.get_by_role("link", name="Crashes")).to_have_count(0)


def test_a_note_is_written(queue: Page, five: list[Combination]) -> None:
    row(queue, five[0]).hover()
    row(queue, five[0]).get_by_role("link", name="Note").click()
    queue.get_by_label("Note", exact=True).fill("seen before")
    queue.get_by_role("button", name="Add note").click()
    expect(queue.locator("main")).to_contain_text("seen before")
    assert five[0].events.get(kind="noted").note == "seen before"


def test_one_is_run_again(queue: Page, five: list[Combination]) -> None:
    row(queue, five[0]).hover()
    row(queue, five[0]).get_by_role("button", name="Run again").click()
    expect(queue.locator("main")).to_contain_text("tell me about molybdenum")
    assert five[0].target.cycles.filter(combination=five[0], state="planned").count() == 1


def test_one_signs_out(queue: Page) -> None:
    queue.get_by_role("button", name="Sign out").click()
    expect(queue.get_by_role("heading", name="Sign in")).to_be_visible()
