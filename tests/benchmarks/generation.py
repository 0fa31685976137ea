"""What it costs to choose and plan a query with 1 000 combinations recorded, and with 1 000 000: the same.

    python -m tests.benchmarks.generation [--small 1000] [--large 1000000] [--keep FOLDER]

The recorded combinations are those that the walks have passed, each with its run; so what is measured is what a target
costs that was really asked so often. Building the large history takes some minutes; with --keep it stays for
the next time.
"""

# ruff: noqa: T201 - what a command says

import argparse
import json
import sys
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=1_000)
    parser.add_argument("--large", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    sizes = parser.parse_args()
    with temporary_database(sizes.keep) as folder:
        files = {}
        for size in (sizes.small, sizes.large):
            files[size] = folder / f"{size}.sqlite3"
            started = perf_counter()
            if use_database(files[size]):
                _record(size)
            print(f"{size:>9} combinations recorded in {perf_counter() - started:.0f} s", file=sys.stderr)
        costs = _measure(files)
    for size, cost_ms in costs.items():
        print(f"{size:>9} recorded, ms a query: " + ", ".join(f"{what} {ms:.3f}" for what, ms in cost_ms.items()))
    ratios = {what: ms / costs[sizes.small][what] for what, ms in costs[sizes.large].items()}
    print("ratio: " + ", ".join(f"{what} {ratio:.2f}" for what, ratio in ratios.items()))
    is_fast = all(ms < LIMIT_MS[what] for what, ms in costs[sizes.large].items())
    return 0 if is_fast and all(ratio < NO_MORE for ratio in ratios.values()) else 1


def _record(size: int) -> None:
    """A target of which `size` combinations were drawn, asked once each and answered cleanly, and then some flagged."""
    from django.db import connection, transaction
    from django.utils import timezone

    from selftest.core.generation.recipes import recipes_named
    from selftest.cycles.sampling import generator_for, remember
    from selftest.models import Cycle, Target
    from selftest.operating.vocabularies import import_vocabulary
    from selftest.storage.serialization import query_document
    from selftest.storage.texts import sha256_hex
    from tests.benchmarks.vocabulary import rich_document

    now = timezone.now()
    target = Target.objects.create(name="rich", kind="python", dotted_path="tests.benchmarks.routers.instant")
    version, _ = import_vocabulary(target, rich_document(), now)
    cycle = Cycle.objects.create(
        target=target, trigger="command", state="finished", seed=1, queries_wanted=size, created_at=now, finished_at=now
    )
    generator = generator_for(target, version, recipes_named(RECIPES), 1)
    recorded = 0
    while recorded < size:
        drawn = generator.next_queries(min(ROWS_AT_ONCE, size - recorded))
        assert drawn, "the vocabulary has too few combinations"
        rows = [
            (
                target.pk,
                query.fingerprint,
                sha256_hex(query.fingerprint),
                query.recipe,
                json.dumps(query_document(query)),
                now,
                query.text,
                now - timedelta(days=365) + timedelta(seconds=recorded + number),
                number % 2000 == 0,
            )
            for number, query in enumerate(drawn)
        ]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO selftest_combination (target_id, fingerprint, fingerprint_sha256, recipe_name, query,"
                " first_seen_timestamp, last_query_text, last_run_timestamp, ever_flagged, currently_flagged,"
                " times_generated, last_source_used, last_latency_ms)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, 0, 1, 'fusion', 20.0)",
                rows,
            )
        recorded += len(rows)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO selftest_run (id, cycle_id, target_id, combination_id, recipe_name, place, query, query_text,"
            " novel, state, asked_at, finished_at, source_used, latency_ms, cached, error, own_error, result,"
            " result_sha256)"
            " SELECT id, %s, target_id, id, recipe_name, id, query, last_query_text, 1, 'done', last_run_timestamp,"
            " last_run_timestamp, 'fusion', 20.0, 0, '', '', 'Something to read.', '' FROM selftest_combination",
            [cycle.pk],
        )
        cursor.execute("UPDATE selftest_combination SET last_run_id = id")
    remember(target, generator)
    connection.close()


def _measure(files: dict[int, Path]) -> dict[int, dict[str, float]]:
    """For each file ms a query, the best of several; the files in turn, so that noise falls on all alike."""
    seconds: dict[int, dict[str, list[float]]] = {size: {what: [] for what in LIMIT_MS} for size in files}
    for number in range(ROUNDS):
        for size, file in files.items():
            use_database(file)
            for what, took in zip(LIMIT_MS, _costs(number), strict=True):
                seconds[size][what].append(took)
    return {s: {what: min(took) * 1000 / QUERIES for what, took in by_what.items()} for s, by_what in seconds.items()}


def _costs(number: int) -> tuple[float, float, float]:
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
    generator_for(target, version, recipes_named(RECIPES), 1).next_queries(QUERIES)
    generating = perf_counter() - started

    now = timezone.now()
    with transaction.atomic():  # and taken back
        cycle = Cycle.objects.create(
            target=target,
            trigger="command",
            state="running",
            seed=1,
            recipes=RECIPES,
            queries_wanted=QUERIES,
            created_at=now,
        )
        started = perf_counter()
        runs = plan(cycle, version, now)
        planning = perf_counter() - started
        assert sum(run.novel for run in runs) == QUERIES
        transaction.set_rollback(True)

    started = perf_counter()
    outcome = run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, QUERIES, number, RECIPES))
    cycling = perf_counter() - started
    assert outcome.cycle is not None
    assert (outcome.queries_run, outcome.cycle.novel) == (QUERIES, QUERIES), outcome
    return generating, planning, cycling


if __name__ == "__main__":
    sys.exit(main())
