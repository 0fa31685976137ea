"""Runs a second of 1, 2 and 4 clusters on a target that takes 200 ms, on real PostgreSQL and Redis; then one is killed.

python -m tests.benchmarks.clusters [--clusters 1 2 4] [--queries 400] [--latency-ms 200]

Each row is a cycle of so many queries a cluster, after one to warm up, and a second one in whose middle all processes
of one cluster get SIGKILL. Says what the target got at the same time, and whether anything was recorded twice or lost.
"""

# ruff: noqa: T201 - what a command says

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests import servers
from tests.engine.routers import AUTO, Served, honest, serving
from tests.isolation import clean

ROOT = Path(__file__).resolve().parents[2]
REQUESTS_AT_ONCE = 32  # of the target: four clusters of two workers with four each
NEEDED = {2: 1.9, 4: 3.6}  # clusters → times what one does
LIMIT_S = 600.0
START_S = 5.0  # a cluster that is refused has ended by then


class SlowRouter:
    """Answers honestly after a while, and knows how many waited at the same time."""

    def __init__(self, latency_s: float) -> None:
        self.most = 0
        self.asked = 0
        self._latency_s = latency_s
        self._waiting = 0
        self._lock = threading.Lock()

    def __call__(self, query: str, source: str = AUTO) -> tuple[str, str]:
        with self._lock:
            self.asked += 1
            self._waiting += 1
            self.most = max(self.most, self._waiting)
        time.sleep(self._latency_s)
        with self._lock:
            self._waiting -= 1
        return honest(query, source)


class Cluster:
    """`manage.py qcluster` with its workers."""

    def __init__(self, log: Path) -> None:
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "qcluster"],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL for all its processes at the same time."""
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def cpu_s(self) -> float:
        """Of all its processes so far."""
        whole = psutil.Process(self._process.pid)
        times = [process.cpu_times() for process in (whole, *whole.children(recursive=True))]
        return float(sum(each.user + each.system for each in times))


@dataclass
class Row:
    """What so many clusters did. cpu_s: of their processes; busy_s: of all cores, for any process."""

    clusters: int
    runs: int
    seconds: float
    cpu_s: float
    busy_s: float
    most_at_once: int
    broken_off: int = 0
    asked_again: int = 0
    faults: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Runs a second."""
        return self.runs / self.seconds


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.clusters", description=__doc__)
    parser.add_argument("--clusters", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--queries", type=int, default=400, help="of a cycle, for each cluster")
    parser.add_argument("--latency-ms", type=float, default=200.0)
    sizes = parser.parse_args(given)
    router = SlowRouter(sizes.latency_ms / 1000)
    with _installation() as log, serving(Served(router)) as served:
        target = _target(served.url)
        rows = [_measured(number, sizes.queries * number, target, router, log) for number in sizes.clusters]
    _print(rows)
    one = rows[0]
    is_met = all(row.rate >= NEEDED.get(row.clusters / one.clusters, 0) * one.rate for row in rows)
    return 0 if is_met and not any(row.faults for row in rows) else 1


@contextmanager
def _installation() -> Iterator[Path]:
    """Servers, an empty database and settings that name them; the file that clusters write their log to."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gadfly-clusters-")))
        clean(os.environ)
        os.environ |= {
            "DATABASE_URL": stack.enter_context(servers.postgres()),
            "REDIS_URL": stack.enter_context(servers.redis()),
            "DATA_DIR": str(folder),
            "SECRET_KEY": "the same for every cluster of this benchmark, and no other's",
            "DJANGO_SETTINGS_MODULE": "review.settings",
        }
        import django

        django.setup()
        from selftest.models import Installation
        from selftest.operating.first_start import prepare_database

        prepare_database()
        Installation.with_this_key()
        yield folder / "log"


def _target(url: str) -> Any:
    from django.utils import timezone

    from selftest.models import Target
    from selftest.operating.vocabularies import import_vocabulary
    from tests.vocabularies import example_document

    target = Target.objects.create(
        name="slow", kind=Target.Kind.HTTP, base_url=url, path="/", requests_at_once=REQUESTS_AT_ONCE
    )
    import_vocabulary(target, example_document(), timezone.now())
    return target


def _measured(number: int, queries: int, target: Any, router: SlowRouter, log: Path) -> Row:
    with ExitStack() as stack:

        def begin() -> Cluster:
            cluster = Cluster(log)
            stack.callback(cluster.kill)
            return cluster

        clusters = [begin() for _ in range(number)]
        time.sleep(START_S)
        if not all(cluster.is_alive for cluster in clusters):
            raise RuntimeError(f"a cluster has ended:\n{log.read_text()[-2000:]}")
        _ended(_requested(target, queries // 2))
        router.most = 0
        cpu_s, busy_s = sum(cluster.cpu_s() for cluster in clusters), _busy_s()
        cycle = _ended(_requested(target, queries))
        cpu_s, busy_s = sum(cluster.cpu_s() for cluster in clusters) - cpu_s, _busy_s() - busy_s
        seconds = (cycle.finished_at - cycle.started_at).total_seconds()
        row = Row(number, cycle.queries_run, seconds, cpu_s, busy_s, router.most)
        row.faults = _faults_of(cycle, queries)
        _killed_in_the_middle(row, queries, target, clusters, begin)
        row.most_at_once = router.most
        return row


def _busy_s() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0))


def _killed_in_the_middle(row: Row, queries: int, target: Any, clusters: list[Cluster], begin: Any) -> None:
    from selftest.models import Run

    cycle = _requested(target, queries)
    _until(lambda: Run.objects.filter(cycle=cycle, state=Run.State.DONE).count() >= queries // 2, "half of a cycle")
    clusters[-1].kill()
    if len(clusters) == 1:
        begin()  # as a service manager does
    cycle = _ended(cycle)
    broken_off = set(cycle.runs.filter(state=Run.State.INTERRUPTED).values_list("combination", flat=True))
    row.broken_off = len(broken_off)
    row.faults += _faults_of(cycle, queries)
    following = _ended(_requested(target, max(8, row.broken_off)))
    asked = following.runs.filter(combination__in=broken_off, state=Run.State.DONE)
    row.asked_again = len(set(asked.values_list("combination", flat=True)))
    if row.asked_again != row.broken_off:
        row.faults += (f"{row.broken_off - row.asked_again} were not asked again",)


def _faults_of(cycle: Any, queries: int) -> tuple[str, ...]:
    from django.db.models import Count, F, Q

    from selftest.models import Combination, Run

    over = cycle.runs.filter(state__in=(Run.State.DONE, Run.State.INTERRUPTED)).count()
    answered = Count("runs", filter=Q(runs__state=Run.State.DONE))
    twice = Combination.objects.annotate(answered=answered).exclude(times_generated=F("answered")).count()
    found = []
    if cycle.state != "finished":
        found.append(f"{cycle} is {cycle.state}: {cycle.note}")
    if over != queries:
        found.append(f"{over} of {queries} runs are over")
    if twice:
        found.append(f"{twice} combinations were counted otherwise than they were answered")
    return tuple(found)


def _requested(target: Any, queries: int) -> Any:
    from selftest.cycles.lifecycle import CycleRequest
    from selftest.cycles.triggering import trigger_later
    from selftest.models import Cycle

    return trigger_later(CycleRequest(target, Cycle.Trigger.API, queries))


def _ended(cycle: Any) -> Any:
    def is_over() -> bool:
        cycle.refresh_from_db()
        return cycle.state not in cycle.OPEN_STATES

    _until(is_over, str(cycle))
    return cycle


def _until(holds: Any, what: str) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {LIMIT_S:g} s: {what}")
        time.sleep(0.1)


def _print(rows: list[Row]) -> None:
    print(
        "clusters  runs/s  times one  CPU a run  cores in use  at once at most  killed: broken off, asked again  faults"
    )
    for row in rows:
        times = row.rate / rows[0].rate
        cpu_ms = 1000 * row.cpu_s / row.runs
        print(
            f"{row.clusters:8}  {row.rate:6.1f}  {times:9.2f}  {cpu_ms:6.1f} ms  {row.busy_s / row.seconds:5.2f} of "
            f"{psutil.cpu_count():3}  {row.most_at_once:15}  "
            f"{row.broken_off:18}, {row.asked_again:11}  {'; '.join(row.faults) or 'none'}"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
