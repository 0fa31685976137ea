"""The statistics of drift: distances and chances worked out by hand, and the rule that makes an alarm of them."""

import json
import random
from math import comb

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp

from selftest.evaluation.core import drift_simulation as simulation
from selftest.evaluation.core.drift import LEAST_DISTANCE, REFERENCE_VALUES, WINDOW_VALUES, Comparison, Verdict
from selftest.evaluation.core.drift_statistics import compare, permutation_p, verdicts

CERTAIN = Comparison(0.9, True, 1e-9, 1.0, 2.0)
LIKELY = Comparison(0.4, True, 0.001, 1.0, 2.0)
LIKELY_DOWN = Comparison(0.4, False, 0.001, 2.0, 1.0)
CALM = Comparison(0.1, True, 0.8, 1.0, 1.0)


def test_the_specification_asks_for_a_hundred_values_and_windows_of_forty() -> None:
    assert REFERENCE_VALUES >= 100
    assert WINDOW_VALUES >= 40


def test_the_distance_is_the_largest_gap_between_the_shares() -> None:
    found = compare([1, 2, 3, 4], [3, 4, 5, 6])  # of the first, half is at most 2; of the second nothing is
    assert (found.distance, found.is_up) == (0.5, True)
    assert compare([3, 4, 5, 6], [1, 2, 3, 4]).is_up is False


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        compare([], [1.0])
    with pytest.raises(ValueError, match="nothing"):
        compare([1.0], [])


def test_a_permutation_of_two_values_is_counted_exactly() -> None:
    """Four zeros and two ones; the window of two has both ones: one way of fifteen, and no other gap is as large."""
    assert permutation_p([4, 2], 4, 2, 1.0) == pytest.approx(1 / comb(6, 2))


def test_values_that_are_all_the_same_differ_in_no_way() -> None:
    found = compare([1.0] * 200, [1.0] * 40)
    assert (found.distance, found.p_value) == (0.0, 1.0)


def test_ties_are_taken_as_ties() -> None:
    """Of 240 answers 16 are bad and all of them are new: 40 of 240 chosen 16 times over, in one direction alone."""
    found = compare([1.0] * 200, [1.0] * 24 + [0.0] * 16)
    assert found.distance == pytest.approx(0.4)
    assert found.p_value == pytest.approx(comb(224, 24) / comb(240, 40), abs=1e-12)


@given(st.integers(0, 2**32))
def test_without_ties_the_permutation_is_the_exact_test_of_scipy(seed: int) -> None:
    rng = random.Random(seed)
    values = rng.sample(range(1000), 50)
    exact = ks_2samp(values[:30], values[30:], method="exact")
    assert permutation_p([1] * 50, 30, 20, exact.statistic) == pytest.approx(exact.pvalue, abs=1e-9)


def test_a_difference_that_is_certain_but_small_does_not_matter() -> None:
    assert not Comparison(LEAST_DISTANCE - 0.01, True, 1e-9, 100.0, 119.0).matters
    assert Comparison(LEAST_DISTANCE, True, 1e-9, 100.0, 100.0).matters
    assert Comparison(0.1, True, 1e-9, 100.0, 80.0).matters  # a fifth of the median
    assert not Comparison(0.1, True, 1e-9, 0.0, 0.1).matters  # of nothing there is no fifth


def test_one_window_is_suspect_and_the_next_one_like_it_is_drift() -> None:
    assert verdicts([LIKELY], [None]) == [Verdict.SUSPECT]
    assert verdicts([LIKELY], [True]) == [Verdict.DRIFT]


def test_two_windows_in_different_directions_are_no_drift() -> None:
    assert verdicts([LIKELY_DOWN], [True]) == [Verdict.SUSPECT]


def test_one_window_beyond_doubt_is_drift() -> None:
    assert verdicts([CERTAIN], [None], [0.5] * 100) == [Verdict.DRIFT]


def test_the_more_series_there_are_the_more_certain_one_has_to_be() -> None:
    assert verdicts([LIKELY], [None], [0.5] * 13) == [Verdict.SUSPECT]  # 0.001 × 14 is less than 0.05
    assert verdicts([LIKELY], [None], [0.5] * 99) == [Verdict.CALM]  # 0.001 × 100 is more


def test_series_that_change_together_ask_for_less() -> None:
    assert set(verdicts([LIKELY] * 10, [None] * 10, [0.5] * 90)) == {Verdict.SUSPECT}  # 0.001 × 100 / 10


def test_no_window_says_nothing() -> None:
    assert verdicts([], [], [0.001]) == []
    assert verdicts([CALM], [True]) == [Verdict.CALM]


# --- the bar, in small; `manage.py measure_drift` has it in full ---


@pytest.fixture
def months(is_full: bool) -> int:
    return 100 if is_full else 8


def test_a_month_without_drift_has_one_alarm_at_most(months: int) -> None:
    rng = np.random.default_rng(5)
    assert max(simulation.false_alarms(rng, 720) for _ in range(months)) <= simulation.MOST_FALSE_ALARMS


def test_another_share_of_cached_answers_raises_none() -> None:
    rng = np.random.default_rng(6)
    assert simulation.false_alarms(rng, 720, is_cache_moving=True) == 0


@pytest.mark.parametrize("place", [0, 4, 6, 10, 12])
def test_forty_percent_of_spoiled_traffic_is_seen_in_two_windows(place: int) -> None:
    rng = np.random.default_rng(7)
    _, _, after_two, _ = simulation.power(rng, place, 150)
    assert after_two >= simulation.LEAST_POWER - 0.05  # of 150 trials, 0.85 comes out as 0.75 once in a thousand


def test_the_command_prints_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("measure_drift", simulations=2, trials=3, hours=20, json=True)
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["simulations"], found["series"], found["hours"], found["trials"]) == (2, 14, 20, 3)
    assert 0 <= found["false_alarms"] <= found["most_false_alarms"]
    assert [0 <= share <= 1 for one in found["powers"] for share in one["found"]] == [True] * 42


def test_in_words_it_says_the_least_power(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("measure_drift", simulations=1, trials=2, hours=20)
    text = capsys.readouterr().out
    assert "1 months of 20 hours, 14 series without drift" in text
    assert "Least power after two windows, of a gap of 0.34 or more: " in text
