"""Health, for a person: what is wrong, and one sentence about what to do next."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from pytest_django import DjangoAssertNumQueries

from review.contexts.health import Sign
from selftest.models import Combination, Cycle, Housekeeping, Run, Target, Tuning
from selftest.operating.schedule import follow_tuning
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)


pytestmark = pytest.mark.usefixtures("worker")


@pytest.fixture
def well(target: Target) -> Target:
    """Scheduled, and a cycle has just finished."""
    factory.make_cycle()
    follow_tuning()
    return target


def sign(client: Client, name: str) -> tuple[str, str]:
    """Its words, and what to do next."""
    found = next(sign for sign in client.get("/status").context["page"].signs if sign.name == name)
    return found.words, f"{found.next_step} {found.command}".strip()


def target_signs(client: Client) -> list[Sign]:
    return [sign for sign in client.get("/status").context["page"].signs if sign.code == "GF030"]


@pytest.mark.usefixtures("well")
def test_where_nothing_is_wrong_it_says_so(vera: Client) -> None:
    text = text_of(vera.get("/status"))
    assert "No problems" in text
    assert "Worker GF021 Running Nothing" in text
    assert "Finished cycles GF023 The last one finished just now Nothing to do" in text
    assert "Schedule GF022 Next cycle in 1 h every 60 min Nothing" in text
    assert "Tasks waiting GF024 None Nothing" in text
    assert "Target bundled GF030 Reached when last asked never away in the last 2,000 cycles Nothing" in text
    assert "None: no combination was interrupted 3 times." in text
    assert "None in the newest 200 runs." in text


@pytest.mark.usefixtures("well")
def test_a_missing_worker_is_to_be_started(vera: Client, worker: Callable[[int], None]) -> None:
    worker(0)
    assert sign(vera, "Worker") == ("Not running", "No cycle runs until you start one. manage.py qcluster")
    assert "1 problem" in text_of(vera.get("/status"))


@pytest.mark.usefixtures("well")
def test_several_workers_are_counted(vera: Client, worker: Callable[[int], None]) -> None:
    worker(3)
    assert sign(vera, "Worker") == ("3 running", "")


@pytest.mark.usefixtures("well")
def test_a_broker_that_is_away_makes_no_error_page(vera: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise ConnectionError("connection refused")

    monkeypatch.setattr("selftest.reading.worker.heartbeats", away)
    monkeypatch.setattr("selftest.reading.worker.get_broker", away)
    assert sign(vera, "Worker")[0] == "Unknown"
    assert sign(vera, "Tasks waiting")[0] == "Unknown"


@pytest.mark.usefixtures("well")
def test_tasks_that_wait_are_counted(vera: Client, worker: Callable[[int], None]) -> None:
    for _ in range(2):
        OrmQ.objects.create(key="gadfly", payload="x", lock=timezone.now() - timedelta(minutes=1))
    assert sign(vera, "Tasks waiting") == ("2", "")
    worker(0)
    assert sign(vera, "Tasks waiting") == ("2", "They are waiting for a worker. Start one. manage.py qcluster")


@pytest.mark.usefixtures("well")
def test_a_schedule_that_nobody_takes_is_overdue(vera: Client) -> None:
    Schedule.objects.update(next_run=timezone.now() - timedelta(minutes=7))
    words, step = sign(vera, "Schedule")
    assert words == "Overdue: the next cycle was due"
    assert step.startswith("The worker has not started it")


@pytest.mark.usefixtures("well")
def test_a_cycle_that_is_due_comes_in_a_moment(vera: Client) -> None:
    Schedule.objects.update(next_run=timezone.now())
    assert sign(vera, "Schedule") == ("Next cycle in a moment", "")


@pytest.mark.usefixtures("well")
def test_a_lost_schedule_is_found_out(vera: Client) -> None:
    Schedule.objects.all().delete()
    assert sign(vera, "Schedule")[0] == "None, though testing is on"


def test_late_cycles_are_told(vera: Client, target: Target) -> None:
    factory.make_cycle(now=timezone.now() - timedelta(hours=4))
    words, step = sign(vera, "Finished cycles")
    assert words == "Late: the last one finished"
    assert step.endswith(" manage.py run_cycle --target bundled")


def test_before_the_first_cycle_it_says_so_and_that_is_no_problem(vera: Client, well: Target) -> None:
    Cycle.objects.all().delete()
    assert sign(vera, "Finished cycles") == ("None yet", "")
    assert "No problems" in text_of(vera.get("/status"))


@pytest.mark.parametrize("switch", ["environment", "settings"])
@pytest.mark.usefixtures("well")
def test_switched_off_is_said_and_nothing_else_is_missed(
    switch: str, vera: Client, worker: Callable[[int], None], settings: LazySettings
) -> None:
    worker(0)
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    else:
        Tuning.objects.update_or_create(pk=Tuning.get_solo().pk, defaults={"enabled": False})
    words, step = sign(vera, "Testing")
    assert words == f"Switched off {'by the environment' if switch == 'environment' else 'in the settings'}"
    assert step
    assert "1 problem" in text_of(vera.get("/status"))


def test_a_target_that_is_away_says_since_when_and_what_to_do(vera: Client, well: Target) -> None:
    cycle = factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "connection refused")
    text = text_of(vera.get("/status"))
    assert (
        f"Target bundled GF030 Away when last asked Last away just now , cycle {cycle.pk} : connection refused Start it"
        in text
    )
    assert f"/cycles/{cycle.pk}" in vera.get("/status").content.decode()
    factory.make_cycle()
    text = text_of(vera.get("/status"))
    assert f"Reached when last asked Last away just now , cycle {cycle.pk} : connection refused Nothing" in text


def test_the_last_outage_of_each_target_is_its_own(vera: Client, well: Target) -> None:
    second = factory.make_target("second", is_default=False)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "the first time", target=second)
    newest = factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, "the second time", target=second)
    outages = {sign.subject: sign.cycle for sign in target_signs(vera)}
    assert outages == {"bundled": None, "second": newest.pk}


def test_a_target_that_is_switched_off_is_no_outage(vera: Client, well: Target) -> None:
    Target.objects.update(enabled=False)
    response = vera.get("/status")
    assert "Target bundled GF030 Switched off never away" in text_of(response)
    assert [sign.next_step for sign in target_signs(vera)] == [""]  # a person wanted it so


def test_without_a_target_it_says_what_to_do(vera: Client) -> None:
    response = vera.get("/status")
    assert "Nothing to ask: set up the bundled one, or add your own in the admin. manage.py start" in text_of(response)


def broken_off(text: str, times: int) -> Combination:
    combination = factory.make_combination(text)
    for _ in range(times):
        run = factory.plan_run(combination)
        Run.objects.filter(pk=run.pk).update(state=Run.State.INTERRUPTED)
    return combination


def test_what_is_never_asked_again_is_listed_with_a_link(vera: Client, well: Target) -> None:
    deadly = broken_off("the deadly one", 3)
    broken_off("one more chance", 2)
    answered = broken_off("answered in the end", 3)
    factory.ask(answered)
    response = vera.get("/status")
    assert "the deadly one" in text_of(response)
    assert f'href="/combinations/{deadly.pk}"' in response.content.decode()
    assert "one more chance" not in text_of(response)
    assert "answered in the end" not in text_of(response)


def test_failures_of_gadfly_are_listed_with_their_runs(vera: Client, well: Target) -> None:
    run = factory.plan_run(factory.make_combination("a query"))
    Run.objects.filter(pk=run.pk).update(state=Run.State.INTERRUPTED, own_error="KeyError: 'parts'", finished_at=NOON)
    response = vera.get("/status")
    assert "KeyError: 'parts' a query" in text_of(response)
    assert f'href="/runs/{run.pk}"' in response.content.decode()


def test_htmx_gets_the_signs_alone(htmx: Client, well: Target) -> None:
    response = htmx.get("/status")
    assert not is_whole(response)
    assert "No problems" in text_of(response)


def test_script_is_shown_as_text(vera: Client, target: Target) -> None:
    Target.objects.update(name=SCRIPT)
    factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE, SCRIPT)
    broken_off(SCRIPT, 3)
    Run.objects.update(own_error=SCRIPT)
    assert_escaped(vera.get("/status"))


def test_anybody_with_a_role_may_read_it(vera: Client, onlooker: Client, client: Client) -> None:
    assert vera.post("/status").status_code == 405
    assert onlooker.get("/status").status_code == 200
    assert client.get("/status")["Location"] == "/sign-in?next=%2Fstatus"
    client.force_login(User.objects.create_user("nobody"))
    assert client.get("/status").status_code == 403


@pytest.mark.usefixtures("well")
def test_what_no_worker_has_started_is_named(vera: Client, worker: Callable[[int], None]) -> None:
    late = factory.make_cycle(Cycle.State.PLANNED, now=timezone.now() - timedelta(minutes=2))
    Cycle.objects.exclude(pk=late.pk).update(finished_at=late.created_at)
    words, step = sign(vera, "Waiting too long")
    assert words == f"Cycle {late.pk} on bundled, since"
    handed_over = "It is handed over again every minute."
    assert step == f"Start another worker if long cycles keep the first busy. {handed_over} manage.py qcluster"
    worker(0)
    assert sign(vera, "Waiting too long")[1] == "Start a worker. manage.py qcluster"
    for _ in range(6):
        late = factory.make_cycle(Cycle.State.PLANNED, now=late.created_at, target=factory.make_target(f"{_}", False))
    text = text_of(vera.get("/status"))
    assert text.count("Waiting too long GF025") == 6
    assert "2 more" in text


@time_machine.travel(NOON, tick=False)
def test_the_number_of_queries_does_not_grow_with_the_rows(
    vera: Client, well: Target, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        broken_off("", 3)
        factory.make_target(f"target {number}", is_default=False)
        factory.make_cycle(Cycle.State.TARGET_UNAVAILABLE)
        if number in (0, 11):
            with django_assert_max_num_queries(40):
                vera.get("/status")


# --- raw answers ---


def looked_through(**columns: object) -> None:
    Housekeeping.get_solo()
    Housekeeping.objects.update(**columns)


@pytest.mark.usefixtures("well")
def test_how_long_answers_are_kept_and_when_that_was_seen_to_is_told(vera: Client) -> None:
    newest = [factory.ask(factory.make_combination()) for _ in range(3)][-1]
    looked_through(finished_at=timezone.now(), answers_deleted=1_200, through_run=newest.pk - 2)
    text = text_of(vera.get("/status"))
    assert (
        "Raw answers GF028 Clean ones kept for 30 days, checked just now 1,200 deleted, 2 newer runs, database " in text
    )


@pytest.mark.usefixtures("well")
def test_before_the_first_time_and_without_an_end_it_says_so(vera: Client) -> None:
    assert sign(vera, "Raw answers") == ("Clean ones kept for 30 days, not checked yet", "")
    Tuning.get_solo()
    Tuning.objects.update(keep_answers_days=0)
    looked_through(finished_at=timezone.now())
    assert sign(vera, "Raw answers") == ("All kept, checked", "")


@pytest.mark.usefixtures("well")
def test_answers_that_were_not_checked_for_hours_are_a_problem_of_the_worker(
    vera: Client, worker: Callable[[int], None]
) -> None:
    looked_through(finished_at=timezone.now() - timedelta(hours=4))
    assert sign(vera, "Raw answers")[1].startswith("The worker should check them every hour.")
    worker(0)
    assert sign(vera, "Raw answers")[1] == "", "a missing worker is one problem"
