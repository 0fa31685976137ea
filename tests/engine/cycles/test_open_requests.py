"""Requests outside cycles: all together, a target gets no more of them at the same time than it is set to bear."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connections
from django.utils import timezone

from selftest.core.judging.answers import Answer
from selftest.cycles import lifecycle, ownership
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.open_requests import OVERDUE_S, close, enqueue, is_any_open, try_to_open
from selftest.cycles.requests_in_turn import NoMoreRequestsError, Reason, RequestsInTurn
from selftest.cycles.runner import Status
from selftest.models import Cycle, QueuedRequest, Target
from selftest.targets.base import AUTO, TargetAway, TargetClient
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.cycles.test_concurrency import together
from tests.engine.cycles.test_spreading import begin

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("without_probes")]

HOST, _, STARTED = ownership.this_process().split(":")
GONE = f"{HOST}:1:0-{STARTED.partition('-')[2]}"  # process 1 of this machine began later


class Counting(TargetClient):
    """Says which query it was asked, a moment later; most: how many it had open at the same time."""

    def __init__(self) -> None:
        self.most = 0
        self._open = 0
        self._lock = threading.Lock()

    def ask(self, query: str, source: str = AUTO) -> Answer:
        with self._lock:
            self._open += 1
            self.most = max(self.most, self._open)
        time.sleep(0.02)
        with self._lock:
            self._open -= 1
        if query == "away":
            raise TargetAway("connection refused")
        return Answer(query, "web", 20.0)


def begun_cycle(target: Target) -> Cycle:
    cycle = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.PAGE, 1))
    cycle.save()
    assert lifecycle.start(cycle)
    return cycle


# --- the queue ---


def test_as_many_are_open_as_the_target_answers_at_once_and_the_next_follows_in_its_turn(
    make_target: MakeTarget,
) -> None:
    target = make_target(requests_at_once=2)
    first, second, third, fourth = (enqueue(target) for _ in range(4))
    assert [one.is_open for one in (first, second, third, fourth)] == [True, True, False, False]
    assert not try_to_open(third)
    close(second)
    assert not try_to_open(fourth)
    assert try_to_open(third)
    assert not try_to_open(fourth)


def test_each_target_has_a_queue_of_its_own(make_target: MakeTarget) -> None:
    one, other = (make_target(name, requests_at_once=1) for name in ("one", "other"))
    assert enqueue(one).is_open
    assert enqueue(other).is_open


def test_none_is_opened_while_a_cycle_runs(make_target: MakeTarget) -> None:
    target = make_target()
    cycle = begun_cycle(target)
    request = enqueue(target)
    assert not request.is_open
    assert not is_any_open(target)
    lifecycle.end(cycle, Cycle.State.FINISHED)
    assert try_to_open(request)
    assert is_any_open(target)


def test_one_of_a_process_that_is_seen_to_have_died_keeps_no_place(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=1)
    enqueue(target)
    QueuedRequest.objects.update(owner=GONE)
    assert enqueue(target).is_open


def test_one_of_another_machine_keeps_its_place_until_its_answer_would_have_come(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=1, time_limit_s=20.0)
    enqueue(target)
    QueuedRequest.objects.update(owner="elsewhere:1:1.00")
    request = enqueue(target)
    with time_machine.travel(timezone.now() + timedelta(seconds=20 + OVERDUE_S - 2), tick=False):
        assert not try_to_open(request)
    with time_machine.travel(timezone.now() + timedelta(seconds=20 + OVERDUE_S + 2), tick=False):
        assert try_to_open(request)


def test_one_that_was_taken_for_dead_has_its_place_again(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=1)
    first, second, third = enqueue(target), enqueue(target), enqueue(target)
    QueuedRequest.objects.filter(pk=second.pk).delete()
    close(first)
    assert try_to_open(second)
    assert not try_to_open(third)


# --- beside each other ---


def test_several_that_ask_at_once_keep_to_the_limit_together_and_each_is_answered(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=2)
    client = Counting()

    def ask_each(name: str) -> Callable[[], list[str]]:
        texts = [f"{name} {number}" for number in range(6)]
        return lambda: [answer.result for answer in RequestsInTurn(target, client).ask_each(texts)]

    def ask(name: str) -> Callable[[], list[str]]:
        requests = RequestsInTurn(target, client)
        return lambda: [requests.ask(f"{name} {number}").result for number in range(6)]

    answers = together(ask_each("a"), ask_each("b"), ask("c"))
    assert answers == [[f"{name} {number}" for number in range(6)] for name in "abc"]
    assert client.most == 2
    assert not QueuedRequest.objects.exists()


def test_a_cycle_waits_for_what_is_open_when_it_starts(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    request = enqueue(target)
    closed: list[bool] = []

    def close_later() -> None:
        try:
            while not Cycle.objects.filter(state=Cycle.State.RUNNING).exists():
                time.sleep(0.02)
            time.sleep(0.3)
            closed.append(Cycle.objects.get().runs.exists())
            close(request)
        finally:
            connections.close_all()

    beside = threading.Thread(target=close_later)
    beside.start()
    outcome = cycle_on(target, 2)
    beside.join(20)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 2)
    assert closed == [False]


def test_those_that_are_open_are_answered_when_a_cycle_starts_and_the_others_after_it(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=2)
    started: list[Cycle] = []

    class Beginning(Counting):
        def ask(self, query: str, source: str = AUTO) -> Answer:
            if query == "1":
                time.sleep(0.3)
            return super().ask(query, source)

    def goes_on(sent: int) -> bool:
        if sent == 1 and not started:
            started.append(begun_cycle(target))
            open_then.append(is_any_open(target))
        elif started and not is_any_open(target):
            lifecycle.end(started[0], Cycle.State.FINISHED)
        return True

    open_then: list[bool] = []
    requests = RequestsInTurn(target, Beginning(), show_it_lives=goes_on)
    assert [answer.result for answer in requests.ask_each("1234")] == list("1234")
    assert open_then == [True]


def test_who_waits_for_a_spread_cycle_asks_what_of_it_no_other_worker_does(
    make_target: MakeTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many searches under way as there are workers, none would be left for it."""
    monkeypatch.setattr("selftest.cycles.spreading.CHUNK_S", 0.0)  # so chunks of the fewest queries
    target = make_target(requests_at_once=8)
    cycle = begin(target)
    assert RequestsInTurn(target, Counting()).ask("then").result == "then"
    cycle.refresh_from_db()
    assert (cycle.state, cycle.queries_run) == ("finished", 40)


@pytest.mark.parametrize(("text", "at_most", "reason"), [("away", None, Reason.AWAY), ("3", 3, Reason.BUDGET)])
def test_nothing_is_left_in_the_queue_by_one_that_stops(
    make_target: MakeTarget, text: str, at_most: int | None, reason: Reason
) -> None:
    target = make_target(requests_at_once=2)
    requests = RequestsInTurn(target, Counting(), at_most)
    with pytest.raises(NoMoreRequestsError) as stopped:
        requests.ask_each(["1", "2", text, "4"])
    assert stopped.value.reason is reason
    assert not QueuedRequest.objects.exists()


def test_nothing_is_left_in_the_queue_by_one_whose_work_another_worker_took_over(make_target: MakeTarget) -> None:
    target = make_target(requests_at_once=1)
    of_another = enqueue(target)
    with pytest.raises(NoMoreRequestsError) as stopped:
        RequestsInTurn(target, Counting(), show_it_lives=lambda sent: False).ask("1")
    assert stopped.value.reason is Reason.TAKEN_OVER
    assert QueuedRequest.objects.get() == of_another
