"""Triggers of the database that note each change of what live pieces are made of: also of bulk updates and raw SQL.

They name no table but the one that they are on and the one that they note in: SQLite makes a table again where a
migration changes it, which a trigger elsewhere that names it would stop. They are dropped before migrations, which may
drop a column that they look at, and made after them; and what may have changed meanwhile is noted as changed.
"""

import hashlib
from collections.abc import Iterator, Mapping

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from selftest.knowledge.live.watches import WATCHES, Watch

PREFIX = "knowledge_note_"
NOTED = "knowledge_change"


def before_migrate(using: str, plan: object = (), **_: object) -> None:
    """Drops them, where anything is going to be migrated."""
    if plan:
        with connections[using].cursor() as cursor:
            for name, table in _present(connections[using], cursor).items():
                _drop(connections[using], cursor, name, table)


def make_missing(using: str) -> set[Watch]:
    """Makes those that are not there, of all tables that are; what they watch, which may have changed unseen."""
    connection = connections[using]
    made: set[Watch] = set()
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if NOTED not in tables:
            return made
        present = _present(connection, cursor)
        wanted = set()
        for watch in WATCHES:
            if not _has_columns(connection, cursor, watch, tables):
                continue  # migrated back to before
            for event in _events(watch):
                statements = _statements(connection.vendor, watch, event)
                name = _name(watch, event, statements)
                wanted.add(name)
                if name not in present:
                    for statement in statements:
                        cursor.execute(statement.replace("{name}", name))
                    made.add(watch)
        for name, table in present.items():
            if name not in wanted:
                _drop(connection, cursor, name, table)
    return made


def _has_columns(connection: BaseDatabaseWrapper, cursor: CursorWrapper, watch: Watch, tables: set[str]) -> bool:
    if watch.table not in tables:
        return False
    columns = {column.name for column in connection.introspection.get_table_description(cursor, watch.table)}
    return columns.issuperset((watch.number, *watch.columns))


def _events(watch: Watch) -> Iterator[str]:
    yield "UPDATE"
    if watch.inserts:
        yield "INSERT"
    if watch.deletes:
        yield "DELETE"


def _statements(vendor: str, watch: Watch, event: str) -> list[str]:
    """What makes a trigger; `{name}` stands for its name, which is made of all this."""
    rows = {"INSERT": ("NEW",), "DELETE": ("OLD",), "UPDATE": ("OLD", "NEW")}[event]
    # Both numbers of a row that moved from one piece to another; of any other one, the same number once.
    numbers = rows if watch.number in watch.columns else rows[-1:]
    noted = " ".join(
        f"INSERT INTO {NOTED} (kind, number) SELECT '{watch.kind}', {row}.{watch.number} "
        f"WHERE {row}.{watch.number} IS NOT NULL;"
        for row in numbers
    )
    conditions = []
    if event == "UPDATE":
        differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
        conditions.append("({})".format(" OR ".join(f"OLD.{name} {differs} NEW.{name}" for name in watch.columns)))
    if watch.condition:
        meeting = (
            rows[:1] if watch.if_before else rows
        )  # else an update counts if the row met it before or meets it now
        conditions.append("({})".format(" OR ".join(watch.condition.format(row=row) for row in meeting)))
    happens = f"UPDATE OF {', '.join(watch.columns)}" if event == "UPDATE" else event
    when = f"WHEN ({' AND '.join(conditions)})" if conditions else ""
    if vendor == "postgresql":
        return [
            f"CREATE OR REPLACE FUNCTION {{name}}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$body$ BEGIN {noted} RETURN NULL; END $body$",
            f"CREATE TRIGGER {{name}} AFTER {happens} ON {watch.table} FOR EACH ROW {when} EXECUTE FUNCTION {{name}}()",
        ]
    return [f"CREATE TRIGGER {{name}} AFTER {happens} ON {watch.table} FOR EACH ROW {when} BEGIN {noted} END"]


def _name(watch: Watch, event: str, statements: list[str]) -> str:
    """Of what it does: one that does something else has another name."""
    digest = hashlib.sha256("\n".join(statements).encode()).hexdigest()[:12]
    return f"{PREFIX}{watch.table.partition('_')[2]}_{event.lower()}_{digest}"


def _present(connection: BaseDatabaseWrapper, cursor: CursorWrapper) -> Mapping[str, str]:
    """Those that are there, with their tables."""
    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND starts_with(tgname, %s)",
            [PREFIX],
        )
    else:
        cursor.execute(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, %s) = %s",
            [len(PREFIX), PREFIX],
        )
    return dict(cursor.fetchall())


def _drop(connection: BaseDatabaseWrapper, cursor: CursorWrapper, name: str, table: str) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        cursor.execute(f"DROP FUNCTION IF EXISTS {name}()")
    else:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
