"""What SQLite has to know of two indexes before it uses them: by itself it reads the wide rows behind others.

It gathers figures only when told to, which holds up all writers for as long as it takes to read every index; and those
of one history make it pass over indexes that a second target needs. So it is given the figures that it lacks.
"""

from django.db import connections, transaction

from selftest.models import Combination

TABLE = Combination._meta.db_table
# How many entries each has, and how many of them fit the first column, the first two, and so on. Of a key there is one.
# A target has all that were ever flagged; but what SQLite is told nothing of, it takes for ten, and of two indexes that
# begin with a target it would rather read the rows behind the shorter one. With six or nine it decides the same.
FIGURES = {
    "combination_review": " ".join(["62480", *["8"] * 5, *["1"] * 11]),
    "combination_review_by_key": " ".join(["62480", *["1"] * 12]),
}


def after_migrate(using: str, **_: object) -> None:
    """Gives it these, and nothing else, to a database whose tables may have been made again, or that a person had
    analysed.

    Without the indexes they do no harm.
    """
    migrated = connections[using]
    if migrated.vendor != "sqlite":
        return
    with transaction.atomic(using), migrated.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")  # makes the table of figures, if it is not there
        cursor.execute("DELETE FROM sqlite_stat1")
        figures = [(TABLE, index, figures) for index, figures in FIGURES.items()]
        cursor.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", figures)
        cursor.execute("ANALYZE sqlite_schema")  # reads them
