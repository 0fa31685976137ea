"""Triggers that note each change of what live pieces are made of."""

from collections.abc import Iterator

from selftest.knowledge.live.watches import WATCHES, Watch
from selftest.storage import triggers
from selftest.storage.triggers import Trigger

PREFIX = "knowledge_note_"
NOTED = "knowledge_change"


def before_migrate(using: str, plan: object = (), **_: object) -> None:
    """Drops them, where anything is going to be migrated."""
    triggers.drop_before_migrate(using, plan, PREFIX)


def make_missing(using: str) -> set[Watch]:
    """Makes those that are not there; what they watch, which may have changed unseen."""
    watch_of = {trigger: watch for watch in WATCHES for trigger in _triggers_of(watch)}
    return {watch_of[trigger] for trigger in triggers.make_missing(using, NOTED, PREFIX, watch_of)}


def _triggers_of(watch: Watch) -> Iterator[Trigger]:
    moves = watch.number in watch.columns
    # Both numbers of a row that moved from one piece to another; of any other one, the same number once.
    yield Trigger(
        watch.table,
        "UPDATE",
        _noted(watch, *(("OLD", "NEW") if moves else ("NEW",))),
        watch.number,
        watch.columns,
        # An update counts if the row met it before or meets it now.
        _conditions(watch, *(("OLD",) if watch.if_before else ("OLD", "NEW"))),
    )
    if watch.inserts:
        yield Trigger(
            watch.table, "INSERT", _noted(watch, "NEW"), watch.number, watch.columns, _conditions(watch, "NEW")
        )
    if watch.deletes:
        yield Trigger(
            watch.table, "DELETE", _noted(watch, "OLD"), watch.number, watch.columns, _conditions(watch, "OLD")
        )


def _noted(watch: Watch, *rows: str) -> str:
    return " ".join(
        f"INSERT INTO {NOTED} (kind, number) SELECT '{watch.kind}', {row}.{watch.number} "
        f"WHERE {row}.{watch.number} IS NOT NULL;"
        for row in rows
    )


def _conditions(watch: Watch, *rows: str) -> tuple[str, ...]:
    return (" OR ".join(watch.condition.format(row=row) for row in rows),) if watch.condition else ()
