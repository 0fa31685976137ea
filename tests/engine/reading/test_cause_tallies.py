"""The figures of a cause over its newest cycles."""

import pytest

from selftest.models import CauseTally
from selftest.reading.causes import TALLIES, newest_tallies
from tests.review import factory

pytestmark = pytest.mark.django_db


def test_of_many_cycles_the_newest_are_told_the_oldest_of_them_first() -> None:
    cause, other = factory.make_cause(), factory.make_cause()
    cycles = [factory.make_cycle() for _ in range(TALLIES + 2)]
    for place, cycle in enumerate(cycles):
        CauseTally.objects.create(cause=cause, cycle=cycle, runs=100 + place, flagged=1)
    found = newest_tallies([cause, other])
    assert [tally.runs for tally in found[cause.pk]] == list(range(102, 102 + TALLIES))
    assert found[other.pk] == []
