"""How often the rule of drift is wrong, and how soon it is right: simulated months without drift, and spoiled traffic.

A month: 14 series, each with a reference of its own and 720 windows of 40 values of the same distribution. A trial:
40 % of the values of one series are spoiled from one window on, the other 13 stay as they were. Pure: chance is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ks_2samp, norm

from selftest.evaluation.core.drift import REFERENCE_VALUES, WINDOW_VALUES, Comparison, Metric, Verdict
from selftest.evaluation.core.drift_statistics import SUSPECT_Q, compare, decisions, needs_both, permutation_p

SPOILED = 0.4  # of the traffic
SPOILED_WINDOWS = 3
MOST_FALSE_ALARMS = 1  # in 14 series over 30 days
LEAST_POWER = 0.8  # after two windows, in each series
GAP_VALUES = 100_000
CACHED_MS, ASKED_MS = 8.0, 1400.0
CALM_SHARE = 0.95  # of months, that have one false alarm or none
CALM = Comparison(0.0, False, 1.0, 0.0, 0.0)

Values = NDArray[np.float64]


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


@dataclass(frozen=True)
class Power:
    """What comes of a series of which 40 % are spoiled. true_gap: between all its values before and after.

    suspect_at_once: share of trials whose first window is suspect. found: share in drift after the first, second and
    third window.
    """

    metric: Metric
    true_gap: float
    suspect_at_once: float
    found: tuple[float, ...]


@dataclass(frozen=True)
class Simulated:
    """alarms: of each month without drift. alarms_of_moving_cache: where the cache's share goes from 20 to 80 %."""

    hours: int
    trials: int
    alarms: tuple[int, ...]
    alarms_of_moving_cache: tuple[int, ...]
    powers: tuple[Power, ...]

    @property
    def least_power(self) -> float:
        """After two windows, of the series that is found worst."""
        return min(power.found[1] for power in self.powers)

    @property
    def keeps_bar(self) -> bool:
        """Whether false alarms and power are as promised."""
        mean = sum(self.alarms) / len(self.alarms)
        return mean <= MOST_FALSE_ALARMS and self.share_of_calm_months >= CALM_SHARE and self.least_power >= LEAST_POWER

    @property
    def share_of_calm_months(self) -> float:
        """With one false alarm or none."""
        return sum(count <= MOST_FALSE_ALARMS for count in self.alarms) / len(self.alarms)


def simulate(simulations: int, trials: int, hours: int, seed: int) -> Simulated:
    """Each number at least 1; of a moving cache a tenth of the months are simulated again."""
    rng = np.random.default_rng(seed)
    months = tuple(false_alarms(rng, hours) for _ in range(simulations))
    moving = tuple(false_alarms(rng, hours, is_cache_moving=True) for _ in range(1 + simulations // 10))
    powers = []
    for place, series in enumerate(SERIES):
        gap = true_gap(rng, series)
        suspect, *found = power(rng, place, trials)
        powers.append(Power(series.metric, gap, suspect, tuple(found)))
    return Simulated(hours, trials, months, moving, tuple(powers))


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
    return _begun(drawn, windows, suspects)


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
            int(hour)
            for hour in np.flatnonzero(_least_p(reference, windows, distances) <= SUSPECT_Q)
            if _p_with_ties(reference, windows[hour], distances[hour]) <= SUSPECT_Q
        ]
    else:
        worth = [hour for hour, distance in enumerate(distances) if _p_without_ties(round(distance, 6)) <= SUSPECT_Q]
    return {hour: compare(reference.tolist(), windows[hour].tolist()) for hour in worth}


def _is_tied(reference: Values) -> bool:
    return len(np.unique(reference)) < REFERENCE_VALUES / 2


def _distances(reference: Values, windows: Values) -> Values:
    """As of `compare`, of many at once."""
    if not _is_tied(reference):
        ordered = np.sort(windows, axis=1)
        below = np.searchsorted(np.sort(reference), ordered) / len(reference)
        steps = np.arange(1, windows.shape[1] + 1) / windows.shape[1]
        gaps: Values = np.maximum((steps - below).max(axis=1), (below - steps + 1 / windows.shape[1]).max(axis=1))
        return gaps
    values = np.union1d(reference, windows)
    ours = np.array([(reference <= value).mean() for value in values])
    theirs = np.stack([(windows <= value).mean(axis=1) for value in values], axis=1)
    largest: Values = np.abs(theirs - ours).max(axis=1)
    return largest


def _least_p(reference: Values, windows: Values, distances: Values) -> Values:
    """No more than the p of each, roughly: that of the one value that divides the samples most evenly."""
    below = np.array([(reference <= value).mean() for value in np.unique(reference)])
    size = len(reference) * windows.shape[1] / (len(reference) + windows.shape[1])
    variance = max(0.25 - np.abs(below - 0.5).min() ** 2, 1e-6) / size
    least: Values = norm.sf(distances / np.sqrt(variance))
    return least


def _p_with_ties(reference: Values, window: Values, distance: float) -> float:
    counts = np.unique(np.concatenate([reference, window]), return_counts=True)[1].tolist()
    return permutation_p(counts, len(reference), len(window), distance)


@cache
def _p_without_ties(distance: float) -> float:
    return permutation_p([1] * (REFERENCE_VALUES + WINDOW_VALUES), REFERENCE_VALUES, WINDOW_VALUES, distance)


def _begun(references: Sequence[Values], windows: Sequence[Values], suspects: dict[int, dict[int, Comparison]]) -> int:
    """How many times a series comes to drift, hour by hour. Hours in which nothing could be said are passed over."""
    begun = 0
    was_suspect: set[int] = set()
    drifting: set[int] = set()
    last_hour = -1
    for hour in sorted(suspects.keys() | {suspect + 1 for suspect in suspects}):
        if hour != last_hour + 1:
            was_suspect, drifting = set(), set()
        now = [suspects.get(hour, {}).get(place, CALM) for place in range(len(SERIES))]
        both = [
            compare(references[place].tolist(), windows[place][hour - 1 : hour + 1].ravel().tolist())
            if 0 < hour < len(windows[place]) and needs_both(one, place in was_suspect)
            else None
            for place, one in enumerate(now)
        ]
        said = decisions(now, both, [place in was_suspect for place in range(len(SERIES))])
        was_suspect = {place for place, one in enumerate(said) if one.verdict is Verdict.SUSPECT}
        found = {place for place, one in enumerate(said) if one.verdict is Verdict.DRIFT}
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
        before: list[float] = []
        was_suspect = False
        for window in range(SPOILED_WINDOWS):
            spoiled = series.draw(rng, (WINDOW_VALUES,), SPOILED).tolist()
            both = compare(reference, [*before, *spoiled]) if before else None
            # The others are calm: were they not, the correction would ask for less.
            calm = [1.0] * (len(SERIES) - 1)
            said = decisions([compare(reference, spoiled)], [both], [was_suspect], calm)[0].verdict
            before, was_suspect = spoiled, said is not Verdict.CALM
            counted[0] += window == 0 and was_suspect
            if said is Verdict.DRIFT:
                counted[1 + window :] += 1
                break
    return tuple((counted / trials).tolist())
