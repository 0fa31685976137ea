"""The queue in a browser: many rows at once, news, races with the engine and with a second reviewer, toasts, views."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Combination, Cycle
from selftest.reviewing import dismissal
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory


@pytest.fixture
def vera(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def five(vera: User) -> list[Combination]:
    """Two rows, the newer first, above a group of three."""
    heap = factory.heap(3)
    older = factory.flagged("what is a crash", factory.finding(CheckName.CRASH))
    return [factory.flagged("tell me about tectonic plates"), older, *heap[::-1]]


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def queue(live_server: LiveServer, five: object, watching: Watch, page: Page) -> Page:
    sign_in(page, live_server.url)
    return page


@pytest.fixture
def second(live_server: LiveServer, queue: Page, browser: Browser) -> Iterator[Page]:
    """The queue of another reviewer, at the same time."""
    make_reviewer("oskar", is_admin=False)
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, live_server.url, "oskar")
    yield page
    context.close()


def row(page: Page, combination: Combination) -> Locator:
    return page.locator(f"#combination-{combination.pk}")


def statuses(combinations: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([combination.pk for combination in combinations])
    return [found[combination.pk].review_status for combination in combinations]


def poll(page: Page) -> None:
    """As live.js does when it is time."""
    page.evaluate("document.getElementById('news').dispatchEvent(new CustomEvent('poll'))")


# --- bulk action ---


def test_selected_rows_are_dismissed_and_undone(queue: Page, five: list[Combination], watching: Watch) -> None:
    acts = queue.locator("#selection")
    dismiss = acts.get_by_role("button", name="Dismiss")
    expect(acts).to_contain_text("None selected")
    expect(dismiss).to_be_hidden()
    for combination in five[:2]:
        row(queue, combination).get_by_role("checkbox").check()
    expect(acts).to_contain_text("2 selected")
    dismiss.click()
    expect(queue.locator("#toasts")).to_contain_text("Dismissed: 2 flags")
    expect(queue.locator("#count")).to_have_text("3")
    assert statuses(five) == ["dismissed", "dismissed", None, None, None]
    queue.get_by_role("button", name="Undo Dismissed: 2 flags").click()
    expect(queue.get_by_text("Undone: 2 flags as before.")).to_be_visible()
    expect(queue.locator("#count")).to_have_text("5")
    assert statuses(five) == [None] * 5
    assert watching.faults == []


def test_all_on_the_page_and_a_range_are_selected(queue: Page, five: list[Combination]) -> None:
    chosen = queue.locator("[data-chosen]")
    every = queue.get_by_label("all on this page")
    every.check()
    expect(chosen).to_have_text("2 selected")
    queue.get_by_role("link", name="Show 3 flags").click()
    expect(queue.locator(".queue-group [data-row]")).to_have_count(3)
    expect(every).not_to_be_checked()
    every.uncheck()
    every.check()
    expect(chosen).to_have_text("5 selected")
    every.uncheck()
    expect(chosen).to_have_text("None selected")
    row(queue, five[1]).get_by_role("checkbox").click()
    row(queue, five[3]).get_by_role("checkbox").click(modifiers=["Shift"])
    expect(chosen).to_have_text("3 selected")
    expect(row(queue, five[2]).get_by_role("checkbox")).to_be_checked()
    row(queue, five[2]).get_by_role("button", name="Dismiss").click()
    expect(chosen).to_have_text("2 selected")  # a dismissed row has no box


def test_a_group_is_dismissed_by_its_button_and_undone(queue: Page, five: list[Combination]) -> None:
    queue.get_by_role("button", name="Dismiss 3", exact=False).first.click()
    expect(queue.locator("#toasts")).to_contain_text("Dismissed: 3 flags")
    expect(queue.locator(".queue-group")).to_have_count(0)
    assert statuses(five) == [None, None, "dismissed", "dismissed", "dismissed"]
    queue.get_by_role("button", name="Undo Dismissed: 3 flags").click()
    expect(queue.locator(".queue-group")).to_have_count(1)
    assert statuses(five) == [None] * 5


def test_all_that_match_are_asked_for_once_and_undone(
    live_server: LiveServer, queue: Page, five: list[Combination], watching: Watch
) -> None:
    queue.goto(f"{live_server.url}/flags?check=source_mismatch")
    queue.get_by_role("button", name="Judge all 4 matching").click()
    expect(queue.get_by_role("heading", name="Judge 4 flags?")).to_be_visible()
    factory.ask(five[0], [factory.finding()])  # after the list was frozen
    queue.get_by_label("Reason").fill("the feed was down")
    queue.get_by_role("button", name="Dismiss").click()
    expect(queue.get_by_text("1 had changed since the list was made")).to_be_visible()
    expect(queue.locator(".listed").first).to_contain_text("tell me about tectonic plates")
    assert statuses(five) == [None, None, "dismissed", "dismissed", "dismissed"]
    queue.get_by_role("button", name="Undo for all 3").click()
    expect(queue.get_by_text("Undone: 3 flags as before.")).to_be_visible()
    assert statuses(five) == [None] * 5
    assert watching.faults == []


# --- one row, its toast, and what happened meanwhile ---


def test_the_undo_in_the_toast_brings_the_row_back_in_place(
    queue: Page, five: list[Combination], watching: Watch
) -> None:
    here = row(queue, five[0])
    here.get_by_role("button", name="Dismiss").click()
    expect(here.get_by_role("button", name="Restore")).to_be_focused()
    queue.evaluate("window.stayed = true")
    queue.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(here).to_contain_text("Flagged now")
    expect(queue.locator("#toasts .toast")).to_have_count(0)
    expect(queue.locator("#count")).to_have_text("5")
    assert queue.evaluate("window.stayed")
    assert statuses(five[:1]) == [None]
    assert watching.faults == []


def test_the_undo_in_the_row_takes_its_toast_away(queue: Page, five: list[Combination]) -> None:
    here = row(queue, five[0])
    here.get_by_role("button", name="Dismiss").click()
    expect(queue.locator("#toasts .toast")).to_have_count(1)
    here.get_by_role("button", name="Restore").click()
    expect(queue.locator("#toasts .toast")).to_have_count(0)


def test_a_toast_stays_over_pages_until_it_is_used(
    live_server: LiveServer, queue: Page, five: list[Combination], watching: Watch
) -> None:
    row(queue, five[0]).get_by_role("button", name="Dismiss").click()
    toast = queue.locator("#toasts .toast")
    expect(toast).to_have_count(1)
    queue.goto(f"{live_server.url}/cycles")
    expect(toast).to_contain_text("Dismissed: tell me about tectonic plates")
    toast.get_by_role("button", name="Undo").click()
    queue.wait_for_url(f"{live_server.url}/cycles")
    expect(queue.get_by_text("Back in the queue: tell me about tectonic plates")).to_be_visible()
    expect(toast).to_have_count(0)
    assert statuses(five[:1]) == [None]
    assert watching.faults == []


def test_a_toast_is_closed_in_place_and_the_dismissal_stays(queue: Page, five: list[Combination]) -> None:
    row(queue, five[0]).get_by_role("button", name="Dismiss").click()
    queue.locator("#toasts").get_by_role("button", name="Close").click()
    expect(queue.locator("#toasts .toast")).to_have_count(0)
    queue.reload()
    expect(queue.locator("#toasts .toast")).to_have_count(0)
    assert statuses(five[:1]) == ["dismissed"]


def test_rows_dismissed_in_haste_are_all_dismissed_and_offered(queue: Page, five: list[Combination]) -> None:
    for combination in five[:2]:
        row(queue, combination).get_by_role("button", name="Dismiss").click()
    expect(queue.locator("#toasts .toast")).to_have_count(2)
    assert statuses(five[:2]) == ["dismissed", "dismissed"]


# --- a second reviewer ---


def test_both_dismiss_the_same_and_it_is_dismissed_once(
    queue: Page, second: Page, five: list[Combination], watching: Watch
) -> None:
    for page in (queue, second):
        row(page, five[0]).get_by_role("button", name="Dismiss").click()
        expect(row(page, five[0])).to_contain_text("Dismissed")
    assert five[0].events.filter(kind="dismissed").count() == 1
    row(queue, five[0]).get_by_role("button", name="Restore").click()
    expect(row(queue, five[0])).to_contain_text("Flagged now")
    watched = watch(second)
    row(second, five[0]).get_by_role("button", name="Restore").click()
    expect(row(second, five[0]).get_by_role("alert")).to_contain_text("Already in the queue")
    expect(second.locator("#toasts .toast")).to_have_count(0)
    assert watched.faults == watching.faults == []


def test_what_one_takes_the_other_sees_and_cannot_take(queue: Page, second: Page, five: list[Combination]) -> None:
    row(queue, five[0]).get_by_role("checkbox").check()
    queue.locator("#selection").get_by_role("button", name="Assign to me").click()
    expect(row(queue, five[0])).to_contain_text("vera")
    row(second, five[0]).get_by_role("checkbox").check()  # on a page from before that
    second.locator("#selection").get_by_role("button", name="Assign", exact=True).click()
    expect(second.get_by_text("1 had changed since the list was made")).to_be_visible()
    five[0].refresh_from_db()
    assert five[0].held_by is not None
    assert five[0].held_by.get_username() == "vera"


def test_rows_that_another_dismissed_first_are_named(queue: Page, second: Page, five: list[Combination]) -> None:
    for combination in five[:2]:
        row(queue, combination).get_by_role("checkbox").check()
    row(second, five[1]).get_by_role("button", name="Dismiss").click()
    expect(row(second, five[1])).to_contain_text("Dismissed")
    queue.locator("#selection").get_by_role("button", name="Dismiss").click()
    expect(queue.get_by_text("1 had changed since the list was made")).to_be_visible()
    expect(queue.locator(".listed").first).to_contain_text("what is a crash")
    queue.get_by_role("button", name="Undo it").click()
    expect(queue.get_by_text("Undone: 1 flag as before.")).to_be_visible()
    assert statuses(five[:2]) == [None, "dismissed"]


def test_a_group_that_another_worked_on_is_left_whole(queue: Page, five: list[Combination]) -> None:
    dismissal.dismiss(five[3], Actor("oskar"))
    queue.get_by_role("button", name="Dismiss 3").first.click()
    expect(queue.get_by_text("Nothing was changed: the list has changed since its 3 rows were counted")).to_be_visible()
    assert statuses(five) == [None, None, None, "dismissed", None]


# --- news ---


def test_news_are_counted_and_no_row_moves(queue: Page, five: list[Combination], watching: Watch) -> None:
    before = queue.locator("ul.queue-rows").first.inner_html()
    where = row(queue, five[0]).bounding_box()
    row(queue, five[0]).locator("a.query").focus()
    for n in range(6):
        factory.flagged(f"new {n}")
    poll(queue)
    expect(queue.get_by_role("link", name="6 new flags: show")).to_be_visible()
    expect(queue).to_have_title("(6) All flags · Gadfly")
    expect(queue.locator("#news-announcement")).to_have_text("6 new flags: show")
    expect(row(queue, five[0]).locator("a.query")).to_be_focused()
    assert row(queue, five[0]).bounding_box() == where
    assert queue.locator("ul.queue-rows").first.inner_html().replace(' aria-current="true"', "") == before

    queue.get_by_role("link", name="6 new flags: show").focus()
    factory.put_down([factory.flagged("new 6")], factory.make_cause())
    poll(queue)
    expect(queue.get_by_role("link", name="7 new flags: show")).to_be_focused()
    queue.keyboard.press("Enter")
    expect(queue.get_by_text("new 6").first).to_be_visible()
    expect(queue).to_have_title("All flags · Gadfly")
    assert watching.faults == []


def test_with_nothing_new_nothing_is_swapped(queue: Page) -> None:
    queue.evaluate("document.getElementById('news').same = true")
    with queue.expect_response("**/news?*") as answered:
        poll(queue)
    assert answered.value.status == 204
    assert queue.evaluate("document.getElementById('news').same")


def test_in_a_hidden_tab_nothing_is_asked(live_server: LiveServer, five: object, page: Page) -> None:
    page.clock.install()
    sign_in(page, live_server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/news" in request.url else None)
    page.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})")
    page.clock.run_for(35_000)
    assert asked == []
    page.evaluate("delete document.visibilityState")
    with page.expect_response("**/news?*"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_polling_that_fails_says_so_once(queue: Page, watching: Watch) -> None:
    watching.expected = ("ERR_", "sendError", "htmx:")
    trouble = queue.locator("#trouble")

    def refuse(route: Route) -> None:
        route.abort()

    queue.route("**/news?*", refuse)
    poll(queue)
    expect(trouble).to_contain_text("Gadfly cannot be reached.")
    trouble.get_by_role("button", name="Close").click()
    with queue.expect_event("requestfailed"):
        poll(queue)
    queue.wait_for_timeout(100)
    expect(trouble).to_be_hidden()
    queue.unroute("**/news?*", refuse)
    with queue.expect_response("**/news?*"):
        poll(queue)
    queue.wait_for_timeout(100)
    queue.route("**/news?*", refuse)
    poll(queue)
    expect(trouble).to_be_visible()
    assert watching.faults == []


def test_a_cycle_that_begins_is_told_and_the_focus_stays_in_the_news(queue: Page) -> None:
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    poll(queue)
    link = queue.get_by_role("link", name=f"Cycle {cycle.pk}")
    link.focus()
    factory.ask(factory.make_combination("new"), [factory.finding()], cycle=cycle)
    poll(queue)
    expect(queue.get_by_role("link", name="1 new flag: show")).to_be_visible()
    expect(link).to_be_focused()


# --- views ---


def test_a_view_is_kept_shared_seen_and_deleted(
    live_server: LiveServer, queue: Page, second: Page, watching: Watch
) -> None:
    queue.get_by_text("Filters", exact=True).click()
    queue.get_by_label("Check", exact=True).select_option("crash")
    queue.get_by_label("Order").select_option("age")
    queue.get_by_role("button", name="Filter").click()
    expect(queue.locator(".queue-rows > [data-row]")).to_have_count(1)
    address = queue.url
    queue.get_by_text("Save this view").click()
    queue.get_by_label("Name", exact=True).fill("Crashes")
    queue.get_by_label("shared with everyone").check()
    queue.get_by_role("button", name="Save").click()
    expect(queue.get_by_text("Saved as “Crashes”, shared with everyone.")).to_be_visible()

    second.goto(f"{live_server.url}/flags")
    expect(second.get_by_text("by vera")).to_be_visible()
    second.get_by_role("link", name="Crashes").click()
    expect(second.locator(".queue-rows > [data-row]")).to_have_count(1)
    expect(second.get_by_role("button", name="Delete the view")).to_have_count(0)

    queue.goto(f"{live_server.url}/flags")
    queue.get_by_role("link", name="Crashes").click()
    assert sorted(queue.url.partition("?")[2].split("&")) == ["check=crash", "sort=age"]
    assert "check=crash" in address
    queue.get_by_role("button", name="Delete the view Crashes").click()
    expect(queue.get_by_role("link", name="Crashes")).to_have_count(0)
    assert watching.faults == []


# --- narrow ---


@pytest.mark.parametrize("columns", [390, 820])
def test_by_touch_each_row_offers_all_five_verdicts(
    live_server: LiveServer, browser: Browser, five: list[Combination], columns: int
) -> None:
    context = browser.new_context(viewport={"width": columns, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags")
    acts = row(page, five[0]).locator(".queue-row-acts").get_by_role("button")
    words = [words.split()[0] for words in acts.all_inner_texts()]
    assert words == ["Dismiss", "Confirm", "False", "Accept", "Later"]
    row(page, five[0]).get_by_role("button", name="Confirm").tap()
    expect(row(page, five[0])).to_contain_text("Confirmed")
    assert page.evaluate("document.documentElement.scrollWidth") <= columns
    assert watching.faults == []
    context.close()


def test_a_narrow_screen_is_enough(live_server: LiveServer, browser: Browser, five: list[Combination]) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.get_by_role("link", name="Show 3 flags").tap()
    expect(page.locator(".queue-group [data-row]")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    row(page, five[2]).get_by_role("checkbox").tap()
    expect(page.locator("[data-chosen]")).to_have_text("1 selected")
    row(page, five[3]).get_by_role("button", name="Dismiss").tap()
    expect(row(page, five[3])).to_contain_text("Dismissed")
    page.locator("#toasts").get_by_role("button", name="Undo").tap()
    expect(row(page, five[3])).to_contain_text("Flagged now")
    small = [
        target.evaluate("element => element.outerHTML")
        for target in page.locator("main :is(button, input, select, summary):visible").all()
        if (box := target.bounding_box()) and (box["height"] < 24 or box["width"] < 24)
    ]
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert watching.faults == []
    context.close()
