"""The lexical grader on answers of routers that it was not made with: good claims in other words, and spoiled ones."""

import sys

import pytest

from selftest.evaluation.core.calibration import area_under_curve
from selftest.evaluation.core.graders.support import Lexical
from selftest.evaluation.core.spoiling import Spoiling
from tests.evaluation.graders.worlds import HELD_OUT, WAYS, pairs, values

PAIRS = 500
LEAST_AUC = 0.9


def test_it_tells_good_claims_from_spoiled_ones_in_worlds_that_it_was_not_made_with() -> None:
    made = pairs(HELD_OUT, seed=20261123, count=PAIRS)
    assert len(made) == PAIRS
    found = values(Lexical(), made)
    spoiled = [value for way in WAYS for value in found[way]]
    auc = area_under_curve(found[None], spoiled)
    at = Lexical.supported_at
    confusion = {way or "good": f"{sum(value >= at for value in of)} of {len(of)}" for way, of in found.items()}
    sys.stdout.write(f"\nAUC {auc} on {PAIRS} pairs; supported: {confusion}\n")
    assert auc is not None
    assert auc >= LEAST_AUC


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_spoil_is_seen_by_itself(way: Spoiling) -> None:
    found = values(Lexical(), pairs(HELD_OUT, seed=7, count=150))
    auc = area_under_curve(found[None], found[way])
    assert auc is not None
    assert auc >= LEAST_AUC
