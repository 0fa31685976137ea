"""SQLite is told of the one index that it would not use by itself."""

import pytest
from django.core.management import call_command
from django.db import connection

from selftest.models import Combination
from selftest.storage.index_statistics import FIGURES, INDEX

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]


def known() -> list[tuple[str, str]]:
    """The figures of the database, by index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL")
        return list(cursor.fetchall())


def test_a_new_database_knows_that_index_alone() -> None:
    """As the figures of one history would make it pass over indexes that a second target needs."""
    assert known() == [(INDEX, FIGURES)]


def test_there_is_a_figure_for_each_column_of_it() -> None:
    (index,) = [index for index in Combination._meta.indexes if index.name == INDEX]
    assert FIGURES.split() == ["62480", *["1"] * len(index.fields)]


def test_a_database_with_figures_of_its_own_has_that_one_alone_after_the_next_upgrade() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert dict(known()).keys() - {INDEX}, "as rows are there"
    call_command("migrate", verbosity=0)
    assert known() == [(INDEX, FIGURES)]
