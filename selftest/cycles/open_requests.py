"""The queue of requests outside cycles: all workers together open no more of them than the target answers at once.

None is opened while a cycle runs on the target, and a cycle waits for those that are open when it starts. One of a
process that died is dropped once its answer would have come; at once where the death can be seen from here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from selftest.cycles import ownership
from selftest.models import Cycle, QueuedRequest, Target
from selftest.storage.locks import locked
from selftest.storage.request_pace import pace_of

OVERDUE_S = 15.0  # beyond the time limit of an answer, with the health call that may follow it


def enqueue(target: Target) -> QueuedRequest:
    """A request behind those that wait; open already where it is its turn."""
    return _in_turn(QueuedRequest(target=target, owner=ownership.this_process()))


def try_to_open(request: QueuedRequest) -> bool:
    """Whether it may be sent now, and is noted as open."""
    return _in_turn(request).is_open


def close(request: QueuedRequest) -> None:
    """It is answered, or will not be sent."""
    QueuedRequest.objects.filter(pk=request.pk).delete()


def is_any_open(target: Target) -> bool:
    """Whether an answer is waited for outside cycles. Once a cycle runs, no more are opened."""
    with _queue_of(target):
        return QueuedRequest.objects.filter(target=target, is_open=True).exists()


def _in_turn(request: QueuedRequest) -> QueuedRequest:
    """Notes that it waits, or that it is open where its turn has come.

    One that was taken for one of a dead process is saved again, at the place that it had.
    """
    target = request.target
    with _queue_of(target):
        ahead = QueuedRequest.objects.filter(target=target)
        if request.pk is not None:
            ahead = ahead.filter(pk__lt=request.pk)
        runs_cycle = Cycle.objects.filter(target=target, state=Cycle.State.RUNNING).exists()
        request.is_open = not runs_cycle and ahead.count() < target.requests_at_once
        request.last_sign_at = timezone.now()
        request.save()
    return request


@contextmanager
def _queue_of(target: Target) -> Iterator[None]:
    """Alone with it, and without what the dead left in it."""
    with transaction.atomic():
        list(locked(pace_of(target)))
        _drop_overdue(target)
        yield


def _drop_overdue(target: Target) -> None:
    latest = timezone.now() - timedelta(seconds=target.time_limit_s + OVERDUE_S)
    for request in QueuedRequest.objects.filter(target=target):
        if request.last_sign_at < latest or ownership.is_dead(request.owner):
            request.delete()
