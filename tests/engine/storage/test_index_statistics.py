"""SQLite goes by the figures of a large history from the first row on, whatever is or was in its tables."""

import json

import pytest
from django.core.management import call_command
from django.db import connection

from selftest.models import Combination, Flag, Ingredient, Run
from selftest.storage.index_statistics import FILE

pytestmark = [pytest.mark.django_db, pytest.mark.database("sqlite")]

AGAIN = "make the file again: see tests.benchmarks.index_statistics"
THROUGH = Combination.ingredients.through


def known() -> dict[str, str]:
    """The figures of the database, by index."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT idx, stat FROM sqlite_stat1")
        return dict(cursor.fetchall())


def indexes_of(table: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = %s", (table,))
        return {name for (name,) in cursor.fetchall()}


def test_a_new_database_has_those_of_the_file() -> None:
    written = {index: said for of in json.loads(FILE.read_text()).values() for index, said in of.items()}
    assert known() == written
    assert known()["run_of_combination"].split()[0] == "3000000", "runs"


def test_the_file_names_no_index_that_is_gone() -> None:
    for table, figures in json.loads(FILE.read_text()).items():
        assert figures.keys() <= indexes_of(table), AGAIN


@pytest.mark.parametrize("model", [Combination, Flag, Ingredient, Run, THROUGH])
def test_each_index_of_a_table_that_grows_has_some(model: type[Run]) -> None:
    # What finds nothing in a seeded history has no figures there.
    empty = {"combination_without_cause", "combination_put_off", "combination_never_asked", "run_unchecked"}
    assert indexes_of(model._meta.db_table) - empty <= known().keys(), AGAIN


def test_those_that_a_person_had_gathered_are_replaced_by_the_next_upgrade() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert known() == {} or "run_of_combination" not in known()
    call_command("migrate", verbosity=0)
    assert known()["run_of_combination"].split()[0] == "3000000", "runs"
