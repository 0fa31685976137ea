"""Whether the database file is still the one that this connection has open.

SQLite continues to write into a file that was moved or deleted, where what is recorded would be lost. Knows nothing
of other databases: those fail by themselves when they are gone.
"""

import os
from typing import Any

from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

Identity = tuple[int, int]  # device and inode


@receiver(connection_created)
def _remember(connection: BaseDatabaseWrapper, **_: Any) -> None:
    connection.opened_file = _identity(connection)  # type: ignore[attr-defined]  # kept with what it describes


def _identity(connection: BaseDatabaseWrapper) -> Identity | None:
    """None where there is no file: another database, one in memory, one that is gone."""
    if connection.vendor != "sqlite":
        return None
    try:
        status = os.stat(connection.settings_dict["NAME"])
    except OSError:
        return None
    return status.st_dev, status.st_ino


def check_database_is_there() -> None:
    """Raises OperationalError where the file that is written to is no longer the one that others read."""
    opened = getattr(connection, "opened_file", None)
    if opened is not None and opened != _identity(connection):
        raise OperationalError(f"the database file {connection.settings_dict['NAME']} is no longer where it was")


def is_missing() -> bool:
    """Whether a new connection would only make an empty file where the database was."""
    return getattr(connection, "opened_file", None) is not None and _identity(connection) is None
