"""Kills and restarts what a running installation consists of, at random moments, while it is asked to do things.

    python -m tests.chaos [--kills 200] [--postgres-kills 100] [--restarts 20] [--seed 1]

After each blow, within two minutes and with no hand but that of a supervisor, which starts what has ended: every cycle,
search and dismissal that was acknowledged is done, once; no flag is gone; `/health` is ok. Prints a table of it.
"""

import argparse
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests import servers

ROOT = Path(__file__).resolve().parents[1]
KEY = "a-key-for-the-chaos-proof"
SETTLED_LIMIT_S = 120.0
START_LIMIT_S = 120.0
QUERIES = 3
OVER = {"finished", "not_seen_again", "stopped", "interrupted", "target_unavailable"}
PARTS = ("start", "qcluster", "worker", "gunicorn", "web")


@dataclass
class Result:
    """What one scenario came to. wrong: sentences; slowest_s: from the blow until everything was done."""

    name: str
    blows: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    slowest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


class Installation:
    """`manage.py start` on a data folder of its own, and the supervisor that starts it again."""

    def __init__(self, folder: Path, **variables: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._database = folder / "data" / "gadfly.sqlite3"
        self._url = variables.get("DATABASE_URL")
        self._log = folder / "log"
        self._environment = {
            **os.environ,
            "DATA_DIR": str(folder / "data"),
            "API_KEYS": KEY,
            "ADVERSARIAL_TEST_BATCH_SIZE": str(QUERIES),
            **variables,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "start", "--port", str(self.port)],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def family(self) -> dict[str, list[psutil.Process]]:
        """The living processes by what they are."""
        found: dict[str, list[psutil.Process]] = {part: [] for part in PARTS}
        with suppress(psutil.NoSuchProcess):
            start = psutil.Process(self._process.pid) if self._process else None
            if start is None:
                return found
            found["start"].append(start)
            for child in start.children():
                is_worker = "qcluster" in child.cmdline()
                found["qcluster" if is_worker else "gunicorn"].append(child)
                found["worker" if is_worker else "web"] += child.children(recursive=True)
        return found

    def supervise(self) -> None:
        """Starts it again where it has ended; what it left behind is ended first, as a service manager does."""
        if self._process is None or self._process.poll() is not None:
            self.start()

    def stop(self, family: dict[str, list[psutil.Process]] | None = None) -> None:
        """SIGKILL for all of it, or for what is left of `family`."""
        for process in [process for part in (family or self.family()).values() for process in part]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        if family is None and self._process is not None:
            self._process.wait()

    def call(self, method: str, path: str, **query: str) -> Any:
        """The answer's document; None where it was not acknowledged."""
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, method=method, headers={"X-API-Key": KEY})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except (OSError, ValueError, urllib.error.URLError):
            return None

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        if self._url is None:
            with closing(sqlite3.connect(self._database, timeout=20, isolation_level=None)) as connection:
                return connection.execute(sql).fetchall()
        with psycopg.connect(self._url, autocommit=True) as connection:
            cursor = connection.execute(sql)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def said(self) -> str:
        return self._log.read_text(errors="replace")


class Trial:
    """One scenario on one installation."""

    def __init__(self, name: str, installation: Installation, rng: random.Random) -> None:
        self.result = Result(name)
        self._on = installation
        self._rng = rng
        self._cycles: set[int] = set()
        self._searches: set[int] = set()
        self._dismissals: Counter[int] = Counter()
        self._flagged: set[int] = set()

    def begin(self) -> None:
        self._on.start()
        self._until(lambda: self._on.call("GET", "/health") is not None, START_LIMIT_S, "an answer after the start")
        self._on.rows("""UPDATE selftest_target SET reference_faults = '["section_twice"]'""")
        for _ in range(2):
            self._on.call("POST", "/adversarial/trigger")

    def strike(self, blow: Callable[[], str]) -> None:
        """Asks for things, strikes at a random moment meanwhile, and waits until all is done."""
        family = self._on.family()
        struck_at = [0.0]

        def later() -> None:
            time.sleep(self._rng.uniform(0.0, 3.0))
            struck_at[0] = time.monotonic()
            self.result.blows[blow()] += 1

        striking = threading.Thread(target=later)
        striking.start()
        self._act()
        striking.join()
        time.sleep(0.5)
        if not self._on.family()["start"] or self._on.family()["start"][0].status() == psutil.STATUS_ZOMBIE:
            self._on.stop(family)
        self._until(self._is_settled, SETTLED_LIMIT_S, f"everything done after {self.result.blows}")
        self.result.slowest_s = max(self.result.slowest_s, time.monotonic() - struck_at[0])
        self._check()

    def end(self) -> Result:
        clean = self._on.call("POST", "/adversarial/trigger")
        if clean is None or clean["status"] != "ran":
            self.result.wrong.append(f"the last cycle: {clean}")
        for state, note in self._on.rows(f"SELECT state, note FROM selftest_cycle WHERE id IN {_in(self._cycles)}"):
            self.result.ended[f"cycle {state}" + (f": {note}" if state != "finished" else "")] += 1
        for state, note in self._on.rows(
            f"SELECT state, note FROM selftest_reduction WHERE id IN {_in(self._searches)}"
        ):
            self.result.ended[f"search {state}" + (f": {note}" if state == "stopped" else "")] += 1
        return self.result

    def _act(self) -> None:
        for _ in range(2):
            queued = self._on.call("POST", "/adversarial/trigger", wait="false")
            if queued and queued["status"] == "queued":
                self._cycles.add(int(queued["cycle"]))
                self.result.acknowledged["cycle"] += 1
        listed = self._on.call("GET", "/adversarial/flagged", limit="100")
        rows = listed["flagged"] if listed else []
        with suppress(sqlite3.Error, psycopg.Error):
            self._flagged |= {pk for (pk,) in self._on.rows("SELECT id FROM selftest_combination WHERE ever_flagged")}
        if not rows:
            return
        row = self._rng.choice(rows)
        pk = self._id_of(row["fingerprint"])
        if pk is not None:
            search = self._on.call("POST", f"/api/v1/combinations/{pk}/reduce")
            if search and search.get("reduction"):
                self._searches.add(int(search["reduction"]))
                self.result.acknowledged["search"] += 1
            if self._on.call("POST", "/adversarial/dismiss", fingerprint=row["fingerprint"]):
                self._dismissals[pk] += 1
                self.result.acknowledged["dismissal"] += 1

    def _id_of(self, fingerprint: str) -> int | None:
        escaped = fingerprint.replace("'", "''")
        with suppress(sqlite3.Error, psycopg.Error):
            found = self._on.rows(f"SELECT id FROM selftest_combination WHERE fingerprint = '{escaped}'")
            return int(found[0][0]) if found else None
        return None

    def _is_settled(self) -> bool:
        self._on.supervise()
        try:
            cycles = self._on.rows(f"SELECT state FROM selftest_cycle WHERE id IN {_in(self._cycles)}")
            searches = self._on.rows(f"SELECT state FROM selftest_reduction WHERE id IN {_in(self._searches)}")
        except (sqlite3.Error, psycopg.Error):
            return False
        if {state for (state,) in [*cycles, *searches]} - OVER:
            return False
        health = self._on.call("GET", "/health")
        return health is not None and health["status"] == "ok"

    def _check(self) -> None:
        wrong = self.result.wrong
        asked = self._on.rows(
            f"SELECT cycle_id, count(*) FROM selftest_run WHERE cycle_id IN {_in(self._cycles)} GROUP BY cycle_id"
        )
        wrong += [f"cycle {cycle} has {runs} runs" for cycle, runs in asked if runs != QUERIES]
        flagged = {pk for (pk,) in self._on.rows("SELECT id FROM selftest_combination WHERE ever_flagged")}
        wrong += [f"the flag of combination {pk} is gone" for pk in self._flagged - flagged]
        self._flagged = flagged
        events = dict(
            self._on.rows(
                "SELECT combination_id, count(*) FROM selftest_reviewevent WHERE kind = 'dismissed' GROUP BY 1"
            )
        )
        for pk, times in self._dismissals.items():
            if events.get(pk, 0) < times:
                wrong.append(f"a dismissal of combination {pk} is lost")
        counted = self._on.rows(
            "SELECT c.id FROM selftest_combination c WHERE times_generated <>"
            " (SELECT count(*) FROM selftest_run r WHERE r.combination_id = c.id AND r.state = 'done')"
        )
        wrong += [f"combination {pk} was counted otherwise than it was asked" for (pk,) in counted]

    def _until(self, holds: Callable[[], bool], limit_s: float, what: str) -> None:
        try:
            until(holds, limit_s, what)
        except TimeoutError as late:
            raise TimeoutError(f"{late}\n{self._on.said()[-3000:]}") from late


def until(holds: Callable[[], bool], limit_s: float, what: str) -> None:
    """Raises TimeoutError where it does not hold within `limit_s`."""
    deadline = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {limit_s:g} s: {what}")
        time.sleep(0.2)


def descendants(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).children(recursive=True)
    return []


def _in(ids: set[int]) -> str:
    return f"({', '.join(map(str, sorted(ids))) or '-1'})"


def _kill_one_of(installation: Installation, rng: random.Random) -> str:
    part = rng.choice(PARTS)
    living = installation.family()[part]
    if living:
        with suppress(psutil.NoSuchProcess):
            rng.choice(living).kill()
    return part


class Restartable:
    """A server of tests.servers whose process can be struck; the next one has the same port and, if any, data."""

    def __init__(self, url: str) -> None:
        self._port = int(urllib.parse.urlsplit(url).port or 0)
        (self._process,) = [process for process in psutil.process_iter() if self._listens(process)]
        self._command, self._folder = self._process.cmdline(), self._process.cwd()
        if redis := servers.find_redis() if self._process.name() == "redis-server" else None:
            # Its own command line is a title.
            options = {"port": self._port, "bind": "127.0.0.1", "save": "", "appendonly": "no"}
            self._command = [redis, *(part for name, value in options.items() for part in (f"--{name}", str(value)))]
        self._owner = self._process.uids().real

    def _listens(self, process: psutil.Process) -> bool:
        if process.name() not in ("postgres", "redis-server"):
            return False
        with suppress(psutil.Error):
            listening = [c.laddr.port for c in process.net_connections("tcp") if c.status == psutil.CONN_LISTEN]
            return self._port in listening
        return False

    def restart(self, number: signal.Signals, away_s: float) -> None:
        self._process.send_signal(number)
        with suppress(psutil.TimeoutExpired):
            self._process.wait(30)
        time.sleep(away_s)
        as_user = {"user": self._owner, "group": self._owner, "extra_groups": []} if os.geteuid() == 0 else {}
        started = subprocess.Popen(
            self._command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **as_user,  # type: ignore[call-overload]
        )
        self._process = psutil.Process(started.pid)
        self._started = started

    def stop(self) -> None:
        with suppress(psutil.NoSuchProcess):
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)


@contextmanager
def _trial(name: str, seed: int, **variables: str) -> Iterator[tuple[Trial, Installation, random.Random]]:
    rng = random.Random(f"{name} {seed}")
    with tempfile.TemporaryDirectory(prefix="gadfly-chaos-") as folder:
        installation = Installation(Path(folder), **variables)
        trial = Trial(name, installation, rng)
        try:
            trial.begin()
            yield trial, installation, rng
        finally:
            installation.stop()


def kills_on_sqlite(kills: int, seed: int) -> Result:
    """SIGKILL of one process at a time: start, the worker or one of its own, the web server or one of its own."""
    with _trial("kills, SQLite", seed) as (trial, installation, rng):
        return _struck(trial, kills, lambda: _kill_one_of(installation, rng))


def kills_on_postgres(kills: int, seed: int) -> Result:
    """The same with PostgreSQL, and Redis as the broker."""
    with servers.postgres() as database, servers.redis() as broker:
        variables = {"DATABASE_URL": database, "REDIS_URL": broker}
        with _trial("kills, PostgreSQL and Redis", seed, **variables) as (trial, installation, rng):
            return _struck(trial, kills, lambda: _kill_one_of(installation, rng))


def restarts(times: int, seed: int) -> Result:
    """PostgreSQL and Redis, in turn, away for up to five seconds; Redis comes back empty."""
    with servers.postgres() as database, servers.redis() as broker:
        struck = {"PostgreSQL": Restartable(database), "Redis": Restartable(broker)}
        turns = iter(list(struck) * times)
        try:
            with _trial("restarts of servers", seed, DATABASE_URL=database, REDIS_URL=broker) as (trial, _, rng):

                def blow() -> str:
                    name = next(turns)
                    number = signal.SIGINT if name == "PostgreSQL" else signal.SIGKILL
                    struck[name].restart(number, rng.uniform(0.0, 5.0))
                    return name

                return _struck(trial, 2 * times, blow)
        finally:
            for server in struck.values():
                server.stop()


def _struck(trial: Trial, times: int, blow: Callable[[], str]) -> Result:
    for number in range(times):
        try:
            trial.strike(blow)
        except TimeoutError as late:
            trial.result.wrong.append(f"blow {number + 1}: {late}")
            return trial.result
    return trial.end()


def table(results: Sequence[Result]) -> str:
    lines = []
    for result in results:
        lines.append(f"{result.name}: {'held' if not result.wrong else 'FAILED'}, slowest {result.slowest_s:.1f} s")
        for title, counted in (
            ("struck", result.blows),
            ("acknowledged", result.acknowledged),
            ("ended", result.ended),
        ):
            lines += [f"  {title:<13} {count:>5}  {what}" for what, count in sorted(counted.items())]
        lines += [f"  wrong: {sentence}" for sentence in result.wrong]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--postgres-kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    results = []
    for scenario, times in (
        (kills_on_sqlite, asked.kills),
        (kills_on_postgres, asked.postgres_kills),
        (restarts, asked.restarts),
    ):
        if times:
            results.append(scenario(times, asked.seed))
            sys.stdout.write(f"{table(results[-1:])}\n")
            sys.stdout.flush()
    return int(any(result.wrong for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
