"""A worker that is killed in the middle of a cycle: after restart every planned run is done or marked, none twice."""

import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from selftest.cycles.runner import Status
from selftest.models import Combination, Cycle, Run, Target
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import GATE
from tests.engine.texts import texts_of
from tests.vocabularies import small_document

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("without_probes"),
    pytest.mark.process,
]

ROOT = Path(__file__).parents[3]
START_LIMIT_S = 60.0


def database_url() -> str:
    """Of the database that this test looks at."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    return f"postgres://{settings['USER']}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


class Worker:
    """A command in a process of its own, whose target answers when the test says so."""

    def __init__(self, process: "subprocess.Popen[str]", gate: socket.socket) -> None:
        self.process = process
        self._gate = gate
        self.asking: list[socket.socket] = []

    def next_query(self) -> str:
        """Waits until the target is asked; it stays unanswered until `answer`."""
        asking, _ = self._gate.accept()
        asking.settimeout(START_LIMIT_S)
        self.asking.append(asking)
        return asking.makefile().readline().strip()

    def answer(self) -> None:
        self.asking[-1].sendall(b".")

    def kill(self) -> None:
        """SIGKILL, and it is dead; but no one has asked for its exit code, so it still stands among the processes."""
        self.process.kill()
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for asking in self.asking:
            asking.close()


@contextmanager
def working(*command: str) -> Iterator[Worker]:
    """`manage.py` with these arguments, on the database that this test looks at."""
    with socket.create_server(("127.0.0.1", 0)) as gate:
        gate.settimeout(START_LIMIT_S)
        process = subprocess.Popen(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url(), GATE: str(gate.getsockname()[1])},
            stdout=subprocess.PIPE,
            text=True,
        )
        worker = Worker(process, gate)
        try:
            yield worker
        finally:
            worker.stop()


def working_on(target: Target, *arguments: str) -> AbstractContextManager[Worker]:
    return working("run_cycle", "--json", "--target", target.name, *arguments)


def answering_honestly(target: Target) -> Target:
    Target.objects.filter(pk=target.pk).update(dotted_path="tests.engine.routers.honest")
    return Target.objects.get(pk=target.pk)


def test_after_sigkill_every_planned_run_is_done_or_marked_and_none_is_run_twice(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target("gated")
    with working_on(target, "--count", "8", "--seed", "5") as worker:
        for _ in range(3):
            worker.next_query()
            worker.answer()
        unanswered = worker.next_query()
        worker.kill()
        dead = Cycle.objects.get()
        assert dead.state == "running", "no one could mark it"
        assert Counter(dead.runs.values_list("state", flat=True)) == {"done": 3, "asking": 1, "planned": 4}
        planned = texts_of(dead.runs.all())

        after = cycle_on(answering_honestly(target), 8, seed=6)
    dead.refresh_from_db()
    assert (dead.state, dead.note) == ("interrupted", "its worker died; what was recorded is kept")
    assert (dead.queries_run, dead.flagged, dead.novel) == (3, 0, 3)
    states = list(dead.runs.order_by("place").values_list("state", flat=True))
    assert states == ["done"] * 3 + ["interrupted"] + ["skipped"] * 4

    assert (after.status, after.queries_run, after.flagged) == (Status.RAN, 8, 0)
    assert after.cycle is not None
    asked = texts_of(after.cycle.runs.all())
    assert asked[:4] == planned[4:], "what was not asked comes first"
    assert asked[4] == planned[3] == unanswered, "then what broke off"
    assert Run.objects.filter(state="done").count() == 11
    assert Run.objects.filter(state="done").values("combination").distinct().count() == 11
    assert not Combination.objects.exclude(times_generated=1).exists()


def test_killed_before_its_first_answer_it_leaves_all_to_the_next(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target("gated", requests_at_once=3)
    with working_on(target, "--count", "5") as worker:
        for _ in range(3):
            worker.next_query()
        worker.kill()
        cycle_on(answering_honestly(target), 5)
    first, second = Cycle.objects.order_by("id")
    assert Counter(first.runs.values_list("state", flat=True)) == {"interrupted": 3, "skipped": 2}
    of_first = first.runs.order_by("-state", "place").values_list("combination", flat=True)
    assert list(second.runs.order_by("place").values_list("combination", flat=True)) == list(of_first)


def test_a_query_that_kills_its_worker_every_time_is_let_be_after_three_times(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=small_document())
    topics = ["no_intent_fallthrough"]
    deadly = cycle_on(target, 1, recipes=topics).cycle.runs.get().combination  # type: ignore[union-attr]
    Combination.objects.filter(pk=deadly.pk).update(times_generated=0, last_run_timestamp=None)
    for times in range(1, 4):
        Run.objects.filter(combination=deadly).update(state="interrupted")
        cycle = cycle_on(target, 1, recipes=topics).cycle
        assert cycle is not None
        assert (cycle.runs.get().combination == deadly) is (times < 3)
        Combination.objects.filter(pk=deadly.pk).update(times_generated=0, last_run_timestamp=None)


def test_while_another_process_runs_a_cycle_a_second_one_is_told_so(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target, other = make_target("gated"), make_target()
    with working_on(target, "--count", "2") as worker:
        worker.next_query()
        busy = cycle_on(target, 2)
        assert (busy.status, busy.cycle, busy.queries_run) == (Status.BUSY, None, 0)
        assert busy.note == f"another cycle is running on {target}"
        assert cycle_on(other, 2).status is Status.RAN, "another target is free"
        worker.answer()
        worker.next_query()
        worker.answer()
        assert worker.process.wait(START_LIMIT_S) == 0
    assert list(target.cycles.values_list("state", "queries_run")) == [("finished", 2)]
    assert cycle_on(answering_honestly(target), 2).status is Status.RAN
