"""The wall screen: a few large figures, what no one may miss, and the newest flags."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from selftest.core.judging.findings import CheckName
from selftest.models import Cycle, RecipeTally, Target, Tuning
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


pytestmark = pytest.mark.usefixtures("worker")


def alarms(client: Client) -> list[str]:
    return [alarm.words for alarm in client.get("/overview").context["page"].alarms]


def test_the_figures_are_those_of_the_queue(vera: Client) -> None:
    factory.flagged()
    factory.ask(factory.flagged())  # clean again: to review, and not flagged now
    factory.ask(factory.make_combination())
    text = text_of(vera.get("/overview"))
    assert "Needs review 2 Flagged now 1" in text
    assert "Last cycle just now" in text
    assert alarms(vera) == []


def test_flags_of_a_target_that_is_off_are_neither_counted_nor_denied(vera: Client, target: Target) -> None:
    reference = factory.make_target("reference", is_default=False)
    factory.ask(
        factory.make_combination("rss", reference), [factory.finding()], cycle=factory.make_cycle(target=reference)
    )
    factory.ask(factory.make_combination())
    RecipeTally.objects.update(flagged=1)
    reference.enabled = False
    reference.save()
    page = vera.get("/overview")
    assert "No flags of targets that are on." in text_of(page)
    assert "every answer kept its promises" not in text_of(page)


def test_the_newest_flags_stand_there_the_newest_first_each_run_once(vera: Client) -> None:
    for number in range(6):
        factory.flagged(f"tell me about {number}", factory.finding(), factory.finding(CheckName.LATENCY_OUTLIER))
    newest = vera.get("/overview").context["page"].newest
    assert [flag.query for flag in newest] == [f"tell me about {number}" for number in (5, 4, 3, 2, 1)]


@time_machine.travel(NOON, tick=False)
def test_flags_are_counted_per_day_for_thirty_days(vera: Client, target: Target) -> None:
    second = factory.make_target("second", is_default=False)
    for of, day, check, flagged in (
        (target, date(2026, 6, 30), "", 3),
        (second, date(2026, 6, 30), "", 4),
        (target, date(2026, 6, 30), "crash", 0),
        (target, date(2026, 6, 1), "", 2),  # the first of thirty days
        (target, date(2026, 5, 31), "", 9),
    ):
        RecipeTally.objects.create(
            target=of, recipe_name="no_intent_fallthrough", check_name=check, day=day, runs=50, flagged=flagged
        )
    lines = vera.get("/overview").context["page"].days.lines
    assert [(line.day, line.total) for line in lines] == [(date(2026, 6, 30), 7), (date(2026, 6, 1), 2)]


def test_a_target_away_a_missing_worker_and_late_cycles_cannot_be_missed(
    vera: Client, worker: Callable[[int], None]
) -> None:
    factory.make_cycle(now=timezone.now() - timedelta(days=2))
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused")
    worker(0)
    assert alarms(vera) == ["bundled is away", "No worker", "Late"]
    assert text_of(vera.get("/overview")).index("bundled is away") < text_of(vera.get("/overview")).index("Needs")


def test_with_every_target_switched_off_no_cycle_is_late(vera: Client, target: Target) -> None:
    factory.make_cycle(now=timezone.now() - timedelta(days=2))
    Target.objects.update(enabled=False)
    assert "Late" not in alarms(vera)
    assert "late" not in text_of(vera.get("/status"))


def test_switched_off_that_alone_is_said(vera: Client, target: Target, worker: Callable[[int], None]) -> None:
    worker(0)
    Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    assert alarms(vera) == ["Switched off"]


def test_without_a_target_it_says_so(vera: Client) -> None:
    assert alarms(vera) == ["No target"]
    assert "Nothing asked yet. See what testing is waiting for" in text_of(vera.get("/overview"))


def test_where_all_is_clean_it_says_so(vera: Client) -> None:
    factory.ask(factory.make_combination())
    assert "No flags so far: every answer kept its promises." in text_of(vera.get("/overview"))


def test_it_asks_for_itself_again_and_htmx_gets_the_wall_alone(htmx: Client, target: Target) -> None:
    response = htmx.get("/overview")
    assert not is_whole(response)
    assert 'hx-get="/overview" hx-trigger="poll" data-poll-s="15"' in response.content.decode()


def test_there_is_a_way_back(vera: Client, target: Target) -> None:
    assert "Back to all flags" in text_of(vera.get("/overview"))


def test_script_is_shown_as_text(vera: Client, target: Target) -> None:
    factory.flagged(SCRIPT)
    Target.objects.update(name=SCRIPT)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE)
    assert_escaped(vera.get("/overview"))


def test_anybody_with_a_role_may_read_it(vera: Client, onlooker: Client, client: Client) -> None:
    assert vera.post("/overview").status_code == 405
    assert onlooker.get("/overview").status_code == 200
    assert client.get("/overview")["Location"] == "/sign-in?next=%2Foverview"
    client.force_login(User.objects.create_user("nobody"))
    assert client.get("/overview").status_code == 403


def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, target: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()
    for number in range(12):
        factory.flagged()
        if number in (0, 11):
            with django_assert_max_num_queries(19):
                vera.get("/overview")
