"""What the cluster is told and what it calls: the schedule follows the settings, a delivery twice runs once."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django_q.models import OrmQ, Schedule

from selftest import tasks
from selftest.core.generation.vocabulary import VocabularyError
from selftest.cycles.lifecycle import CycleRequest, prepare
from selftest.cycles.runner import Status, run_cycle
from selftest.cycles.triggering import trigger_later
from selftest.models import Cycle, Run, Target, Tuning
from selftest.operating.schedule import correct_next_run, follow_tuning
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = pytest.mark.django_db


def tune(**columns: Any) -> None:
    Tuning.get_solo()
    Tuning.objects.update(**columns)
    follow_tuning()


def planned(target: Target, count: int = 3) -> Cycle:
    cycle = prepare(CycleRequest(target, Cycle.Trigger.API, count, 1))
    cycle.save()
    return cycle


# --- the schedule ---


def test_when_on_a_cycle_is_due_every_interval_and_the_first_one_now() -> None:
    with time_machine.travel(NOW, tick=False):
        follow_tuning()
    schedule = Schedule.objects.get()
    assert (schedule.func, schedule.schedule_type, schedule.minutes, schedule.repeats) == (
        "selftest.tasks.scheduled_cycles",
        "I",
        60,
        -1,
    )
    assert schedule.next_run == NOW


def test_to_follow_twice_makes_one_schedule_and_leaves_its_time() -> None:
    with time_machine.travel(NOW, tick=False):
        follow_tuning()
    with time_machine.travel(NOW + timedelta(minutes=7), tick=False):
        follow_tuning()
    assert Schedule.objects.get().next_run == NOW


def test_a_schedule_of_an_earlier_version_is_repaired_and_keeps_its_time() -> None:
    with time_machine.travel(NOW, tick=False):
        follow_tuning()
    Schedule.objects.update(func="selftest.tasks.scheduled_cycle")
    with time_machine.travel(NOW + timedelta(minutes=7), tick=False):
        follow_tuning()
    schedule = Schedule.objects.get()
    assert (schedule.func, schedule.next_run) == ("selftest.tasks.scheduled_cycles", NOW)


def test_a_changed_interval_counts_from_the_last_cycle(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    with time_machine.travel(NOW, tick=False):
        follow_tuning()
        cycle_on(make_target(), 1)
    with time_machine.travel(NOW + timedelta(minutes=5), tick=False):
        tune(interval_minutes=15)
    schedule = Schedule.objects.get()
    assert (schedule.minutes, schedule.next_run) == (15, NOW + timedelta(minutes=15))
    with time_machine.travel(NOW + timedelta(minutes=40), tick=False):
        tune(interval_minutes=20)
    assert Schedule.objects.get().next_run == NOW + timedelta(minutes=40), "overdue: now"


def test_switched_off_there_is_no_schedule_and_switched_on_there_is_again() -> None:
    tune(enabled=True)
    tune(enabled=False)
    assert not Schedule.objects.exists()
    tune(enabled=True)
    assert Schedule.objects.count() == 1


def test_switched_off_in_the_environment_there_is_no_schedule_whatever_the_admin_says(settings: Any) -> None:
    tune(enabled=True)
    settings.ADVERSARIAL_TEST_ENABLED = False
    tune(enabled=True)
    assert not Schedule.objects.exists()


def test_another_s_schedule_is_left_alone() -> None:
    Schedule.objects.create(name="another team's", func="math.sqrt")
    tune(enabled=False)
    assert Schedule.objects.get().name == "another team's"


# --- what the cluster calls ---


@pytest.mark.django_db(transaction=True)
def test_the_schedule_hands_over_a_cycle_for_every_target_that_is_on(make_target: MakeTarget) -> None:
    make_target(), make_target(enabled=False), make_target()
    tasks.scheduled_cycles()
    assert list(Cycle.objects.order_by("id").values_list("target__name", "trigger", "state")) == [
        ("target 1", "schedule", "planned"),
        ("target 3", "schedule", "planned"),
    ]
    assert OrmQ.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_fault_of_ours_on_one_target_is_none_of_the_others(make_target: MakeTarget) -> None:
    broken, well = planned(make_target()), planned(make_target())
    # As after an upgrade whose rules have become stricter.
    broken.target.vocabularies.update(content={}, sha256="0" * 64)
    with pytest.raises(VocabularyError, match="sources: missing"):
        tasks.planned_cycle(broken.pk)
    tasks.planned_cycle(well.pk)
    assert list(Cycle.objects.order_by("id").values_list("state", flat=True)) == ["interrupted", "finished"]


def test_without_a_target_there_is_nothing_to_do() -> None:
    assert tasks.scheduled_cycles() == "nothing to do"


def test_a_schedule_that_fires_after_the_switch_was_thrown_plans_nothing(make_target: MakeTarget) -> None:
    make_target()
    Tuning.get_solo()
    Tuning.objects.update(enabled=False)
    assert tasks.scheduled_cycles() == "nothing to do"
    assert not Cycle.objects.exists()


def test_a_planned_cycle_runs_once_however_often_it_is_delivered(make_target: MakeTarget) -> None:
    cycle = planned(make_target())
    assert [tasks.planned_cycle(cycle.pk) for _ in range(3)] == ["ran"] * 3
    assert Run.objects.count() == 3
    assert not Run.objects.exclude(state="done").exists()


def test_a_second_delivery_while_it_runs_leaves_it_alone_even_when_switched_off_meanwhile(
    make_target: MakeTarget, settings: Any
) -> None:
    cycle = planned(make_target())
    Cycle.objects.update(state="running", started_at=NOW, owner="elsewhere:1:1.00")
    with time_machine.travel(NOW, tick=False):
        assert tasks.planned_cycle(cycle.pk) == "busy"
        settings.ADVERSARIAL_TEST_ENABLED = False
        assert tasks.planned_cycle(cycle.pk) == "disabled"
    assert Cycle.objects.get().state == "running"


def test_a_planned_cycle_that_is_switched_off_before_it_starts_asks_nothing(
    make_target: MakeTarget, settings: Any
) -> None:
    cycle = planned(make_target())
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert tasks.planned_cycle(cycle.pk) == "disabled"
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == ("interrupted", "switched off before it could start")
    assert not Run.objects.exists()


def test_a_planned_cycle_whose_target_is_busy_stays_planned_and_holds_no_worker(make_target: MakeTarget) -> None:
    target = make_target()
    planned(target)
    with time_machine.travel(NOW, tick=False):
        Cycle.objects.update(state="running", started_at=NOW, created_at=NOW, owner="elsewhere:1:1.00")
        cycle = planned(target)
        assert tasks.planned_cycle(cycle.pk) == "busy"
    cycle.refresh_from_db()
    assert cycle.state == "planned"


def test_a_cycle_that_was_lost_on_its_way_to_a_worker_is_kept_however_long_that_takes(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target()
    with time_machine.travel(NOW, tick=False):
        lost = planned(target)
    with time_machine.travel(NOW + timedelta(days=9), tick=False):
        cycle_on(target, 1)
    lost.refresh_from_db()
    assert lost.state == "planned"
    assert tasks.planned_cycle(lost.pk) == "ran"


def test_tasks_that_outlived_their_rows_do_nothing() -> None:
    assert tasks.planned_cycle(7) == tasks.planned_reduction(7) == "its row is gone, so there is nothing to do"


def test_while_a_scheduled_cycle_waits_for_its_turn_no_second_one_joins_it(make_target: MakeTarget) -> None:
    target = make_target()
    tasks.scheduled_cycles()
    assert tasks.scheduled_cycles() == "nothing to do"
    tasks.planned_cycle(Cycle.objects.get().pk)
    tasks.scheduled_cycles()
    assert Cycle.objects.filter(target=target).count() == 2


# --- a clock that was ahead ---


def test_a_clock_that_was_ahead_and_is_set_right_leaves_the_next_run_an_interval_away_at_most() -> None:
    with time_machine.travel(NOW + timedelta(days=10), tick=False):
        follow_tuning()
    Schedule.objects.update(next_run=NOW + timedelta(days=10, hours=1))
    with time_machine.travel(NOW, tick=False):
        correct_next_run()
        assert Schedule.objects.get().next_run == NOW + timedelta(hours=1)
    with time_machine.travel(NOW + timedelta(minutes=7), tick=False):
        correct_next_run()
        assert Schedule.objects.get().next_run == NOW + timedelta(hours=1), "within an interval it stays"


def test_a_cycle_from_the_future_does_not_hold_back_the_schedule(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    with time_machine.travel(NOW + timedelta(days=10), tick=False):
        cycle_on(make_target(), 1)
        follow_tuning()
    with time_machine.travel(NOW, tick=False):
        follow_tuning()
        assert Schedule.objects.get().next_run == NOW + timedelta(hours=1), "set right at a start"
        tune(interval_minutes=15)
        assert Schedule.objects.get().next_run == NOW + timedelta(minutes=15)


def test_triggered_it_runs_at_once_and_handed_over_it_waits_for_a_worker(
    make_target: MakeTarget, django_capture_on_commit_callbacks: Any
) -> None:
    wish = CycleRequest(make_target(), Cycle.Trigger.API, 2, 1)
    assert run_cycle(wish).status is Status.RAN
    with django_capture_on_commit_callbacks(execute=True):
        cycle = trigger_later(wish)
    assert cycle is not None
    assert cycle.state == "planned"
    task = OrmQ.objects.get().task
    assert (task["func"], task["args"]) == ("selftest.tasks.planned_cycle", (cycle.pk,))
    assert tasks.planned_cycle(*task["args"]) == "ran"


def test_switched_off_nothing_is_handed_over(make_target: MakeTarget, settings: Any) -> None:
    settings.ADVERSARIAL_TEST_ENABLED = False
    assert trigger_later(CycleRequest(make_target(), Cycle.Trigger.API)) is None
    assert not OrmQ.objects.exists()
    assert not Cycle.objects.exists()
