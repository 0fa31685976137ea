from collections.abc import Iterator
from threading import Barrier, Event

import pytest

from selftest.targets.reference.fanout import FanOut


@pytest.fixture
def fan_out() -> Iterator[FanOut]:
    opened = FanOut(time_limit_s=0.05)
    yield opened
    opened.close()


def test_answers_come_in_the_order_of_the_questions(fan_out: FanOut) -> None:
    assert fan_out([lambda: 1, lambda: 2, lambda: 3], late=0) == [1, 2, 3]


def test_questions_are_asked_at_once() -> None:
    together = Barrier(3, timeout=5)  # breaks unless all three wait for each other
    opened = FanOut()
    assert len(opened([together.wait] * 3, late=-1)) == 3
    opened.close()


def test_what_takes_too_long_is_left_out(fan_out: FanOut) -> None:
    let_go = Event()
    assert fan_out([lambda: True, lambda: let_go.wait(5)], late=False) == [True, False]
    let_go.set()


def test_a_questions_exception_is_raised(fan_out: FanOut) -> None:
    def fail() -> int:
        raise KeyError("temperature")

    with pytest.raises(KeyError):
        fan_out([lambda: 1, fail], late=0)
