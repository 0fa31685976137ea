"""Triggers by which the database notes changes of rows: also those of bulk updates and raw SQL.

They name no table but the one that they are on and the one that they note in: SQLite makes a table again where a
migration changes it, which a trigger elsewhere that names it would stop. They are dropped before migrations, which may
drop a column that they look at, and made after them; who has them made then takes all as changed, as anything may have
been meanwhile.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

Event = Literal["INSERT", "UPDATE", "DELETE"]
DISTINCT = {"postgresql": "IS DISTINCT FROM", "sqlite": "IS NOT"}


@dataclass(frozen=True)
class Trigger:
    """On each row of `table` after an event. noted: what it does then, in SQL, of OLD and NEW as far as there are any.

    columns: an update counts where one of them becomes another. key: the column that tells rows apart.
    conditions: each must hold, in SQL.
    """

    table: str
    event: Event
    noted: str
    key: str
    columns: tuple[str, ...]
    conditions: tuple[str, ...] = ()

    def statements(self, vendor: str) -> list[str]:
        """What makes it; `{name}` stands for its name, which is made of all this."""
        conditions = [f"({condition})" for condition in self.conditions]
        if self.event == "UPDATE":
            differ = " OR ".join(f"OLD.{column} {DISTINCT[vendor]} NEW.{column}" for column in self.columns)
            conditions.insert(0, f"({differ})")
        happens = f"UPDATE OF {', '.join(self.columns)}" if self.event == "UPDATE" else self.event
        when = f"WHEN ({' AND '.join(conditions)})" if conditions else ""
        made = f"CREATE TRIGGER {{name}} AFTER {happens} ON {self.table} FOR EACH ROW {when}"
        if vendor == "postgresql":
            return [
                f"CREATE OR REPLACE FUNCTION {{name}}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$body$ BEGIN {self.noted} RETURN NULL; END $body$",
                f"{made} EXECUTE FUNCTION {{name}}()",
            ]
        return [f"{made} BEGIN {self.noted} END"]


def drop_before_migrate(using: str, plan: object, prefix: str) -> None:
    """Drops those whose names begin so, where anything is going to be migrated."""
    if plan:
        with connections[using].cursor() as cursor:
            for name, table in _present(connections[using], cursor, prefix).items():
                _drop(connections[using], cursor, name, table)


def make_missing(using: str, noted_in: str, prefix: str, triggers: Iterable[Trigger]) -> list[Trigger]:
    """Makes those that are not there, of all tables that are; and drops others of this prefix. Those that were made.

    noted_in: the table that they note in; where it is not there, none is made.
    """
    connection = connections[using]
    made: list[Trigger] = []
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if noted_in not in tables:
            return made
        present = _present(connection, cursor, prefix)
        wanted = set()
        for trigger in triggers:
            if not _has_columns(connection, cursor, trigger, tables):
                continue  # migrated back to before
            statements = trigger.statements(connection.vendor)
            name = _name(prefix, trigger, statements)
            wanted.add(name)
            if name not in present:
                for statement in statements:
                    cursor.execute(statement.replace("{name}", name))
                made.append(trigger)
        for name, table in present.items():
            if name not in wanted:
                _drop(connection, cursor, name, table)
    return made


def _has_columns(connection: BaseDatabaseWrapper, cursor: CursorWrapper, trigger: Trigger, tables: set[str]) -> bool:
    if trigger.table not in tables:
        return False
    columns = {column.name for column in connection.introspection.get_table_description(cursor, trigger.table)}
    return columns.issuperset((trigger.key, *trigger.columns))


def _name(prefix: str, trigger: Trigger, statements: list[str]) -> str:
    """Of what it does: one that does something else has another name."""
    digest = hashlib.sha256("\n".join(statements).encode()).hexdigest()[:12]
    return f"{prefix}{trigger.table.partition('_')[2]}_{trigger.event.lower()}_{digest}"


def _present(connection: BaseDatabaseWrapper, cursor: CursorWrapper, prefix: str) -> Mapping[str, str]:
    """Those that are there, with their tables."""
    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND starts_with(tgname, %s)",
            [prefix],
        )
    else:
        cursor.execute(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, %s) = %s",
            [len(prefix), prefix],
        )
    return dict(cursor.fetchall())


def _drop(connection: BaseDatabaseWrapper, cursor: CursorWrapper, name: str, table: str) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        cursor.execute(f"DROP FUNCTION IF EXISTS {name}()")
    else:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
