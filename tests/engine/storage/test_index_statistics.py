"""SQLite is told of the two indexes that it would not use by itself."""

import pytest
from django.core.management import call_command
from django.db import connection

from selftest.models import Combination
from selftest.storage.index_statistics import FIGURES

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]


def known() -> dict[str, str]:
    """The figures of the database, by index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL")
        return dict(cursor.fetchall())


def test_a_new_database_knows_those_indexes_alone() -> None:
    """As the figures of one history would make it pass over indexes that a second target needs."""
    assert known() == FIGURES


def test_there_is_a_figure_for_each_column_of_them() -> None:
    columns = {index.name: len(index.fields) for index in Combination._meta.indexes if index.name in FIGURES}
    assert {name: len(figures.split()) - 1 for name, figures in FIGURES.items()} == columns


def test_a_database_with_figures_of_its_own_has_those_alone_after_the_next_upgrade() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert known().keys() - FIGURES.keys(), "as rows are there"
    call_command("migrate", verbosity=0)
    assert known() == FIGURES
