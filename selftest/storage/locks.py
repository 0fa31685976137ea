"""Locks on rows, held until the transaction ends."""

from typing import TypeVar

from django.db.models import Manager, Model, QuerySet

Row = TypeVar("Row", bound=Model)


def locked(rows: Manager[Row] | QuerySet[Row], *, of: tuple[str, ...] = (), skip_locked: bool = False) -> QuerySet[Row]:
    """`rows`, which no one else changes or locks meanwhile. of, skip_locked: as Django has them.

    What refers to them may be saved meanwhile: Django checks references when a transaction ends, and one that waited
    there would keep all of its own locks. PostgreSQL alone tells the two apart.
    """
    return rows.select_for_update(of=of, skip_locked=skip_locked, no_key=True)
