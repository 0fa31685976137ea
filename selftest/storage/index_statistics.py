"""What SQLite has to know of an index before it uses it: by itself it looks a row up by its key, in the wide rows.

It gathers figures only when told to, which holds up all writers for as long as it takes to read every index; and those
of one history make it pass over indexes that a second target needs. So it is given the one figure that it lacks.
"""

from django.db import connections, transaction

from selftest.models import Combination

TABLE, INDEX = Combination._meta.db_table, "combination_review_by_key"
# How many entries there are, and how many rows fit the first column, the first two, and so on: one, the key's own.
FIGURES = " ".join(["62480", *["1"] * 12])


def after_migrate(using: str, **_: object) -> None:
    """Gives it, and nothing else, to a database whose tables may have been made again, or that a person had analysed.

    Without the index it does no harm.
    """
    migrated = connections[using]
    if migrated.vendor != "sqlite":
        return
    with transaction.atomic(using), migrated.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")  # makes the table of figures, if it is not there
        cursor.execute("DELETE FROM sqlite_stat1")
        cursor.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", [TABLE, INDEX, FIGURES])
        cursor.execute("ANALYZE sqlite_schema")  # reads them
