"""Whether the values of a window come from the distribution of a reference. Pure: numpy and scipy.

A window is *suspect* where the two-sample Kolmogorov-Smirnov test, corrected by Benjamini and Hochberg over all series
of the target, says so at SUSPECT_Q, and the difference is large enough to matter. It is *drift* where the window before
it was suspect in the same direction, or where it is certain alone, at CERTAIN_Q.

Why two in a row. The correction holds for each hour and not for a month of them: of 720 hours without drift it lets
720 × SUSPECT_Q = 36 have a suspect window. One alarm in 30 days from single windows takes p below 0.0001 in each of 14
series, and 40 values of which 40 % are spoiled pass that about two times in three. Were windows independent, two in a
row in the same direction would come about 14 × 720 × (SUSPECT_Q / 14)² / 2 = 0.06 times in 30 days. They share the
sample of the reference, so their distances correlate by window / (reference + window): 0.17 for 40 and 200, 0.29 for
40 and 100, which has several times as many false alarms. `drift_simulation` simulates what comes of it.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import comb
from scipy.stats import false_discovery_control, ks_2samp

from selftest.evaluation.core.drift import ROUNDING, Comparison, Verdict

SUSPECT_Q = 0.05
CERTAIN_Q = 0.0001  # 720 hours without drift then have 0.07 false alarms from single windows
FEW_DISTINCT_VALUES = 20  # the test of scipy knows no ties and finds too little; a permutation counts them


def compare(reference: Sequence[float], window: Sequence[float]) -> Comparison:
    """The two held against each other; each in any order, one value at least. Raises ValueError for none.

    Source: Hodges (1958), as scipy has it; with few distinct values Schröer and Trenkler (1995).
    """
    if not reference or not window:
        raise ValueError("nothing to compare")
    found = ks_2samp(reference, window)
    distance, p_value = float(found.statistic), float(found.pvalue)
    counts = np.unique(np.concatenate([reference, window]), return_counts=True)[1].tolist()
    if len(counts) <= FEW_DISTINCT_VALUES:
        p_value = permutation_p(counts, len(reference), len(window), distance)
    is_up = bool(found.statistic_sign > 0)
    return Comparison(distance, is_up, p_value, float(np.median(reference)), float(np.median(window)))


def permutation_p(counts: Sequence[int], reference: int, window: int, distance: float) -> float:
    """Of all ways to deal the values out to two samples of these sizes, the share with a gap of `distance` at least.

    counts: how often each distinct value stands in both samples together, by rising value; their sum is
    reference + window. Exact: the ways with a smaller gap are counted value by value, by how many are the window's.
    """
    ways = np.ones(1)
    dealt = 0
    for count in counts:
        ways = np.convolve(ways, comb(count, np.arange(min(count, window) + 1)))[: window + 1]
        dealt += count
        taken = np.arange(len(ways))
        ways[np.abs(taken / window - (dealt - taken) / reference) >= distance - ROUNDING] = 0
    smaller = ways[window] / comb(reference + window, window)
    return float(min(max(1 - smaller, 0.0), 1.0))


def verdicts(
    newest: Sequence[Comparison], before_is_up: Sequence[bool | None], others_p: Sequence[float] = ()
) -> list[Verdict]:
    """What the windows say that have just closed.

    before_is_up: for each, the direction of the window before it where that was suspect or drift, else None.
    others_p: of the last windows of the target's other series.
    """
    if not newest:
        return []
    corrected = false_discovery_control([*(one.p_value for one in newest), *others_p])[: len(newest)]
    return [_verdict(one, p, before) for one, p, before in zip(newest, corrected, before_is_up, strict=True)]


def _verdict(one: Comparison, corrected_p: float, before_is_up: bool | None) -> Verdict:
    if corrected_p > SUSPECT_Q or not one.matters:
        return Verdict.CALM
    return Verdict.DRIFT if corrected_p <= CERTAIN_Q or before_is_up == one.is_up else Verdict.SUSPECT
