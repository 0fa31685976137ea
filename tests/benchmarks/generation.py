"""What it costs to choose and plan a query with 1 000 combinations recorded, and with 1 000 000: the same.

    python -m tests.benchmarks.generation [--small 1000] [--large 1000000] [--queries 200] [--rounds 9] [--keep FOLDER]

The recorded combinations are those that the walks have passed, each with its run; so what is measured is what a target
costs that was really asked so often. Building the large history takes some minutes; with --keep it stays for
the next time.
"""

# ruff: noqa: T201 - what a command says

import argparse
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from tests.benchmarks.database import temporary_database, use_database

QUERIES = 200
RECIPES = ["multi_intent_chain"]  # has new ones at either size; with the others used up, another mix would be measured
ROUNDS = 9  # the best counts: other processes only ever add to it
ROWS_AT_ONCE = 10_000
LIMIT_MS = {"generating": 1.0, "planning": 1.0, "a cycle": 5.0}  # a query
NO_MORE = 1.25  # as a ratio: what lies above the noise of the best of several


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.generation", description=__doc__)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--large", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=QUERIES, help="planned and asked in each round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    sizes = parser.parse_args(given)
    with temporary_database(sizes.keep) as folder:
        files = {}
        for size in (sizes.small, sizes.large):
            files[size] = folder / f"{size}.sqlite3"
            started = perf_counter()
            if use_database(files[size]):
                _record(size)
            print(f"{size:>9} combinations recorded in {perf_counter() - started:.0f} s", file=sys.stderr)
        costs = _measure(files, sizes.queries, sizes.rounds)
    for size, cost_ms in costs.items():
        print(f"{size:>9} recorded, ms a query: " + ", ".join(f"{what} {ms:.3f}" for what, ms in cost_ms.items()))
    ratios = {what: ms / costs[sizes.small][what] for what, ms in costs[sizes.large].items()}
    print("ratio: " + ", ".join(f"{what} {ratio:.2f}" for what, ratio in ratios.items()))
    is_fast = all(ms < LIMIT_MS[what] for what, ms in costs[sizes.large].items())
    return 0 if is_fast and all(ratio < NO_MORE for ratio in ratios.values()) else 1


def _record(size: int) -> None:
    """A target of which `size` combinations were drawn, asked once each and answered cleanly, and then some flagged."""
    from django.db import connection, transaction
    from django.db.models import F
    from django.utils import timezone

    from selftest.core.generation.recipes import recipes_named
    from selftest.cycles.planning import new_combination
    from selftest.cycles.sampling import generator_for, remember
    from selftest.models import Combination, Cycle, Run, Target
    from selftest.operating.vocabularies import import_vocabulary
    from tests.benchmarks.vocabulary import rich_document

    now = timezone.now()
    target = Target.objects.create(name="rich", kind="python", dotted_path="tests.benchmarks.routers.instant")
    version, _ = import_vocabulary(target, rich_document(), now)
    cycle = Cycle.objects.create(
        target=target, trigger="command", state="finished", seed=1, queries_wanted=size, created_at=now, finished_at=now
    )
    generator = generator_for(target, version, recipes_named(RECIPES), 1)
    answer = {"source_used": "fusion", "latency_ms": 20.0, "result": "Something to read."}
    recorded = 0
    while recorded < size:
        drawn = generator.next_queries(min(ROWS_AT_ONCE, size - recorded))
        assert drawn, "the vocabulary has too few combinations"
        with transaction.atomic():
            combinations = [new_combination(target, query, now) for query in drawn]
            for number, combination in enumerate(combinations):
                combination.last_run_timestamp = now - timedelta(days=365) + timedelta(seconds=recorded + number)
                combination.last_source_used = str(answer["source_used"])
                combination.last_latency_ms = float(answer["latency_ms"])
                combination.times_generated = 1
                combination.ever_flagged = number % 2000 == 0
            Combination.objects.bulk_create(combinations)
            Run.objects.bulk_create(
                Run(
                    cycle=cycle,
                    target=target,
                    combination=combination,
                    recipe_name=combination.recipe_name,
                    place=recorded + number,
                    novel=True,
                    state=Run.State.DONE,
                    asked_at=combination.last_run_timestamp,
                    finished_at=combination.last_run_timestamp,
                    **answer,
                )
                for number, combination in enumerate(combinations)
            )
        recorded += len(drawn)
    Combination.objects.update(last_run_id=F("pk"))  # each has one run, made in the same order
    remember(target, generator)
    connection.close()


def _measure(files: dict[int, Path], queries: int, rounds: int) -> dict[int, dict[str, float]]:
    """For each file ms a query, the best of several; the files in turn, so that noise falls on all alike."""
    seconds: dict[int, dict[str, list[float]]] = {size: {what: [] for what in LIMIT_MS} for size in files}
    for number in range(rounds):
        for size, file in files.items():
            use_database(file)
            for what, took in zip(LIMIT_MS, _costs(number, queries), strict=True):
                seconds[size][what].append(took)
    return {s: {what: min(took) * 1000 / queries for what, took in by_what.items()} for s, by_what in seconds.items()}


def _costs(number: int, queries: int) -> tuple[float, float, float]:
    """Seconds for drawing, for planning and for a whole cycle of so many queries, all of them new."""
    from django.db import transaction
    from django.utils import timezone

    from selftest.core.generation.recipes import recipes_named
    from selftest.cycles.lifecycle import CycleRequest
    from selftest.cycles.planning import plan
    from selftest.cycles.runner import run_cycle
    from selftest.cycles.sampling import generator_for
    from selftest.models import Cycle, Target

    target = Target.objects.get()
    version = target.vocabularies.get()
    started = perf_counter()
    generator_for(target, version, recipes_named(RECIPES), 1).next_queries(queries)
    generating = perf_counter() - started

    now = timezone.now()
    with transaction.atomic():  # and taken back
        cycle = Cycle.objects.create(
            target=target,
            trigger="command",
            state="running",
            seed=1,
            recipes=RECIPES,
            queries_wanted=queries,
            created_at=now,
        )
        started = perf_counter()
        runs = plan(cycle, version, now)
        planning = perf_counter() - started
        assert sum(run.novel for run in runs) == queries
        transaction.set_rollback(True)

    started = perf_counter()
    outcome = run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, queries, number, RECIPES))
    cycling = perf_counter() - started
    assert outcome.cycle is not None
    assert (outcome.queries_run, outcome.cycle.novel) == (queries, queries), outcome
    return generating, planning, cycling


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
