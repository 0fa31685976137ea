"""The rail: three groups of links, which of them is marked on which page, and what stands at its foot."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from review.contexts.rail import GROUPS, rail_groups
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Cause, Combination
from tests.review import factory

LINK = re.compile(r'<li><a href="([^"]*)"(?: aria-current="(\w+)")?>([^<]*)</a></li>')
pytestmark = pytest.mark.django_db


def pages_of(markup: str) -> str:
    """The part of a page that holds the three groups."""
    return markup[markup.index('<nav class="rail-pages"') :].partition("</nav>")[0]


def links_on(client: Client, address: str) -> list[tuple[str, str, str]]:
    """Address, mark and name of each link."""
    return LINK.findall(pages_of(client.get(address).content.decode()))


def marked_on(client: Client, address: str) -> list[tuple[str, str]]:
    return [(name, current) for _, current, name in links_on(client, address) if current]


def test_it_has_three_groups_of_links(vera: Client) -> None:
    markup = pages_of(vera.get("/flags").content.decode())
    assert re.findall(r'class="rail-group">([^<]*)<', markup) == ["Review", "Understand", "Operate"]
    assert [(name, address) for address, _, name in links_on(vera, "/")] == [
        ("Inbox", "/"),
        ("All flags", "/flags"),
        ("Judged", "/?state=judged"),
        ("Checks", "/checks"),
        ("Coverage", "/recipes"),
        ("Explained", "/explained"),
        ("Findings", "/findings"),
        ("Evaluation", "/evaluation"),
        ("Cycles", "/cycles"),
        ("Targets", "/targets"),
        ("Health", "/status"),
        ("Search quality", "/search/quality"),
    ]


def test_each_link_leads_to_a_page_that_marks_it(vera: Client) -> None:
    factory.flagged("tell me about molybdenum")
    for address, _, name in links_on(vera, "/"):
        assert marked_on(vera, address) == [(name, "page")], address


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/?check=crash", "Inbox"),
        ("/?state=all", "Inbox"),
        ("/?state=judged&check=crash", "Judged"),
        ("/flags?tab=dismissed&check=crash", "All flags"),
        ("/flags?tab=ever&sort=age", "All flags"),
        ("/checks?target=bundled", "Checks"),
    ],
)
def test_a_filter_leaves_the_mark_where_it_is(vera: Client, address: str, name: str) -> None:
    assert marked_on(vera, address) == [(name, "page")]


@pytest.mark.parametrize("query", ["", "?tab=ever", "?tab=dismissed"])
def test_the_page_of_a_flag_marks_the_list_of_flags(vera: Client, query: str) -> None:
    made = factory.flagged("tell me about molybdenum")
    assert marked_on(vera, f"/combinations/{made.pk}{query}") == [("All flags", "true")]


@pytest.mark.parametrize(("query", "name"), [("", "Inbox"), ("?state=judged", "Judged")])
def test_the_page_of_a_cause_marks_the_list_that_it_was_opened_from(vera: Client, query: str, name: str) -> None:
    factory.flagged("tell me about molybdenum")
    assign_causes(factory.a_target(), timezone.now())
    assert marked_on(vera, f"/causes/{Cause.objects.get().pk}{query}") == [(name, "true")]


def test_pages_below_a_page_mark_its_link(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    run = made.runs.get()
    for address, name in (
        (f"/cycles/{run.cycle_id}", "Cycles"),
        (f"/runs/{run.pk}", "Cycles"),
        (f"/targets/{made.target_id}", "Targets"),
        (f"/recipes/{made.recipe_name}", "Coverage"),
        ("/combinations", "Coverage"),
        ("/activity?who=vera", "Inbox"),
    ):
        assert marked_on(vera, address) == [(name, "true")], address


def test_a_page_that_is_nowhere_marks_no_link(vera: Client) -> None:
    assert marked_on(vera, "/nothing/here") == []
    assert marked_on(vera, "/profile") == []


def test_every_page_that_it_names_is_there() -> None:
    for entries in GROUPS.values():
        for entry in entries:
            assert reverse(entry.page)
    assert all(link.current == "" for group in rail_groups("", {}) for link in group.links)


def test_at_its_foot_are_the_api_ones_profile_and_for_staff_the_admin(vera: Client, reviewer: User) -> None:
    def foot() -> str:
        return vera.get("/flags").content.decode().partition('class="rail-foot"')[2].partition("</nav>")[0]

    assert re.findall(r'href="([^"]*)"', foot()) == ["/api/v1/docs", "/profile"]
    User.objects.filter(pk=reviewer.pk).update(is_staff=True)
    assert re.findall(r'href="([^"]*)"', foot()) == ["/admin/", "/api/v1/docs", "/profile"]


def test_the_overview_is_reached_from_health_and_all_combinations_from_coverage(vera: Client) -> None:
    factory.flagged("tell me about molybdenum")
    assert 'href="/overview"' in vera.get("/status").content.decode()
    assert 'href="/combinations"' in vera.get("/recipes").content.decode()
    assert Combination.objects.count() == 1
