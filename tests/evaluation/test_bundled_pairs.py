"""The pairs for the bundled router: each holds at any hour, and each fault that bears on them breaks one.

The whole size, through reports, is `python -m tests.benchmarks.gate`.
"""

from datetime import UTC, datetime, timedelta

import pytest

from selftest.evaluation.core.expectations import AnsweredWithin, SeenAnswer, judge
from selftest.evaluation.core.pairs import PairKind, PairLine, line_of
from selftest.evaluation.saving import BUNDLED_FILE
from selftest.targets.reference.target import ReferenceTarget
from tests.evaluation.bearing_faults import BEARING

LINES = tuple(line_of(line) for line in BUNDLED_FILE.read_text(encoding="utf-8").splitlines())
MOMENTS = [datetime(2026, 3, 2, 5, tzinfo=UTC) + number * timedelta(days=2, hours=7) for number in range(3)]


def broken(target: ReferenceTarget, line: PairLine) -> list[str]:
    """Which expectations do not hold; but for time, of which the machine decides."""
    judged = judge(line.expectations, SeenAnswer(target.ask(line.query), target.vocabulary))
    return [f"{line.name}: {one.kind}" for one in judged if not one.holds and one.kind != AnsweredWithin.kind]


def test_there_are_enough_and_of_each_kind() -> None:
    assert len(LINES) >= 40
    assert {line.kind for line in LINES} == set(PairKind)
    assert len({line.name for line in LINES}) == len(LINES)


def test_a_pair_to_be_refused_expects_a_refusal_and_no_other_pair_does() -> None:
    refusing = {line.name for line in LINES if line.expectations.refuses}
    assert refusing == {line.name for line in LINES if line.kind is PairKind.REFUSAL}
    assert len(refusing) >= 2


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_each_pair_holds_whatever_the_hour(moment: datetime) -> None:
    target = ReferenceTarget(now=lambda: moment)
    try:
        assert [fault for line in LINES for fault in broken(target, line)] == []
    finally:
        target.close()


@pytest.mark.parametrize("fault", BEARING)
def test_each_fault_that_bears_on_the_set_breaks_it(fault: str) -> None:
    target = ReferenceTarget(faults=[fault], sleep=lambda _: None)
    try:
        assert any(broken(target, line) for line in LINES)
    finally:
        target.close()
