"""What it costs to find the causes of all flags among 1 000 answered queries, and among 10 000: no more for each.

python -m tests.benchmarks.causes [--small 1000] [--large 10000] [--rounds 5]
"""

# ruff: noqa: T201 - what a command says

import argparse
import gc
import sys
from collections.abc import Sequence
from time import perf_counter

from selftest.core.generation.queries import PartKind
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.core.insight.causes import find_causes
from selftest.core.insight.predicates import PartShape, QueryShape, bit
from selftest.core.insight.symptoms import ROUTING, SeenFlag, SeenRun
from selftest.measuring.observation import generated_queries
from tests.benchmarks.vocabulary import rich_document

ROUNDS = 5  # the best counts: other processes only ever add to it
LIMIT_S = 1.0  # of 10 000
NO_MORE = 1.5  # as a ratio, for each query
LATE_PLACE = 3


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.causes", description=__doc__)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--large", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    sizes = parser.parse_args(given)
    best = {size: min(_measure(size) for _ in range(sizes.rounds)) for size in (sizes.small, sizes.large)}
    for size, seconds in best.items():
        print(f"{size:>6} queries: {seconds:.2f} s, {1000 * seconds / size:.3f} ms each")
    ratio = (best[sizes.large] / sizes.large) / (best[sizes.small] / sizes.small)
    print(f"ratio: {ratio:.2f}")
    return 0 if ratio < NO_MORE and best[sizes.large] < LIMIT_S * max(1, sizes.large / 10_000) else 1


def _measure(size: int) -> float:
    """From queries to causes."""
    vocabulary = parse_vocabulary(rich_document())
    queries = list(generated_queries(vocabulary, 1, size))
    gc.collect()
    gc.disable()  # as where flags are assigned after a cycle
    started = perf_counter()
    runs = [_seen(number, QueryShape(query, vocabulary)) for number, query in enumerate(queries)]
    causes = find_causes(runs)
    seconds = perf_counter() - started
    gc.enable()
    assert sum(len(cause.flags) for cause in causes) == sum(len(run.flags) for run in runs)
    return seconds


def _seen(number: int, shape: QueryShape) -> SeenRun:
    """About one query in ten is flagged, for one of three reasons."""
    suspects = [bit(place) for place, part in enumerate(shape.parts) if _is_wrong(place, part)]
    flags = [SeenFlag(number, ROUTING, sum(suspects))] if suspects else []
    return SeenRun(shape, tuple(flags))


def _is_wrong(place: int, part: PartShape) -> bool:
    if PartKind.REQUEST in part.kinds and place > LATE_PLACE:
        return True
    return any(text.endswith(("matter 7", " 8 and Pollux 8")) for _, text in part.phrases)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
