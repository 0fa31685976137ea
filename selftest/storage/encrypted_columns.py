"""Encrypted columns after a change of SECRET_KEY: which rows can still be read, and encrypting them by the new one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet, TextField
from django.db.models.functions import Cast

from selftest.models.encrypted import EncryptedTextField, UnreadableSecret, is_outdated


@dataclass
class Renewed:
    """done: keys of rows that were encrypted by the present key. unreadable: rows of a key that is known no longer."""

    done: set[int] = field(default_factory=set)
    unreadable: dict[int, Any] = field(default_factory=dict)


def encrypted_columns() -> dict[type[Model], tuple[str, ...]]:
    """The names of the encrypted columns of each table that has one. Found, not listed: no new one is forgotten."""
    found = {}
    for model in apps.get_models():
        columns = tuple(one.name for one in model._meta.concrete_fields if isinstance(one, EncryptedTextField))
        if columns and not model._meta.proxy:
            found[model] = columns
    return found


def has_unreadable(row: Model, columns: Sequence[str]) -> bool:
    """Whether one of these columns was encrypted by a SECRET_KEY that is no longer known."""
    return any(isinstance(getattr(row, column), UnreadableSecret) for column in columns)


def renew(model: type[Model], columns: Sequence[str]) -> Renewed:
    """Encrypts by SECRET_KEY what was encrypted by one of SECRET_KEY_FALLBACKS, so that these can go."""
    renewed = Renewed()
    for column in columns:
        as_stored: QuerySet[Any] = model._default_manager.annotate(stored=Cast(column, TextField())).exclude(stored="")
        for row in as_stored.order_by("pk"):
            if isinstance(getattr(row, column), UnreadableSecret):
                renewed.unreadable[row.pk] = row
            elif is_outdated(row.stored):
                # Zero rows: someone has entered another one meanwhile.
                unchanged = as_stored.filter(pk=row.pk, stored=row.stored)
                if unchanged.update(**{column: getattr(row, column)}):
                    renewed.done.add(row.pk)
    return renewed
