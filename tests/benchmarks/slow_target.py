"""How long a cycle of 8 takes at a target of 300 ms a request, with its probes: new targets, and the same once known.

python -m tests.benchmarks.slow_target [--targets 6] [--cycles 12] [--latency-ms 300]
"""

# ruff: noqa: T201 - what a command says

import argparse
import sys
from collections.abc import Sequence
from statistics import median
from time import perf_counter

from tests.benchmarks.database import temporary_database

TARGETS = 6
CYCLES = 12  # of a target; the first eight of them are those of a new one
LATENCY_MS = 300
LIMIT_S = 2.2


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.slow_target", description=__doc__)
    parser.add_argument("--targets", type=int, default=TARGETS)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--latency-ms", type=int, default=LATENCY_MS)
    sizes = parser.parse_args(given)
    with temporary_database():
        from django.utils import timezone

        from selftest.core.settings import NEW_QUERIES
        from selftest.cycles.lifecycle import CycleRequest
        from selftest.cycles.runner import Status, run_cycle
        from selftest.models import Cycle, Probe, Target
        from selftest.operating.vocabularies import import_vocabulary
        from tests.benchmarks import routers

        new_s, known_s = list[float](), list[float]()
        for number in range(sizes.targets):
            document = routers.SLOW.becomes(number, sizes.latency_ms / 1000)
            target = Target.objects.create(
                name=f"slow-{number}", kind=Target.Kind.PYTHON, dotted_path="tests.benchmarks.routers.slow"
            )
            import_vocabulary(target, document, timezone.now())
            queries = 0
            for seed in range(sizes.cycles):
                started = perf_counter()
                outcome = run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, seed=seed))
                (new_s if queries < NEW_QUERIES else known_s).append(perf_counter() - started)
                assert outcome.status == Status.RAN, outcome
                queries += outcome.queries_run
        print(_said("cycles of a new target", new_s))
        if known_s:
            print(_said("cycles of a known one", known_s))
        print(f"{Probe.objects.count() / len(new_s + known_s):.1f} probes a cycle")
    return 0 if max(new_s + known_s) <= LIMIT_S else 1


def _said(of: str, times_s: Sequence[float]) -> str:
    return f"{of}: median {median(times_s) * 1000:.0f} ms, slowest {max(times_s) * 1000:.0f} ms, of {len(times_s)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
