"""Of several that prepare one database at once, one does and the others wait."""

import threading

import pytest
from django.db import connection

from selftest.models import QueueChange
from selftest.operating.first_start import ensure_first_login, ensure_target, one_at_a_time, prepare_database
from selftest.storage import queue_triggers
from tests.review import factory

LIMIT_S = 20


@pytest.mark.django_db(transaction=True)
def test_the_second_waits_until_the_first_has_prepared() -> None:
    order: list[str] = []
    waits = threading.Event()

    def second() -> None:
        waits.set()
        with one_at_a_time():
            order.append("second")
        connection.close()

    other = threading.Thread(target=second)
    with one_at_a_time():
        other.start()
        assert waits.wait(LIMIT_S)
        other.join(0.2)  # long enough to overtake, if it could
        assert other.is_alive()
        order.append("first")
    other.join(LIMIT_S)
    assert order == ["first", "second"]


@pytest.mark.django_db(transaction=True)
def test_three_first_starts_at_once_make_one_target_and_show_one_login() -> None:
    ready = threading.Barrier(3)
    logins, targets = [], []

    def start() -> None:
        ready.wait(LIMIT_S)
        targets.append(ensure_target().target.pk)
        logins.append(ensure_first_login())
        connection.close()

    starts = [threading.Thread(target=start) for _ in range(3)]
    for one in starts:
        one.start()
    for one in starts:
        one.join(LIMIT_S)
    assert len(targets) == 3
    assert len(set(targets)) == 1
    assert sum(login is not None for login in logins) == 1


@pytest.mark.django_db(transaction=True)
def test_one_that_fails_lets_the_next_prepare() -> None:
    with pytest.raises(ZeroDivisionError), one_at_a_time():
        raise ZeroDivisionError
    with one_at_a_time():
        pass


@pytest.mark.django_db(transaction=True)
def test_a_start_makes_the_triggers_that_one_before_it_did_not_get_to() -> None:
    """It was killed after its last migration: none is left that would have them made."""
    queue_triggers.before_migrate("default", ["a migration"])
    prepare_database()
    row = factory.flagged()
    assert QueueChange.objects.filter(combination=row.pk).exists()
