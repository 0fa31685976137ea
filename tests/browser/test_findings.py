"""Findings in a browser, with scripts and without: one is left, another superseded by it, and that is undone."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from selftest.findings.models import Finding, Proposal
from selftest.findings.saving import About, Draft, save_finding
from selftest.models import Actor
from tests.browser.pages import sign_in, watch
from tests.browser.scenes import make_reviewer
from tests.review import factory

NOT, DOES = "wrapper cannot pass arguments", "calendar wrapper does pass arguments"
CLAIM = "claim/capability/calendar/wrapper"
ADA = Actor("ada")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_verdict_leads_to_a_finding_which_supersedes_another_and_is_undone(
    live_server: LiveServer, browser: Browser, transactional_db: None, has_scripts: bool
) -> None:
    make_reviewer(is_admin=False)
    save_finding(Draft(CLAIM, NOT), Actor("ada"))
    cause = factory.heap(1)[0].cause
    assert cause
    context = browser.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/causes/{cause.pk}")
    expect(page.get_by_text("What is known")).to_have_count(0)
    page.locator(".judging").get_by_role("button", name="Accept").click()
    page.locator("#toasts").get_by_role("link", name="Leave a finding").click()
    expect(page.locator("[name=target]")).to_have_value("bundled")
    page.get_by_label("What you learnt").fill(DOES)
    page.get_by_label("Category", exact=True).fill(CLAIM)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("blockquote")).to_have_text(DOES)
    toast = page.locator("#toasts .toast", has_text=f"Saved. It superseded “{NOT}”").first
    toast.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Active again: 1 finding. Both are kept now.")).to_be_visible()
    assert Finding.objects.filter(superseded_by=None).count() == 2
    page.goto(f"{live_server.url}/causes/{cause.pk}")
    page.locator("#known").get_by_role("link", name=DOES).click()
    page.get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete finding").click()
    expect(page.get_by_role("link", name=NOT)).to_be_visible()
    expect(page.locator("main").get_by_text(DOES)).to_have_count(0)
    assert watching.faults == []
    context.close()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_claim_is_given_an_example_and_what_is_proposed_in_its_place_is_accepted(
    live_server: LiveServer, browser: Browser, transactional_db: None, has_scripts: bool
) -> None:
    make_reviewer(is_admin=False)
    claim = save_finding(Draft("claim/capability/bundled/rss", "reads feeds", about=About(factory.a_target())), ADA)
    context = browser.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    watching = watch(page)
    sign_in(page, live_server.url)
    page.goto(f"{live_server.url}/findings/{claim.finding.pk}")
    page.get_by_text("Give an example").click()
    page.get_by_label("Query", exact=True).fill("rss plus weather")
    page.get_by_label("The answer", exact=True).select_option("has the header of this source")
    named = page.get_by_label("The source, sources with commas between them, phrase or check")
    named.fill("forcast")
    page.get_by_role("button", name="Keep the example").click()
    expect(page.get_by_role("alert")).to_contain_text("'forcast' is no source of bundled")
    named.fill("forecast")
    page.get_by_role("button", name="Keep the example").click()
    expect(page.get_by_text("The answer has the header of forecast.")).to_be_visible()
    expect(page.get_by_text("Not checked yet.")).to_be_visible()
    said = "The answer to “rss plus weather” has no header of forecast since 3.51; 5 of 5"
    Proposal.objects.create(loser=claim.finding, content=said, origin="example", created_at=timezone.now())
    page.goto(f"{live_server.url}/findings?tab=proposals")
    page.get_by_role("button", name="Accept").click()
    page.goto(f"{live_server.url}/findings")
    expect(page.get_by_role("link", name=said)).to_be_visible()
    expect(page.locator(".learnt-lines").get_by_role("link", name="reads feeds")).to_have_count(0)
    assert watching.faults == []
    context.close()
