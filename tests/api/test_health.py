"""GET /health: whether tests are running, for monitoring."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from threading import Event, Semaphore
from time import monotonic
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat
from pytest_django import DjangoAssertNumQueries, Settings

from review.api import health
from selftest.models import Actor, Cycle, RecipeTally, Target, Tuning
from selftest.reviewing.dismissal import dismiss
from tests.api.conftest import NOON, History, MakeTarget, error_of, minutes

pytestmark = pytest.mark.django_db

TESTING_KEYS = ["status", "last_run", "minutes_since_last_run", "total_combinations_tried", "flagged_for_review"]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """One cluster beats, until a test says otherwise."""

    def beat(clusters: int) -> None:
        monkeypatch.setattr("selftest.reading.worker.heartbeats", lambda: clusters)

    beat(1)
    return beat


def figures_of(client: Client, query: str = "") -> dict[str, Any]:
    return client.get(f"/health{query}").json()["adversarial_testing"]


def test_before_the_first_cycle_it_says_that_none_ran(anyone: Client, target: Target) -> None:
    response = anyone.get("/health")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "adversarial_testing": {
            "status": "never_ran",
            "last_run": None,
            "minutes_since_last_run": None,
            "total_combinations_tried": 0,
            "flagged_for_review": 0,
        },
        "database": {"status": "ok"},
        "worker": {"status": "ok", "clusters": 1},
        "waiting_too_long": 0,
        "last_outage": None,
    }
    assert list(response.json()["adversarial_testing"]) == TESTING_KEYS


def test_an_installation_without_a_target_never_ran(anyone: Client) -> None:
    assert figures_of(anyone)["status"] == "never_ran"


def count_novel(runs: int, target: Target, day: date) -> None:
    """As cycles that ended on this day leave it, with a finding each."""
    for check, novel in (("", runs), ("crash", 0)):
        RecipeTally.objects.create(
            target=target, recipe_name="multi_intent_chain", day=day, check_name=check, runs=runs, novel=novel
        )


@time_machine.travel(NOON + timedelta(minutes=59, seconds=59), tick=False)
def test_after_a_cycle_it_gives_the_figures(anyone: Client, history: History) -> None:
    history.flagged("comets")
    dismiss(history.flagged("sourdough"), Actor("ada"))
    count_novel(1, history.target, NOON.date() - timedelta(days=1))
    count_novel(1, history.target, NOON.date())
    assert figures_of(anyone) == {
        "status": "ok",
        "last_run": "2026-06-30T12:00:00Z",
        "minutes_since_last_run": 59,
        "total_combinations_tried": 2,
        "flagged_for_review": 1,
    }


@pytest.mark.parametrize(("minutes_later", "status"), [(180, "ok"), (181, "stale")])
def test_past_the_grace_it_is_stale(minutes_later: int, status: str, anyone: Client, history: History) -> None:
    with time_machine.travel(NOON + minutes(minutes_later), tick=False):
        document = anyone.get("/health").json()
    assert document["adversarial_testing"]["status"] == status
    assert document["status"] == ("ok" if status == "ok" else "degraded")


@pytest.mark.parametrize("switch", ["environment", "settings", "target"])
def test_switched_off_is_not_stale(switch: str, anyone: Client, history: History, settings: Settings) -> None:
    history.flagged("comets")
    if switch == "environment":
        settings.ADVERSARIAL_TEST_ENABLED = False
    elif switch == "settings":
        Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    else:
        Target.objects.update(enabled=False)
    with time_machine.travel(NOON + timedelta(days=9), tick=False):
        document = anyone.get("/health").json()
    assert document["status"] == "ok"
    assert document["adversarial_testing"] == {"status": "disabled"}


def test_switched_off_no_worker_is_missed(
    anyone: Client, target: Target, settings: Settings, worker: Callable[[int], None]
) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    worker(0)
    assert anyone.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize("query", ["", "?target=other"])
def test_flagged_for_review_is_the_number_of_rows_that_flagged_returns(
    query: str, anyone: Client, history: History, make_target: MakeTarget
) -> None:
    other = History(make_target("other"))
    for number in range(3):
        history.flagged(f"topic {number}")
    history.run(history.combination("clean"))
    dismiss(history.flagged("dismissed"), Actor("ada"))
    other.flagged("of the other one")
    rows = anyone.get(f"/adversarial/flagged{query}{'&' if query else '?'}limit=500").json()["flagged"]
    assert len(rows) == (1 if query else 3)
    assert figures_of(anyone, query)["flagged_for_review"] == len(rows)


@time_machine.travel(NOON, tick=False)
def test_the_figures_are_those_of_one_target(anyone: Client, history: History, make_target: MakeTarget) -> None:
    count_novel(5, history.target, NOON.date())
    make_target("other")
    assert (figures_of(anyone)["status"], figures_of(anyone)["total_combinations_tried"]) == ("ok", 5)
    other = figures_of(anyone, "?target=other")
    assert (other["status"], other["total_combinations_tried"]) == ("never_ran", 0)


@pytest.mark.parametrize("is_default", [True, False])
def test_without_a_name_it_is_the_default_target_or_else_the_first_that_was_made(
    is_default: bool, anyone: Client, history: History, make_target: MakeTarget
) -> None:
    for number in range(2):
        history.flagged(f"comets {number}")
    History(make_target("another")).flagged("comets")
    Target.objects.filter(pk=history.target.pk).update(is_default=is_default)
    assert anyone.get("/health").json() == anyone.get("/health?target=household").json()
    assert figures_of(anyone)["flagged_for_review"] == 2


def test_an_unknown_target_is_not_found(anyone: Client, target: Target) -> None:
    error_of(anyone.get("/health?target=nobody"), 404)


def test_the_last_outage_is_told(anyone: Client, history: History) -> None:
    Cycle.objects.create(
        target=history.target,
        trigger=Cycle.Trigger.SCHEDULE,
        state=Cycle.State.TARGET_UNAVAILABLE,
        seed=1,
        queries_wanted=8,
        created_at=NOON,
        finished_at=NOON + minutes(3),
    )
    assert anyone.get("/health").json()["last_outage"] == "2026-06-30T12:03:00Z"


def test_without_a_worker_it_is_degraded(anyone: Client, target: Target, worker: Callable[[int], None]) -> None:
    worker(0)
    document = anyone.get("/health").json()
    assert (document["status"], document["worker"]) == ("degraded", {"status": "missing", "clusters": 0})


def test_a_cluster_behind_a_dead_one_is_seen(anyone: Client, target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    broker = get_broker()
    for name in ("dead", "living"):
        broker.set_stat(Stat.get_key(name), SignedPackage.dumps("its figures", True), 3)
    broker.cache.delete(Stat.get_key("dead"))
    assert anyone.get("/health").json()["worker"] == {"status": "ok", "clusters": 1}


def test_a_heartbeat_is_read_from_where_clusters_leave_it(
    anyone: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert anyone.get("/health").json()["worker"] == {"status": "missing", "clusters": 0}
    get_broker().set_stat(Stat.get_key("a-cluster"), SignedPackage.dumps("its figures", True), 3)
    assert anyone.get("/health").json()["worker"] == {"status": "ok", "clusters": 1}


@pytest.mark.parametrize("failure", [OperationalError("no such table: cache"), OSError("gone")])
def test_a_heartbeat_that_cannot_be_read_is_unknown(
    failure: Exception, anyone: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("selftest.reading.worker.heartbeats", _raising(failure))
    document = anyone.get("/health").json()
    assert (document["status"], document["worker"]) == ("degraded", {"status": "unknown", "clusters": None})


@pytest.mark.parametrize("is_off", [False, True])
def test_without_a_database_it_still_answers(
    is_off: bool, anyone: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = not is_off
    away = OperationalError("connection refused")
    monkeypatch.setattr("review.api.auth.settings_in_force", _raising(away))
    monkeypatch.setattr(health, "testing_health", _raising(away))
    monkeypatch.setattr("selftest.reading.worker.heartbeats", _raising(away))
    response = anyone.get("/health")
    assert response.status_code == 200
    assert response.json() == {
        "status": "degraded",
        "adversarial_testing": {"status": "disabled"}
        if is_off
        else {
            "status": "stale",
            "last_run": None,
            "minutes_since_last_run": None,
            "total_combinations_tried": None,
            "flagged_for_review": None,
        },
        "database": {"status": "unavailable"},
        "worker": {"status": "unknown", "clusters": None},
        "waiting_too_long": None,
        "last_outage": None,
    }


@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_reading_that_hangs_is_left_and_no_other_begun_until_it_ends(
    anyone: Client, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = Semaphore(0), Event()

    def hang(*_: Any) -> Any:
        begun.release()
        assert let_go.wait(30)
        raise OperationalError("the connection was given up")

    monkeypatch.setattr(health, "overdue", hang)
    monkeypatch.setattr("review.api.deadline.DEADLINE_S", 0.2)
    try:
        for _ in range(3):
            assert anyone.get("/health").json()["database"] == {"status": "unavailable"}
        assert begun.acquire(blocking=False)
        assert not begun.acquire(blocking=False), "the first alone was waited for"
    finally:
        let_go.set()
    monkeypatch.undo()
    until = monotonic() + 30
    while anyone.get("/health").json()["database"] == {"status": "unavailable"}:
        assert monotonic() < until


def planned(target: Target, requested_at: datetime, **columns: Any) -> Cycle:
    columns = {"trigger": Cycle.Trigger.PAGE, "seed": 1, "queries_wanted": 1, **columns}
    return Cycle.objects.create(target=target, created_at=requested_at, **columns)


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize(("seconds", "status"), [(60, "ok"), (61, "degraded")])
def test_what_nothing_has_started_within_a_minute_degrades(
    seconds: int, status: str, anyone: Client, target: Target
) -> None:
    planned(target, NOON - timedelta(seconds=seconds))
    document = anyone.get("/health").json()
    assert (document["status"], document["waiting_too_long"]) == (status, int(status == "degraded"))


@time_machine.travel(NOON, tick=False)
def test_what_waits_behind_a_cycle_on_its_target_is_not_late(anyone: Client, target: Target) -> None:
    ahead = planned(target, NOON - timedelta(minutes=9), state="running", started_at=NOON - timedelta(minutes=9))
    planned(target, NOON - timedelta(minutes=8))
    assert anyone.get("/health").json()["status"] == "ok"
    Cycle.objects.filter(pk=ahead.pk).update(state="interrupted", finished_at=NOON - timedelta(seconds=59))
    assert anyone.get("/health").json()["status"] == "ok", "its turn has only just come"
    Cycle.objects.filter(pk=ahead.pk).update(finished_at=NOON - timedelta(seconds=61))
    assert anyone.get("/health").json()["status"] == "degraded"
    Cycle.objects.filter(pk=ahead.pk).update(finished_at=NOON + timedelta(days=10))
    assert anyone.get("/health").json()["status"] == "degraded", "an end that a wrong clock put into the future"


@time_machine.travel(NOON, tick=False)
def test_a_command_that_waits_for_its_turn_is_no_worker_s(anyone: Client, target: Target) -> None:
    planned(target, NOON - timedelta(minutes=2), owner="elsewhere:1:1.00")
    assert anyone.get("/health").json()["status"] == "ok"


def test_switched_off_nothing_is_late(anyone: Client, target: Target, settings: Settings) -> None:
    planned(target, NOON)
    settings.ADVERSARIAL_TEST_ENABLED = False
    document = anyone.get("/health").json()
    assert (document["status"], document["waiting_too_long"]) == ("ok", 0)


def test_the_number_of_queries_does_not_grow(
    anyone: Client, history: History, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Tuning.get_solo()  # the first call makes the row
    for count in (1, 20):
        for number in range(count):
            history.flagged(f"{count} {number}")
        # the settings · targets, their cycles and the revision of the queue · what was tried · what is in the queue
        # · whether anything waits
        with django_assert_num_queries(5):
            anyone.get("/health")


def _raising(failure: Exception) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise failure

    return fail
