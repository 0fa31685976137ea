"""Calibration: the area under the curve, the curve, and the threshold that is suggested, worked by hand."""

import random

import pytest

from selftest.evaluation.core.calibration import Graded, Point, area_under_curve, calibrate
from selftest.evaluation.core.spoiling import Spoiling

NUMBER, DROPPED = Spoiling.NUMBER, Spoiling.DROPPED


def graded(good: list[float], number: list[float], dropped: list[float] | None = None) -> list[Graded]:
    ways = ((None, good), (NUMBER, number), (DROPPED, dropped or []))
    return [Graded(way, value, "graded") for way, values in ways for value in values]


@pytest.mark.parametrize(
    ("good", "spoiled", "area"),
    [
        ([1.0, 1.0], [0.0, 0.5], 1.0),
        ([0.0], [1.0], 0.0),
        ([0.5], [0.5], 0.5),
        ([1.0, 0.5], [0.5, 0.0], (1 + 1 + 0.5 + 1) / 4),
        ([], [0.5], None),
        ([0.5], [], None),
    ],
)
def test_the_area_is_the_share_of_pairs_in_the_right_order(
    good: list[float], spoiled: list[float], area: float | None
) -> None:
    assert area_under_curve(good, spoiled) == area


def test_the_curve_has_a_point_for_each_gap_between_scores() -> None:
    found = calibrate("x", graded([1.0, 1.0, 0.5, 1.0], [0.5, 0.0]))
    assert found.curve == (
        Point(0.25, precision=1.0, recall=0.5, false_alarms=0.0),
        Point(0.75, precision=2 / 3, recall=1.0, false_alarms=0.25),
    )


def test_the_suggested_threshold_has_the_most_recall_less_false_alarms() -> None:
    found = calibrate("x", graded([1.0, 1.0, 0.5, 1.0], [0.5, 0.0], [1.0, 0.0]))
    assert found.suggested == Point(0.25, precision=1.0, recall=0.5, false_alarms=0.0)
    assert found.caught == {"good": (0, 4), "number": (1, 2), "dropped": (1, 2)}
    assert found.by_spoiling == {NUMBER: pytest.approx(7 / 8 + 1 / 16), DROPPED: pytest.approx((1.5 + 4 - 0) / 8)}


def test_none_is_suggested_where_the_scores_hardly_differ() -> None:
    found = calibrate("x", graded([1.0, 0.0], [1.0, 0.0]))
    assert (found.auc, found.suggested, found.caught) == (0.5, None, {})
    assert len(found.curve) == 1
    assert calibrate("x", graded([1.0], [1.0])).curve == ()


def test_refusals_and_answers_without_a_score_are_counted_apart() -> None:
    answers = [*graded([1.0], [0.0]), Graded(None, 1.0, "refusal"), Graded(NUMBER, None, "no context")]
    found = calibrate("x", answers)
    assert (found.good, found.spoiled) == (1, 1)
    assert found.labels == {"graded": 2, "refusal": 1, "no context": 1}


def test_scores_that_are_very_close_have_a_point_each() -> None:
    rng = random.Random(1)
    values = [0.5 + rng.random() * 1e-7 for _ in range(50)]
    for point in calibrate("x", graded(values[:25], values[25:])).curve:
        below = sum(value < point.threshold for value in values[25:])
        assert point.recall == below / 25


def test_without_good_answers_there_is_no_curve() -> None:
    found = calibrate("x", graded([], [0.5, 0.0]))
    assert (found.auc, found.curve, found.suggested) == (None, (), None)
