"""One combination after the other, in a browser: decide and go on, note, ask again, compare; also with no script."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.findings import CheckName
from selftest.cycles.runner import run_planned
from selftest.models import Combination, Cycle, Reduction, Target
from selftest.storage.serialization import query_document
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.chance import marked_phrase
from selftest.tasks import planned_reduction
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory

MARKED = marked_phrase("exception_on_phrase", reference_vocabulary().sources)


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    return make_reviewer(is_admin=False)


@pytest.fixture
def three(reviewer: User) -> list[Combination]:
    """In the queue, the newest first."""
    now = timezone.now()
    return [
        factory.flagged(f"tell me about {what}", result=f"All about {what}.\n" * 20, now=now - timedelta(hours=n))
        for n, what in enumerate(("molybdenum", "tectonic plates", "tidal power"))
    ]


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def first(live_server: LiveServer, three: list[Combination], watching: Watch, page: Page) -> Page:
    """The page of the first of the three, reached from the queue."""
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{three[0].pk}?check=source_mismatch")
    return page


def a_crash_by_one_phrase() -> Combination:
    """Flagged on the bundled router, which crashes over the third of its four clauses."""
    vocabulary = reference_vocabulary()
    source = next(source for source, phrases in vocabulary.sources.items() if MARKED in phrases)
    others = [Part(PartKind.INTENT, vocabulary.sources[s][0], s) for s in vocabulary.sources if s != source]
    joint = Part(PartKind.CONJUNCTION, " and ")
    clauses = [*others[:2], Part(PartKind.INTENT, MARKED, source), others[2]]
    parts = [part for clause in clauses for part in (joint, clause)][1:]
    query = Query("multi_intent_chain", tuple(parts))
    combination = factory.make_combination(query.text)
    combination.query = query_document(query)
    combination.recipe_name = query.recipe
    combination.save()
    factory.ask(combination, [factory.finding(CheckName.CRASH, summary="IndexError")], error="IndexError")
    Target.objects.update(reference_faults=["exception_on_phrase"])
    return combination


def statuses(combinations: list[Combination]) -> list[str | None]:
    found = Combination.objects.in_bulk([combination.pk for combination in combinations])
    return [found[combination.pk].review_status for combination in combinations]


def test_three_flags_are_triaged_by_clicking_on(
    live_server: LiveServer, first: Page, three: list[Combination], watching: Watch
) -> None:
    here = f"{live_server.url}/combinations"
    first.get_by_label("Reason (optional)").fill("known since May")
    first.get_by_role("button", name="Dismiss d").click()
    first.wait_for_url(f"{here}/{three[1].pk}?check=source_mismatch")
    expect(first.get_by_role("heading", name="tell me about tectonic plates")).to_be_visible()
    toast = first.locator("#toasts")
    expect(toast).to_contain_text("Dismissed: tell me about molybdenum")

    first.get_by_role("button", name="Dismiss d").click()
    first.wait_for_url(f"{here}/{three[2].pk}?check=source_mismatch")
    toast.get_by_role("button", name="Undo Dismissed: tell me about tectonic plates").click()
    first.wait_for_url(f"{here}/{three[1].pk}?check=source_mismatch")
    expect(first.locator("#page")).to_contain_text("Flagged now")
    assert statuses(three) == ["dismissed", None, None]

    first.get_by_role("button", name="Dismiss d").click()
    first.wait_for_url(f"{here}/{three[2].pk}?check=source_mismatch")
    first.get_by_role("button", name="Dismiss d").click()
    first.wait_for_url(f"{live_server.url}/flags?check=source_mismatch")
    expect(first.get_by_text("Done: that was the last in this list.")).to_be_visible()
    assert statuses(three) == ["dismissed"] * 3
    assert three[0].events.get(kind="dismissed").note == "known since May"
    assert watching.faults == []


def test_next_and_previous_walk_through_the_list(
    live_server: LiveServer, first: Page, three: list[Combination], watching: Watch
) -> None:
    here = f"{live_server.url}/combinations"
    first.keyboard.press("j")
    first.wait_for_url(f"{here}/{three[1].pk}?check=source_mismatch")
    first.get_by_role("link", name="Next in this list").click()
    first.wait_for_url(f"{here}/{three[2].pk}?check=source_mismatch")
    first.keyboard.press("k")
    first.wait_for_url(f"{here}/{three[1].pk}?check=source_mismatch")
    first.get_by_role("link", name="Back to the list").click()
    first.wait_for_url(f"{live_server.url}/flags?check=source_mismatch")
    assert watching.faults == []


def test_a_dismissal_raced_by_a_new_flag_shows_what_is_new(
    first: Page, three: list[Combination], watching: Watch
) -> None:
    new = factory.ask(three[0], [factory.finding(summary="answered by 'news'")])
    first.get_by_role("button", name="Dismiss d").click()
    expect(first.get_by_role("alert")).to_contain_text(
        f"Flagged again since you looked, by run {new.pk}: Unasked source, answered by 'news'."
    )
    expect(first.get_by_role("button", name="Dismiss d")).to_be_focused()
    assert statuses(three) == [None] * 3
    first.get_by_role("button", name="Dismiss d").click()
    expect(first.get_by_role("heading", name="tell me about tectonic plates")).to_be_visible()
    assert statuses(three) == ["dismissed", None, None]
    assert watching.faults == []


def test_what_was_typed_outlives_every_other_act_until_it_is_kept(
    first: Page, three: list[Combination], watching: Watch
) -> None:
    note, reason = first.get_by_label("Note"), first.get_by_label("Reason (optional)")
    reason.fill("known since May")
    note.fill("half a thought")
    first.get_by_role("button", name="Assign to me").click()
    expect(first.locator("#page")).to_contain_text("Assigned to vera")
    expect(note).to_have_value("half a thought")
    expect(reason).to_have_value("known since May")

    factory.ask(three[0], [factory.finding(summary="answered by 'news'")])
    first.get_by_role("button", name="Dismiss d").click()
    expect(first.get_by_role("alert")).to_contain_text("Flagged again since you looked")
    expect(note).to_have_value("half a thought")
    expect(reason).to_have_value("known since May")

    first.get_by_role("button", name="Add note").click()
    expect(first.locator("#story")).to_contain_text("half a thought")
    expect(note).to_have_value("")
    expect(reason).to_have_value("known since May")
    first.get_by_role("button", name="Dismiss d").click()
    expect(first.get_by_role("heading", name="tell me about tectonic plates")).to_be_visible()
    assert three[0].events.get(kind="dismissed").note == "known since May"
    expect(reason).to_have_value("")
    assert watching.faults == []


def test_a_note_that_is_refused_stays_in_its_field(first: Page, watching: Watch) -> None:
    note = first.get_by_label("Note")
    note.fill("   ")  # a browser asks for no more than that
    first.get_by_role("button", name="Add note").click()
    expect(first.get_by_role("alert")).to_be_visible()
    expect(note).to_have_value("   ")
    assert watching.faults == []


def test_take_and_note_change_the_page_in_place_and_leave_the_focus(
    first: Page, three: list[Combination], watching: Watch
) -> None:
    first.get_by_role("button", name="Assign to me").click()
    expect(first.locator("#page")).to_contain_text("Assigned to vera")
    expect(first.get_by_role("button", name="Unassign")).to_be_focused()

    first.keyboard.press("n")
    expect(first.get_by_label("Note")).to_be_focused()
    first.keyboard.type("look at <b>this</b>")
    first.get_by_role("button", name="Add note").click()
    expect(first.locator("#story")).to_contain_text("look at <b>this</b>")
    expect(first.get_by_role("button", name="Add note")).to_be_focused()
    expect(first.get_by_label("Note")).to_have_value("")
    assert watching.faults == []


def test_asked_again_it_shows_how_far_that_is_and_then_what_came_of_it(
    first: Page, three: list[Combination], watching: Watch
) -> None:
    first.get_by_role("button", name="×5").click()
    again = first.locator("#again")
    expect(again).to_contain_text("Waiting for the worker")
    expect(first.get_by_role("button", name="×5")).to_be_focused()
    cycle = Cycle.objects.get(combination=three[0])
    run_planned(cycle, 0)
    expect(again).to_contain_text("Finished")
    expect(again).to_contain_text("5 of 5 asked, 0 flagged")
    expect(again).not_to_have_attribute("data-poll-s", "2")
    expect(first.locator("#history .table-line")).to_have_count(6)
    expect(first.locator("#story")).to_contain_text("Came back clean")
    expect(first.get_by_role("button", name="×5")).to_be_focused()
    assert watching.faults == []


def test_the_smallest_query_is_looked_for_and_then_stands_beside_the_whole(
    live_server: LiveServer, reviewer: User, watching: Watch, page: Page
) -> None:
    combination = a_crash_by_one_phrase()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{combination.pk}")
    smallest = page.locator("#smallest")
    page.get_by_role("button", name="Minimise").click()
    expect(smallest).to_contain_text("Waiting for the worker")
    planned_reduction(Reduction.objects.get(combination=combination).pk)
    expect(smallest).to_contain_text("4 requests; nothing more can be removed.")
    expect(smallest.locator("#smallest-text")).to_have_text(MARKED)
    expect(smallest.locator("del")).to_have_count(2)
    expect(page.locator("#story")).to_contain_text("Smallest query found")
    smallest.get_by_role("button", name="Copy the smallest query").click()
    expect(smallest.get_by_text("Copied")).to_be_visible()
    expect(smallest.get_by_role("button", name="Minimise again")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) == 0
    assert watching.faults == []


def test_the_smallest_query_is_found_without_javascript(
    live_server: LiveServer, reviewer: User, browser: Browser
) -> None:
    combination = a_crash_by_one_phrase()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{combination.pk}")
    page.get_by_role("button", name="Minimise").click()
    planned_reduction(Reduction.objects.get(combination=combination).pk)
    page.locator("#smallest").get_by_role("link", name="Refresh").click()
    expect(page.locator("#smallest-text")).to_have_text(MARKED)
    context.close()


def test_the_flagged_answer_is_compared_in_place(
    live_server: LiveServer, first: Page, three: list[Combination], watching: Watch
) -> None:
    factory.ask(three[0], result="All about molybdenum.\n" * 19 + "Nothing else.\n")
    first.reload()
    first.locator("#difference summary").click()
    table = first.get_by_role("table", name="Clean and flagged answer side by side")
    expect(table.get_by_role("row").filter(has_text="Nothing else.")).to_contain_text("is: All about molybdenum.")
    expect(table).to_contain_text("16 lines the same")
    first.set_viewport_size({"width": 390, "height": 844})
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert first.evaluate(overflow) == 0
    assert watching.faults == []


def test_the_acts_stay_in_sight(first: Page) -> None:
    dismiss = first.locator("#decide")  # its key is not named on narrow screens
    first.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(dismiss).to_be_in_viewport()
    first.set_viewport_size({"width": 390, "height": 844})
    first.evaluate("window.scrollTo(0, 300)")
    expect(dismiss).to_be_in_viewport()
    expect(first.get_by_role("link", name="Next in this list")).to_be_in_viewport()


def test_all_of_it_works_without_javascript(
    live_server: LiveServer, browser: Browser, three: list[Combination]
) -> None:
    factory.ask(three[0], result="All about something else.\n")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/combinations/{three[0].pk}?sort=newest")
    page.locator("#difference summary").click()
    page.get_by_role("link", name="Open the comparison").click()
    expect(page.get_by_role("table", name="Clean and flagged answer side by side")).to_be_visible()
    page.get_by_role("link", name=f"Combination {three[0].pk}").click()

    page.get_by_role("button", name="Assign to me").click()
    expect(page.locator("#page")).to_contain_text("Assigned to vera")
    page.get_by_label("Note").fill("a note")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator("#story")).to_contain_text("Note added by vera")
    page.get_by_role("button", name="Run again ×1").click()
    expect(page.locator("#again")).to_contain_text("Waiting for the worker")
    run_planned(Cycle.objects.get(combination=three[0]), 0)
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("#history .table-line")).to_have_count(3)

    page.get_by_label("Reason (optional)").fill("fine")
    page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(page.get_by_role("heading", name="tell me about tectonic plates")).to_be_visible()
    page.get_by_role("button", name="Undo Dismissed: tell me about molybdenum").click()
    expect(page.locator("#story")).to_contain_text("Restored by vera")
    expect(page.locator("#story")).to_contain_text("fine")
    context.close()
