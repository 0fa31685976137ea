"""Which process runs a cycle, and whether it is alive, so that a dead worker's target is free again at once."""

import os
import socket
import time
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import psutil
from django.db.models import Max
from django.utils import timezone

from selftest.models import Chunk, Cycle, Reduction, Target
from selftest.storage.database_patience import keep_trying, was_away_lately

MOST_DEATHS = 10  # of workers on the same work; it is given up then, as it may be what they die of
CALL_LIMIT_S = 180.0  # a command waits a minute for its turn
LEASE_GRACE_S = 60.0  # beyond the time limit of one answer, without a sign of life
SIGN_EVERY_S = 15.0  # while nothing else is one, as where requests wait for their turn
KNOWN_FOR_S = 0.5  # that the work is still this process's
STATUS_FILE = "/proc/{}/stat"  # Linux's: its 22nd field is the start, in ticks since the machine started
BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")
NAMESPACE_FILE = "/proc/self/ns/pid"  # of another one, as in a container, no process can be seen from here

Work = Cycle | Chunk | Reduction

_running_here: set[tuple[type[Work], int]] = set()


def this_process() -> str:
    """Host, id and start: a process id alone is reused after a restart."""
    return name_of(os.getpid())  # not cached here, as a forked worker is another process


@cache
def name_of(process_id: int) -> str:
    """The same of a process on this machine. Raises psutil.NoSuchProcess."""
    return f"{socket.gethostname()}:{process_id}:{_start_of(process_id)}"


def _start_of(process_id: int) -> str:
    """The same for as long as the process lives, however the wall clock is set. Raises psutil.NoSuchProcess."""
    try:
        after_its_name = Path(STATUS_FILE.format(process_id)).read_text().rpartition(")")[2].split()
        return f"{after_its_name[22 - 3]}-{_where_seen()}"
    except OSError:  # gone, or another system
        return f"{psutil.Process(process_id).create_time():.2f}"


@cache
def _where_seen() -> str:
    """This boot of this machine, and the part of it whose processes can be seen from here."""
    return f"{BOOT_FILE.read_text()[:8]}-{''.join(filter(str.isdigit, os.readlink(NAMESPACE_FILE)))}"


def register(work: Work) -> None:
    """Notes that this process works on it."""
    _running_here.add((type(work), work.pk))


def unregister(work: Work) -> None:
    """Notes that this process is done with it."""
    _running_here.discard((type(work), work.pk))


class SignsOfLife:
    """Of this process, which asks a cycle or a chunk of one: for a loop that may last longer than any answer."""

    def __init__(self, work: Cycle | Chunk) -> None:
        self._rows = type(work)._default_manager.filter(pk=work.pk, state=work.State.RUNNING, owner=work.owner)
        self._next_s = time.monotonic() + SIGN_EVERY_S
        self._is_wanted, self._known_until_s = True, 0.0

    def give(self) -> None:
        """Gives one where the last was some time ago."""
        if time.monotonic() < self._next_s:
            return
        keep_trying(lambda: self._rows.update(last_sign_at=timezone.now()))
        self._next_s = time.monotonic() + SIGN_EVERY_S

    def are_wanted(self) -> bool:
        """False once another worker has taken the work over, as from a machine that was frozen for a while.

        Asked before each request, so looked up twice a second: no more than that is asked beside a successor.
        """
        if time.monotonic() >= self._known_until_s:
            self._is_wanted = keep_trying(self._rows.exists)
            self._known_until_s = time.monotonic() + KNOWN_FOR_S
        return self._is_wanted


def is_abandoned(work: Work, now: datetime) -> bool:
    """Whether no process works on this running cycle, chunk of one or reduction any more.

    Signs of life count again once workers had the time to give some after the database was away.
    """
    if work.owner == this_process():
        return (type(work), work.pk) not in _running_here
    if is_dead(work.owner):
        return True
    if was_away_lately():
        return False
    target = _target_of(work)
    return now - _last_sign(work) > timedelta(seconds=target.time_limit_s + LEASE_GRACE_S)


def _target_of(work: Work) -> Target:
    match work:
        case Cycle():
            return work.target
        case Chunk():
            return work.cycle.target
    return work.combination.target


def is_caller_gone(cycle: Cycle, now: datetime) -> bool:
    """Whether the process that planned this cycle, to run it itself, will not start it any more."""
    is_late = now - cycle.created_at > timedelta(seconds=CALL_LIMIT_S)
    return is_dead(cycle.owner) or (is_late and not was_away_lately())


def is_dead(owner: str) -> bool:
    """Whether that process can be seen from here to have ended; of another machine that is never seen.

    Nor of this one before it was started again, which is not told from another one of the same name.
    """
    host, _, process = owner.partition(":")
    return _is_seen(host, process) and not _is_alive(*process.split(":"))


def _is_seen(host: str, process: str) -> bool:
    """Whether that process could be seen from here if it lived. In another container of this machine it could not."""
    if host != socket.gethostname():
        return False
    _, _, where = process.partition("-")
    try:
        return where in ("", _where_seen())
    except OSError:  # another system
        return True


def _last_sign(work: Work) -> datetime:
    if isinstance(work, Reduction):
        return work.last_sign_at or work.created_at
    runs = work.runs if isinstance(work, Cycle) else work.cycle.runs.filter(place__range=work.places)
    signs = runs.aggregate(asked=Max("asked_at"), finished=Max("finished_at"))
    last: datetime = max(filter(None, (work.created_at, work.started_at, work.last_sign_at, *signs.values())))
    return last


def _is_alive(process_id: str, started: str) -> bool:
    try:
        is_the_same = _start_of(int(process_id)) == started
        return is_the_same and psutil.Process(int(process_id)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
