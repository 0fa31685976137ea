"""The box that searches from every page: by the keyboard alone, one request a pause, and the same without a script."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Dialog, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from review.models import Profile
from selftest.knowledge.models import Click, Feedback, Search
from tests.browser.pages import Watch, sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import LEVELS_A_AND_AA, TOO_SMALL
from tests.knowledge.found_on_pages import CAUSE, DISK, RESTORE, WIPE, put

PAUSE_MS = 500  # longer than the 200 ms after which a search begins


@pytest.fixture
def reviewer(transactional_db: None) -> User:
    put()
    return make_reviewer(is_admin=False)


@pytest.fixture
def watching(page: Page) -> Watch:
    return watch(page)


@pytest.fixture
def anywhere(live_server: LiveServer, reviewer: User, watching: Watch, page: Page) -> Page:
    """A page without a search field of its own."""
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/cycles")
    return page


def box(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Search box")


def field(page: Page) -> Locator:
    return box(page).get_by_label("Words, a code or #number")


def open_with(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()
    page.keyboard.type(text)


def result(page: Page, title: str) -> Locator:
    return box(page).locator("[data-hit]").get_by_text(title, exact=True)


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_a_key_opens_the_box_and_escape_gives_the_focus_back(anywhere: Page, watching: Watch, key: str) -> None:
    anywhere.get_by_role("link", name="Targets").focus()
    anywhere.keyboard.press(key)
    expect(field(anywhere)).to_be_focused()
    expect(box(anywhere)).to_contain_text("Such as restore a backup")
    anywhere.keyboard.type("jdx")  # the keys of lists are silent here
    expect(field(anywhere)).to_have_value("jdx")
    anywhere.keyboard.press("Escape")
    expect(box(anywhere)).to_be_hidden()
    expect(anywhere.get_by_role("link", name="Targets")).to_be_focused()
    assert watching.faults == []


def test_where_a_page_has_a_field_of_its_own_the_slash_is_its(live_server: LiveServer, anywhere: Page) -> None:
    anywhere.goto(f"{live_server.url}/flags")
    anywhere.keyboard.press("/")
    expect(anywhere.get_by_label("Text")).to_be_focused()
    anywhere.keyboard.press("Control+k")  # in a field, too
    expect(field(anywhere)).to_be_focused()


def test_while_the_profile_says_so_no_key_opens_it_and_the_button_does(
    live_server: LiveServer, anywhere: Page, reviewer: User
) -> None:
    Profile.objects.create(user=reviewer, keyboard=False)
    sign_in(anywhere, live_server.url)
    anywhere.keyboard.press("Control+k")
    expect(box(anywhere)).to_have_count(0)
    anywhere.get_by_role("button", name="Search").click()
    expect(field(anywhere)).to_be_focused()


def test_typing_asks_once_a_pause(anywhere: Page, watching: Watch) -> None:
    asked: list[str] = []
    anywhere.on("request", lambda request: asked.append(request.url) if "/search?" in request.url else None)
    anywhere.keyboard.press("Control+k")
    expect(box(anywhere)).to_contain_text("Such as")
    asked.clear()
    anywhere.keyboard.type("restore a backup", delay=20)
    expect(result(anywhere, RESTORE.title)).to_be_visible()
    anywhere.wait_for_timeout(PAUSE_MS)
    assert [re.search("q=([^&]*)", url)[1] for url in asked] == ["restore%20a%20backup"]  # type: ignore[index]
    anywhere.keyboard.type("s now", delay=20)
    anywhere.wait_for_timeout(PAUSE_MS)
    assert len(asked) == 2
    assert watching.faults == []


def test_an_answer_that_comes_late_shows_nothing_that_was_not_asked_last(anywhere: Page, watching: Watch) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    anywhere.route("**/search?q=disk*", hold)
    watching.expected = ("ERR_ABORTED", "htmx:")  # cancelled by the question after it, of which htmx tells the console
    open_with(anywhere, "disk")
    anywhere.wait_for_timeout(PAUSE_MS)
    assert len(held) == 1
    field(anywhere).fill("restore")
    expect(result(anywhere, RESTORE.title)).to_be_visible()
    anywhere.wait_for_timeout(PAUSE_MS)
    expect(box(anywhere).locator("[data-asked]")).to_have_attribute("data-asked", "restore")
    expect(anywhere.get_by_role("alert")).to_be_hidden()
    assert watching.faults == []


def test_arrows_go_through_results_letters_back_and_enter_opens(
    live_server: LiveServer, anywhere: Page, watching: Watch
) -> None:
    open_with(anywhere, "backup")
    hits = box(anywhere).locator("[data-hit]")
    expect(hits).to_have_count(3)
    anywhere.keyboard.press("ArrowDown")
    expect(hits.nth(0)).to_be_focused()
    anywhere.keyboard.press("ArrowDown")
    expect(hits.nth(1)).to_be_focused()
    anywhere.keyboard.press("ArrowUp")
    anywhere.keyboard.press("ArrowUp")
    expect(field(anywhere)).to_be_focused()
    anywhere.keyboard.press("ArrowDown")
    anywhere.keyboard.type("s")
    expect(field(anywhere)).to_have_value("backups")
    field(anywhere).fill("restore")
    expect(hits).to_have_count(1)
    expect(anywhere.locator("#search-box-said")).to_have_text("1 result.")
    anywhere.keyboard.press("ArrowDown")
    anywhere.keyboard.press("Enter")
    anywhere.wait_for_url(f"{live_server.url}{RESTORE.url}")
    assert Click.objects.get().chunk_key == RESTORE.id
    assert Search.objects.filter(source="page").count() == 1  # the whole query; the others were half typed
    assert watching.faults == []


def test_enter_in_the_field_leads_to_the_page_of_all_results(live_server: LiveServer, anywhere: Page) -> None:
    open_with(anywhere, "backup")
    expect(box(anywhere).locator("[data-hit]")).to_have_count(3)
    anywhere.keyboard.press("Enter")
    anywhere.wait_for_url(f"{live_server.url}/search?q=backup")
    expect(anywhere.locator("main [data-hit]")).to_have_count(3)
    assert Search.objects.filter(source="page").count() == 1


def test_a_box_that_is_left_counts_one_search(anywhere: Page, watching: Watch) -> None:
    open_with(anywhere, "zzyzx")
    expect(box(anywhere)).to_contain_text("Nothing found")
    with anywhere.expect_response("**/search/note"):
        anywhere.keyboard.press("Escape")
    assert list(Search.objects.filter(source="page").values_list("results", flat=True)) == [0]
    anywhere.keyboard.press("Control+k")  # as it was left
    expect(field(anywhere)).to_have_value("zzyzx")
    anywhere.keyboard.press("Escape")
    watching.settle(anywhere)
    assert Search.objects.filter(source="page").count() == 1
    assert watching.faults == []


def test_a_type_narrows_and_more_like_this_stays_in_the_box(anywhere: Page, watching: Watch) -> None:
    open_with(anywhere, "backup")
    expect(result(anywhere, DISK.title)).to_be_visible()
    box(anywhere).get_by_label("Docs", exact=True).check()
    expect(result(anywhere, DISK.title)).to_have_count(0)
    expect(result(anywhere, RESTORE.title)).to_be_visible()
    box(anywhere).get_by_role("link", name=re.compile("More like this.*Restore a backup")).click()
    expect(field(anywhere)).to_be_focused()
    expect(field(anywhere)).to_have_value(re.compile("^Restore a backup"))
    expect(box(anywhere).get_by_label("All")).to_be_checked()
    assert watching.faults == []


def test_a_thumb_is_given_in_place(anywhere: Page, watching: Watch) -> None:
    open_with(anywhere, "restore")
    thumb = box(anywhere).get_by_role("button", name="Not helpful: Restore a backup")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect(box(anywhere).get_by_role("button", name="Helpful: Restore a backup", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )
    assert Feedback.objects.get().rating == "down"
    assert watching.faults == []


def test_curl_is_copied(anywhere: Page, watching: Watch) -> None:
    anywhere.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_with(anywhere, "GET /api/v1/findings")
    box(anywhere).get_by_role("button", name="Curl").first.click()
    expect(box(anywhere).get_by_role("button", name="Copied")).to_be_visible()
    assert anywhere.evaluate("navigator.clipboard.readText()") == "curl http://127.0.0.1:8000/api/v1/findings"
    assert watching.faults == []


def test_run_copies_the_command_and_goes_to_health(live_server: LiveServer, anywhere: Page, watching: Watch) -> None:
    anywhere.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_with(anywhere, "GF010")
    box(anywhere).get_by_role("link", name="Run manage.py doctor").click()
    anywhere.wait_for_url(f"{live_server.url}/status#GF010")
    expect(
        anywhere.get_by_text("Copied. Run it in a terminal of the server: manage.py doctor --only GF010")
    ).to_be_visible()
    assert anywhere.evaluate("navigator.clipboard.readText()") == "manage.py doctor --only GF010"
    anywhere.reload()
    expect(anywhere.get_by_text("Copied.")).to_have_count(0)
    assert watching.faults == []


@pytest.mark.parametrize("says_yes", [True, False])
def test_a_command_that_destroys_is_asked_about_first(live_server: LiveServer, anywhere: Page, says_yes: bool) -> None:
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept() if says_yes else dialog.dismiss()

    anywhere.on("dialog", answer)
    open_with(anywhere, WIPE.title)
    box(anywhere).get_by_role("link", name="Remedy manage.py backup --delete-old").click()
    if says_yes:
        anywhere.wait_for_url(f"{live_server.url}/status#GF099")
    expect(anywhere).to_have_url(f"{live_server.url}/status#GF099" if says_yes else f"{live_server.url}/cycles")
    assert len(asked) == 1
    assert "deletes or overwrites something: manage.py backup --delete-old" in asked[0]


@pytest.mark.parametrize(("width", "query"), [(1280, "backup"), (390, "backup"), (390, "zzyzx")])
def test_the_box_bars_no_reader_and_fits_any_screen(anywhere: Page, watching: Watch, width: int, query: str) -> None:
    anywhere.set_viewport_size({"width": width, "height": 844})
    open_with(anywhere, query)
    expect(box(anywhere).locator("[data-asked]")).to_have_attribute("data-asked", query)
    for closed in box(anywhere).locator("summary").all():
        closed.click()
    found = Axe().run(anywhere, options=LEVELS_A_AND_AA)
    assert found.violations_count == 0, found.generate_report()
    assert box(anywhere).evaluate("(dialog) => dialog.scrollWidth - dialog.clientWidth") == 0
    assert width > 390 or anywhere.evaluate(TOO_SMALL) == []
    assert watching.faults == []


# --- without a script ---


@pytest.fixture
def plain(live_server: LiveServer, reviewer: User, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/cycles")
    yield page
    context.close()


def test_without_a_script_the_field_in_the_rail_leads_to_the_same(live_server: LiveServer, plain: Page) -> None:
    plain.get_by_label("Search", exact=True).fill("#7")
    plain.keyboard.press("Enter")
    plain.wait_for_url(f"{live_server.url}/search?q=%237")
    expect(plain.get_by_role("heading", name=CAUSE.title, exact=True)).to_be_visible()

    form = plain.get_by_role("search", name="Search everything").last
    form.get_by_label("Words, a code").fill("backup")
    form.get_by_label("Docs", exact=True).check()
    form.get_by_role("button", name="Search").click()
    plain.wait_for_url(f"{live_server.url}/search?q=backup&kind=docs")
    plain.get_by_role("button", name="Helpful: Restore a backup", exact=True).click()
    plain.wait_for_url(f"{live_server.url}/search?q=backup&kind=docs")
    expect(plain.get_by_role("button", name="Helpful: Restore a backup", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_without_a_script_run_leads_to_health_and_the_command_can_be_read(live_server: LiveServer, plain: Page) -> None:
    plain.goto(f"{live_server.url}/search?q=GF010")
    plain.get_by_text("Preview", exact=False).first.click()
    expect(plain.locator("pre").get_by_text("manage.py doctor --only GF010")).to_be_visible()
    plain.get_by_role("link", name="Run manage.py doctor").click()
    plain.wait_for_url(f"{live_server.url}/status#GF010")
