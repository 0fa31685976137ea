"""The inbox in a real browser: three faults at once are triaged by a few keys, and a cause opens beside the list."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Cause, Combination, Cycle, Flag
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.engine.conftest import NOW
from tests.review import factory
from tests.roles import give

THREE_FAULTS = ["section_twice", "empty_section_kept", "clause_swallowed_after_third"]
MOST_KEYS = 12  # in which the flags of three faults are triaged


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def four(reviewer: User) -> list[Cause]:
    """Causes of one check each, most flags first."""
    checks = (CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK, CheckName.ITEM_REPEATED, CheckName.HEADER_UNKNOWN)
    for times, check in enumerate(reversed(checks), start=2):
        for _ in range(times):
            factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), NOW)
    return list(Cause.objects.order_by("-flags"))


def row(page: Page, cause: Cause) -> Locator:
    return page.locator(f"#cause-{cause.pk}")


def open_wide(page: Page, live_server: LiveServer) -> None:
    """The inbox, where a cause opens beside it."""
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, live_server.url)
    page.goto(live_server.url)


def press(page: Page, *keys: str) -> int:
    for key in keys:
        page.keyboard.press(key)
    return len(keys)


def test_two_hundred_flags_of_three_faults_are_triaged_in_a_dozen_keys(
    live_server: LiveServer, reviewer: User, watching: Watch, page: Page
) -> None:
    target = factory.a_target()
    target.reference_faults = THREE_FAULTS
    target.save()
    for seed in range(5):
        run_cycle(CycleRequest(target, Cycle.Trigger.SCHEDULE, count=20, seed=seed))
    assert Flag.objects.count() > 200
    sign_in(page, f"{live_server.url}")
    page.goto(live_server.url)
    keys = 0
    while (left := page.locator(".cause-row:not(.cause-row-judged)")).count():
        waiting = left.count()
        keys += press(page, "j") if not keys else 0
        keys += press(page, "c")
        expect(left).to_have_count(waiting - 1)
    assert keys <= MOST_KEYS
    assert not Combination.objects.filter(ever_flagged=True, review_status=None).exists()
    assert set(Cause.objects.filter(merged_into=None).values_list("verdict", flat=True)) == {"confirmed"}
    assert watching.faults == []


def test_each_verdict_has_a_key_and_goes_on_to_the_next_row(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    sign_in(page, live_server.url)
    page.goto(live_server.url)
    press(page, "j")
    for place, (key, verdict) in enumerate(
        (("f", "false_alarm"), ("a", "accepted"), ("l", "later"), ("d", "dismissed"))
    ):
        expect(page.locator("[data-row][aria-current]")).to_have_id(f"cause-{four[place].pk}")
        press(page, key)
        expect(row(page, four[place]).get_by_role("button", name="Undo")).to_be_visible()
        four[place].refresh_from_db()
        assert four[place].verdict == verdict
    expect(page.locator("#count")).to_have_text("0")
    assert watching.faults == []


def test_z_takes_the_last_verdict_back_and_the_row_is_where_it_was(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    sign_in(page, live_server.url)
    page.goto(live_server.url)
    press(page, "j", "j", "a")
    expect(page.locator("#count")).to_have_text("3")
    press(page, "z")
    expect(page.locator("#count")).to_have_text("4")
    expect(row(page, four[1]).locator("[data-key=d]")).to_have_count(1)
    ids = [element.get_attribute("id") for element in page.locator(".cause-row").all()]
    assert ids == [f"cause-{cause.pk}" for cause in four]
    assert watching.faults == []


def test_z_takes_an_assignment_back_and_then_the_verdict_before_it_and_the_reader_stays_at_these_rows(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    open_wide(page, live_server)
    current, beside = page.locator("[data-row][aria-current]"), page.locator("#beside [data-cause]")
    press(page, "j", "j", "a")
    expect(current).to_have_id(f"cause-{four[2].pk}")
    expect(beside).to_have_attribute("data-cause", str(four[2].pk))
    press(page, "m")
    expect(page.locator("#toasts .toast").first).to_contain_text("1 cause assigned to you")
    expect(beside).to_have_attribute("data-cause", str(four[2].pk))  # nothing is on its way any more
    press(page, "z")
    expect(page.locator("#toasts .toast")).to_have_count(1)
    expect(current).to_have_id(f"cause-{four[2].pk}")
    expect(beside).to_have_attribute("data-cause", str(four[2].pk))
    press(page, "z")
    expect(page.locator("#toasts .toast")).to_have_count(0)
    expect(current).to_have_id(f"cause-{four[1].pk}")
    assert not Cause.objects.exclude(held_by=None).exists()
    assert not Cause.objects.exclude(verdict=None).exists()
    assert watching.faults == []


def test_what_takes_a_verdict_back_covers_nothing_of_its_row(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    """Also where a cause stands beside the list, which is narrow then."""
    open_wide(page, live_server)
    press(page, "j", "a")
    expect(page.locator("#beside [data-cause]")).to_have_attribute("data-cause", str(four[1].pk))
    words = row(page, four[0]).locator(".cause-row-what").bounding_box()
    undo = row(page, four[0]).get_by_role("button", name="Undo").bounding_box()
    assert words
    assert undo
    assert words["x"] + words["width"] <= undo["x"]
    assert watching.faults == []


@pytest.mark.usefixtures("four")
def test_without_javascript_the_first_row_begins_above_300_px_on_a_narrow_screen(
    live_server: LiveServer, page: Page
) -> None:
    context = page.context.browser.new_context(  # type: ignore[union-attr]  # there is one
        java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    plain = context.new_page()
    sign_in(plain, live_server.url)
    plain.goto(live_server.url)
    first = plain.locator(".cause-row").first.bounding_box()
    assert first
    assert first["y"] < 300
    context.close()


def test_on_a_wide_screen_a_cause_opens_beside_the_list_and_follows_the_keys(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    open_wide(page, live_server)
    beside = page.locator("#beside")
    expect(beside).to_be_hidden()
    for cause in four[:2]:
        press(page, "j")
        expect(beside.locator(f"[data-cause='{cause.pk}']")).to_be_visible()
        assert page.url == f"{live_server.url}/"
    expect(row(page, four[1])).to_be_in_viewport()
    beside.get_by_role("button", name="Close").click()
    expect(beside).to_be_hidden()
    row(page, four[2]).get_by_role("heading").get_by_role("link").click()
    expect(beside.locator(f"[data-cause='{four[2].pk}']")).to_be_visible()
    assert watching.faults == []


def test_what_stands_beside_the_list_is_the_row_that_the_keys_act_on(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    open_wide(page, live_server)
    current, beside = page.locator("[data-row][aria-current]"), page.locator("#beside [data-cause]")

    def acts_on(cause: Cause) -> None:
        expect(current).to_have_id(f"cause-{cause.pk}")
        expect(beside).to_have_attribute("data-cause", str(cause.pk))

    press(page, "j", "c")
    acts_on(four[1])
    press(page, "z")
    acts_on(four[0])
    row(page, four[2]).get_by_role("checkbox").focus()
    acts_on(four[2])
    page.locator("#beside").get_by_role("button", name="Close").click()
    row(page, four[1]).get_by_role("checkbox").focus()
    expect(current).to_have_id(f"cause-{four[1].pk}")
    page.wait_for_timeout(500)  # a row that is only passed by is not asked for, so nothing is for a moment
    expect(beside).to_have_count(0)
    assert watching.faults == []


def test_on_a_narrow_screen_it_is_a_page(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    page.set_viewport_size({"width": 1024, "height": 800})
    sign_in(page, live_server.url)
    page.goto(live_server.url)
    row(page, four[0]).get_by_role("heading").get_by_role("link").click()
    page.wait_for_url(f"{live_server.url}/causes/{four[0].pk}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Section twice")
    press(page, "a")
    page.wait_for_url(f"{live_server.url}/")
    expect(row(page, four[0])).to_have_count(0)
    assert watching.faults == []


@pytest.mark.parametrize("columns", [390, 820])
def test_by_touch_each_row_offers_all_five_verdicts(
    live_server: LiveServer, browser: Browser, four: list[Cause], columns: int
) -> None:
    context = browser.new_context(viewport={"width": columns, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/")
    for verdict in ("Dismiss", "Confirm", "False alarm", "Accept", "Later"):
        buttons = page.locator(".cause-row").get_by_role("button", name=verdict)
        expect(buttons).to_have_count(4)
        for button in buttons.all():
            box = button.bounding_box()
            assert box
            assert box["height"] >= 40
            assert box["x"] + box["width"] <= columns
    row(page, four[1]).get_by_role("button", name="Accept").tap()
    expect(row(page, four[1])).to_contain_text("Accepted")
    assert Cause.objects.get(pk=four[1].pk).verdict == "accepted"
    assert page.evaluate("document.documentElement.scrollWidth") <= columns
    assert watching.faults == []
    context.close()


def test_selected_causes_are_assigned_to_another_person(
    live_server: LiveServer, four: list[Cause], watching: Watch, page: Page
) -> None:
    omar = User.objects.create_user("omar")
    give(omar, "reviewer")
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/")
    choice = page.get_by_label("Assign to", exact=True)
    expect(choice).to_be_hidden()  # nothing is selected
    for cause in four[:2]:
        row(page, cause).get_by_role("checkbox").check()
    choice.select_option("omar")
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(row(page, four[0])).to_contain_text("omar")
    expect(row(page, four[1])).to_contain_text("omar")
    expect(row(page, four[2])).not_to_contain_text("omar")
    assert set(Cause.objects.filter(held_by=omar)) == set(four[:2])
    assert watching.faults == []


def test_m_assigns_a_cause_to_the_reader_on_its_page_and_those_that_are_selected(
    live_server: LiveServer, four: list[Cause], reviewer: User, watching: Watch, page: Page
) -> None:
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/causes/{four[0].pk}")
    press(page, "m")
    expect(page.locator("#assignee")).to_have_value(reviewer.username)
    expect(page.get_by_role("button", name="Assign to me")).to_have_count(0)
    page.goto(live_server.url)
    press(page, "j", "j", "x", "j", "x")
    expect(page.locator(f"[data-cause='{four[2].pk}']")).to_be_visible()  # nothing is on its way any more
    press(page, "m")
    expect(page.locator(".toast").filter(has_text="2 causes assigned to you")).to_have_count(1)
    assigned = Cause.objects.filter(held_by=reviewer).values_list("pk", flat=True)
    assert set(assigned) == {cause.pk for cause in four[:3]}
    assert watching.faults == []


def test_m_assigns_the_current_row_alone_to_the_reader(
    live_server: LiveServer, four: list[Cause], reviewer: User, watching: Watch, page: Page
) -> None:
    sign_in(page, live_server.url)
    page.goto(live_server.url)
    press(page, "j", "j")
    expect(page.locator(f"[data-cause='{four[1].pk}']")).to_be_visible()  # nothing is on its way any more
    press(page, "m")
    expect(page.locator(".toast").filter(has_text="1 cause assigned to you")).to_have_count(1)
    expect(row(page, four[1])).to_have_attribute("aria-current", "true")
    assert list(Cause.objects.filter(held_by=reviewer)) == [four[1]]
    assert watching.faults == []


def test_nine_rows_fit_on_a_screen_and_each_is_dense(
    live_server: LiveServer, reviewer: User, watching: Watch, page: Page
) -> None:
    for check in list(CheckName)[:12]:
        factory.flagged("", factory.finding(check))
    assign_causes(factory.a_target(), NOW)
    open_wide(page, live_server)
    boxes = [one.bounding_box() for one in page.locator(".cause-row").all()]
    assert all(box and 56 <= box["height"] <= 72 for box in boxes)
    assert sum(box is not None and box["y"] + box["height"] <= 800 for box in boxes) >= 9
    page.set_viewport_size({"width": 390, "height": 844})
    first = page.locator(".cause-row").first.bounding_box()
    assert first is not None
    assert first["y"] < 300
    assert watching.faults == []


def test_without_javascript_a_cause_is_judged_on_its_page(
    live_server: LiveServer, four: list[Cause], page: Page
) -> None:
    context = page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]  # there is one
    plain = context.new_page()
    sign_in(plain, live_server.url)
    plain.goto(live_server.url)
    row(plain, four[0]).get_by_role("heading").get_by_role("link").click()
    plain.get_by_label("Reason").fill("known since May")
    plain.get_by_role("button", name="Accept", exact=False).click()
    expect(row(plain, four[0])).to_have_count(0)
    plain.get_by_role("button", name="Undo").first.click()
    expect(row(plain, four[0])).to_have_count(1)
    four[0].refresh_from_db()
    assert four[0].verdict is None
    context.close()
