"""How well a score tells good answers from spoiled ones, and from which threshold on. Pure: it proposes, people set."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from selftest.evaluation.core.spoiling import Spoiling

GOOD = "good"
LEAST_AUC = 0.6  # below it the scores hardly tell the two apart: no threshold is proposed


@dataclass(frozen=True)
class Graded:
    """One answer's score. spoiling: None for a good answer. value: None where the grader could not say."""

    spoiling: Spoiling | None
    value: float | None
    label: str


@dataclass(frozen=True)
class Point:
    """What a threshold finds: an answer whose score is below it counts as spoiled.

    precision: of the answers below it, the share that is spoiled; None where there are none. recall: of the spoiled
    ones, the share below it. false_alarms: of the good ones, the share below it.
    """

    threshold: float
    precision: float | None
    recall: float
    false_alarms: float


@dataclass(frozen=True)
class Calibration:
    """One grader on good and spoiled answers.

    good, spoiled: how many had a value. labels: of all, what the grader said; auc: None where one kind is missing, else
    how probably a good answer has a higher score than a spoiled one (equal ones count half); by_spoiling: the same of
    each way to spoil. suggested: the point of the curve with the greatest recall less false alarms, None where the
    scores hardly tell the two apart. caught: way to spoil → how many are below that threshold, and of how many.
    """

    grader: str
    good: int
    spoiled: int
    labels: Counter[str]
    auc: float | None
    by_spoiling: dict[Spoiling, float]
    curve: tuple[Point, ...]
    suggested: Point | None
    caught: dict[str, tuple[int, int]]


def calibrate(grader: str, answers: Sequence[Graded]) -> Calibration:
    """The whole picture of one grader. A refusal is counted among the labels alone."""
    counted = [answer for answer in answers if answer.value is not None and answer.label != "refusal"]
    good = sorted(answer.value for answer in counted if answer.spoiling is None and answer.value is not None)
    by_way = {
        way: sorted(answer.value for answer in counted if answer.spoiling is way and answer.value is not None)
        for way in Spoiling
    }
    spoiled = sorted(value for values in by_way.values() for value in values)
    auc = area_under_curve(good, spoiled)
    curve = tuple(_points(good, spoiled)) if auc is not None else ()
    suggested = max(curve, key=lambda point: point.recall - point.false_alarms, default=None)
    if auc is None or auc < LEAST_AUC:
        suggested = None
    caught = {
        name: (bisect_left(values, suggested.threshold), len(values))
        for name, values in ({GOOD: good} | {str(way): values for way, values in by_way.items()}).items()
        if suggested is not None and values
    }
    return Calibration(
        grader,
        len(good),
        len(spoiled),
        Counter(answer.label for answer in answers),
        auc,
        {way: value for way, values in by_way.items() if (value := area_under_curve(good, values)) is not None},
        curve,
        suggested,
        caught,
    )


def area_under_curve(good: Sequence[float], spoiled: Sequence[float]) -> float | None:
    """How probably one of `good` is above one of `spoiled`; equal ones count half. None where either is empty.

    Source: Hanley & McNeil (1982): the area under the ROC curve is Mann and Whitney's U over the number of pairs.
    """
    if not good or not spoiled:
        return None
    ranked = sorted(spoiled)
    above = sum(bisect_left(ranked, value) + bisect_right(ranked, value) for value in good)
    return above / 2 / len(good) / len(spoiled)


def _points(good: Sequence[float], spoiled: Sequence[float]) -> list[Point]:
    """One for each gap between two scores; both sequences in ascending order."""
    points = []
    for lower, upper in pairwise(sorted({*good, *spoiled})):
        threshold = round((lower + upper) / 2, 4)
        if not lower < threshold <= upper:
            threshold = upper  # closer together than can be written with four digits
        found, alarms = bisect_left(spoiled, threshold), bisect_left(good, threshold)
        precision = found / (found + alarms) if found + alarms else None
        points.append(Point(threshold, precision, found / len(spoiled), alarms / len(good)))
    return points
