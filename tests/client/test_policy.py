"""Whether and when a call is sent again: figures in, a decision out; no network and no clock."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.client.policy import End, Failure, Outcome, Pause, Terms, next_step, retry_after_s

NOW = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
TERMS = Terms(deadline_s=30, first_wait_s=0.5, longest_wait_s=8)
AGES = 1e9


def step(outcome: Outcome, attempt: int = 1, left_s: float = AGES, may_repeat: bool = True) -> Pause | End:
    return next_step(attempt, outcome, left_s, may_repeat, TERMS, random.Random(7))


def pause_s(outcome: Outcome, attempt: int = 1) -> float:
    decided = step(outcome, attempt)
    assert isinstance(decided, Pause)
    return decided.seconds


PASSING = [
    *map(Outcome, (429, 502, 503, 504)),
    Outcome(failure=Failure.CONNECTION),
    Outcome(failure=Failure.TIME_OUT),
]


@pytest.mark.parametrize("outcome", PASSING)
def test_what_may_pass_is_sent_again_if_it_is_safe(outcome: Outcome) -> None:
    assert isinstance(step(outcome), Pause)
    assert step(outcome, may_repeat=False) is End.UNSAFE


@pytest.mark.parametrize("status", [200, 201, 204, 301, 400, 401, 403, 404, 405, 408, 409, 413, 422, 425, 500, 501])
def test_every_other_status_settles_it(status: int) -> None:
    assert step(Outcome(status)) is End.SETTLED
    assert step(Outcome(status, wait_s=1.0)) is End.SETTLED


def test_what_would_fail_again_settles_it() -> None:
    assert step(Outcome(failure=Failure.LASTING)) is End.SETTLED


@pytest.mark.parametrize(
    ("attempt", "least", "most"),
    [(1, 0.25, 0.5), (2, 0.5, 1), (3, 1, 2), (4, 2, 4), (5, 4, 8), (6, 4, 8), (9999, 4, 8)],
)
def test_each_wait_is_twice_as_long_up_to_the_longest_and_half_of_it_is_chance(
    attempt: int, least: float, most: float
) -> None:
    waits = {next_step(attempt, Outcome(503), AGES, True, TERMS, random.Random(seed)) for seed in range(50)}
    seconds = [wait.seconds for wait in waits if isinstance(wait, Pause)]
    assert len(seconds) == 50
    assert least <= min(seconds) < (least + most) / 2 < max(seconds) <= most


def test_a_wait_that_the_server_asks_for_is_kept_whatever_the_longest_is() -> None:
    assert 20 <= pause_s(Outcome(429, wait_s=20)) <= 20.5
    assert 2 <= pause_s(Outcome(503, wait_s=2), attempt=9) <= 2.5
    assert 0 <= pause_s(Outcome(503, wait_s=0), attempt=9) <= 0.5


def test_no_attempt_begins_after_the_deadline() -> None:
    assert step(Outcome(503, wait_s=2), left_s=2) is End.OUT_OF_TIME
    assert isinstance(step(Outcome(503, wait_s=2), left_s=2.6), Pause)
    assert step(Outcome(503), left_s=0.2) is End.OUT_OF_TIME
    assert step(Outcome(503), left_s=-1) is End.OUT_OF_TIME


@given(
    outcome=st.builds(
        Outcome,
        st.none() | st.integers(100, 599),
        st.none() | st.sampled_from(Failure),
        st.none() | st.floats(0, 1e9),
    ),
    attempt=st.integers(1, 10**6),
    left_s=st.floats(-1e9, 1e9),
    may_repeat=st.booleans(),
    seed=st.integers(),
)
def test_a_pause_always_ends_before_the_deadline_and_is_never_for_what_may_not_be_repeated(
    outcome: Outcome, attempt: int, left_s: float, may_repeat: bool, seed: int
) -> None:
    decided = next_step(attempt, outcome, left_s, may_repeat, TERMS, random.Random(seed))
    if isinstance(decided, Pause):
        assert may_repeat
        assert outcome.is_passing
        assert (outcome.wait_s or 0) <= decided.seconds < left_s


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None),
        ("2", 2.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("Tue, 30 Jun 2026 12:00:07 GMT", 7.0),
        ("Tue, 30 Jun 2026 12:00:07 -0000", 7.0),
        ("Tue, 30 Jun 2026 11:59:00 GMT", 0.0),
        ("Tue, 30 Jun 2026 14:00:00 +0200", 0.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        ("9" * 5000, None),
        ("٧", None),
        ("Tue, 30 Jun 2026 12:00:07 +99999999999999", None),
        ("Tue, 30 Jun 99999999999999999999 12:00:07 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str | None, seconds: float | None) -> None:
    assert retry_after_s(text, NOW) == seconds


@given(st.text())
def test_no_header_breaks_it(text: str) -> None:
    found = retry_after_s(text, NOW)
    assert found is None or found >= 0


@pytest.mark.parametrize("name", ["deadline_s", "timeout_s", "first_wait_s", "longest_wait_s"])
@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_terms_are_positive(name: str, seconds: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Terms(**{name: seconds})
