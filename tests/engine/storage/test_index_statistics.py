"""SQLite is told of the indexes of flagged combinations, which it would not use by itself."""

import pytest
from django.core.management import call_command
from django.db import connection

from selftest.models import Combination
from selftest.storage.index_statistics import figures

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]


def known() -> dict[str, str]:
    """The figures of the database, by index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL")
        return dict(cursor.fetchall())


def test_a_new_database_knows_those_indexes_alone() -> None:
    """As the figures of one history would make it pass over indexes that a second target needs."""
    assert known() == figures()


def test_it_is_told_of_the_entries_of_each_and_of_each_column() -> None:
    columns = {index.name: len(index.fields) for index in Combination._meta.indexes}
    assert {index: len(told.split()) - 1 for index, told in figures().items()} == {
        index: columns[index] for index in figures()
    }
    assert figures()["combination_queue_of_target"] == "50000 7 1 1"


def test_a_database_with_figures_of_its_own_has_those_alone_after_the_next_upgrade() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert known().keys() - figures().keys(), "as rows are there"
    call_command("migrate", verbosity=0)
    assert known() == figures()
