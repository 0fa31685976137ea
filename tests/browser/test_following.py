"""What a page does by itself while a person looks: it follows a cycle, and stops; and what it copies."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.judging.answers import Answer
from selftest.cycles import recording
from selftest.models import Cycle, Run
from tests.browser import scenes
from tests.browser.pages import sign_in, watch
from tests.review import factory

pytestmark = pytest.mark.django_db(transaction=True)

HIDE = """
Object.defineProperty(document, "visibilityState", { get: () => window.hidden_now ? "hidden" : "visible" });
"""


class Polls(list[int]):
    """The statuses of what was asked again."""

    def __init__(self, page: Page) -> None:
        page.on("response", self.take)

    def take(self, response: Response) -> None:
        if "seen=" in response.url:
            self.append(response.status)


def answer(run: Run) -> None:
    recording.claim(run, timezone.now())
    recording.record(run, Answer("Content.", "kiwix", 2.0), (), timezone.now())


def finish() -> None:
    Cycle.objects.update(state=Cycle.State.FINISHED, finished_at=timezone.now())


def let_pass(page: Page, polls: Polls, seconds: int, asked: int) -> None:
    """Puts the page's clock forward, and waits until it was answered this often in all."""
    page.clock.run_for(seconds * 1000)
    while len(polls) < asked:
        page.wait_for_event("response")
    page.clock.run_for(100)  # htmx swaps a moment after an answer


def test_a_page_follows_a_cycle_while_it_is_seen_and_no_longer_than_it_runs(
    live_server: LiveServer, page: Page
) -> None:
    scenes.make_reviewer()
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    run = factory.plan_run(factory.make_combination(), cycle)
    watching = watch(page)
    page.add_init_script(HIDE)
    sign_in(page, live_server.url)
    page.clock.install()
    polls = Polls(page)
    page.goto(f"{live_server.url}/cycles/{cycle.pk}")
    query = page.locator(f"#query-{run.pk}")
    query.focus()

    let_pass(page, polls, 3, asked=1)
    assert polls == [204], "nothing has changed, so nothing is swapped"
    answer(run)
    let_pass(page, polls, 3, asked=2)
    expect(page.locator("#progress")).to_contain_text("1 of 8 asked")
    expect(query).to_be_focused()

    page.evaluate("window.hidden_now = true")
    let_pass(page, polls, 60, asked=2)
    page.evaluate("window.hidden_now = false; document.dispatchEvent(new Event('visibilitychange'))")
    let_pass(page, polls, 0, asked=3)
    assert polls == [204, 200, 204], "hidden it asks nothing, and shown again at once"

    finish()
    let_pass(page, polls, 3, asked=4)
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    let_pass(page, polls, 60, asked=4)
    assert polls == [204, 200, 204, 200]
    assert watching.faults == []


def test_a_line_of_the_list_follows_its_cycle_and_keeps_the_focus(live_server: LiveServer, page: Page) -> None:
    scenes.make_reviewer()
    cycle = factory.make_cycle(Cycle.State.RUNNING)
    run = factory.plan_run(factory.make_combination(), cycle)
    watching = watch(page)
    sign_in(page, live_server.url)
    page.clock.install()
    polls = Polls(page)
    page.goto(f"{live_server.url}/cycles")
    page.locator(f"#to-cycle-{cycle.pk}").focus()
    answer(run)
    let_pass(page, polls, 3, asked=1)
    expect(page.locator(f"#cycle-{cycle.pk}")).to_contain_text("1 of 8")
    expect(page.locator(f"#to-cycle-{cycle.pk}")).to_be_focused()
    finish()
    let_pass(page, polls, 3, asked=2)
    expect(page.locator(f"#cycle-{cycle.pk}")).to_contain_text("Finished")
    let_pass(page, polls, 60, asked=2)
    assert polls == [200, 200]
    assert watching.faults == []


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_copying_an_answer_takes_all_of_it_and_says_so(
    live_server: LiveServer, page: Page, has_clipboard: bool
) -> None:
    """Browsers offer a clipboard on https and on loopback alone, and installations on plain HTTP are common."""
    scenes.make_reviewer()
    result = "\n  first\n\n<b>last</b>\n"
    run = factory.ask(factory.make_combination(), result=result)
    watching = watch(page)
    offered = "{ writeText: async (text) => { window.copied = text; } }" if has_clipboard else "undefined"
    page.add_init_script(f"Object.defineProperty(navigator, 'clipboard', {{ value: {offered} }});")
    page.add_init_script("addEventListener('copy', () => { window.copied = document.activeElement.value; });")
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/runs/{run.pk}")
    page.get_by_role("button", name="Copy").click()
    copied = page.get_by_role("button", name="Copied")
    expect(copied).to_be_focused()
    assert page.evaluate("window.copied") == result
    assert watching.faults == []


def test_without_javascript_there_is_no_button_that_could_not_copy(live_server: LiveServer, page: Page) -> None:
    scenes.make_reviewer()
    run = factory.ask(factory.make_combination())
    sign_in(page, live_server.url)
    page.route("**/copy*.js", lambda route: route.abort())
    page.goto(f"{live_server.url}/runs/{run.pk}")
    expect(page.get_by_text("Download as text")).to_be_visible()
    expect(page.locator("[data-copy]")).to_be_hidden()
