"""A long cycle is spread over all workers, within the target's limits; none of it is lost or asked twice."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from selftest import tasks
from selftest.core.judging.answers import Answer
from selftest.core.judging.verdicts import Verdict
from selftest.cycles import lifecycle, spreading
from selftest.cycles.examination_runner import Examiner
from selftest.cycles.lifecycle import CycleRequest
from selftest.models import Chunk, Cycle, Run, SourceStability, Target, Tuning
from selftest.operating.sweeping import Sweeper
from selftest.reading.judging_terms import stability_of
from selftest.reading.waiting_work import overdue
from selftest.storage.request_pace import reserve
from selftest.storage.serialization import vocabulary_of
from selftest.targets.base import TargetAway
from selftest.targets.python import PythonTarget
from tests.engine.conftest import MakeTarget

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_probes", "chunks_of_eight")]

DEAD = "elsewhere:1:1.00"
PLACES = ("first_place", "last_place")


@pytest.fixture
def chunks_of_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the fewest queries, as if the target were slow."""
    monkeypatch.setattr(spreading, "CHUNK_S", 0.0)


def begin(target: Target, count: int = 40, **columns: Any) -> Cycle:
    """A planned cycle whose worker has just spread it."""
    cycle = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.PAGE, count, 1))
    cycle.save()
    assert tasks.planned_cycle(cycle.pk) == "spread"
    cycle.refresh_from_db()
    return cycle


def do_all_tasks() -> list[str]:
    """Does what is queued, and what that queues; the results of those that are about chunks, in order."""
    results = []
    while (queued := OrmQ.objects.order_by("id").first()) is not None:
        queued.delete()
        task = queued.task
        name = task["func"].rpartition(".")[2]
        result = getattr(tasks, name)(*task["args"])
        if name == "next_chunk":
            results.append(result)
    return results


def states(cycle: Cycle) -> Counter[str]:
    return Counter(cycle.runs.values_list("state", flat=True))


def taken(cycle: Cycle, owner: str = DEAD) -> Chunk:
    """The next chunk, as another process takes it; it then asks its first run."""
    chunk = spreading.take_next(cycle.pk)
    assert chunk is not None
    Chunk.objects.filter(pk=chunk.pk).update(owner=owner)
    chunk.owner = owner
    first = spreading.runs_of(chunk)[0]
    Run.objects.filter(pk=first.pk).update(state="asking", asked_at=timezone.now() - timedelta(minutes=10))
    return chunk


def a_while_later(cycle: Cycle) -> None:
    """As if the cycle had begun ten minutes ago, so that silence since then is a death."""
    past = timezone.now() - timedelta(minutes=10)
    Cycle.objects.filter(pk=cycle.pk).update(created_at=past, started_at=past)
    Chunk.objects.filter(cycle=cycle).update(created_at=past)
    Chunk.objects.filter(cycle=cycle, state="running").update(started_at=past)


# --- one way through ---


def test_a_long_cycle_is_asked_in_chunks_and_ends_once(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert (cycle.state, cycle.owner) == ("running", "")
    assert [chunk.places for chunk in cycle.chunks.all()] == [(0, 7), (8, 15), (16, 23), (24, 31), (32, 39)]
    assert OrmQ.objects.count() == 2, "two workers with four requests each are all that the target answers"
    results = do_all_tasks()
    assert results[:5] == ["spread"] * 4 + ["ran"], "one worker alone does it all"
    assert set(results[5:]) == {"busy"}, "calls too many do nothing"
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run, cycle.note) == ("finished", 40, "")
    assert states(cycle) == {"done": 40}
    assert set(cycle.chunks.values_list("state", "outcome")) == {("over", "finished")}


@pytest.mark.parametrize(("at_once", "count"), [(4, 40), (32, 8)], ids=["one worker's share", "one chunk"])
def test_what_one_worker_asks_as_fast_is_not_spread(at_once: int, count: int, make_target: MakeTarget) -> None:
    cycle = lifecycle.prepare(CycleRequest(make_target(requests_at_once=at_once), Cycle.Trigger.PAGE, count, 1))
    cycle.save()
    assert tasks.planned_cycle(cycle.pk) == "ran"
    assert not Chunk.objects.exists()


def test_the_last_chunks_are_shorter_so_that_no_worker_is_left_with_a_long_one(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreading, "queries_of_a_chunk", lambda target: 40)
    begin(make_target(requests_at_once=16), 240)
    sizes = [last - first + 1 for first, last in Chunk.objects.order_by("first_place").values_list(*PLACES)]
    assert sizes == [40, 40, 40, 30, 23, 17, 13, 10, 8, 8, 8, 3], "a fourth of those that are left, from 8 to 40"
    assert sum(sizes) == 240


def test_a_slow_target_gets_smaller_chunks_than_a_fast_one(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreading, "CHUNK_S", 6.0)
    target = make_target(requests_at_once=8)
    assert spreading.queries_of_a_chunk(target) == 80, "6 s at 4 at once and 0.3 s each"
    cycle = begin(target, 81)
    cycle.runs.update(state="done", latency_ms=2000.0)
    assert spreading.queries_of_a_chunk(target) == 12, "6 s at 4 at once and 2 s each"
    target.requests_per_second = 1.5
    assert spreading.queries_of_a_chunk(target) == 9, "6 s at 1.5 a second"


def test_the_shares_of_all_workers_are_what_the_target_answers_at_once(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=10))
    shares = [taken(cycle).requests_at_once for _ in range(3)]
    assert shares == [4, 4, 2]
    assert spreading.take_next(cycle.pk) is None
    assert tasks.next_chunk(cycle.pk) == "busy"


def test_a_call_too_many_does_nothing(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    do_all_tasks()
    ended_at = Cycle.objects.get().finished_at
    assert tasks.next_chunk(cycle.pk) == "busy"
    assert tasks.planned_cycle(cycle.pk) == "ran", "it says how it ended"
    assert Cycle.objects.get().finished_at == ended_at
    assert tasks.next_chunk(cycle.pk + 1) == tasks.GONE


# --- workers that die ---


def test_a_dead_worker_costs_only_the_run_that_it_held_and_that_is_asked_again(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=8)
    cycle = begin(target)
    OrmQ.objects.all().delete()  # its tasks died with the worker
    dead = taken(cycle)
    broken_off = spreading.runs_of(dead)[0]
    a_while_later(cycle)
    Sweeper().sweep()
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("finished", 39)
    assert states(cycle) == {"done": 39, "interrupted": 1}
    assert list(cycle.runs.filter(state="interrupted")) == [broken_off]
    assert cycle.chunks.get(pk=dead.pk).deaths == 1
    following = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.PAGE, 8, 2))
    following.save()
    tasks.planned_cycle(following.pk)
    assert following.runs.order_by("place")[0].combination_id == broken_off.combination_id


def test_a_live_worker_keeps_its_chunk(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    chunk = taken(cycle)
    Run.objects.filter(state="asking").update(asked_at=timezone.now())
    lifecycle.end_abandoned(cycle.target)
    chunk.refresh_from_db()
    assert (chunk.state, chunk.deaths) == ("running", 0)


def test_where_the_last_worker_died_before_it_could_end_the_cycle_another_one_does(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    cycle.runs.update(state="done")
    Chunk.objects.update(state="over", outcome="finished", finished_at=timezone.now())
    lifecycle.end_abandoned(cycle.target)
    assert Cycle.objects.get().state == "running", "that worker has its time to do it"
    Chunk.objects.update(finished_at=timezone.now() - timedelta(seconds=11))
    lifecycle.end_abandoned(cycle.target)
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("finished", 40)


def test_a_cycle_ends_though_the_clock_of_its_last_worker_was_ahead(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    cycle.runs.update(state="done")
    Chunk.objects.update(state="over", outcome="finished", finished_at=timezone.now() + timedelta(hours=1))
    lifecycle.end_abandoned(cycle.target)
    cycle.refresh_from_db()
    assert cycle.state == "finished"


def test_a_chunk_that_costs_ten_workers_their_lives_is_given_up(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8), 16)
    OrmQ.objects.all().delete()
    Chunk.objects.filter(first_place=0).update(deaths=9)
    taken(cycle)
    a_while_later(cycle)
    lifecycle.end_abandoned(cycle.target)
    Sweeper().sweep()
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("interrupted", 8)
    assert cycle.note == f"queries 1 to 8 of cycle {cycle.pk}: 10 workers died over it"
    assert states(cycle) == {"done": 8, "interrupted": 1, "skipped": 7}


def test_a_worker_that_is_stopped_leaves_its_chunk_to_another_one(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = begin(make_target(requests_at_once=8), 16)
    ask = PythonTarget.ask

    def stopped(*_: object) -> Answer:
        raise SystemExit

    monkeypatch.setattr(PythonTarget, "ask", stopped)
    with pytest.raises(SystemExit):
        tasks.next_chunk(cycle.pk)
    assert list(cycle.chunks.values_list("state", "owner")) == [("planned", "")] * 2
    monkeypatch.setattr(PythonTarget, "ask", ask)
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, states(cycle)["done"] + states(cycle)["interrupted"]) == ("finished", 16)


def test_chunks_that_no_worker_takes_are_overdue(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert overdue(timezone.now()) == []
    late = overdue(timezone.now() + timedelta(seconds=61))
    assert [item.work for item in late] == [cycle.chunks.first()]
    taken(cycle)
    assert overdue(timezone.now() + timedelta(seconds=61)) == []


# --- ends before all is asked ---


def test_an_outage_ends_the_whole_cycle(make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert tasks.next_chunk(cycle.pk) == "spread"

    def away(*_: object) -> Answer:
        raise TargetAway("it is away")

    monkeypatch.setattr(PythonTarget, "ask", away)
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == ("target_unavailable", "it is away")
    assert states(cycle) == {"done": 8, "skipped": 32}


def test_switched_off_in_its_middle_nothing_more_is_asked(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert tasks.next_chunk(cycle.pk) == "spread"
    Target.objects.update(enabled=False)
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == ("interrupted", "switched off before all was asked")
    assert states(cycle) == {"done": 8, "skipped": 32}


def test_the_time_of_a_cycle_is_that_of_all_its_chunks(make_target: MakeTarget, settings: Any) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert tasks.next_chunk(cycle.pk) == "spread"
    Cycle.objects.update(started_at=timezone.now() - timedelta(seconds=settings.CYCLE_BUDGET_S))
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == (
        "finished",
        "stopped asking after 900 s; the rest comes first in the next cycle",
    )
    assert states(cycle) == {"done": 8, "skipped": 32}


def test_a_time_without_any_worker_does_not_count(make_target: MakeTarget, settings: Any) -> None:
    cycle = begin(make_target(requests_at_once=8))
    OrmQ.objects.all().delete()
    taken(cycle)
    a_while_later(cycle)
    Cycle.objects.update(started_at=timezone.now() - timedelta(seconds=settings.CYCLE_BUDGET_S))
    Sweeper().sweep()
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.note) == ("finished", "")
    assert states(cycle) == {"done": 39, "interrupted": 1}


# --- what they learn and spend ---


@pytest.fixture
def with_probes(without_probes: None) -> None:
    Tuning.objects.update(explains=True, probes_per_query=1.0)


@pytest.mark.usefixtures("with_probes")
def test_what_two_workers_learn_at_the_same_time_adds_up(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=8)
    version = target.vocabularies.get()
    workers = [Examiner(target, vocabulary_of(version), Tuning.get_solo(), 8) for _ in range(2)]
    for worker, compared in zip(workers, [[("news", True)] * 3, [("news", True), ("news", False)]], strict=True):
        worker.learn(Verdict(stability=compared))
    for worker in workers:
        worker.save_stability()
    row = SourceStability.objects.get(source="news")
    assert (row.agreed, row.compared) == (4, 5)
    assert stability_of(target.pk).counts["news"] == (4, 5)


@pytest.mark.usefixtures("with_probes", "knows_targets")
def test_the_probes_of_all_chunks_are_those_of_the_cycle(make_target: MakeTarget) -> None:
    cycle = begin(make_target(requests_at_once=8))
    assert cycle.probes_at_most == 0
    do_all_tasks()
    cycle.refresh_from_db()
    assert cycle.probes_at_most == 40


@pytest.mark.usefixtures("with_probes", "knows_targets")
def test_workers_that_die_add_nothing_to_the_probes_of_a_cycle(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = begin(make_target(requests_at_once=8))
    Cycle.objects.update(deaths=1)  # before it was spread
    assert tasks.next_chunk(cycle.pk) == "spread"
    with monkeypatch.context() as patch:
        patch.setattr(PythonTarget, "ask", Mock(side_effect=SystemExit))
        with pytest.raises(SystemExit):
            tasks.next_chunk(cycle.pk)
    do_all_tasks()
    cycle.refresh_from_db()
    assert (cycle.state, cycle.probes_at_most) == ("finished", 40)


# --- requests a second ---


def test_each_request_reserves_its_time_whichever_worker_sends_it(make_target: MakeTarget) -> None:
    target = make_target(requests_per_second=0.5)
    elsewhere = Target.objects.get(pk=target.pk)
    assert reserve(target) == 0.0
    assert reserve(elsewhere) == pytest.approx(2.0, abs=0.5)
    assert reserve(target) == pytest.approx(4.0, abs=0.5)
    target.requests_per_second = None
    assert reserve(target) == 0.0


def test_a_clock_that_was_set_back_keeps_no_request_waiting(make_target: MakeTarget) -> None:
    from selftest.models import RequestPace

    target = make_target(requests_per_second=10.0)
    reserve(target)
    RequestPace.objects.update(next_at=timezone.now() + timedelta(hours=1))
    assert reserve(target) == 0.0


def test_a_cycle_keeps_to_the_requests_a_second(
    make_target: MakeTarget, play: Callable[[Callable[[str, str], tuple[str, str]]], None]
) -> None:
    from time import monotonic

    from tests.engine.routers import honest

    times: list[float] = []

    def route(query: str, source: str) -> tuple[str, str]:
        times.append(monotonic())
        return honest(query, source)

    play(route)
    begin(make_target("scripted", requests_at_once=8, requests_per_second=25.0), 16)
    do_all_tasks()
    assert len(times) == 16
    assert max(times) - min(times) >= 15 / 25 * 0.9
