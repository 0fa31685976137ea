"""How long it takes to save a finding, with 10,000 others to contradict: on a hundred subjects, and all on one.

python -m tests.benchmarks.findings [--findings N] [--saves N]
"""

# ruff: noqa: T201 - what a command says

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from time import perf_counter, process_time

from tests.benchmarks.database import temporary_database
from tests.findings.sentences import DOES, WHAT, WHO

FINDINGS = 10_000
SAVES = 200
WARM_UP = 100  # saves of a process that has read none of the others yet
SUBJECTS = 100
LIMIT_MS = 15.0  # of the 95th percentile
BATCH = 500


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.findings")
    parser.add_argument("--findings", type=int, default=FINDINGS)
    parser.add_argument("--saves", type=int, default=SAVES)
    arguments = parser.parse_args(given)
    rng = random.Random(1)
    slowest_ms = 0.0
    for subjects in (SUBJECTS, 1):
        with temporary_database():
            fill(arguments.findings, subjects, rng)
            timed(arguments.saves // 2 if arguments.saves < WARM_UP else WARM_UP, subjects, rng)
            costs = timed(arguments.saves, subjects, rng)
            outside = timed(arguments.saves, 0, rng)
        slowest_ms = max(slowest_ms, shown(f"{arguments.findings:,} on {subjects} subjects", costs))
        shown("outside the scope", outside)
    print(f"the slowest p95 took {slowest_ms:.1f} ms of this process; {LIMIT_MS:g} ms are allowed")
    return 0 if slowest_ms <= LIMIT_MS else 1


def texts(rng: random.Random) -> Iterator[str]:
    """Rules that share words and seldom contradict each other."""
    while True:
        opening = rng.choice(("Never", "Always", "Do not"))
        asked_by = rng.choice(WHO)
        yield f"{opening} {rng.choice(DOES)} {rng.choice(WHAT)} in the {rng.choice(WHO)}: {asked_by} said so."


def category(number: int, subjects: int) -> str:
    return f"feedback/from-agent/subject-{number % subjects}" if subjects else "notes/outside"


def fill(count: int, subjects: int, rng: random.Random) -> None:
    from django.utils import timezone

    from selftest.findings.core.categories import subject_of
    from selftest.findings.models import Finding, Subject

    rows = []
    keys: dict[str, Subject] = {}
    for number, text in zip(range(count), texts(rng), strict=False):
        subject = subject_of(category(number, subjects))
        assert subject is not None
        row = keys.get(subject.key) or keys.setdefault(subject.key, Subject.objects.create(key=subject.key))
        rows.append(
            Finding(
                content=text,
                category=category(number, subjects),
                subject=row,
                actor="benchmark",
                created_at=timezone.now(),
            )
        )
    Finding.objects.bulk_create(rows, batch_size=BATCH)


def timed(count: int, subjects: int, rng: random.Random) -> list[tuple[float, float]]:
    """Of each save: ms by the clock, and of this process."""
    from selftest.findings.saving import Draft, save_finding
    from selftest.models import Actor

    costs = []
    for number, text in zip(range(count), texts(rng), strict=False):
        draft = Draft(category(number, subjects), text)
        began, began_cpu = perf_counter(), process_time()
        save_finding(draft, Actor("benchmark"))
        costs.append(((perf_counter() - began) * 1e3, (process_time() - began_cpu) * 1e3))
    return costs


def shown(name: str, costs: Sequence[tuple[float, float]]) -> float:
    """The p95 of this process's own time: others on the machine only ever add to the clock's."""
    wall, own = (sorted(cost[place] for cost in costs) for place in (0, 1))
    p95_ms = quantiles(own, n=20)[-1]
    print(
        f"{name:24} p50 {median(wall):6.1f} ms, p95 {quantiles(wall, n=20)[-1]:6.1f} ms; "
        f"of this process p50 {median(own):5.2f} ms, p95 {p95_ms:5.2f} ms"
    )
    return p95_ms


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
