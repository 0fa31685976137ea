"""The rows, of whichever app, that were encrypted by a key which is no longer known."""

from django.db.models import Model

from selftest.storage.encrypted_columns import encrypted_columns, has_unreadable


def unreadable_rows() -> list[str]:
    """The names of the rows that were encrypted by a SECRET_KEY that is no longer known."""
    return [
        _name_of(row)
        for model, columns in encrypted_columns().items()
        for row in model._default_manager.order_by("pk")
        if has_unreadable(row, columns)
    ]


def _name_of(row: Model) -> str:
    kind, name = str(row._meta.verbose_name), str(row)
    says_its_kind = name.lower().startswith(kind.split()[0])  # as "Settings of search" does
    return name if says_its_kind else f"{kind} {name}"
