"""The statistics of drift: distances and chances worked out by hand, and the rule that makes an alarm of them."""

import json
import math
import random
from math import comb

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, ks_2samp

from selftest.evaluation.core import drift_simulation as simulation
from selftest.evaluation.core.drift import LEAST_DISTANCE, REFERENCE_VALUES, WINDOW_VALUES, Comparison, Verdict
from selftest.evaluation.core.drift_statistics import compare, decisions, needs_both, permutation_p

CERTAIN = Comparison(0.9, True, 1e-9, 1.0, 2.0)
LIKELY = Comparison(0.4, True, 0.001, 1.0, 2.0)
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


def said(
    newest: Comparison,
    both: Comparison | None = None,
    was_suspect: bool = False,
    others: int = 13,
    other_p: float = 0.5,
) -> Verdict:
    return decisions([newest], [both], [was_suspect], [other_p] * others)[0].verdict


# Corrected for 14 series 0.00001 is 0.00014, and 0.0001 is 0.0014: certain of two windows, and not.
BOTH = Comparison(0.3, True, 0.00001, 1.0, 2.0)
BOTH_IN_DOUBT = Comparison(0.3, True, 0.0001, 1.0, 2.0)
BOTH_TOO_NEAR = Comparison(0.24, True, 0.00001, 1.0, 1.1)


def test_a_window_alone_is_suspect_and_with_one_beside_it_drift() -> None:
    assert said(LIKELY) is Verdict.SUSPECT
    assert said(LIKELY, BOTH, was_suspect=True) is Verdict.DRIFT
    assert said(LIKELY, BOTH) is Verdict.DRIFT  # the one before it was not suspect alone
    assert said(CALM, BOTH, was_suspect=True) is Verdict.DRIFT  # nor is this one


@pytest.mark.parametrize("both", [BOTH_IN_DOUBT, BOTH_TOO_NEAR])
def test_two_windows_that_are_not_certain_together_or_near_the_reference_are_none(both: Comparison) -> None:
    assert said(LIKELY, both, was_suspect=True) is Verdict.SUSPECT
    assert said(CALM, both, was_suspect=True) is Verdict.CALM


def test_two_windows_of_which_none_is_suspect_are_none() -> None:
    assert said(CALM, BOTH) is Verdict.CALM


def test_a_decision_names_what_it_rests_on() -> None:
    (alone,) = decisions([CERTAIN], [BOTH], [True])
    (together,) = decisions([LIKELY], [BOTH], [True], [0.5] * 13)
    assert (alone.rests_on, together.rests_on) == (CERTAIN, BOTH)


def test_one_window_beyond_doubt_is_drift() -> None:
    assert said(CERTAIN, others=100) is Verdict.DRIFT


def test_the_more_series_there_are_the_more_certain_one_has_to_be() -> None:
    assert said(LIKELY) is Verdict.SUSPECT  # 0.001 × 14 is less than 0.05
    assert said(LIKELY, others=99) is Verdict.CALM  # 0.001 × 100 is more


def test_series_that_change_together_ask_for_less() -> None:
    found = decisions([LIKELY] * 10, [None] * 10, [False] * 10, [0.5] * 90)  # 0.001 × 100 / 10
    assert {one.verdict for one in found} == {Verdict.SUSPECT}


def test_no_window_says_nothing() -> None:
    assert decisions([], [], [], [0.001]) == []
    assert decisions([], [], []) == []


def test_two_windows_are_looked_at_together_where_one_of_them_may_be_suspect() -> None:
    assert needs_both(CALM, was_suspect=True)
    assert needs_both(LIKELY, was_suspect=False)
    assert not needs_both(CALM, was_suspect=False)


@pytest.mark.parametrize(("values", "probability"), [(40, 0.806), (80, 0.872)])
def test_a_share_that_rises_by_a_third_is_far_enough_apart_more_often_in_two_windows(
    values: int, probability: float
) -> None:
    """Of 0.20 before and 0.52 after; summed over the shares that a reference of 200 may have."""
    fewest = [math.ceil(values * (0.25 + share / 200) - 1e-9) for share in range(201)]
    found = sum(binom.pmf(share, 200, 0.2) * binom.sf(fewest[share] - 1, values, 0.52) for share in range(201))
    assert found == pytest.approx(probability, abs=0.001)


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


@pytest.mark.parametrize("place", [0, 3, 4, 9, 12])  # the shares of series 9 differ least
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
    assert "Least power after two windows: " in text
