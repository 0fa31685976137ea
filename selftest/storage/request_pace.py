"""Keeps all workers together to the requests a second that a target may get: each reserves its time in one row.

The database's clock tells the time, as those of several machines differ.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from selftest.models import RequestPace, Target
from selftest.storage.locks import locked
from selftest.targets.limits import MAX_REQUESTS_AT_ONCE


def reserve(target: Target) -> float:
    """How many seconds to wait before the next request to `target`, whose time is now reserved; 0.0 without a limit."""
    if target.requests_per_second is None:
        return 0.0
    apart = timedelta(seconds=1 / target.requests_per_second)
    with transaction.atomic():
        rows = locked(pace_of(target))
        next_at, now = rows.annotate(now=Now()).values_list("next_at", "now").get()
        is_due = next_at < now or next_at - now > 2 * MAX_REQUESTS_AT_ONCE * apart  # more than wait: the clock was set
        at = now if is_due else next_at
        rows.update(next_at=at + apart)
    return float((at - now).total_seconds())


def pace_of(target: Target) -> QuerySet[RequestPace]:
    """The one row of the target that all who send requests to it lock."""
    RequestPace.objects.get_or_create(target=target, defaults={"next_at": Now()})
    return RequestPace.objects.filter(target=target)
