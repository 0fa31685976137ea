"""What SQLite has to know of the indexes of flagged combinations: by itself it would read the wide rows behind others.

It gathers figures only when told to, which holds up all writers for as long as it takes to read every index; and those
of one history make it pass over indexes that a second target needs. So it is given the figures that it lacks.
"""

from django.db import connections, transaction

from selftest.models import Combination

TABLE = Combination._meta.db_table
FLAGGED, QUEUED = 62_480, 50_000  # entries, as of a large history; what counts is which of two indexes has fewer
# The entries of each, and how many of them fit the first column, the first two, and so on; from there on it is one.
# What it is told nothing of, SQLite takes for ten. So of the indexes that begin with a target it takes the one of what
# has no cause where that will do, else the queue's, else the first, and one of all combinations, however short, for
# nothing that was flagged.
FITTING = {
    "combination_review": (FLAGGED, *[8] * 5),
    "combination_review_by_key": (FLAGGED,),
    "combination_ever_flagged": (FLAGGED,),
    "combination_flagged_now": (FLAGGED,),
    "combination_queue": (QUEUED,),
    "combination_queue_of_target": (QUEUED, 7),
    "combination_without_cause": (QUEUED,),
}


def figures() -> dict[str, str]:
    """By index, as SQLite keeps them: the entries, and a number for each column."""
    columns = {index.name: len(index.fields) for index in Combination._meta.indexes}
    numbers = {index: [*told, *[1] * (1 + columns[index] - len(told))] for index, told in FITTING.items()}
    return {index: " ".join(map(str, told)) for index, told in numbers.items()}


def after_migrate(using: str, **_: object) -> None:
    """Gives these alone to a database whose tables may have been made again, or that a person had analysed.

    Without the indexes they do no harm.
    """
    migrated = connections[using]
    if migrated.vendor != "sqlite":
        return
    with transaction.atomic(using), migrated.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")  # makes the table of figures, if it is not there
        cursor.execute("DELETE FROM sqlite_stat1")
        rows = [(TABLE, index, known) for index, known in figures().items()]
        cursor.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", rows)
        cursor.execute("ANALYZE sqlite_schema")  # reads them
