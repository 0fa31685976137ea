import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.judging.latency import WINDOW_RUNS, LatencyLimits, latency_verdict, quantile_ms

TEN_TO_HUNDRED = [float(n) for n in range(10, 101, 10)]
SECONDS_1_TO_10 = [float(n) for n in range(1000, 10001, 1000)]
LIMITS = LatencyLimits()


@pytest.mark.parametrize(
    ("samples_ms", "q", "expected_ms"),
    [
        ([7.0], 0.95, 7.0),
        ([1.0, 2.0], 0.5, 1.5),
        ([1.0, 2.0, 3.0, 4.0], 0.25, 1.75),  # place 3 × 0.25 = 0.75, between 1 and 2
        (TEN_TO_HUNDRED, 0.95, 95.5),  # place 9 × 0.95 = 8.55, between 90 and 100
        (TEN_TO_HUNDRED, 0.0, 10.0),
        (TEN_TO_HUNDRED, 1.0, 100.0),
        ([30.0, 10.0, 20.0], 0.5, 20.0),  # in any order
    ],
)
def test_the_quantile_is_that_of_hyndman_and_fan_type_7(samples_ms: list[float], q: float, expected_ms: float):
    assert quantile_ms(samples_ms, q) == pytest.approx(expected_ms)


def test_a_quantile_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        quantile_ms([], 0.5)


@pytest.mark.parametrize("q", [-0.01, 1.01, float("nan")])
def test_a_quantile_outside_0_to_1_is_refused(q: float):
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile_ms([1.0], q)


@given(samples=st.lists(st.floats(0, 1e6), min_size=1, max_size=60), q=st.floats(0, 1))
def test_a_quantile_lies_between_the_smallest_and_the_largest(samples: list[float], q: float):
    assert min(samples) <= quantile_ms(samples, q) <= max(samples) * (1 + 1e-12)


def test_the_defaults_are_those_of_the_specification():
    assert (LIMITS.multiplier, LIMITS.floor_ms, LIMITS.min_samples) == (1.5, 1000.0, 10)


def test_nine_samples_are_too_few_and_ten_are_enough():
    assert latency_verdict(60_000.0, [2000.0] * 9, LIMITS) is None
    assert latency_verdict(60_000.0, [2000.0] * 10, LIMITS) is not None


def test_no_history_at_all_is_never_judged():
    assert latency_verdict(60_000.0, [], LatencyLimits(min_samples=0)) is None


def test_more_than_one_and_a_half_times_the_p95_is_an_outlier():
    # p95 of 1, 2, … 10 s is at place 8.55: 9550 ms; times 1.5 is 14325 ms.
    assert latency_verdict(14_324.0, SECONDS_1_TO_10, LIMITS) is None
    verdict = latency_verdict(14_326.0, SECONDS_1_TO_10, LIMITS)
    assert verdict is not None
    assert verdict.p95_ms == pytest.approx(9550)
    assert verdict.threshold_ms == pytest.approx(14_325)
    assert (verdict.latency_ms, verdict.samples) == (14_326.0, 10)


def test_nothing_below_the_floor_is_an_outlier_however_fast_the_others_were():
    assert latency_verdict(999.0, [10.0] * 20, LIMITS) is None
    assert latency_verdict(1000.0, [10.0] * 20, LIMITS) is None
    verdict = latency_verdict(1001.0, [10.0] * 20, LIMITS)
    assert verdict is not None
    assert verdict.threshold_ms == 1000.0


def test_multiplier_floor_and_samples_are_taken_from_the_limits():
    limits = LatencyLimits(multiplier=3.0, floor_ms=50.0, min_samples=2)
    assert latency_verdict(300.0, [100.0, 100.0], limits) is None
    assert latency_verdict(301.0, [100.0, 100.0], limits) is not None
    assert latency_verdict(301.0, [100.0], limits) is None


def test_only_the_last_fifty_runs_count():
    assert WINDOW_RUNS == 50
    slow_long_ago = [90_000.0] * 500 + [2000.0] * 50
    verdict = latency_verdict(3001.0, slow_long_ago, LIMITS)
    assert verdict is not None
    assert (verdict.p95_ms, verdict.samples) == (2000.0, 50)
    fast_long_ago = [10.0] * 500 + [2000.0] * 50
    assert latency_verdict(3000.0, fast_long_ago, LIMITS) is None
