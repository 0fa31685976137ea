"""Who runs a cycle, and whether they are still alive: so that a dead worker's target is free again at once."""

import socket
from datetime import datetime, timedelta

import psutil
from django.db.models import Max

from selftest.models import Cycle

LEASE_GRACE_S = 60.0  # beyond the time limit of one answer; only counts where the process cannot be looked at

_running_here: set[int] = set()


def this_process() -> str:
    """Host, id and start: a process id alone is used again after a restart."""
    return _name(psutil.Process())


def _name(process: psutil.Process) -> str:
    return f"{socket.gethostname()}:{process.pid}:{process.create_time():.2f}"


def take(cycle: Cycle) -> None:
    _running_here.add(cycle.pk)


def let_go(cycle: Cycle) -> None:
    _running_here.discard(cycle.pk)


def is_abandoned(cycle: Cycle, now: datetime) -> bool:
    """Whether nobody works on this running cycle any more."""
    if cycle.owner == this_process():
        return cycle.pk not in _running_here
    host, _, process = cycle.owner.rpartition(":")[0].rpartition(":")
    if host == socket.gethostname() and not _is_alive(int(process), cycle.owner):
        return True
    signs = cycle.runs.aggregate(asked=Max("asked_at"), finished=Max("finished_at"))
    last_sign = max(filter(None, (cycle.created_at, cycle.started_at, *signs.values())))
    return now - last_sign > timedelta(seconds=cycle.target.time_limit_s + LEASE_GRACE_S)


def _is_alive(process_id: int, owner: str) -> bool:
    try:
        process = psutil.Process(process_id)
        return bool(process.status() != psutil.STATUS_ZOMBIE) and owner == _name(process)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
