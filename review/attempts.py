"""Whose failures to sign in count together, and until when they lock a person out. The counting is django-axes'."""

from datetime import datetime
from ipaddress import ip_address

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """Where the request came from. Behind a proxy (HTTPS=true) the last address of X-Forwarded-For: the proxy wrote it.

    Those before it are whatever the client says. None where nothing is known, as with a socket of the file system.
    """
    addresses = [request.META.get("REMOTE_ADDR", "")]
    if settings.SECURE_PROXY_SSL_HEADER:
        addresses.insert(0, request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    return next((address for address in addresses if _is_address(address)), None)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return "%" not in text  # a zone is no part of an address that a database keeps


def locked_until(request: HttpRequest, credentials: dict[str, str]) -> datetime | None:
    """When the next attempt of this name from this address will be looked at; None: already.

    There is a row of failures for each browser, and each lapses on its own: the lock ends with the row that, counted
    from the newest, makes the number full.
    """
    (attempts,) = AxesProxyHandler.get_implementation().get_user_attempts(request, credentials)
    failures = 0
    for attempt in attempts.order_by("-attempt_time"):
        failures += attempt.failures_since_start
        if failures >= settings.AXES_FAILURE_LIMIT:
            ends: datetime = attempt.attempt_time + settings.AXES_COOLOFF_TIME
            return ends
    return None
