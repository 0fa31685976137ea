"""Triggers that note which combinations of the queue have changed, so that who knows the others reads these alone."""

from django.db import connections, transaction
from django.db.utils import DEFAULT_DB_ALIAS

from selftest.models import Combination, QueueChange
from selftest.storage import triggers
from selftest.storage.triggers import Trigger

PREFIX = "queue_note_"
NOTED = QueueChange._meta.db_table
# What `reading/flagged_rows.py` keeps of a row.
COLUMNS = (
    *("ever_flagged", "target_id", "flagged_check", "cause_id", "review_status", "currently_flagged"),
    *("last_flagged_run_id", "last_run_timestamp", "first_flagged_timestamp", "times_flagged"),
)


def _trigger(event: triggers.Event, row: str, condition: str) -> Trigger:
    noted = (
        f"INSERT INTO {NOTED} (combination, change) VALUES ({row}.id, NULL) "  # noqa: S608 - ours
        "ON CONFLICT (combination) DO UPDATE SET change = NULL;"
    )
    return Trigger(Combination._meta.db_table, event, noted, "id", COLUMNS, (condition,))


TRIGGERS = (
    _trigger("INSERT", "NEW", "NEW.ever_flagged"),
    _trigger("UPDATE", "NEW", "OLD.ever_flagged OR NEW.ever_flagged"),
    _trigger("DELETE", "OLD", "OLD.ever_flagged"),
)


def before_migrate(using: str, plan: object = (), **_: object) -> None:
    """Drops them, where anything is going to be migrated."""
    triggers.drop_before_migrate(using, plan, PREFIX)


def after_migrate(using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Makes those that are missing. All may have changed meanwhile, and in a database that was emptied all have."""
    if NOTED not in connections[using].introspection.table_names():
        return  # migrated back to before
    with transaction.atomic(using):  # no trigger without all being read again
        changes = QueueChange.objects.using(using)
        changes.get_or_create(combination=QueueChange.ALL)
        if triggers.make_missing(using, NOTED, PREFIX, TRIGGERS):
            changes.filter(combination=QueueChange.ALL).update(change=None)
