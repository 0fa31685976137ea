"""The sweep in every worker: what was acknowledged is handed over again for as long as no live worker holds it."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django_q.models import OrmQ, Schedule

from selftest import tasks
from selftest.core.judging.answers import Answer
from selftest.cycles import lifecycle, recording
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.planning import plan
from selftest.models import Actor, Combination, Cycle, Housekeeping, Reduction, Run, Target
from selftest.operating import sweeping
from selftest.operating.schedule import follow_tuning
from selftest.operating.sweeping import Sweeper
from selftest.reviewing.smallest_query_request import minimise
from selftest.storage import database_patience
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_probes")]

DEAD = "elsewhere:1:1.00"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stands at NOW until a test shifts it."""
    with time_machine.travel(NOW, tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def old_sweeper(clock: time_machine.Traveller) -> Sweeper:
    """One that has looked before, when nothing was there; its housekeeping is taken."""
    sweeper = Sweeper()
    sweeper.sweep()
    queued()
    return sweeper


def planned(target: Target, trigger: Cycle.Trigger = Cycle.Trigger.PAGE, **columns: Any) -> Cycle:
    """As a request leaves it whose task was lost."""
    cycle = lifecycle.prepare(CycleRequest(target, trigger, 2, 1))
    for name, value in columns.items():
        setattr(cycle, name, value)
    cycle.save()
    return cycle


def handed_over() -> list[tuple[str, int]]:
    """The work that was queued since the last look: the function's last name and the row."""
    return [(name, arguments[0]) for name, arguments in queued() if arguments]


def queued() -> list[tuple[str, tuple[int, ...]]]:
    tasks = [task.task for task in OrmQ.objects.order_by("id")]
    OrmQ.objects.all().delete()
    return [(task["func"].rpartition(".")[2], task["args"]) for task in tasks]


@pytest.mark.usefixtures("clock")
def test_a_worker_that_starts_hands_over_all_that_waits(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target("naming_a_wrong_source")
    cycle_on(target, 1, recipes=["no_intent_fallthrough"])
    search = minimise(Combination.objects.get(), Actor("ada"))
    cycles = [planned(target), planned(make_target())]
    assert search is not None
    Sweeper().sweep()
    assert handed_over() == [
        ("planned_cycle", cycles[0].pk),
        ("planned_cycle", cycles[1].pk),
        ("planned_reduction", search.pk),
    ]


def test_what_is_young_is_on_its_way_and_left_alone_for_twenty_seconds(
    make_target: MakeTarget, clock: time_machine.Traveller, old_sweeper: Sweeper
) -> None:
    cycle = planned(make_target())
    clock.shift(19)
    old_sweeper.sweep()
    assert handed_over() == []
    clock.shift(1)
    old_sweeper.sweep()
    assert handed_over() == [("planned_cycle", cycle.pk)]


def test_lost_again_it_is_handed_over_again_and_once_started_no_more(
    make_target: MakeTarget, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1_000.0
    monkeypatch.setattr(sweeping.time, "monotonic", lambda: now_s)
    cycle = planned(make_target())
    sweeper = Sweeper()
    sent = []
    for _ in range(5):
        sweeper.sweep()
        sent.append(len(handed_over()))
        now_s += 10
    assert sent == [1, 0, 1, 0, 1]
    assert tasks.planned_cycle(cycle.pk) == "ran"
    now_s += 60
    sweeper.sweep()
    assert handed_over() == []


def test_while_all_workers_are_busy_no_tasks_pile_up_and_one_that_is_lost_is_handed_over_again(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 1_000.0
    monkeypatch.setattr(sweeping.time, "monotonic", lambda: now_s)
    waiting = [planned(make_target(name=name)) for name in ("one", "another")]
    sweepers = [Sweeper(), Sweeper()]
    for sweeper in sweepers * 10:
        sweeper.sweep()
        now_s += sweeping.ON_ITS_WAY_S
    kept = [task for task in OrmQ.objects.order_by("id") if task.task["args"]]
    assert len(kept) == 2 * len(waiting), "of the first sweep of each, for all of it"
    OrmQ.objects.exclude(pk=kept[0].pk).delete()
    sweepers[0].sweep()
    assert [pk for _, pk in handed_over()] == [waiting[0].pk, *(cycle.pk for cycle in waiting)]


@pytest.mark.usefixtures("clock")
def test_two_workers_may_both_hand_it_over_and_it_is_run_once(make_target: MakeTarget) -> None:
    cycle = planned(make_target())
    Sweeper().sweep()
    Sweeper().sweep()
    queued = handed_over()
    assert queued == [("planned_cycle", cycle.pk)] * 2
    assert [tasks.planned_cycle(pk) for _, pk in queued] == ["ran", "ran"]
    assert Run.objects.count() == 2


@pytest.mark.usefixtures("clock")
def test_of_a_target_s_cycles_the_oldest_is_handed_over_and_none_while_one_runs(make_target: MakeTarget) -> None:
    target = make_target()
    first, second = planned(target), planned(target)
    Sweeper().sweep()
    assert handed_over() == [("planned_cycle", first.pk)]
    assert lifecycle.start(first)
    Sweeper().sweep()
    assert handed_over() == []
    lifecycle.end(first, Cycle.State.FINISHED)
    Sweeper().sweep()
    assert handed_over() == [("planned_cycle", second.pk)]


@pytest.mark.usefixtures("clock")
def test_what_waits_on_a_target_that_was_switched_off_is_handed_over_to_be_withdrawn(make_target: MakeTarget) -> None:
    target = make_target()
    cycles = [planned(target), planned(target)]
    Target.objects.update(enabled=False)
    Sweeper().sweep()
    queued = handed_over()
    assert [pk for _, pk in queued] == [cycle.pk for cycle in cycles]
    assert [tasks.planned_cycle(pk) for _, pk in queued] == ["disabled"] * 2
    assert set(Cycle.objects.values_list("state", flat=True)) == {"interrupted"}


@pytest.mark.usefixtures("clock")
def test_a_cycle_of_a_command_is_its_own_and_withdrawn_once_the_command_is_gone(make_target: MakeTarget) -> None:
    from selftest.cycles.ownership import this_process

    waits = planned(make_target(), Cycle.Trigger.COMMAND, owner=this_process())
    gone = planned(make_target(), Cycle.Trigger.COMMAND, owner=DEAD, created_at=NOW - timedelta(minutes=4))
    Sweeper().sweep()
    assert handed_over() == []
    waits.refresh_from_db()
    gone.refresh_from_db()
    assert waits.state == "planned"
    assert (gone.state, gone.note) == ("interrupted", "its process ended before it could start")


def killed_in_the_middle(target: Target, trigger: Cycle.Trigger) -> Cycle:
    """Four queries: two are recorded, one was being asked."""
    cycle = planned(target, trigger, queries_wanted=4)
    assert lifecycle.start(cycle)
    lifecycle.ownership.unregister(cycle)
    runs = plan(cycle, target.vocabularies.get(), NOW)
    for run in runs[:3]:
        assert recording.claim(run, NOW)
    for run in runs[:2]:
        assert recording.record(run, Answer("Something to read.", "kiwix", 5.0), [], NOW)
    Cycle.objects.filter(pk=cycle.pk).update(owner=DEAD)
    return cycle


@pytest.mark.parametrize("trigger", ["page", "schedule", "api"])
def test_what_a_worker_died_in_the_middle_of_another_finishes(
    trigger: str, make_target: MakeTarget, clock: time_machine.Traveller
) -> None:
    cycle = killed_in_the_middle(make_target(), Cycle.Trigger(trigger))
    clock.shift(cycle.target.time_limit_s + 61)
    Sweeper().sweep()
    assert handed_over() == [("planned_cycle", cycle.pk)]
    assert tasks.planned_cycle(cycle.pk) == "ran"
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("finished", 3)
    states = list(cycle.runs.order_by("place").values_list("state", flat=True))
    assert states == ["done", "done", "interrupted", "done"], "what its worker may have died of is left to another"
    assert set(Combination.objects.values_list("times_generated", flat=True)) == {0, 1}


def test_what_a_command_died_in_the_middle_of_is_ended(make_target: MakeTarget, clock: time_machine.Traveller) -> None:
    cycle = killed_in_the_middle(make_target(), Cycle.Trigger.COMMAND)
    clock.shift(cycle.target.time_limit_s + 61)
    Sweeper().sweep()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("interrupted", 2)


def test_a_worker_that_was_taken_for_dead_ends_nothing_of_the_one_that_took_over(
    make_target: MakeTarget, clock: time_machine.Traveller
) -> None:
    cycle = killed_in_the_middle(make_target(), Cycle.Trigger.PAGE)
    of_the_late_one = Cycle.objects.get()
    clock.shift(cycle.target.time_limit_s + 61)
    Sweeper().sweep()
    cycle.refresh_from_db()
    assert lifecycle.start(cycle)
    assert recording.claim(cycle.runs.get(state="planned"), NOW)
    lifecycle.end(of_the_late_one, Cycle.State.FINISHED)
    assert of_the_late_one.state == "running"
    assert cycle.runs.filter(state="asking").count() == 1


def test_one_that_costs_ten_workers_their_lives_is_given_up_however_long_it_waited(
    make_target: MakeTarget, clock: time_machine.Traveller
) -> None:
    cycle = planned(make_target(), created_at=NOW - timedelta(days=1))
    for _ in range(9):
        Cycle.objects.update(state="running", started_at=NOW, owner=DEAD)
        clock.shift(timedelta(minutes=61))
        Sweeper().sweep()
        cycle.refresh_from_db()
        assert (cycle.state, cycle.owner) == ("planned", "")
    Cycle.objects.update(state="running", owner=DEAD)
    Sweeper().sweep()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == ("interrupted", "its worker died; what was recorded is kept")


@pytest.mark.parametrize(("deaths", "state"), [(8, "planned"), (9, "stopped")])
def test_a_search_whose_worker_died_begins_again_until_the_tenth_death(
    deaths: int, state: str, make_target: MakeTarget, cycle_on: RunCycle, clock: time_machine.Traveller
) -> None:
    cycle_on(make_target("naming_a_wrong_source"), 1, recipes=["no_intent_fallthrough"])
    search = minimise(Combination.objects.get(), Actor("ada"))
    assert search is not None
    Reduction.objects.update(state="running", owner=DEAD, last_sign_at=NOW, deaths=deaths)
    clock.shift(timedelta(minutes=59))
    Sweeper().sweep()
    assert Reduction.objects.get().state == state
    assert handed_over() == ([("planned_reduction", search.pk)] if state == "planned" else [])


def test_a_fault_of_ours_with_one_target_keeps_no_other_one_waiting(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = make_target(), make_target()
    cycles = [planned(target, state="running", started_at=NOW, owner=DEAD) for target in (first, second)]
    end_abandoned = lifecycle.end_abandoned

    def failing_at_first(target: Target) -> None:
        if target == first:
            raise KeyError("a fault of ours")
        end_abandoned(target)

    Cycle.objects.update(created_at=NOW - timedelta(hours=1))
    monkeypatch.setattr("selftest.cycles.lifecycle.end_abandoned", failing_at_first)
    Sweeper().sweep()
    assert [Cycle.objects.get(pk=cycle.pk).state for cycle in cycles] == ["running", "planned"]
    assert "a fault of ours" in caplog.text


def test_a_cycle_that_starts_before_the_sweep_stops_no_search_of_a_dead_worker(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target("naming_a_wrong_source")
    cycle_on(target, 1, recipes=["no_intent_fallthrough"])
    assert minimise(Combination.objects.get(), Actor("ada")) is not None
    Reduction.objects.update(state="running", owner=DEAD, last_sign_at=NOW - timedelta(hours=1))
    cycle_on(target, 1)
    assert Reduction.objects.get().state == "planned"


def test_a_clock_that_was_ahead_leaves_nothing_waiting(
    make_target: MakeTarget, clock: time_machine.Traveller, old_sweeper: Sweeper
) -> None:
    clock.shift(timedelta(days=10))
    cycle = planned(make_target())
    follow_tuning()
    Schedule.objects.update(next_run=NOW + timedelta(days=10, hours=1))
    clock.shift(-timedelta(days=10))
    old_sweeper.sweep()
    assert handed_over() == [("planned_cycle", cycle.pk)]
    assert Schedule.objects.get().next_run == NOW + timedelta(hours=1)


# --- what is away meanwhile ---


class Stop(threading.Event):
    """Set after so many waits."""

    def __init__(self, waits: int) -> None:
        super().__init__()
        self.left = waits

    def wait(self, timeout: float | None = None) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("failure", [OSError("no route"), OperationalError("gone")])
@pytest.mark.usefixtures("clock")
def test_a_broker_or_a_database_that_is_away_ends_no_sweeping(
    failure: Exception, make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = planned(make_target())
    real: Callable[..., None] = sweeping.handing_over.hand_over
    calls = []

    def away_at_first(work: Cycle) -> None:
        calls.append(work.pk)
        if len(calls) == 1:
            raise failure
        real(work)

    monkeypatch.setattr(sweeping.handing_over, "hand_over", away_at_first)
    monkeypatch.setattr(sweeping.connection, "close", lambda: None)  # the test's own
    Sweeper().run(Stop(1))
    assert handed_over() == [("planned_cycle", cycle.pk)]


@pytest.mark.usefixtures("clock")
def test_after_the_database_was_away_each_worker_gets_the_time_to_give_a_sign_of_life(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago = NOW - timedelta(hours=2)
    planned(make_target(), state="running", started_at=long_ago, created_at=long_ago, owner=DEAD)
    monkeypatch.setattr(sweeping.connection, "close", lambda: None)
    sweeper = Sweeper()
    with monkeypatch.context() as away:
        away.setattr(sweeping, "_end_abandoned", lambda: (_ for _ in ()).throw(OperationalError("gone")))
        sweeper.run(Stop(0))
    sweeper.sweep()
    assert Cycle.objects.get().state == "running"
    monkeypatch.setattr(database_patience, "monotonic", lambda: time.monotonic() + database_patience.LATELY_S)
    sweeper.sweep()
    assert Cycle.objects.get().state == "planned"


# --- housekeeping ---


@pytest.fixture
def shift(clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets seconds pass, on the wall and in the process."""
    passed_s = [1_000.0]
    monkeypatch.setattr(sweeping.time, "monotonic", lambda: passed_s[0])

    def shift(seconds: float) -> None:
        clock.shift(seconds)
        passed_s[0] += seconds

    return shift


def test_housekeeping_is_begun_once_an_hour(shift: Callable[[float], None]) -> None:
    sweeper, due = Sweeper(), [("housekeeping", ())]
    sweeper.sweep()
    assert queued() == due
    tasks.housekeeping()
    shift(3_599)
    sweeper.sweep()
    assert queued() == []
    shift(1)
    sweeper.sweep()
    assert queued() == due


def test_housekeeping_that_was_lost_is_begun_again_by_any_worker(shift: Callable[[float], None]) -> None:
    sweeper, due = Sweeper(), [("housekeeping", ())]
    sweeper.sweep()
    assert queued() == due, "which is lost"
    sweeper.sweep()
    assert queued() == [], "it may wait behind cycles"
    Sweeper().sweep()
    assert queued() == due, "another worker, or the same one after a restart"
    shift(300)
    sweeper.sweep()
    assert queued() == due


def test_housekeeping_is_left_to_the_worker_that_is_at_it(clock: time_machine.Traveller) -> None:
    Housekeeping.get_solo()
    Housekeeping.objects.update(claim="another", claimed_until=NOW + timedelta(minutes=5))
    Sweeper().sweep()
    assert queued() == []
    clock.shift(301)
    Sweeper().sweep()
    assert queued() == [("housekeeping", ())], "that one has died"


@pytest.mark.usefixtures("clock")
def test_an_end_in_the_future_does_not_put_housekeeping_off() -> None:
    Housekeeping.get_solo()
    Housekeeping.objects.update(finished_at=NOW + timedelta(days=9))
    Sweeper().sweep()
    assert queued() == [("housekeeping", ())]
