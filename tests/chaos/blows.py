"""What strikes an installation. Each blow returns, once it is over, what was struck."""

import errno
import os
import random
import signal
import sqlite3
import struct
import subprocess
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import psutil
import redis

from tests import servers
from tests.chaos.installation import Installation, kill

LOCKED_S = 30.0
FULL_S = 20.0
SHIFTS = {"an hour back": -timedelta(hours=1), "right again": timedelta(), "ten days ahead": timedelta(days=10)}
CLOCK_WRONG = tuple(f"the clock, {name}" for name, shift in SHIFTS.items() if shift)  # as a blow is named
SOURCE = Path(__file__).with_name("clock.c")


def kill_one(installation: Installation, rng: random.Random, parts: tuple[str, ...]) -> str:
    """SIGKILL of one process; a part that has none just now, as it starts again, is named all the same."""
    part = rng.choice(parts)
    if living := installation.family()[part]:
        kill([rng.choice(living)])
    return part


def lock(installation: Installation, for_s: float = LOCKED_S) -> str:
    """Nothing else can write to the SQLite file meanwhile."""
    with closing(sqlite3.connect(installation.database, timeout=20, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        time.sleep(for_s)
        connection.execute("ROLLBACK")
    return f"SQLite, locked for {for_s:g} s"


def fill_the_disk(installation: Installation) -> str:
    """Not a byte is free under DATA_DIR for a while."""
    filler = installation.data / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError as full:
                if full.errno != errno.ENOSPC:
                    raise
    time.sleep(FULL_S)
    filler.unlink()
    return "a full disk"


def deliver_twice(installation: Installation) -> str:
    """Every task that waits in the broker is there a second time."""
    if installation.broker_url is None:
        installation.rows("INSERT INTO django_q_ormq (key, payload, lock) SELECT key, payload, lock FROM django_q_ormq")
    else:
        with closing(redis.Redis.from_url(installation.broker_url)) as broker:
            for key in broker.scan_iter(_type="list"):
                if tasks := broker.lrange(key, 0, -1):
                    broker.rpush(key, *tasks)
    return "tasks, delivered twice"


def flush_the_broker(installation: Installation) -> str:
    """Every task that waits in the broker is gone."""
    if installation.broker_url is None:
        installation.rows("DELETE FROM django_q_ormq")
    else:
        with closing(redis.Redis.from_url(installation.broker_url)) as broker:
            broker.flushall()
    return "the broker, flushed"


class Clock:
    """The wall clock of every process that is started with `variables`; set while they run, as an admin would."""

    def __init__(self, folder: Path) -> None:
        library, self._file = folder / "clock.so", folder / "shift"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        self.set("right again")
        self.variables = {"LD_PRELOAD": str(library), "CLOCK_SHIFT_FILE": str(self._file)}

    def set(self, name: str) -> str:
        """For all of them at once."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("=q", int(SHIFTS[name].total_seconds())))
        return f"the clock, {name}"


class Restartable:
    """A server of tests.servers whose process can be struck; the next one has the same port and, if any, data."""

    def __init__(self, url: str) -> None:
        self._port = int(urllib.parse.urlsplit(url).port or 0)
        (self._process,) = [process for process in psutil.process_iter() if self._listens(process)]
        self._command, self._folder = self._process.cmdline(), self._process.cwd()
        if program := servers.find_redis() if self._process.name() == "redis-server" else None:
            # Its own command line is a title.
            options = {"port": self._port, "bind": "127.0.0.1", "save": "", "appendonly": "no"}
            self._command = [program, *(part for name, value in options.items() for part in (f"--{name}", str(value)))]
        self._owner = self._process.uids().real

    def _listens(self, process: psutil.Process) -> bool:
        with suppress(psutil.Error):  # it may have ended since it was listed
            if process.name() not in ("postgres", "redis-server"):
                return False
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
def small_disk(folder: Path, megabytes: int = 64) -> Iterator[None]:
    """A file system of that size at `folder`. Raises RuntimeError where this user may not mount one."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder],
        check=False,
        capture_output=True,
        text=True,
    )
    if mounted.returncode:
        raise RuntimeError(f"a disk of its own is needed to fill it: {mounted.stderr.strip()}; run it as root")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
