"""A whole installation in processes of its own, and what a service manager does for it."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psutil
import psycopg

ROOT = Path(__file__).resolve().parents[2]
KEY = "a-key-for-the-chaos-proof"
QUERIES = 3  # of one cycle
PARTS = ("start", "qcluster", "worker", "gunicorn", "web", "second")
CONFIGURED_WRONGLY = 2  # the exit code
NO_ROWS = (sqlite3.Error, psycopg.Error)

Family = dict[str, list[psutil.Process]]


class Installation:
    """`manage.py start` on a data folder of its own, and the supervisor that starts it again.

    with_second_worker: a `manage.py qcluster` beside it, as on a second machine.
    """

    def __init__(self, folder: Path, with_second_worker: bool = False, **variables: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.data = folder / "data"
        self.database = self.data / "gadfly.sqlite3"
        self.broker_url = variables.get("REDIS_URL")
        self._url = variables.get("DATABASE_URL")
        self.is_postgres = self._url is not None
        self._log = folder / "log"
        self._environment = {
            **os.environ,
            "DATA_DIR": str(self.data),
            "API_KEYS": KEY,
            "ADVERSARIAL_TEST_BATCH_SIZE": str(QUERIES),
            **variables,
        }
        self._with_second_worker = with_second_worker
        self._process: subprocess.Popen[bytes] | None = None
        self._second: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = self.run("start", "--port", str(self.port))

    def manage(self, *arguments: str) -> None:
        """Runs a command to its end. Raises RuntimeError where it fails."""
        if code := self.run(*arguments).wait():
            raise RuntimeError(f"manage.py {' '.join(arguments)} ended with {code}:\n{self.said()[-3000:]}")

    def run(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A command beside it."""
        with self._log.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def family(self) -> Family:
        """The living processes by what they are."""
        found: Family = {part: [] for part in PARTS}
        with suppress(psutil.NoSuchProcess):
            if self._process is not None and self._process.poll() is None:
                start = psutil.Process(self._process.pid)
                found["start"].append(start)
                for child in start.children():
                    is_worker = "qcluster" in child.cmdline()
                    found["qcluster" if is_worker else "gunicorn"].append(child)
                    found["worker" if is_worker else "web"] += child.children(recursive=True)
        with suppress(psutil.NoSuchProcess):
            if self._second is not None and self._second.poll() is None:
                second = psutil.Process(self._second.pid)
                found["second"] += [second, *second.children(recursive=True)]
        return found

    def supervise(self, before: Family | None = None) -> None:
        """Starts again what has ended. before: of which what is left is ended first, as a service manager does.

        Not what is configured wrongly: as the unit for systemd has it.
        """
        if self._process is not None and self._process.poll() == CONFIGURED_WRONGLY:
            return
        if self._process is None or self._process.poll() is not None:
            if before is not None:
                kill(process for part in PARTS if part != "second" for process in before[part])
            self.start()
        elif self._with_second_worker and (self._second is None or self._second.poll() is not None):
            if before is not None:
                kill(before["second"])
            self._second = self.run("qcluster")

    def stop(self) -> None:
        """SIGKILL for all of it."""
        kill(process for part in self.family().values() for process in part)
        for process in filter(None, (self._process, self._second)):
            process.wait()

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, **query: str) -> Any:
        """The answer's document; None where it was not acknowledged."""
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(query)}"
        headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, sent, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except (OSError, ValueError, HTTPException):  # the last: killed in the middle of its answer
            return None

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Raises one of NO_ROWS."""
        if self._url is None:
            with closing(sqlite3.connect(self.database, timeout=20, isolation_level=None)) as connection:
                return connection.execute(sql).fetchall()
        with psycopg.connect(self._url, autocommit=True) as connection:
            cursor = connection.execute(sql)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def said(self) -> str:
        return self._log.read_text(errors="replace")


def kill(processes: Any) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def until(holds: Callable[[], bool], limit_s: float, what: str, every_s: float = 0.2) -> None:
    """Raises TimeoutError where it does not hold within `limit_s`."""
    deadline = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {limit_s:g} s: {what}")
        time.sleep(every_s)


def descendants(pid: int) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).children(recursive=True)
    return []
