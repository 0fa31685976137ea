"""Several at once: one cycle a target, one claim a run, and no transaction while the target is asked."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import psutil
import pytest
import time_machine
from django.db import connection, connections, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from selftest.core.judging.answers import Answer
from selftest.cycles import lifecycle, ownership, recording
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.lifecycle import CycleRequest, prepare
from selftest.cycles.ownership import unregister
from selftest.cycles.planning import plan
from selftest.cycles.runner import CycleOutcome, Status, run_planned
from selftest.models import (
    Actor,
    Cause,
    Combination,
    Cycle,
    Explanation,
    Flag,
    Installation,
    Probe,
    Run,
    Target,
    Tuning,
)
from selftest.reviewing.causes import merge, move_flags
from selftest.storage import database_clock, database_patience
from selftest.storage.locks import locked
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import Route, collapsing, honest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("without_probes")]

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[3]


def together(*calls: Callable[[], T]) -> list[T]:
    """All at the same moment, each in its own thread with its own connection."""
    start = threading.Barrier(len(calls), timeout=20)

    def call(one: Callable[[], T]) -> T:
        try:
            start.wait()
            return one()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call, one) for one in calls]]


def running(target: Target, count: int = 8) -> Cycle:
    cycle = prepare(CycleRequest(target, Cycle.Trigger.COMMAND, count, 1))
    cycle.save()
    assert lifecycle.start(cycle)
    return cycle


def test_of_cycles_started_at_once_on_a_target_one_runs(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None]
) -> None:
    target = make_target("scripted")
    Tuning.get_solo()
    both_others_are_told = threading.Event()
    told: list[CycleOutcome] = []

    def wait(query: str, source: str) -> tuple[str, str]:
        both_others_are_told.wait(60)
        return honest(query, source)

    def start() -> CycleOutcome:
        outcome = cycle_on(target, 2)
        if outcome.status is Status.BUSY:
            told.append(outcome)
        if len(told) == 2:
            both_others_are_told.set()
        return outcome

    play(wait)
    outcomes = together(start, start, start)
    assert sorted(outcome.status for outcome in outcomes) == ["busy", "busy", "ran"]
    assert Cycle.objects.get().queries_run == 2
    assert Run.objects.filter(state="done").count() == 2


def test_one_that_waits_runs_when_the_other_is_over(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    Tuning.get_solo()
    outcomes = together(*[lambda: cycle_on(target, 3, wait_s=30.0)] * 3)
    assert [outcome.status for outcome in outcomes] == [Status.RAN] * 3
    assert list(Cycle.objects.values_list("queries_run", flat=True)) == [3, 3, 3]
    assert Combination.objects.filter(times_generated=1).count() == 9


def test_one_that_waits_is_not_started_once_testing_is_switched_off(
    make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = make_target()
    running(target)
    Tuning.get_solo()
    monkeypatch.setattr("selftest.cycles.runner.time.sleep", lambda s: Tuning.objects.update(enabled=False))
    outcome = cycle_on(target, 3, wait_s=30.0)
    assert outcome.status is Status.DISABLED
    assert not Run.objects.exists()
    assert Cycle.objects.latest("id").note == "switched off before it could start"


def test_one_that_waits_again_since_its_worker_died_ends_with_its_runs_once_testing_is_off(
    make_target: MakeTarget,
) -> None:
    target = make_target()
    with time_machine.travel(NOW, tick=False) as clock:
        cycle = prepare(CycleRequest(target, Cycle.Trigger.SCHEDULE, 3, 1))
        cycle.save()
        assert lifecycle.start(cycle)
        answered, *_ = plan(cycle, target.vocabularies.get(), NOW)
        Run.objects.filter(pk=answered.pk).update(state=Run.State.DONE, finished_at=NOW)
        unregister(cycle)
        Cycle.objects.update(owner="another-machine:1:0")
        clock.shift(timedelta(hours=1))
        lifecycle.end_abandoned(target)
        cycle.refresh_from_db()
        assert cycle.state == Cycle.State.PLANNED
        Tuning.get_solo()
        Tuning.objects.update(enabled=False)
        assert run_planned(cycle, 0.0).status is Status.DISABLED
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == (Cycle.State.INTERRUPTED, 1)
    assert list(cycle.runs.order_by("place").values_list("state", flat=True)) == ["done", "skipped", "skipped"]


def test_a_run_is_claimed_by_one_of_many(make_target: MakeTarget) -> None:
    target = make_target()
    for run in plan(running(target), target.vocabularies.get(), NOW):
        claims = together(*[lambda run=run: recording.claim(run, NOW)] * 4)  # type: ignore[misc]
        assert sorted(claims) == [False, False, False, True]


def test_a_run_is_recorded_by_one_of_many(make_target: MakeTarget) -> None:
    target = make_target()
    answer = Answer("Something to read.", "kiwix", 5.0)
    for run in plan(running(target), target.vocabularies.get(), NOW):
        recording.claim(run, NOW)
        recorded = together(*[lambda run=run: recording.record(run, answer, [], NOW)] * 3)  # type: ignore[misc]
        assert sorted(recorded) == [False, False, True]
    assert not Combination.objects.exclude(times_generated=1).exists()


def move_all() -> None:
    move_flags(list(Flag.objects.values_list("pk", flat=True)), None, Actor("jo"))


def merge_the_newest() -> None:
    first, newest = Cause.objects.order_by("id")
    merge(newest, first, Actor("jo"))


def assign() -> None:
    assign_causes(Target.objects.get(), NOW)


@pytest.mark.parametrize("change", [assign, move_all, merge_the_newest])
def test_a_recording_and_what_changes_the_causes_of_its_flags_wait_for_each_other(
    change: Callable[[], None], make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None]
) -> None:
    play(collapsing)
    cycle_on(make_target("scripted"), 40)
    assert Flag.objects.count() > 2
    if change is assign:
        Flag.objects.update(cause=None)  # so it places all of them
    if change is merge_the_newest:
        move_flags([Flag.objects.latest("run").pk], None, Actor("jo"))
    newest = Flag.objects.latest("run").run_id
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            locked(Combination.objects).get(last_flagged_run=newest)  # as a recording begins
            Flag.objects.filter(pk=0).update(is_latest=False)  # it writes from here on
            changing = pool.submit(in_a_thread, change)
            until_waiting()
            Flag.objects.filter(run=newest).update(is_latest=False)
        changing.result(timeout=20)
    assert not Flag.objects.filter(cause=None).exists()


def in_a_thread(call: Callable[[], None]) -> None:
    try:
        call()
    finally:
        connections.close_all()


def until_waiting() -> None:
    """Until another connection waits for a lock of this one. SQLite lets no one but this one write."""
    if connection.vendor == "sqlite":
        return
    waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
    deadline = time.monotonic() + 20
    with connection.cursor() as cursor:
        while not cursor.execute(waiting).fetchall():
            assert time.monotonic() < deadline, "nothing waits"
            time.sleep(0.01)


def looking(seen: list[tuple[bool, str]], route: Route) -> Route:
    """Another connection looks at ours from within the target, and writes without having to wait for it."""
    ours = connections["default"]
    ours.ensure_connection()

    def look(query: str, source: str) -> tuple[str, str]:
        try:
            Target.objects.filter(name="elsewhere").update(base_url=f"http://127.0.0.1/{len(seen)}")
            seen.append((ours.in_atomic_block, _transaction_of(ours)))
        finally:
            connections.close_all()
        return route(query, source)

    return look


def test_no_transaction_is_open_while_the_target_is_asked(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None]
) -> None:
    seen: list[tuple[bool, str]] = []
    make_target(name="elsewhere")
    play(looking(seen, honest))
    outcome = cycle_on(make_target("scripted", time_limit_s=5.0), 6)
    assert (outcome.status, outcome.flagged) == (Status.RAN, 0)
    assert seen == [(False, "none")] * 6


def test_no_transaction_is_open_while_a_probe_is_sent(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None]
) -> None:
    Tuning.objects.update(probes_per_query=3)
    seen: list[tuple[bool, str]] = []
    make_target(name="elsewhere")
    play(looking(seen, collapsing))
    outcome = cycle_on(make_target("scripted", time_limit_s=5.0), 6, recipes=["multi_intent_chain"])
    assert outcome.status is Status.RAN
    assert outcome.flagged > 0
    assert Probe.objects.count() > 6
    assert seen == [(False, "none")] * (6 + Probe.objects.count())


def _transaction_of(ours: Any) -> str:
    """What the database itself says, asked on this thread's own connection."""
    if ours.vendor == "sqlite":
        return "open" if ours.connection.in_transaction else "none"
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", [ours.connection.info.backend_pid])
        # Our own thread may be claiming the next run just now: a statement under way is no transaction left open.
        return "open" if "in transaction" in cursor.fetchone()[0] else "none"


def test_an_answer_is_recorded_while_flags_are_put_down_to_causes(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(collapsing)
    target = make_target("scripted", time_limit_s=5.0)
    cycle_on(target, 6, recipes=["multi_intent_chain"])
    run = Run.objects.filter(reason__isnull=False)[0]
    target_is_locked, queue_is_locked = threading.Event(), threading.Event()

    def save(*_: object) -> None:
        target_is_locked.set()
        queue_is_locked.wait(0.5)  # on SQLite the other one waits instead

    def record() -> None:
        assert target_is_locked.wait(10)
        with transaction.atomic():
            columns = {"run": run, "target": target, "combination": run.combination, "evidence": {}, "created_at": NOW}
            Explanation.objects.create(check_name="part_lost", cause=Explanation.Cause.STOOD_IN, **columns)
            Installation.queue_changed()
            queue_is_locked.set()

    monkeypatch.setattr("selftest.cycles.cause_assignment._Assignment.save", save)
    together(lambda: assign_causes(target, NOW), record)
    assert Explanation.objects.filter(cause=Explanation.Cause.STOOD_IN).count() == 1


def test_no_lock_of_a_row_holds_up_those_that_refer_to_it() -> None:
    locks = [
        (path.relative_to(ROOT), line.strip())
        for path in (*ROOT.glob("selftest/**/*.py"), *ROOT.glob("review/**/*.py"))
        for line in path.read_text().splitlines()
        if "select_for_update(" in line
    ]
    assert locks
    assert not [lock for lock in locks if "no_key=True" not in lock[1]]


# --- whose cycle it is ---


def test_a_cycle_that_runs_in_this_process_is_not_abandoned_however_long_it_takes(make_target: MakeTarget) -> None:
    cycle = running(make_target())
    assert not ownership.is_abandoned(cycle, NOW + timedelta(days=365))
    unregister(cycle)
    assert ownership.is_abandoned(cycle, NOW)


def test_a_cycle_of_a_process_that_is_gone_is_abandoned_at_once(make_target: MakeTarget) -> None:
    host, process, started = ownership.this_process().split(":")
    cycle = running(make_target())
    for owner in (f"{host}:4194305:{started}", f"{host}:{process}:1.00"):  # no such process; its number used again
        cycle.owner = owner
        assert ownership.is_abandoned(cycle, NOW), owner


@pytest.mark.process
def test_a_clock_that_is_set_makes_no_live_worker_look_dead(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = running(make_target())
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as worker:
        cycle.owner = ownership.name_of(worker.pid)
        # As psutil tells it, it is the time since the machine's start, added to when that was by the clock of now.
        days = timedelta(days=10).total_seconds()
        monkeypatch.setattr(psutil.Process, "create_time", lambda process: time.time() + days)
        assert not ownership.is_abandoned(cycle, cycle.created_at)
        worker.kill()
        worker.wait()
        assert ownership.is_abandoned(cycle, cycle.created_at)


def test_a_process_in_another_container_is_not_dead_because_it_cannot_be_seen(make_target: MakeTarget) -> None:
    with time_machine.travel(NOW, tick=False):
        cycle = running(make_target(time_limit_s=30.0))
    host, _, started = ownership.this_process().split(":")
    ticks, boot, namespace = started.split("-")
    cycle.owner = f"{host}:4194305:{ticks}-{boot}-{int(namespace) + 1}"
    assert not ownership.is_abandoned(cycle, NOW + timedelta(seconds=90))
    assert ownership.is_abandoned(cycle, NOW + timedelta(seconds=91))


def test_a_process_on_a_machine_of_the_same_name_is_not_dead_because_it_cannot_be_seen(
    make_target: MakeTarget,
) -> None:
    with time_machine.travel(NOW, tick=False):
        cycle = running(make_target(time_limit_s=30.0))
    host, _, started = ownership.this_process().split(":")
    ticks, _, namespace = started.split("-")
    cycle.owner = f"{host}:4194305:{ticks}-{'0' * 8}-{namespace}"
    assert not ownership.is_abandoned(cycle, NOW + timedelta(seconds=90))
    assert ownership.is_abandoned(cycle, NOW + timedelta(seconds=91))


def test_a_worker_whose_requests_wait_for_their_turn_gives_signs_of_life(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "SIGN_EVERY_S", 0.0)
    target = make_target("scripted", time_limit_s=30.0)
    signs: list[datetime | None] = []

    def wait(query: str, source: str) -> tuple[str, str]:
        deadline = time.monotonic() + 20.0
        while (sign := Cycle.objects.get().last_sign_at) is None and time.monotonic() < deadline:
            time.sleep(0.05)
        signs.append(sign)
        connections.close_all()
        return honest(query, source)

    play(wait)
    cycle_on(target, 1)
    cycle = Cycle.objects.get()
    assert None not in signs
    long_after = cycle.created_at + timedelta(hours=1)
    Cycle.objects.update(state=Cycle.State.RUNNING, owner="elsewhere:1:1.00", last_sign_at=long_after)
    cycle.refresh_from_db()
    assert not ownership.is_abandoned(cycle, long_after + timedelta(seconds=90))
    assert ownership.is_abandoned(cycle, long_after + timedelta(seconds=91))


def test_a_cycle_on_another_machine_is_abandoned_when_it_gives_no_sign_for_its_time_limit_and_a_minute(
    make_target: MakeTarget,
) -> None:
    target = make_target(time_limit_s=30.0)
    with time_machine.travel(NOW, tick=False):
        cycle = running(target)
    cycle.owner = "elsewhere:1:1.00"
    run = plan(cycle, target.vocabularies.get(), NOW)[0]
    assert not ownership.is_abandoned(cycle, NOW + timedelta(seconds=90))
    assert ownership.is_abandoned(cycle, NOW + timedelta(seconds=91))
    recording.claim(run, NOW + timedelta(seconds=60))
    assert not ownership.is_abandoned(cycle, NOW + timedelta(seconds=150))
    assert ownership.is_abandoned(cycle, NOW + timedelta(seconds=151))


def test_a_worker_that_was_given_up_too_early_records_and_asks_nothing_more(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    """Its cycle was marked while it was only slow: the runs that it still holds are not its own any more."""
    target = make_target()
    cycle = running(target, 3)
    runs = plan(cycle, target.vocabularies.get(), NOW)
    recording.claim(runs[0], NOW)
    unregister(cycle)
    cycle_on(target, 1)
    assert not recording.record(runs[0], Answer("late", "kiwix", 1.0), [], NOW)
    assert not recording.claim(runs[1], NOW)
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("interrupted", 0)


def test_a_worker_whose_cycle_another_one_has_taken_over_asks_nothing_more(
    make_target: MakeTarget, cycle_on: RunCycle, play: Callable[[Route], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one on a machine that was frozen for a while: else more are asked at once than the target answers."""
    monkeypatch.setattr(ownership, "KNOWN_FOR_S", 0.0)  # it was frozen for longer
    asked: list[str] = []

    def route(query: str, source: str) -> tuple[str, str]:
        asked.append(query)
        if len(asked) == 2:
            Cycle.objects.update(owner="another-machine:1:0")
            connections.close_all()
        return honest(query, source)

    play(route)
    outcome = cycle_on(make_target("scripted"), 5)
    assert (outcome.status, len(asked)) == (Status.BUSY, 2)
    cycle = Cycle.objects.get()
    assert (cycle.state, cycle.owner) == ("running", "another-machine:1:0")
    assert Run.objects.filter(state="planned").count() == 3, "for the other one"


def test_whether_work_is_still_a_processs_own_is_looked_up_twice_a_second(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    passed_s = [1_000.0]
    monkeypatch.setattr(ownership, "time", SimpleNamespace(monotonic=lambda: passed_s[0]))
    signs = ownership.SignsOfLife(running(make_target()))
    with django_assert_num_queries(1):
        assert signs.are_wanted()
    Cycle.objects.update(owner="another-machine:1:0")
    passed_s[0] += 0.25
    with django_assert_num_queries(0):
        assert signs.are_wanted()
    passed_s[0] += 0.25
    assert not signs.are_wanted()


def test_no_cycle_is_abandoned_before_its_worker_had_time_for_a_sign_of_life_since_the_database_was_away(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = running(make_target())
    Cycle.objects.update(owner="another-machine:1:0")
    cycle.refresh_from_db()
    later = timezone.now() + timedelta(hours=1)
    assert ownership.is_abandoned(cycle, later)
    passed_s = [1_000.0]
    monkeypatch.setattr(database_patience, "monotonic", lambda: passed_s[0])
    database_patience.note_away()
    passed_s[0] += 29
    assert not ownership.is_abandoned(cycle, later)
    passed_s[0] += 1
    assert ownership.is_abandoned(cycle, later)


def test_a_clock_that_is_ahead_of_the_database_takes_no_cycle_from_its_worker(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = make_target()
    cycle = running(target)
    Cycle.objects.update(owner="another-machine:1:0")
    by_database = timezone.now()
    monkeypatch.setattr(database_clock, "database_now", lambda: by_database)
    with time_machine.travel(by_database + timedelta(minutes=5), tick=False):
        lifecycle.end_abandoned(target)
    cycle.refresh_from_db()
    assert cycle.state == "running"


def test_a_worker_that_was_given_up_before_it_had_planned_plans_nothing(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    """Else its runs would stand open for ever below a cycle that is over."""
    target = make_target()
    cycle = running(target, 3)
    unregister(cycle)
    cycle_on(target, 1)
    assert plan(cycle, target.vocabularies.get(), NOW) == []
    assert not Run.objects.exclude(state="done").exists()
    assert Combination.objects.count() == 1
