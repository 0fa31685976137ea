"""What time it is by the database, which all machines share."""

from datetime import datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """By its own clock; SQLite is on this machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def time_for_sure() -> datetime:
    """What cannot be undone goes by the clock that is behind: one that is ahead would make everything old."""
    return min(timezone.now(), database_now())
