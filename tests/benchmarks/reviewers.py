"""Twenty reviewers who browse, open, dismiss and undo for ten minutes, beside cycles without a pause, on PostgreSQL.

python -m tests.benchmarks.reviewers [--reviewers 20] [--minutes 10] [--combinations 20000] [--runs 60000]
    [--latency-ms 200] [--warm-up 0]

Runs `manage.py start` on PostgreSQL and Redis of its own, with a made-up history. Each reviewer has a signed-in session
and clicks every one to three seconds, as htmx does. The cycles ask the bundled router with two faults, over HTTP and
after so long; with 0 they ask it in process, so that cycles take all the processor that they can get. Prints what the
requests of reviewers took, what went wrong, whether each acknowledged act is in the database once, the memory of
all processes over the time (PSS), and the processor time of each part: "reviewers" is this process. The target has one
of its own and gives way to all others: where it is real, it is another machine's work.

With a warm-up all of it runs for so many minutes before, on a target in process, and what it took does not count:
after ten of them workers look for causes among as many runs of their own as they ever will.
"""

# ruff: noqa: T201 - what a command says

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import psutil

from selftest.targets.reference.target import ReferenceTarget
from tests import servers
from tests.benchmarks.memory import pss_mb
from tests.chaos.installation import Installation, until
from tests.engine.routers import Served, serving
from tests.isolation import clean

P95_LIMIT_S = 0.2
START_LIMIT_S = 180.0
CYCLE_QUERIES = "200"
FAULTS = ("section_twice", "empty_section_kept")
LATENCY_MS = 200.0
ROUTER_NICENESS = 15
COMBINATION = re.compile(r"/combinations/(\d+)\b")
CAUSE = re.compile(r"/causes/(\d+)\b")
SEEN_RUN = re.compile(r'name="seen_run" value="(\d+)"')
UNDO = re.compile(r"/combinations/(\d+)/undismiss\?dismissal=(\d+)")
LISTS = ("/", "/flags", "/flags?tab=ever", "/activity", "/checks", "/cycles")
MEMORY_EVERY_S = 15.0
MEMORY_FIGURES = 10  # of each part, that are printed
FAILURE = re.compile(r" ((?:ERROR|WARNING) [\w.]+): ")  # the level and the logger of a line of the log


@dataclass
class Clicks:
    """What all reviewers did. dismissed: ids of acknowledged dismissals; undone: of those that were taken back.

    memory_mb: by part of the installation, now and then. cpu_s: by part and process, from when it was first seen.
    """

    took_s: list[tuple[str, float]] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    dismissed: Counter[int] = field(default_factory=Counter)
    undone: Counter[int] = field(default_factory=Counter)
    memory_mb: list[dict[str, float]] = field(default_factory=list)
    cpu_s: dict[str, dict[int, tuple[float, float]]] = field(default_factory=dict)

    def measure_anew(self) -> None:
        """Forgets what anything took; what was done stays."""
        self.took_s.clear()
        self.memory_mb.clear()
        self.cpu_s.clear()


class Reviewer:
    """One browser of one person."""

    def __init__(self, url: str, cookies: dict[str, str], clicks: Clicks, seed: int) -> None:
        self._client = httpx.Client(base_url=url, cookies=cookies, timeout=60.0)
        self._token = {"X-CSRFToken": cookies["csrftoken"], "Referer": url}
        self._clicks = clicks
        self._rng = random.Random(seed)

    def work(self, until_s: float) -> None:
        """Clicks until then."""
        with self._client:
            while time.monotonic() < until_s:
                self._look_around()

    def _look_around(self) -> None:
        page = self._get("browse", self._rng.choice(LISTS))
        if causes := CAUSE.findall(page) or CAUSE.findall(self._get("browse", "/")):
            cause = self._rng.choice(causes)
            self._get("open", f"/causes/{cause}")
            page = self._get("browse", f"/flags?cause={cause}")
        if combinations := COMBINATION.findall(page):
            pk = self._rng.choice(combinations)
            opened = self._get("open", f"/combinations/{pk}")
            if seen := SEEN_RUN.search(opened):
                self._dismiss(pk, seen[1])

    def _dismiss(self, pk: str, seen_run: str) -> None:
        row = self._post("judge", f"/combinations/{pk}/dismiss", {"seen_run": seen_run})
        undo = UNDO.search(row)
        if undo is None:  # another one was first, or it was flagged again meanwhile
            return
        self._clicks.dismissed[int(undo[2])] += 1
        if self._rng.random() < 0.7:
            self._post("undo", undo[0].replace("&amp;", "&"), {})
            self._clicks.undone[int(undo[2])] += 1

    def _get(self, kind: str, path: str) -> str:
        return self._ask(kind, lambda: self._client.get(path))

    def _post(self, kind: str, path: str, form: dict[str, str]) -> str:
        headers = self._token | {"HX-Request": "true", "HX-Current-URL": f"{self._client.base_url}flags"}
        return self._ask(kind, lambda: self._client.post(path, data=form, headers=headers))

    def _ask(self, kind: str, send: Any) -> str:
        time.sleep(self._rng.uniform(1.0, 3.0))
        began = time.perf_counter()
        try:
            answer = send()
        except httpx.HTTPError as failure:
            self._clicks.wrong[f"{kind}: {type(failure).__name__}"] += 1
            return ""
        self._clicks.took_s.append((kind, time.perf_counter() - began))
        if answer.status_code not in (200, 302, 409):
            self._clicks.wrong[f"{kind}: {answer.status_code} of {answer.request.url.path}"] += 1
        return str(answer.text)


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reviewers", description=__doc__)
    parser.add_argument("--reviewers", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--combinations", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=60_000)
    parser.add_argument("--latency-ms", type=float, default=LATENCY_MS, help="of the target; 0: in process")
    parser.add_argument("--warm-up", type=float, default=0.0, help="minutes")
    sizes = parser.parse_args(given)
    clicks = Clicks()
    with ExitStack() as stack:
        installation, cookies = stack.enter_context(_installation(sizes))
        if sizes.warm_up:
            _run(installation, cookies, clicks, sizes.warm_up)
            clicks.measure_anew()
        cycles = _cycles_of(installation)
        if sizes.latency_ms:
            installation.rows(_slow_target(stack, sizes.latency_ms / 1000))
        _run(installation, cookies, clicks, sizes.minutes)
        lost = _lost(clicks)
        failures = Counter(FAILURE.findall(installation.said()))
        cycles = _cycles_of(installation) - cycles
    _print_failures(failures)
    return _print(clicks, lost, cycles)


def _run(installation: Installation, cookies: Sequence[dict[str, str]], clicks: Clicks, minutes: float) -> None:
    """Reviewers click, each with a session of these, and cycles run, for so long."""
    until_s = time.monotonic() + minutes * 60
    url = f"http://127.0.0.1:{installation.port}"
    with ThreadPoolExecutor(len(cookies) + 2) as people:
        doing = [people.submit(Reviewer(url, jar, clicks, number).work, until_s) for number, jar in enumerate(cookies)]
        doing += [
            people.submit(_keep_cycling, installation, until_s),
            people.submit(_weigh, installation, clicks, until_s),
        ]
        for each in doing:
            each.result()


def _cycles_of(installation: Installation) -> int:
    ((cycles,),) = installation.rows("SELECT count(*) FROM selftest_cycle WHERE trigger = 'api' AND state = 'finished'")
    return int(cycles)


@contextmanager
def _installation(sizes: argparse.Namespace) -> Iterator[tuple[Installation, list[dict[str, str]]]]:
    """A running one with a history, and the cookies of as many reviewers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gadfly-reviewers-")))
        clean(os.environ)
        urls = {
            "DATABASE_URL": stack.enter_context(servers.postgres()),
            "REDIS_URL": stack.enter_context(servers.redis()),
        }
        installation = Installation(folder, ADVERSARIAL_TEST_BATCH_SIZE=CYCLE_QUERIES, **urls)
        installation.manage("seed_history", "--combinations", str(sizes.combinations), "--runs", str(sizes.runs))
        installation.start()
        stack.callback(installation.stop)
        until(lambda: installation.call("GET", "/health") is not None, START_LIMIT_S, "an answer after the start")
        faults = json.dumps(FAULTS)
        installation.rows(f"UPDATE selftest_target SET reference_faults = '{faults}' WHERE kind = 'reference'")
        os.environ |= {**urls, "DATA_DIR": str(installation.data), "DJANGO_SETTINGS_MODULE": "review.settings"}
        import django

        django.setup()
        yield installation, [_cookies(f"reviewer {number + 1}") for number in range(sizes.reviewers)]


def _slow_target(stack: ExitStack, latency_s: float) -> str:
    """The statement that puts one in the place of the bundled one, with its faults; served until `stack` closes."""
    processes = get_context("spawn")
    here, there = processes.Pipe()
    processes.Process(target=_serve, args=(latency_s, there), daemon=True).start()
    stack.callback(here.send, "")
    url = here.recv()
    return f"UPDATE selftest_target SET kind = 'http', base_url = '{url}', path = '/' WHERE kind = 'reference'"


def _serve(latency_s: float, pipe: Connection) -> None:
    """The target, until anything is sent; its address is sent first."""
    os.nice(ROUTER_NICENESS)
    with closing(ReferenceTarget(faults=FAULTS)) as router:

        def route(query: str, source: str) -> tuple[str, str]:
            began = time.monotonic()
            answer = router.ask(query, source)
            time.sleep(max(0.0, latency_s - (time.monotonic() - began)))
            return answer.result, answer.source_used

        with serving(Served(route)) as served:
            pipe.send(served.url)
            pipe.recv()


def _cookies(name: str) -> dict[str, str]:
    """Of a new reviewer's session."""
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.roles import give

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(give(User.objects.create(username=name), "reviewer"))
    client.get("/flags")
    return {morsel.key: morsel.value for morsel in client.cookies.values()}


def _keep_cycling(installation: Installation, until_s: float) -> None:
    """A cycle is always running."""
    while time.monotonic() < until_s:
        open_cycles = installation.rows("SELECT id FROM selftest_cycle WHERE state IN ('planned', 'running')")
        if not open_cycles:
            installation.call("POST", "/adversarial/trigger", wait="false")
        time.sleep(1.0)


def _weigh(installation: Installation, clicks: Clicks, until_s: float) -> None:
    """The memory of all processes, shared pages counted in parts; what they and those around them have computed."""
    own = psutil.Process()
    while time.monotonic() < until_s:
        family = installation.family()
        clicks.memory_mb.append({part: sum(map(pss_mb, family[part])) for part in family if family[part]})
        known = {process for processes in family.values() for process in processes}
        routers = [psutil.Process(child.pid) for child in active_children()]
        others = [process for process in own.children(recursive=True) if process not in {*known, *routers}]
        for part, processes in {**family, "database": others, "router": routers, "reviewers": [own]}.items():
            for process in processes:
                _note_cpu(clicks.cpu_s.setdefault(part, {}), process)
        time.sleep(MEMORY_EVERY_S)


def _note_cpu(known: dict[int, tuple[float, float]], process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        spent = sum(process.cpu_times()[:2])
        known[process.pid] = (known.get(process.pid, (spent, spent))[0], spent)


def _lost(clicks: Clicks) -> list[str]:
    """What was acknowledged and is not there, or is there and was acknowledged to none."""
    from selftest.models import ReviewEvent

    events = ReviewEvent.objects.filter(actor__startswith="reviewer ")
    there = set(events.filter(kind=ReviewEvent.Kind.DISMISSED).values_list("id", flat=True))
    acknowledged = set(clicks.dismissed)
    undone = events.filter(kind=ReviewEvent.Kind.UNDISMISSED).count()
    found = []
    if acknowledged - there:
        found.append(f"{len(acknowledged - there)} acknowledged dismissals are not there")
    if there - acknowledged:
        found.append(f"{len(there - acknowledged)} dismissals are there and were acknowledged to no one")
    if undone > len(clicks.undone):
        found.append(f"{undone} were undone, {len(clicks.undone)} were asked for")
    return found


def _print_failures(failures: Counter[str]) -> None:
    for said, times in failures.most_common():
        print(f"{times} times in the log: {said}")


def _print(clicks: Clicks, lost: list[str], cycles: int) -> int:
    for kind in ("browse", "open", "judge", "undo", ""):
        took_s = sorted(took for of, took in clicks.took_s if kind in ("", of))
        if took_s:
            middle, late = took_s[len(took_s) // 2], took_s[int(len(took_s) * 0.95)]
            print(
                f"{kind or 'all':8} {len(took_s):6} requests, median {middle * 1000:5.0f} ms, p95 {late * 1000:5.0f} ms"
            )
    within = sum(took <= P95_LIMIT_S for _, took in clicks.took_s) / max(1, len(clicks.took_s))
    print(f"within 200 ms: {within:.1%}; wrong: {dict(clicks.wrong) or 'none'}; cycles beside it: {cycles}")
    print(f"dismissed {len(clicks.dismissed)}, undone {len(clicks.undone)}; {'; '.join(lost) or 'none lost'}")
    weights = [sum(parts.values()) for parts in clicks.memory_mb]
    print(f"memory: {weights[0]:.0f} MB at first, {max(weights):.0f} at most, {weights[-1]:.0f} at the end")
    for part in clicks.memory_mb[-1]:
        over_time = (parts.get(part, 0.0) for parts in clicks.memory_mb[:: max(1, len(weights) // MEMORY_FIGURES)])
        print(f"{part:8} " + " ".join(f"{mb:4.0f}" for mb in over_time))
    computed = {part: sum(last - first for first, last in each.values()) for part, each in clicks.cpu_s.items()}
    print("processor: " + ", ".join(f"{part} {spent:.0f} s" for part, spent in computed.items() if spent >= 1))
    return 0 if within >= 0.95 and not clicks.wrong and not lost else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
