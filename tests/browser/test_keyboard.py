"""The keyboard alone: the queue is triaged, groups are opened; and keys are silent where they must be."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from review.contexts.verdicts import VERDICT_ACTS
from selftest.core.judging.findings import CheckName
from selftest.models import Combination
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import PASSWORD, make_reviewer
from tests.review import factory

OTHER_CHECKS = [CheckName.CRASH, CheckName.UNEXPECTED_EMPTY, CheckName.PART_COUNT_MISMATCH, CheckName.LATENCY_OUTLIER]


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def ten(reviewer: User) -> list[Combination]:
    """Four rows of a check each, the newest first, above a group of six."""
    heap = factory.heap(6)
    return [factory.flagged(f"what is {check}", factory.finding(check)) for check in OTHER_CHECKS][::-1] + heap[::-1]


@pytest.fixture
def queue(live_server: LiveServer, ten: object, watching: Watch, page: Page) -> Page:
    sign_in(page, live_server.url)
    return page


def current(page: Page) -> Locator:
    return page.locator("[data-row][aria-current]")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def statuses(combinations: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([combination.pk for combination in combinations])
    return [found[combination.pk].review_status for combination in combinations]


def test_ten_flags_are_triaged_without_a_mouse(
    live_server: LiveServer, ten: list[Combination], watching: Watch, page: Page
) -> None:
    page.goto(f"{live_server.url}/sign-in")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("vera")
    press(page, "Tab")
    page.keyboard.type(PASSWORD)
    press(page, "Enter")
    page.wait_for_url(f"{live_server.url}/")
    page.goto(f"{live_server.url}/flags")
    expect(page.locator("#count")).to_have_text("10")

    press(page, "j", "d", "d", "d", "d")  # faster than the server answers
    expect(page.locator("#count")).to_have_text("6")
    expect(current(page)).to_contain_text("6 flags")
    press(page, "o")
    expect(page.locator(".queue-group [data-row]")).to_have_count(6)
    expect(page.locator(".queue-group [data-row][aria-current]")).to_contain_text("tell me about metal 5")
    press(page, "d", "d", "d", "d", "d")
    expect(page.locator("#count")).to_have_text("1")
    expect(current(page)).to_contain_text("tell me about metal 0")
    press(page, "d")
    expect(page.locator("#count")).to_have_text("0")
    assert statuses(ten) == ["dismissed"] * 10

    press(page, "z")  # the last one comes back, in its place
    expect(page.locator("#count")).to_have_text("1")
    expect(page.locator(f"#combination-{ten[-1].pk}")).to_contain_text("Flagged now")
    assert statuses(ten) == ["dismissed"] * 9 + [None]
    assert watching.faults == []


def test_a_group_gets_a_verdict_by_its_key_and_z_gives_it_back_in_its_place(
    queue: Page, ten: list[Combination], watching: Watch
) -> None:
    group = queue.locator(".queue-group")
    press(queue, "j", "j", "j", "j", "j", "a")
    judged = queue.locator(".queue-row-dismissed")
    expect(judged).to_contain_text("Accepted 6")
    expect(queue.locator("#count")).to_have_text("4")
    expect(group).to_have_count(0)
    press(queue, "z")
    expect(group).to_contain_text("6 flags")
    expect(queue.locator("#count")).to_have_text("10")
    expect(queue.locator(".toasts .toast")).to_have_count(0)
    assert statuses(ten) == [None] * 10
    assert watching.faults == []


def test_a_dismissed_row_gets_another_verdict_by_its_key(
    queue: Page, live_server: LiveServer, ten: list[Combination], watching: Watch
) -> None:
    press(queue, "j", "a")
    expect(queue.locator("#count")).to_have_text("9")
    watching.settle(queue)
    queue.goto(f"{live_server.url}/flags?tab=dismissed")
    press(queue, "j", "f")
    expect(queue.locator(".queue-row-dismissed")).to_contain_text("False alarm")
    ten[0].refresh_from_db()
    assert ten[0].verdict == "false_alarm"
    press(queue, "z")
    expect(queue.locator(".queue-row-dismissed")).to_contain_text("Accepted")
    ten[0].refresh_from_db()
    assert (ten[0].review_status, ten[0].verdict) == ("dismissed", "accepted")
    assert watching.faults == []


def test_j_and_k_move_and_the_focus_goes_along(queue: Page, ten: list[Combination], watching: Watch) -> None:
    expect(current(queue)).to_have_count(0)
    press(queue, "j")
    expect(current(queue)).to_have_id(f"combination-{ten[0].pk}")
    expect(current(queue).locator("a.query")).to_be_focused()
    press(queue, "j", "j", "j", "j")
    expect(current(queue)).to_contain_text("6 flags")
    press(queue, "j", "j")
    expect(current(queue)).to_contain_text("6 flags")
    press(queue, "k")
    expect(current(queue)).to_have_id(f"combination-{ten[3].pk}")
    assert watching.faults == []


def test_the_hints_stand_on_the_current_row_alone(queue: Page, ten: list[Combination]) -> None:
    first, second = (queue.locator(f"#combination-{made.pk}") for made in ten[:2])
    expect(first.locator("kbd").first).to_be_hidden()
    press(queue, "j")
    expect(first.get_by_text("d", exact=True)).to_be_visible()
    expect(second.locator("kbd").first).to_be_hidden()
    expect(queue.locator(".filters kbd")).to_be_visible()


def test_a_held_key_dismisses_one_row_and_no_more(queue: Page, ten: list[Combination]) -> None:
    press(queue, "j")
    for _ in range(4):  # the second is repeated by the keyboard, as Playwright has it for a key that is not let go
        queue.keyboard.down("d")
    queue.keyboard.up("d")
    expect(queue.locator("#count")).to_have_text("9")
    assert statuses(ten).count("dismissed") == 1


def test_a_dismissed_row_is_passed_over_by_d_and_undone_by_u(queue: Page, ten: list[Combination]) -> None:
    press(queue, "j", "j", "d")
    expect(current(queue)).to_have_id(f"combination-{ten[2].pk}")
    expect(queue.locator(f"#combination-{ten[1].pk}")).to_contain_text("Dismissed")
    press(queue, "k", "k", "d")
    expect(current(queue)).to_have_id(f"combination-{ten[2].pk}")
    press(queue, "k")
    expect(queue.locator("#count")).to_have_text("8")
    press(queue, "u")
    expect(queue.locator("#count")).to_have_text("9")
    expect(current(queue)).to_have_id(f"combination-{ten[1].pk}")
    expect(current(queue).get_by_role("button", name="Dismiss")).to_be_focused()
    assert statuses(ten[:3]) == ["dismissed", None, None]


def test_a_row_raced_by_a_new_flag_is_not_dismissed_and_does_not_call_back(
    queue: Page, ten: list[Combination], watching: Watch
) -> None:
    factory.ask(ten[0], [factory.finding(ten[0].flagged_check, summary="it broke anew")])  # type: ignore[arg-type]
    press(queue, "j", "d")
    expect(queue.locator(f"#combination-{ten[0].pk}").get_by_role("alert")).to_contain_text("Flagged again")
    expect(current(queue)).to_have_id(f"combination-{ten[1].pk}")
    expect(current(queue).locator("a.query")).to_be_focused()
    assert statuses(ten[:1]) == [None]
    assert watching.faults == []


def test_x_selects_and_o_opens(live_server: LiveServer, queue: Page, ten: list[Combination]) -> None:
    press(queue, "j", "x", "j", "x")
    expect(queue.locator("[data-chosen]")).to_have_text("2 selected")
    press(queue, "x")
    expect(queue.locator("[data-chosen]")).to_have_text("1 selected")
    press(queue, "o")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[1].pk}*")
    queue.go_back()
    expect(current(queue)).to_have_id(f"combination-{ten[1].pk}")
    press(queue, "n")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[1].pk}*#note")


def test_o_folds_an_open_group_again(queue: Page, watching: Watch) -> None:
    press(queue, "j", "j", "j", "j", "j", "o")
    expect(queue.locator(".queue-group [data-row][aria-current]")).to_contain_text("tell me about metal 5")
    press(queue, "k")
    expect(current(queue)).to_contain_text("6 flags")
    press(queue, "o")
    expect(queue.locator(".queue-group [data-row]")).to_have_count(0)
    expect(current(queue)).to_contain_text("6 flags")
    press(queue, "o")
    expect(queue.locator(".queue-group [data-row]")).to_have_count(6)
    assert watching.faults == []


def test_d_on_a_group_dismisses_all_of_it_and_z_puts_it_back(queue: Page, ten: list[Combination]) -> None:
    press(queue, "j", "j", "j", "j", "j", "d")
    expect(queue.locator("#count")).to_have_text("4")
    expect(queue.locator("#toasts")).to_contain_text("Dismissed: 6 flags")
    expect(current(queue)).to_have_id(f"combination-{ten[3].pk}")
    press(queue, "z")
    expect(queue.locator("#count")).to_have_text("10")
    assert statuses(ten) == [None] * 10


@pytest.mark.parametrize(
    ("key", "verdict"), [("c", "confirmed"), ("f", "false_alarm"), ("a", "accepted"), ("l", "later")]
)
def test_a_verdict_is_given_to_the_current_row_and_the_next_one_is_current(
    queue: Page, ten: list[Combination], watching: Watch, key: str, verdict: str
) -> None:
    press(queue, "j", key)
    expect(queue.locator("#count")).to_have_text("9")
    expect(current(queue)).to_have_id(f"combination-{ten[1].pk}")
    assert list(Combination.objects.exclude(verdict=None).values_list("pk", "verdict")) == [(ten[0].pk, verdict)]
    press(queue, "z")
    expect(queue.locator("#count")).to_have_text("10")
    assert not Combination.objects.exclude(verdict=None).exists()
    assert watching.faults == []


def test_where_rows_are_selected_a_verdict_is_given_to_these(queue: Page, ten: list[Combination]) -> None:
    press(queue, "j", "x", "j", "x", "j", "a")
    expect(queue.locator("#count")).to_have_text("8")
    expect(queue.locator("#toasts")).to_contain_text("Accepted: 2 flags")
    accepted = Combination.objects.filter(verdict="accepted", review_status="dismissed")
    assert set(accepted) == set(ten[:2])
    press(queue, "z")
    expect(queue.locator("#count")).to_have_text("10")
    assert statuses(ten) == [None] * 10


def test_all_that_match_are_judged_by_one_key_once_they_were_shown(
    live_server: LiveServer, queue: Page, ten: list[Combination]
) -> None:
    queue.goto(f"{live_server.url}/flags?check=source_mismatch")
    queue.get_by_role("button", name="Judge all 6 matching").click()
    expect(queue.get_by_role("heading", name="Judge 6 flags?")).to_be_visible()
    queue.get_by_label("Reason").fill("known since May")
    press(queue, "Escape", "f")
    expect(queue.locator("#toasts")).to_contain_text("False alarm: 6 flags")
    assert Combination.objects.filter(verdict="false_alarm").count() == 6
    queue.goto(f"{live_server.url}/flags?tab=dismissed&flat=1")
    expect(queue.locator("[data-row]").first).to_contain_text("Decided by vera")
    expect(queue.locator("[data-row]").first).to_contain_text("known since May")


def test_in_a_field_keys_write(queue: Page, ten: list[Combination]) -> None:
    press(queue, "j", "/")
    field = queue.get_by_label("Text")
    expect(field).to_be_focused()
    queue.keyboard.type("jdx/?")
    expect(field).to_have_value("jdx/?")
    expect(queue.get_by_role("dialog")).to_have_count(0)
    expect(current(queue)).to_have_id(f"combination-{ten[0].pk}")
    queue.get_by_text("Filters", exact=True).click()
    queue.get_by_label("Check", exact=True).focus()
    press(queue, "d")
    assert statuses(ten) == [None] * 10


def test_m_assigns_the_current_flag_alone_to_the_reader(
    queue: Page, ten: list[Combination], reviewer: User, watching: Watch
) -> None:
    press(queue, "j", "j", "m")
    expect(queue.locator(".toast").filter(has_text="1 flag (")).to_have_count(1)
    expect(current(queue)).to_have_id(f"combination-{ten[1].pk}")
    assert list(Combination.objects.filter(held_by=reviewer)) == [ten[1]]
    assert watching.faults == []


@pytest.mark.parametrize("held", ["Control", "Alt", "Meta", "Shift"])
def test_beside_another_key_they_do_nothing(queue: Page, ten: list[Combination], held: str) -> None:
    press(queue, "j", f"{held}+x")
    expect(queue.locator("[data-chosen]")).to_have_text("None selected")


EVERY_KEY = ["j", "k", "o", "x", *"dcfal", "u", "m", "r", "n", "j", "k", "z", "/", "Ctrl K", "Esc", "?"]


@pytest.mark.parametrize("path", ["/", "/flags", "/cycles", "/explained", "/status", "/profile", "/nothing/here"])
def test_the_sheet_lists_all_keys_on_every_page_in_groups(
    live_server: LiveServer, queue: Page, watching: Watch, path: str
) -> None:
    watching.expected = ("404",)
    queue.goto(f"{live_server.url}{path}")
    press(queue, "?")
    sheet = queue.get_by_role("dialog", name="All keys")
    expect(sheet.locator("dl > div:visible kbd")).to_have_text(EVERY_KEY)
    expect(sheet.locator("h3")).to_have_text(
        [
            "In a list",
            "On a cause or a flag, or on all that are selected",
            "On a flag, in a list or on its page",
            "On the page of a cause or a flag",
            "Everywhere",
        ]
    )
    assert watching.faults == []


def test_every_key_that_a_page_answers_to_is_in_the_sheet() -> None:
    pages = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    answered = {key for page in pages for key in re.findall(r'data-key="([^"]+)"', page)}
    assert answered - {"{{ act.key }}"} | {act.key for act in VERDICT_ACTS} <= set(EVERY_KEY)


def test_the_sheet_silences_other_keys_and_gives_the_focus_back(queue: Page, watching: Watch) -> None:
    press(queue, "j", "?")
    sheet = queue.get_by_role("dialog", name="All keys")
    expect(sheet).to_be_visible()
    press(queue, "d")
    expect(queue.locator("#count")).to_have_text("10")
    press(queue, "Escape")
    expect(sheet).to_have_count(0)
    expect(current(queue).locator("a.query")).to_be_focused()
    press(queue, "?")
    sheet.get_by_role("button", name="Close").press("Enter")
    expect(sheet).to_have_count(0)
    expect(current(queue).locator("a.query")).to_be_focused()
    queue.get_by_role("button", name="Keys").click()
    expect(sheet).to_be_visible()
    assert watching.faults == []


def test_switched_off_in_the_profile_they_are_silent_and_unseen(
    live_server: LiveServer, queue: Page, ten: list[Combination]
) -> None:
    queue.goto(f"{live_server.url}/profile")
    queue.get_by_label("Keyboard shortcuts").uncheck()
    queue.get_by_role("button", name="Save").click()
    expect(queue.get_by_text("Saved.")).to_be_visible()
    queue.goto(f"{live_server.url}/flags")
    press(queue, "j", "d", "?")
    expect(current(queue)).to_have_count(0)
    expect(queue.get_by_role("dialog")).to_have_count(0)
    expect(queue.locator("kbd:visible")).to_have_count(0)
    queue.locator(f"#combination-{ten[0].pk} a.query").focus()
    press(queue, "d")
    queue.wait_for_timeout(200)
    assert statuses(ten) == [None] * 10


def test_older_rows_follow_with_j(live_server: LiveServer, reviewer: User, watching: Watch, page: Page) -> None:
    for n in range(28):
        factory.flagged(f"number {n}")
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/flags?flat=1")
    expect(page.locator("[data-row]")).to_have_count(20)
    page.locator("[data-row] a.query").last.focus()
    press(page, "j")
    expect(page.locator("[data-row]")).to_have_count(28)
    expect(current(page)).to_contain_text("number 7")
    expect(current(page).locator("a.query")).to_be_focused()
    press(page, "j", "j", "j")
    expect(current(page)).to_contain_text("number 4")
    assert watching.faults == []


def test_a_page_without_rows_has_no_row_to_lose(live_server: LiveServer, queue: Page, watching: Watch) -> None:
    queue.goto(f"{live_server.url}/cycles")
    press(queue, "j", "k", "d", "u", "z")
    press(queue, "/")
    expect(queue.get_by_role("dialog", name="Search box").get_by_label("Words, a code")).to_be_focused()
    assert watching.faults == []


# --- the page of one combination ---


def test_ten_flags_are_triaged_from_page_to_page(
    live_server: LiveServer, queue: Page, ten: list[Combination], watching: Watch
) -> None:
    press(queue, "j", "o")
    for combination in ten:
        queue.wait_for_url(f"{live_server.url}/combinations/{combination.pk}*")
        press(queue, "d")
    queue.wait_for_url(f"{live_server.url}/flags")
    expect(queue.locator("#count")).to_have_text("0")
    assert statuses(ten) == ["dismissed"] * 10
    press(queue, "z")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[-1].pk}*")
    assert statuses(ten) == ["dismissed"] * 9 + [None]
    assert watching.faults == []


def test_on_its_page_a_verdict_leads_to_the_next_one(
    live_server: LiveServer, queue: Page, ten: list[Combination], watching: Watch
) -> None:
    press(queue, "j", "o")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[0].pk}*")
    press(queue, "c")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[1].pk}*")
    queue.get_by_text("Link, until when").click()
    queue.get_by_label("Date").fill("2030-01-31")
    press(queue, "Escape", "l")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[2].pk}*")
    found = Combination.objects.in_bulk([made.pk for made in ten[:2]])
    assert [found[made.pk].verdict for made in ten[:2]] == ["confirmed", "later"]
    assert str(found[ten[1].pk].until_date) == "2030-01-31"
    assert watching.faults == []


def test_on_its_page_j_and_k_walk_the_list_and_n_writes(
    live_server: LiveServer, queue: Page, ten: list[Combination], watching: Watch
) -> None:
    press(queue, "j", "o")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[0].pk}*")
    press(queue, "j")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[1].pk}*")
    press(queue, "k")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[0].pk}*")
    press(queue, "n")
    expect(queue.get_by_label("Note", exact=True)).to_be_focused()
    queue.keyboard.type("djk?")
    expect(queue.get_by_label("Note", exact=True)).to_have_value("djk?")
    assert statuses(ten) == [None] * 10
    assert watching.faults == []


def test_escape_in_a_field_gives_the_keys_back_and_the_text_stays(
    live_server: LiveServer, queue: Page, ten: list[Combination], watching: Watch
) -> None:
    press(queue, "j", "o")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[0].pk}*")
    press(queue, "n")
    field = queue.get_by_label("Note", exact=True)
    queue.keyboard.type("it is so")
    press(queue, "Escape")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("it is so")
    press(queue, "j")
    queue.wait_for_url(f"{live_server.url}/combinations/{ten[1].pk}*")
    assert watching.faults == []


def test_escape_leaves_a_search_field_as_it_is(queue: Page) -> None:
    press(queue, "/")
    queue.keyboard.type("plates")
    press(queue, "Escape")
    expect(queue.get_by_label("Text")).not_to_be_focused()
    expect(queue.get_by_label("Text")).to_have_value("plates")


def test_nothing_moves_when_a_row_becomes_the_current_one(queue: Page) -> None:
    places = """
    [...document.querySelectorAll(".queue-row-acts :is(button, a), .queue-group-open a")]
      .map((act) => act.getBoundingClientRect())
      .filter((box) => box.width)
      .map((box) => `${box.left} ${box.width}`)
    """
    before = queue.evaluate(places)
    for _ in range(5):
        press(queue, "j")
        assert set(queue.evaluate(places)) >= set(before)  # more acts come beside what is there
    assert len(before) == 4 * 1 + 4
