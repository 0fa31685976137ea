"""How often the rule of drift is wrong, and how soon it is right: simulated months without drift, and spoiled traffic.

python -m tests.benchmarks.drift [--simulations 1000] [--trials 2000] [--hours 720] [--seed 1]

A month: 14 series, each with a reference of its own and 720 windows of 40 values of the same distribution. A trial:
40 % of the values of one series are spoiled from one window on, the other 13 stay as they were.
"""

# ruff: noqa: T201 - what a command says

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import process_time

import numpy as np
from scipy.stats import ks_2samp, norm

from selftest.evaluation.core.drift import REFERENCE_VALUES, WINDOW_VALUES, Comparison, Metric, Verdict
from selftest.evaluation.core.drift_statistics import SUSPECT_Q, compare, permutation_p, verdicts

SPOILED = 0.4  # of the traffic
SPOILED_WINDOWS = 3
MOST_FALSE_ALARMS = 1  # in 14 series over 30 days
LEAST_POWER = 0.8  # after two windows, where spoiled values are unlike nearly all others
LEAST_GAP = 0.34  # of the two distributions; 40 % spoiled traffic makes 0.4 at most
GAP_VALUES = 100_000
CACHED_MS, ASKED_MS = 8.0, 1400.0
CALM = Comparison(0.0, False, 1.0, 0.0, 0.0)

Values = np.ndarray


@dataclass(frozen=True)
class Shares:
    """A metric of few values: how often each comes, and how often in spoiled traffic."""

    metric: Metric
    values: tuple[float, ...]
    shares: tuple[float, ...]
    spoiled: tuple[float, ...]

    def draw(self, rng: np.random.Generator, size: tuple[int, ...], spoiled: float = 0.0) -> Values:
        shares = (1 - spoiled) * np.array(self.shares) + spoiled * np.array(self.spoiled)
        return np.array(self.values)[rng.choice(len(self.values), size=size, p=shares)]


@dataclass(frozen=True)
class Latency:
    """Log-normal, as those of the made-up history are; spoiled, it takes four times as long."""

    median_ms: float
    metric: Metric = Metric.LATENCY
    sigma: float = 0.45

    def draw(self, rng: np.random.Generator, size: tuple[int, ...], spoiled: float = 0.0) -> Values:
        slow = np.where(rng.random(size) < spoiled, 4.0, 1.0)
        return self.median_ms * slow * np.exp(self.sigma * rng.standard_normal(size))


Distribution = Shares | Latency
THIRDS = (0.0, 1 / 3, 0.5, 2 / 3, 1.0)
SERIES: tuple[Distribution, ...] = (
    Latency(ASKED_MS),
    Latency(900.0),
    Latency(CACHED_MS),
    Latency(20.0),
    Shares(Metric.SECTIONS, THIRDS, (0.02, 0.03, 0.1, 0.15, 0.7), (0.4, 0.3, 0.3, 0, 0)),
    Shares(Metric.SECTIONS, (0.0, 0.5, 1.0), (0.02, 0.1, 0.88), (0.8, 0.2, 0)),
    Shares(Metric.EMPTY, THIRDS, (0.8, 0.06, 0.06, 0.04, 0.04), (0, 0, 0.2, 0.2, 0.6)),
    Shares(Metric.EMPTY, (0.0, 1.0), (0.97, 0.03), (0, 1)),
    Shares(Metric.EXPLAINED, (0.0, 1.0), (0.9, 0.1), (0, 1)),
    Shares(Metric.EXPLAINED, (0.0, 1.0), (0.8, 0.2), (0, 1)),
    Shares(Metric.FAITHFULNESS, THIRDS, (0.01, 0.04, 0.05, 0.1, 0.8), (0.5, 0.3, 0.2, 0, 0)),
    Shares(Metric.FAITHFULNESS, THIRDS, (0.01, 0.04, 0.05, 0.2, 0.7), (0.5, 0.3, 0.2, 0, 0)),
    Shares(Metric.COVERAGE, (0.0, 0.25, 0.5, 0.75, 1.0), (0.02, 0.03, 0.1, 0.25, 0.6), (0.6, 0.4, 0, 0, 0)),
    Shares(Metric.COVERAGE, (0.0, 0.5, 1.0), (0.04, 0.2, 0.76), (1, 0, 0)),
)


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.drift", description=__doc__)
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--trials", type=int, default=2_000)
    parser.add_argument("--hours", type=int, default=720)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(given)
    rng = np.random.default_rng(options.seed)
    began_s = process_time()
    alarms = np.array([false_alarms(rng, options.hours) for _ in range(options.simulations)])
    kept = float((alarms <= MOST_FALSE_ALARMS).mean())
    print(f"{options.simulations} months of {options.hours} hours, {len(SERIES)} series without drift")
    print(f"  false alarms in a month: {alarms.mean():.3f}, at most {alarms.max()}; one or none in {kept:.1%}")
    print(f"  {(process_time() - began_s) / options.simulations:.2f} s of this process a month")
    moved = np.array(
        [false_alarms(rng, options.hours, is_cache_moving=True) for _ in range(1 + options.simulations // 10)]
    )
    print(f"  the same while the cache's share goes from 20 % to 80 %: {moved.mean():.3f} in {len(moved)} months")
    print(f"\n{SPOILED:.0%} of one series spoiled, {options.trials} trials each")
    print(f"  alarms after the first, second and third window of {WINDOW_VALUES} values")
    print(f"  {'series':<16}{'true gap':>9}{'suspect at once':>17}{'first':>7}{'second':>7}{'third':>7}")
    powers = []
    for place, series in enumerate(SERIES):
        gap = true_gap(rng, series)
        suspect, *after = power(rng, place, options.trials)
        if gap >= LEAST_GAP:
            powers.append(after[1])
        print(f"  {series.metric:<16}{gap:>9.2f}{suspect:>17.2f}" + "".join(f"{share:>7.2f}" for share in after))
    print(f"least power after two windows, of a gap of {LEAST_GAP} or more: {min(powers):.2f}")
    return 0 if alarms.mean() <= MOST_FALSE_ALARMS and kept >= 0.95 and min(powers) >= LEAST_POWER else 1


# --- without drift ---


def false_alarms(rng: np.random.Generator, hours: int, *, is_cache_moving: bool = False) -> int:
    """How often drift begins in one month of all series that stay as they are."""
    drawn = [series.draw(rng, (REFERENCE_VALUES,)) for series in SERIES]
    if is_cache_moving:
        windows = [_of_moving_cache(rng, series, place, hours) for place, series in enumerate(SERIES)]
    else:
        windows = [series.draw(rng, (hours, WINDOW_VALUES)) for series in SERIES]
    suspects: dict[int, dict[int, Comparison]] = {}
    for place, (reference, of_series) in enumerate(zip(drawn, windows, strict=True)):
        for hour, found in unlikely(reference, of_series).items():
            suspects.setdefault(hour, {})[place] = found
    return _begun(suspects)


def _of_moving_cache(rng: np.random.Generator, series: Distribution, place: int, hours: int) -> Values:
    """Windows as they close while the cache answers ever more: those of cached answers later ever sooner.

    Each series has cached answers or the others alone, so only how many windows there are changes, and not their
    values: this shows that the split by `cached` keeps them apart.
    """
    is_cached = isinstance(series, Latency) and series.median_ms < 100
    share = np.linspace(0.2, 0.8, hours) if is_cached else np.linspace(0.8, 0.2, hours)
    values = int((2 * WINDOW_VALUES * share).sum())
    return series.draw(rng, (values // WINDOW_VALUES, WINDOW_VALUES))


def unlikely(reference: Values, windows: Values) -> dict[int, Comparison]:
    """By place, the windows that could be suspect. Those of a larger p change no verdict."""
    distances = _distances(reference, windows)
    if _is_tied(reference):
        worth = [
            hour
            for hour in np.flatnonzero(_least_p(reference, windows, distances) <= SUSPECT_Q)
            if _p_with_ties(reference, windows[hour], distances[hour]) <= SUSPECT_Q
        ]
    else:
        worth = [hour for hour, distance in enumerate(distances) if _p_without_ties(round(distance, 6)) <= SUSPECT_Q]
    return {int(hour): compare(reference.tolist(), windows[hour].tolist()) for hour in worth}


def _is_tied(reference: Values) -> bool:
    return len(np.unique(reference)) < REFERENCE_VALUES / 2


def _distances(reference: Values, windows: Values) -> Values:
    """As of `compare`, of many at once."""
    if not _is_tied(reference):
        ordered = np.sort(windows, axis=1)
        below = np.searchsorted(np.sort(reference), ordered) / len(reference)
        steps = np.arange(1, windows.shape[1] + 1) / windows.shape[1]
        return np.maximum((steps - below).max(axis=1), (below - steps + 1 / windows.shape[1]).max(axis=1))
    values = np.union1d(reference, windows)
    ours = np.array([(reference <= value).mean() for value in values])
    theirs = np.stack([(windows <= value).mean(axis=1) for value in values], axis=1)
    return np.abs(theirs - ours).max(axis=1)


def _least_p(reference: Values, windows: Values, distances: Values) -> Values:
    """No more than the p of each, roughly: that of the one value that divides the samples most evenly."""
    below = np.array([(reference <= value).mean() for value in np.unique(reference)])
    size = len(reference) * windows.shape[1] / (len(reference) + windows.shape[1])
    variance = max(0.25 - np.abs(below - 0.5).min() ** 2, 1e-6) / size
    return norm.sf(distances / np.sqrt(variance))


def _p_with_ties(reference: Values, window: Values, distance: float) -> float:
    counts = np.unique(np.concatenate([reference, window]), return_counts=True)[1].tolist()
    return permutation_p(counts, len(reference), len(window), distance)


@cache
def _p_without_ties(distance: float) -> float:
    return permutation_p([1] * (REFERENCE_VALUES + WINDOW_VALUES), REFERENCE_VALUES, WINDOW_VALUES, distance)


def _begun(suspects: dict[int, dict[int, Comparison]]) -> int:
    """How many times a series comes to drift, hour by hour."""
    begun = 0
    last: dict[int, bool] = {}
    drifting: set[int] = set()
    last_hour = -1
    for hour in sorted(suspects):
        if hour != last_hour + 1:
            last, drifting = {}, set()
        now = [suspects[hour].get(place, CALM) for place in range(len(SERIES))]
        said = verdicts(now, [last.get(place) for place in range(len(SERIES))])
        last = {place: now[place].is_up for place, verdict in enumerate(said) if verdict is not Verdict.CALM}
        found = {place for place, verdict in enumerate(said) if verdict is Verdict.DRIFT}
        begun += len(found - drifting)
        drifting, last_hour = found, hour
    return begun


# --- with drift ---


def true_gap(rng: np.random.Generator, series: Distribution) -> float:
    """Between all values as they were and as they are once some are spoiled."""
    calm, spoiled = series.draw(rng, (GAP_VALUES,)), series.draw(rng, (GAP_VALUES,), SPOILED)
    return float(ks_2samp(calm, spoiled, method="asymp").statistic)


def power(rng: np.random.Generator, place: int, trials: int) -> tuple[float, ...]:
    """The share of trials with a suspect first window; then those with an alarm after one, two and three."""
    counted = np.zeros(1 + SPOILED_WINDOWS)
    for _ in range(trials):
        series = SERIES[place]
        reference = series.draw(rng, (REFERENCE_VALUES,)).tolist()
        before: bool | None = None
        for window in range(SPOILED_WINDOWS):
            spoiled = series.draw(rng, (WINDOW_VALUES,), SPOILED).tolist()
            found = compare(reference, spoiled)
            # The others are calm: were they not, the correction would ask for less.
            said = verdicts([found], [before], [1.0] * (len(SERIES) - 1))[0]
            before = None if said is Verdict.CALM else found.is_up
            counted[0] += window == 0 and said is not Verdict.CALM
            if said is Verdict.DRIFT:
                counted[1 + window :] += 1
                break
    return tuple((counted / trials).tolist())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
