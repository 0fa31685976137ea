"""PostgreSQL compiles a statement that it expects to be expensive. Ours read few rows: compiling them takes longer."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


def _switch_off(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET jit = off")


def never_compile() -> None:
    """In each connection from now on, for as long as it lasts."""
    connection_created.connect(_switch_off, dispatch_uid="compiled_statements")
