"""PostgreSQL is asked not to compile statements, in whichever connection."""

import pytest
from django.db import connection


@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_no_statement_is_compiled_in_a_connection_that_is_opened_again() -> None:
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)
