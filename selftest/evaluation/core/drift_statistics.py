"""Whether the values of a window come from the distribution of a reference. Pure: numpy and scipy.

A window is *suspect* where the two-sample Kolmogorov-Smirnov test, corrected by Benjamini and Hochberg over all series
of the target, says so at SUSPECT_Q, and the difference is large enough to matter. It is *drift* where it is certain
alone, at CERTAIN_Q, or where it or the one before it is suspect and the values of both together are certain, at BOTH_Q.
After drift, a window that is not suspect by itself is calm.

Why both together. The correction holds for each hour and not for a month of them: of 720 hours without drift it lets
720 × SUSPECT_Q = 36 have a suspect window. One alarm in 30 days from single windows takes p below 0.0001 in each of 14
series, and 40 values of which 40 % are spoiled pass that about one time in three. Nor are two windows in a row that
are each suspect enough: a share that goes from 0.20 to 0.52 is 0.25 apart in 40 values with probability 0.81, of a
reference of 200 or of 100,000, and in two windows in a row with 0.66. In the 80 values of both it is so with 0.87, and
by chance about once in 50,000. `drift_simulation` simulates what comes of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import comb
from scipy.stats import false_discovery_control, ks_2samp

from selftest.evaluation.core.drift import ROUNDING, Comparison, Verdict

SUSPECT_Q = 0.05
CERTAIN_Q = 0.0001  # 720 hours without drift then have 0.07 false alarms from single windows
BOTH_Q = 0.00025  # and 0.18 at most from two together
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


@dataclass(frozen=True)
class Decision:
    """What is said of a window. rests_on: the comparison that says so: its own, or that of both windows together."""

    verdict: Verdict
    rests_on: Comparison


def needs_both(newest: Comparison, was_suspect: bool) -> bool:
    """Whether `decisions` looks at a window together with the one before it. was_suspect: that one was."""
    return was_suspect or newest.p_value <= SUSPECT_Q


def decisions(
    newest: Sequence[Comparison],
    both: Sequence[Comparison | None],
    was_suspect: Sequence[bool],
    others_p: Sequence[float] = (),
) -> list[Decision]:
    """What the windows say that have just closed.

    both: for each, the comparison of its values and those of the window before it; None where there was none, or
    `needs_both` is False. was_suspect: whether the window before it was suspect, and not drift. others_p: of the last
    windows of the target's other series.
    """
    p_values = [*(one.p_value for one in newest), *others_p]
    corrected = false_discovery_control(p_values) if p_values else ()
    said = []
    for place, (one, together, before) in enumerate(zip(newest, both, was_suspect, strict=True)):
        is_suspect = one.matters and corrected[place] <= SUSPECT_Q
        decision = Decision(Verdict.SUSPECT if is_suspect else Verdict.CALM, one)
        if is_suspect and corrected[place] <= CERTAIN_Q:
            decision = Decision(Verdict.DRIFT, one)
        elif together is not None and together.matters and (is_suspect or before):
            with_both = [*p_values[:place], together.p_value, *p_values[place + 1 :]]
            if false_discovery_control(with_both)[place] <= BOTH_Q:
                decision = Decision(Verdict.DRIFT, together)
        said.append(decision)
    return said
