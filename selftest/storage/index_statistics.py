"""The figures by which SQLite chooses among indexes: always those of a history of a million combinations.

SQLite gathers none unless told to, which holds up all writers for as long as it takes to read every index. Without any
it chooses badly where tables are large. With these it goes about each query in the same way from the first row on, as
in the benchmark of the pages. PostgreSQL gathers its own.

They are in the file beside this one, made by `python -m tests.benchmarks.index_statistics`.
"""

import json
from pathlib import Path

from django.db import connections

FILE = Path(__file__).with_suffix(".json")  # by table and index, as in the column `stat` of sqlite_stat1


def after_migrate(using: str, **_: object) -> None:
    """Gives them to a database whose tables or indexes may have changed. Those of what it does not have do no harm."""
    migrated = connections[using]
    if migrated.vendor != "sqlite":
        return
    rows = [(table, index, said) for table, of in json.loads(FILE.read_text()).items() for index, said in of.items()]
    with migrated.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")  # makes the table, if it is not there
        cursor.execute("DELETE FROM sqlite_stat1")
        cursor.executemany("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (%s, %s, %s)", rows)
        cursor.execute("ANALYZE sqlite_schema")  # reads them
