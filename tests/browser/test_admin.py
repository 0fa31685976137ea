"""The admin in a browser: the product's colours, by the reader's own choice of light and dark, and what axe finds."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from review.models import Profile
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.browser.test_every_page import LEVELS_A_AND_AA
from tests.browser.test_profile import DARK_GROUND, LIGHT_GROUND, choose
from tests.review import factory

GROUND = "getComputedStyle(document.body).backgroundColor"
COLOURS = """
() => {
  const seen = document.body.appendChild(document.createElement("p"));
  return ["--ground", "--ink", "--grey", "--accent", "--hairline"].map((name) => {
    seen.style.color = `var(${name})`;
    return getComputedStyle(seen).color;
  });
}
"""


@pytest.fixture
def admin(transactional_db: None) -> User:
    return make_reviewer()


@pytest.mark.parametrize(
    ("system", "its_ground", "other", "other_ground"),
    [("light", LIGHT_GROUND, "Dark", DARK_GROUND), ("dark", DARK_GROUND, "Light", LIGHT_GROUND)],
)
def test_it_is_light_or_dark_as_the_pages_are(
    live_server: LiveServer,
    browser: Browser,
    admin: User,
    system: Literal["light", "dark"],
    its_ground: str,
    other: str,
    other_ground: str,
) -> None:
    page = browser.new_context(color_scheme=system).new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/admin/")
    assert page.evaluate(GROUND) == its_ground
    choose(page, live_server.url, other)
    for path in ("/admin/", "/admin/auth/user/", f"/admin/auth/user/{admin.pk}/delete/"):
        page.goto(f"{live_server.url}{path}")
        assert page.evaluate(GROUND) == other_ground
        expect(page.locator(".theme-toggle")).to_have_count(0)  # there is one choice, in the profile
        watching.settle(page)
    assert watching.faults == []
    page.context.close()


@pytest.mark.parametrize("theme", [Profile.Theme.LIGHT, Profile.Theme.DARK])
def test_its_colours_are_those_of_the_pages(live_server: LiveServer, page: Page, admin: User, theme: str) -> None:
    Profile.objects.create(user=admin, theme=theme)
    sign_in(page, live_server.url)
    colours = page.evaluate(COLOURS)
    page.goto(f"{live_server.url}/admin/")
    assert page.evaluate(COLOURS) == colours
    assert page.evaluate(GROUND) == colours[0]
    assert page.evaluate("getComputedStyle(document.body).color") == colours[1]
    assert page.evaluate("getComputedStyle(document.querySelector('#content-main .model-user a')).color") == colours[3]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_its_colours_bar_nobody(
    live_server: LiveServer, browser: Browser, admin: User, scheme: Literal["light", "dark"], width: int
) -> None:
    flagged = factory.flagged("tell me about molybdenum")
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    barriers = {}
    sign_in(page, live_server.url)
    for path in (
        "/admin/",
        "/admin/auth/user/",
        f"/admin/auth/user/{admin.pk}/change/",
        f"/admin/auth/user/{admin.pk}/delete/",
        "/admin/selftest/target/",
        f"/admin/selftest/target/{flagged.target_id}/change/",
        "/admin/selftest/run/",
        f"/admin/selftest/run/{flagged.last_run_id}/change/",
        "/admin/selftest/tuning/",
    ):
        page.goto(f"{live_server.url}{path}")
        found = Axe().run(page, options=LEVELS_A_AND_AA)
        if found.violations_count:
            barriers[path] = found.generate_report()
    assert barriers == {}
    context.close()


def test_a_person_is_given_a_role_by_one_select(live_server: LiveServer, page: Page, admin: User) -> None:
    ruth = User.objects.create_user("ruth", password="a long enough password")
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/admin/auth/user/{ruth.pk}/change/")
    expect(page.locator("#id_groups, #id_user_permissions")).to_have_count(0)
    role = page.get_by_label("Role", exact=False)
    expect(role.locator("option")).to_have_text(["---------", "viewer", "reviewer", "admin"])
    role.select_option("reviewer")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/admin/auth/user/")
    expect(page.get_by_role("row").filter(has_text="ruth")).to_contain_text("reviewer")
    page.get_by_role("link", name="viewer", exact=True).click()
    expect(page.get_by_role("row").filter(has_text="ruth")).to_have_count(0)
    assert list(ruth.groups.values_list("name", flat=True)) == ["reviewer"]
    assert watching.faults == []
