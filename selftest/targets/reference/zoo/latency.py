"""How long an answer is said to have taken. Pure: nothing waits and no clock is read."""

from collections.abc import Sequence

from selftest.targets.reference.chance import fraction
from selftest.targets.reference.zoo.types import Job

FASTEST_MS, SPREAD_MS = 30.0, 90.0  # of one source; which one is how fast depends on the seed
JITTER = 0.15  # of a source's own time, from one asking to the next
SLOW_SOURCE_MS = 400.0
MS_A_CHARACTER = 0.05


def latency_ms(jobs: Sequence[Job], way: str, seed: int, query: str, tick: int) -> float:
    """For `jobs` done in the `way` of a manner, for the asking number `tick` of `query`."""
    times = [_source_ms(job.source, seed, query, tick) for job in jobs] or [FASTEST_MS]
    if way == "in sequence":
        return sum(times)
    if way == "one slow source":
        slow = min((job.source for job in jobs), key=lambda source: fraction("slow", seed, source), default="")
        is_slow = fraction("slow", seed, slow) < 0.3
        return max(times) + (SLOW_SOURCE_MS if is_slow else 0.0)
    if way == "by length":
        return max(times) + MS_A_CHARACTER * len(query)
    return max(times)


def _source_ms(source: str, seed: int, query: str, tick: int) -> float:
    base = FASTEST_MS + SPREAD_MS * fraction("speed", seed, source)
    return base * (1 + JITTER * fraction("jitter", source, query, tick))
