"""How many pages a second the web server of `start` serves to many readers at once, and how soon /health answers then.

python -m tests.benchmarks.load --data-dir DIR [--connections 16] [--seconds 15] [--path /flags ...]
python -m tests.benchmarks.load --database-url URL

Make the history with `manage.py seed_history` and bring it to the newest migration. Serves it on a free port without a
worker. Each connection is a signed-in reader's, who asks for the next page as soon as the last one is there; /health is
asked ten times a second, on new connections. Its own time and the server's are told apart, as both need the same cores;
that of a PostgreSQL is not told. Ends with 1 where a limit is not kept.
"""

# ruff: noqa: T201 - what a command says

import argparse
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import cycle
from typing import Any

import psutil

from tests.benchmarks.pages import at_share, open_database, reviewer

PAGES_A_SECOND = 60.0  # at least
P95_S = 0.5
HEALTH_P95_MS = 20.0
CONNECTIONS = 16
SECONDS = 15.0
HEALTH_EVERY_S = 0.1
WARM_UP_S = 3.0
ANSWER_LIMIT_S = 60.0


@dataclass(frozen=True)
class Load:
    """What was measured. cpu_s: of the web server by process, and `own_cpu_s` of what asked."""

    seconds: float
    pages_s: list[float]
    health_s: list[float]
    refused: int
    cpu_s: list[float]
    own_cpu_s: float


@contextlib.contextmanager
def serving() -> Iterator[tuple[int, list[psutil.Process]]]:
    """The port of a web server on this process's database, and its processes, the one that forked the others first."""
    from selftest.management.commands.start import web_server

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    server = subprocess.Popen([sys.executable, "-m", *web_server("127.0.0.1", port)])
    try:
        deadline = time.monotonic() + ANSWER_LIMIT_S
        while not _answers(port):
            if time.monotonic() > deadline or server.poll() is not None:
                raise SystemExit("the web server does not answer")
            time.sleep(0.2)
        master = psutil.Process(server.pid)
        yield port, [master, *master.children()]
    finally:
        server.terminate()
        server.wait()


def _answers(port: int) -> bool:
    try:
        return ask(HTTPConnection("127.0.0.1", port, timeout=5), "/health", {}) == 200
    except OSError:
        return False


def ask(connection: HTTPConnection, path: str, headers: dict[str, str]) -> int:
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def read_pages(port: int, paths: Sequence[str], cookie: str, until: float) -> tuple[list[float], int]:
    """One reader: how long each page took, in seconds, and how many were no page."""
    took_s, refused = [], 0
    connection = HTTPConnection("127.0.0.1", port, timeout=ANSWER_LIMIT_S)
    with contextlib.closing(connection):
        for path in cycle(paths):
            if (began := time.monotonic()) >= until:
                return took_s, refused
            refused += ask(connection, path, {"Cookie": cookie}) != 200
            took_s.append(time.monotonic() - began)
    return took_s, refused


def watch_health(port: int, until: float) -> list[float]:
    """How long each answer took, in seconds, from before the connection was made."""
    took_s = []
    while (began := time.monotonic()) < until:
        with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=ANSWER_LIMIT_S)) as connection:
            ask(connection, "/health", {})
        took_s.append(time.monotonic() - began)
        time.sleep(max(0.0, began + HEALTH_EVERY_S - time.monotonic()))
    return took_s


def cookies(count: int) -> list[str]:
    """Of as many signed-in sessions."""
    sessions = [reviewer().cookies for _ in range(count)]
    return [";".join(f"{morsel.key}={morsel.value}" for morsel in session.values()) for session in sessions]


def measure(connections: int, seconds: float, paths: Sequence[str]) -> Load:
    sessions = cookies(connections)
    with serving() as (port, processes), ThreadPoolExecutor(connections + 1) as readers:

        def read(seconds: float) -> tuple[list[float], list[float], int]:
            until = time.monotonic() + seconds
            health = readers.submit(watch_health, port, until)
            reading = [
                readers.submit(read_pages, port, [*paths[place:], *paths[:place]], cookie, until)
                for cookie, place in zip(sessions, cycle(range(len(paths))), strict=False)
            ]
            found = [reader.result() for reader in reading]
            return [took for took_s, _ in found for took in took_s], health.result(), sum(no for _, no in found)

        read(min(WARM_UP_S, seconds))
        before_s, own_before_s, began = list(map(_cpu_s, processes)), time.process_time(), time.monotonic()
        pages_s, health_s, refused = read(seconds)
        took_s = time.monotonic() - began
        cpu_s = [_cpu_s(process) - before for process, before in zip(processes, before_s, strict=True)]
        return Load(took_s, pages_s, health_s, refused, cpu_s, time.process_time() - own_before_s)


def _cpu_s(process: Any) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def tell(load: Load) -> int:
    """Prints the figures; how many limits were not kept."""
    rate = len(load.pages_s) / load.seconds
    p95_s, health_ms = at_share(load.pages_s, 0.95), at_share(load.health_s, 0.95) * 1000
    missed = [
        *["SLOWER THAN ITS LIMIT"] * (rate < PAGES_A_SECOND or p95_s > P95_S),
        *["HEALTH SLOWER THAN ITS LIMIT"] * (health_ms > HEALTH_P95_MS),
        *[f"{load.refused} REFUSED"] * (load.refused > 0),
    ]
    server_s = sum(load.cpu_s)
    print(f"pages    {rate:6.1f} a second, p50 {at_share(load.pages_s, 0.5):.3f} s, p95 {p95_s:.3f} s")
    print(
        f"/health  p50 {at_share(load.health_s, 0.5) * 1000:6.1f} ms, p95 {health_ms:.1f} ms, of {len(load.health_s)}"
    )
    by_process = " + ".join(f"{cpu_s:.1f}" for cpu_s in load.cpu_s)
    print(
        f"server   {server_s / max(1, len(load.pages_s)) * 1000:6.1f} ms of processor a page; "
        f"{by_process} s in {load.seconds:.1f} s; what asked {load.own_cpu_s:.1f} s"
    )
    print(*missed, sep="\n")
    return len(missed)


def arguments_of(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load", description=(__doc__ or "").split("\n")[0])
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--data-dir", dest="place", help="of an SQLite database")
    place.add_argument("--database-url", dest="place", help="of a PostgreSQL")
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--path", action="append", help="of a page; several are asked in turn (default: /flags)")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    wish = arguments_of(given)
    open_database(wish.place)
    return 1 if tell(measure(wish.connections, wish.seconds, wish.path or ["/flags"])) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
