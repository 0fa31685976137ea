"""`manage.py start` in a process of its own, on a free port."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from tests.commands.process import ROOT

ANSWER_LIMIT_S = 90
ALL_OF_THEM = 9  # two web workers and their master; the cluster, its sentinel, two workers, monitor and pusher


class Started:
    """within: the start of a command that runs the rest of it, in the same process."""

    def __init__(self, environment: dict[str, str], log: Path, within: Sequence[str] = (), **options: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*within, sys.executable, "manage.py", "start", "--port", str(self.port)],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                **options,
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def wait_until_all_are_there(self) -> list[psutil.Process]:
        """All that it started."""
        self.wait_until(self.answers, ANSWER_LIMIT_S, "the server answers")
        self.wait_until(lambda: len(self.descendants()) == ALL_OF_THEM, ANSWER_LIMIT_S, "all processes are there")
        return self.descendants()

    def wait_until(self, holds: Callable[[], bool], limit_s: float, what: str) -> None:
        deadline = time.monotonic() + limit_s
        while not holds():
            assert self.process.poll() is None, f"start ended before {what}:\n{self.said}"
            assert time.monotonic() < deadline, f"not within {limit_s} s: {what}\n{self.said}"
            time.sleep(0.1)

    def has_children(self) -> bool:
        return len(psutil.Process(self.process.pid).children()) == 2

    def answers(self) -> bool:
        try:
            self.get("/health")
        except OSError:
            return False
        return True


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def to_its_end(started: Started) -> Iterator[Started]:
    """Ends it and all that it started, where a test has not."""
    try:
        yield started
    finally:
        if started.process.poll() is None:
            left: list[psutil.Process] = []
            with suppress(psutil.NoSuchProcess):  # it may be ending
                left = started.descendants()
            started.process.kill()
            started.process.wait()
            for process in left:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
