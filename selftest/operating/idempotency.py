"""Calls with an idempotency key: each acts once, and is answered in the same way for a day. Must not know HTTP.

A call is claimed by a row of its own, which others see at once. What it does and its answer are then written in one
transaction, so that there is never one without the other, and whatever is lost in the middle has changed nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from selftest.models import IdempotentCall
from selftest.refusals import ReusedKeyError, UnderWayError

KEPT = timedelta(hours=24)
LOST_AFTER = timedelta(minutes=2)  # no call takes this long; its process has died

_UNDER_WAY = "a call with this idempotency key is under way; send it again in a moment"


def claim(identity: str, request_sha256: str) -> IdempotentCall:
    """The call of this identity, now ours to act for, unless its `status` says that it was answered already.

    Raises ReusedKeyError where it was another request, UnderWayError where that is being answered elsewhere.
    """
    now = timezone.now()
    rows = IdempotentCall.objects.filter(identity=identity)
    rows.filter(created_at__lte=now - KEPT).delete()
    first = {"request_sha256": request_sha256, "created_at": now, "claimed_at": now}
    try:
        call, is_ours = IdempotentCall.objects.get_or_create(identity=identity, defaults=first)
    except IntegrityError as error:  # it was released between two looks
        raise UnderWayError(_UNDER_WAY) from error
    if call.request_sha256 != request_sha256:
        raise ReusedKeyError("this idempotency key was sent with another request before; take a new one for this")
    if not is_ours and call.status is None:
        _take_over(call, now)
    return call


@contextmanager
def acting(call: IdempotentCall) -> Iterator[None]:
    """The transaction in which `call` acts. Without `keep()` in it, it is rolled back and the key is free again."""
    try:
        with transaction.atomic():
            _hold(call)
            yield
            if call.status is None:
                transaction.set_rollback(True)
    except BaseException:
        _release(call)
        raise
    if call.status is None:
        _release(call)


def keep(call: IdempotentCall, status: int, body: str) -> None:
    """Writes the answer down, to be given to whatever is the same call for a day."""
    call.status, call.body = status, body
    call.save(update_fields=["status", "body"])


def forget_old_calls() -> int:
    """Deletes the answers that were kept for a day; how many."""
    deleted, _ = IdempotentCall.objects.filter(created_at__lte=timezone.now() - KEPT).delete()
    return deleted


def _take_over(call: IdempotentCall, now: datetime) -> None:
    is_lost = {"pk": call.pk, "attempt": call.attempt, "status": None, "claimed_at__lte": now - LOST_AFTER}
    if not IdempotentCall.objects.filter(**is_lost).update(attempt=F("attempt") + 1, claimed_at=now):
        raise UnderWayError(_UNDER_WAY)
    call.attempt += 1


def _hold(call: IdempotentCall) -> None:
    """Locks its row until the transaction ends. Zero rows: it took so long that another one took over."""
    ours = IdempotentCall.objects.filter(pk=call.pk, attempt=call.attempt, status=None)
    if not ours.update(claimed_at=timezone.now()):
        raise UnderWayError(_UNDER_WAY)


def _release(call: IdempotentCall) -> None:
    IdempotentCall.objects.filter(pk=call.pk, attempt=call.attempt).delete()
