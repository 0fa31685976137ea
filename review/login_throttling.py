"""Which failures to sign in count together, and until when they lock a name or an address out.

The counting is django-axes'. It knows one limit for all that counts together; here a name from an address has one, and
an address with whatever names another.
"""

import re
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

PORT = re.compile(r"(?<=\])(?::\d+)$|^([\d.]+):\d+$")
CLOCK_TOLERANCE = timedelta(minutes=1)
ADDRESS_FAILURE_LIMIT = 20  # more than the people behind one address mistype in 15 minutes


def client_address(request: HttpRequest) -> str | None:
    """Where the request came from. Behind a proxy (HTTPS=true) the last address of X-Forwarded-For: the proxy wrote it.

    Those before it are what the client says. Of an IPv6 address its /64, all of which one client may have; written as
    the first address in it. None where nothing is known, as with a socket of the file system.
    """
    addresses = [request.META.get("REMOTE_ADDR", "")]
    if settings.SECURE_PROXY_SSL_HEADER:
        addresses.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    return next((counted for address in addresses if (counted := _counted_as(address)) is not None), None)


def _counted_as(text: str) -> str | None:
    """None: no address."""
    try:
        # A port, which some proxies add, and a zone are no part of an address that a database keeps.
        address = ip_address(PORT.sub(r"\1", text).strip("[]").partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False).network_address)


class TwoLimitsHandler(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Locks a name from an address as axes does, and an address after ADDRESS_FAILURE_LIMIT failures of any names."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Whether the next attempt is refused unseen."""
        return locked_until(request, credentials or {}) is not None

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """At least AXES_FAILURE_LIMIT where either limit is reached: axes compares with that one."""
        failures: int = super().get_failures(request, credentials)
        return max(failures, settings.AXES_FAILURE_LIMIT) if self.is_locked(request, credentials) else failures

    def clean_expired_user_attempts(
        self, request: HttpRequest | None = None, credentials: dict[str, Any] | None = None
    ) -> int:
        """Not for an attempt that was refused unseen: a flood of those must not write to the database."""
        if getattr(request, "axes_locked_out", False):
            return 0
        cleaned: int = super().clean_expired_user_attempts(request, credentials)
        return cleaned


def locked_until(request: HttpRequest, credentials: dict[str, Any]) -> datetime | None:
    """When the next attempt of this name from this address will be looked at; None: already."""
    (of_name,) = AxesProxyHandler.get_implementation().get_user_attempts(request, credentials)
    ends = [_full_until(of_name, settings.AXES_FAILURE_LIMIT), address_locked_until(request)]
    return max((end for end in ends if end is not None), default=None)


def address_locked_until(request: HttpRequest) -> datetime | None:
    """When attempts from this address will be looked at, of whatever name; None: already."""
    since = request.axes_attempt_time - settings.AXES_COOLOFF_TIME  # type: ignore[attr-defined]  # set by axes
    of_address = AccessAttempt.objects.filter(ip_address=request.axes_ip_address, attempt_time__gte=since)  # type: ignore[attr-defined]
    return _full_until(of_address, ADDRESS_FAILURE_LIMIT)


def _full_until(attempts: "QuerySet[AccessAttempt]", limit: int) -> datetime | None:
    """There is a row of failures for each name and browser, and each lapses on its own: the lock ends with the row
    that, counted from the newest, makes the number full.
    """
    failures = 0
    not_ahead = attempts.filter(attempt_time__lte=timezone.now() + CLOCK_TOLERANCE)  # of a clock that was
    newest_first = not_ahead.order_by("-attempt_time").values_list("attempt_time", "failures_since_start")
    for attempt_time, count in newest_first[:limit]:
        failures += count
        if failures >= limit:
            ends: datetime = attempt_time + settings.AXES_COOLOFF_TIME
            return ends
    return None
