"""How long it takes to tell what a change would do to the flags of the latest 10,000 runs, with whole answers.

python -m tests.benchmarks.what_if [--runs N]
"""

# ruff: noqa: T201 - what a command says

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from selftest.core.generation.fingerprint import fingerprint_of
from tests.benchmarks.database import temporary_database

if TYPE_CHECKING:
    from selftest.models import Target
    from selftest.reading.what_if.result import WhatIfResult

RUNS = 10_000
TEXTS = 2_000  # different queries; a router is asked each of them several times
LIMIT_S = 5.0
BATCH = 500
FILLING = "A line of an article, as long as such lines are, number {}.\n"
FILLING_LINES = 40  # below each answer: some 2.5 KB


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.what_if")
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args(given).runs
    with temporary_database():
        target = make_history(runs)
        costs_s = {name: _timed(name, replay) for name, replay in changes_of(target).items()}
    slowest = max(costs_s.values())
    print(f"the slowest took {slowest:.1f} s of this process; {LIMIT_S:g} s are allowed")
    return 0 if slowest <= LIMIT_S else 1


def _timed(name: str, replay: "Callable[[], WhatIfResult]") -> float:
    """By this process's own time: others on the machine only ever add to the wall's."""
    began, began_cpu = perf_counter(), process_time()
    told = replay()
    took_s, cpu_s = perf_counter() - began, process_time() - began_cpu
    print(
        f"{name:32} {took_s:6.2f} s, {cpu_s:5.2f} s of this process; {told.runs:,} runs, "
        f"{told.come_count:,} come, {told.go_count:,} go"
    )
    return cpu_s


def changes_of(target: "Target") -> "dict[str, Callable[[], WhatIfResult]]":
    from selftest.models import Tuning
    from selftest.reading.what_if.changes import what_if_imported, what_if_tuned
    from selftest.storage.target_clients import bundled_vocabulary

    def tuned(**columns: Any) -> "Callable[[], WhatIfResult]":
        tuning = Tuning.get_solo()
        for name, value in columns.items():
            setattr(tuning, name, value)
        return lambda: what_if_tuned(tuning)

    document: Any = bundled_vocabulary()

    def changed(key: str, **values: Any) -> "Callable[[], WhatIfResult]":
        return lambda: what_if_imported(target, {**document, key: {**document[key], **values}})

    news = [*document["sources"]["news"], "anything worth reading"]
    failures = {**document, "empty_phrases": [*document["empty_phrases"], "the line is dead"]}
    joints = {**document, "conjunctions": [*document["conjunctions"], " besides "]}
    return {
        "latency: a lower floor": tuned(latency_outlier_floor_ms=100, latency_outlier_multiplier=1.0),
        "a check switched off": tuned(checks_off=["source_mismatch"]),
        "a check and a limit": tuned(checks_off=["source_mismatch"], latency_outlier_floor_ms=500),
        "no relations, no explanations": tuned(explains=False),
        "a phrase for a source": changed("sources", news=news),
        "a failure phrase": lambda: what_if_imported(target, failures),
        "a fallback": changed("fallbacks", news=["changes"]),
        "a topic": changed("seeds", open_topics=[*document["seeds"]["open_topics"], "the loom"]),
        "a header renamed": changed("headers", news="[WHAT IS NEW — TODAY]"),
        "a conjunction": lambda: what_if_imported(target, joints),
    }


def make_history(count: int) -> "Target":
    """Runs as a faulty router answers, each with an extra asking. Without flags, as both sides judge anew."""
    from django.utils import timezone

    from selftest.core.generation.generator import Generator, introductions
    from selftest.core.generation.recipes import RECIPES
    from selftest.models import Combination, Cycle, Probe, Run, Target
    from selftest.operating.vocabularies import import_vocabulary
    from selftest.storage.serialization import answer_columns, query_document, vocabulary_of
    from selftest.storage.target_clients import bundled_vocabulary
    from selftest.storage.texts import sha256_hex
    from selftest.targets.reference.target import ReferenceTarget

    now, rng = timezone.now(), random.Random(7)
    target = Target.objects.create(name="bundled", kind=Target.Kind.REFERENCE, is_default=True)
    version, _ = import_vocabulary(target, bundled_vocabulary(), now)
    vocabulary = vocabulary_of(version)
    router = ReferenceTarget(vocabulary=vocabulary, faults=["source_swapped"])
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, 7)
    queries = generator.next_queries(min(TEXTS, count))
    filling = "".join(FILLING.format(number) for number in range(FILLING_LINES))
    columns = {}
    for query in queries:
        columns[query.text] = answer_columns(router.ask(query.text))
        columns[query.text]["result"] += "\n" + filling
    cycle = Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=Cycle.State.FINISHED,
        seed=7,
        queries_wanted=count,
        vocabulary=version,
        created_at=now,
        finished_at=now,
    )
    combinations = Combination.objects.bulk_create(
        Combination(
            target=target,
            fingerprint=fingerprint_of(query),
            fingerprint_sha256=sha256_hex(f"{number}"),  # only ever looked up by
            recipe_name=query.recipe,
            query=query_document(query),
            first_seen_timestamp=now,
            last_query_text=query.text,
        )
        for number, query in enumerate(queries)
    )
    chosen = [rng.randrange(len(queries)) for _ in range(count)]
    runs = Run.objects.bulk_create(
        (
            Run(
                cycle=cycle,
                target=target,
                combination=combinations[which],
                recipe_name=queries[which].recipe,
                place=place,
                state=Run.State.DONE,
                asked_at=now,
                finished_at=now,
                **{**columns[queries[which].text], "latency_ms": rng.lognormvariate(5.0, 0.6)},
            )
            for place, which in enumerate(chosen)
        ),
        batch_size=BATCH,
    )
    parts = [router.ask(queries[which].clauses[0].plain) for which in range(len(queries))]
    Probe.objects.bulk_create(
        (
            Probe(
                target=target,
                run=run,
                purpose="part",
                text=queries[which].clauses[0].plain,
                text_sha256=sha256_hex(queries[which].clauses[0].plain),
                asked_at=now,
                **answer_columns(parts[which]),
            )
            for run, which in zip(runs, chosen, strict=True)
        ),
        batch_size=BATCH,
    )
    router.close()
    return target


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
