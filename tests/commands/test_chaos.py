"""A whole installation, struck while it is asked to do things: small here, at full size with --full.

`python -m tests.chaos` does the same and prints a table.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.chaos import scenarios
from tests.chaos.installation import Installation, descendants, until
from tests.chaos.trial import Trial, table

pytestmark = [pytest.mark.process, pytest.mark.slow("starts and kills whole installations")]


CLUSTER = 5  # a guard, two workers, monitor and pusher


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[tuple[Trial, Installation]]:
    installation = Installation(tmp_path)
    trial = Trial("by hand", installation, random.Random(1))
    try:
        trial.begin()
        yield trial, installation
    finally:
        installation.stop()


def test_a_killed_process_of_the_worker_takes_the_others_out_of_no_work(
    trial: tuple[Trial, Installation],
) -> None:
    """Killed while it waits for a task, it keeps the lock of the queue that all of them wait at."""
    on_trial, installation = trial
    guard, *_ = sorted(installation.family()["worker"], key=lambda process: process.pid)

    def kill_the_one_that_waits() -> str:
        sorted(guard.children(), key=lambda process: process.pid)[0].kill()
        return "a process of the worker"

    on_trial.strike(kill_the_one_that_waits)
    result = on_trial.end()
    assert result.wrong == []


def test_a_worker_told_to_stop_with_its_whole_group_starts_no_other(
    trial: tuple[Trial, Installation],
) -> None:
    (worker,) = trial[1].family()["qcluster"]
    of_it = descendants(worker.pid)
    os.killpg(worker.pid, signal.SIGTERM)
    _, alive = psutil.wait_procs([worker, *of_it], timeout=60)
    assert not alive


def test_a_worker_told_to_stop_with_its_whole_group_while_it_starts_ends_as_well(
    trial: tuple[Trial, Installation], is_full: bool
) -> None:
    """Between the guard's being ready and the cluster's seeing it there is a tenth of a second."""
    tries = 20 if is_full else 4
    for number in range(tries):
        with trial[1].run("qcluster") as worker:
            until(lambda: len(descendants(worker.pid)) >= CLUSTER, 60.0, "all its processes", every_s=0.005)
            time.sleep(0.1 * number / tries)
            of_it = descendants(worker.pid)
            os.killpg(worker.pid, signal.SIGTERM)
            _, alive = psutil.wait_procs([psutil.Process(worker.pid), *of_it], timeout=20)
            worker.kill()
            assert not alive


GUARD_ENDED_WITH_A_LOCK = """
import os, signal, django
django.setup()
from selftest.management import sentinel

def guard(stop_event, start_event, *_):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with start_event._cond:  # as while it says that it is ready
        os.killpg(0, signal.SIGTERM)
        signal.pause()

sentinel.ReplacingSentinel = guard
cluster = sentinel.StoppableCluster()
cluster.start()
cluster.join()
"""


def test_a_guard_that_a_signal_ends_while_it_holds_a_lock_keeps_no_cluster_waiting(tmp_path: Path) -> None:
    environment = {**os.environ, "DATA_DIR": str(tmp_path)}
    program = [sys.executable, "-c", GUARD_ENDED_WITH_A_LOCK]
    ended = subprocess.run(program, env=environment, timeout=60, start_new_session=True, check=False)
    assert ended.returncode == 0


def test_a_killed_worker_beside_it_leaves_none_of_its_processes(trial: tuple[Trial, Installation]) -> None:
    with trial[1].run("qcluster") as worker:
        until(lambda: len(descendants(worker.pid)) >= CLUSTER, 60.0, "all its processes")
        of_it = descendants(worker.pid)
        worker.kill()
        _, alive = psutil.wait_procs(of_it, timeout=10)
        assert not alive


def test_whatever_strikes_it_at_random_moments_it_does_everything_acknowledged(is_full: bool) -> None:
    result = scenarios.small(200 if is_full else 2, seed=1)
    assert result.wrong == [], table([result])


@pytest.mark.usefixtures("postgres_url", "redis_url")
def test_servers_that_are_restarted_under_load_cost_nothing_acknowledged(is_full: bool) -> None:
    result = scenarios.restarts(20 if is_full else 1, seed=1)
    assert result.wrong == [], table([result])


@pytest.mark.usefixtures("postgres_url", "redis_url")
def test_of_spread_cycles_verdicts_notices_and_old_answers_a_kill_loses_nothing(is_full: bool) -> None:
    result = scenarios.long_life(20 if is_full else 1, seed=1)
    assert result.wrong == [], table([result])
