"""Many rows at once, with keys that the caller gives. Knows databases, not what the rows mean."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.core.management.color import no_style
from django.db import connection
from django.db.models import Max, Model

ROWS_AT_ONCE = 5000  # some 5 MB of runs
SQLITE_CACHE_KIB = 256 * 1024  # holds the indexes, which grow at random; otherwise their pages are written often
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Row = Sequence[Any]


class Rows:
    """Rows of one model on their way into its table. columns: the names of all of them, in the order of a row's values.

    Values are as the database accepts them: JSON as its text, a time as `stamper()` gives it. Raises ValueError for a
    column that is not the model's, or that is missing.
    """

    def __init__(self, model: type[Model], columns: str) -> None:
        names = columns.split()
        fields = {field.attname: str(field.column) for field in model._meta.concrete_fields}
        if differing := fields.keys() ^ set(names):
            raise ValueError(f"{model.__name__}: columns {', '.join(sorted(differing))} are missing or unknown")
        quoted = [connection.ops.quote_name(fields[name]) for name in names]
        self._into = f"{connection.ops.quote_name(model._meta.db_table)} ({', '.join(quoted)})"
        self._width = len(names)
        self._rows: list[Row] = []
        newest: int | None = model._default_manager.aggregate(newest=Max("pk"))["newest"]
        self.next_pk = (newest or 0) + 1

    def add(self, row: Row) -> None:
        """Writes the row, now or with those that follow."""
        self._rows.append(row)
        if len(self._rows) >= ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that were added."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {self._into} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
            else:
                places = ", ".join(["%s"] * self._width)
                cursor.executemany(f"INSERT INTO {self._into} VALUES ({places})", rows)  # noqa: S608 - names of ours


def stamper() -> Callable[[int], Any]:
    """Microseconds since 1970 → a time as this database accepts it in bulk."""
    if connection.features.supports_timezones:
        return lambda at_us: EPOCH + timedelta(microseconds=at_us)

    @lru_cache(maxsize=64)
    def until_seconds(minute: int) -> str:
        return f"{EPOCH + timedelta(minutes=minute):%Y-%m-%d %H:%M:}"

    def naive(at_us: int) -> str:
        seconds, us = divmod(at_us, 1_000_000)
        minute, second = divmod(seconds, 60)
        return f"{until_seconds(minute)}{second:02d}.{us:06d}" if us else f"{until_seconds(minute)}{second:02d}"

    return naive


def make_room(models: Sequence[type[Model]]) -> None:
    """Inside a transaction: no other writer gets a key of these models until it ends, and SQLite gets memory."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
        elif connection.vendor == "sqlite":  # a writing transaction already keeps others out
            cursor.execute(f"PRAGMA cache_size=-{SQLITE_CACHE_KIB}")


def follow_keys(models: Sequence[type[Model]]) -> None:
    """Makes the database give keys after the largest that is used."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
