"""Prints the figures by which SQLite chooses among indexes, as they are in a large history.

python -m tests.benchmarks.index_statistics --data-dir BIG > selftest/storage/index_statistics.json

Make BIG with `manage.py seed_history --combinations 1000000 --runs 3000000`, and again whenever an index was added.
"""

# ruff: noqa: T201 - what a command says

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence

from tests.isolation import clean

OURS = re.compile(r"(selftest|findings)_(?!historical)\w+")
OF_FULL_TEXT = re.compile(r"\w+_words_(config|data|docsize|idx)")


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.index_statistics", description=__doc__)
    parser.add_argument("--data-dir", required=True)
    folder = parser.parse_args(given).data_dir
    clean(os.environ)
    os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "review.settings"}
    import django

    django.setup()
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL ORDER BY tbl, idx")
        found: dict[str, dict[str, str]] = {}
        for table, index, said in cursor.fetchall():
            if OURS.fullmatch(table) and not OF_FULL_TEXT.fullmatch(table):
                found.setdefault(table, {})[index] = said
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
