"""What a comparison of two targets says of the bundled router: nothing against itself, and each fault by its own kind.

The same queries go to both as `manage.py compare` sends them. Meanwhile the clock of both jumps at each request, so
that headlines, forecasts and whatever else changes with time are others each time.

python -m tests.benchmarks.compare [--queries 500] [--fault-queries 200] [--faults NAME ...] [--empty-rate 0.05]
"""

# ruff: noqa: T201 - what a command says

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from tests.benchmarks.database import temporary_database

APART = timedelta(hours=1, minutes=13)  # so that each hour of the day and each day of the week comes up
BEGAN = datetime(2026, 3, 2, 5, 0, tzinfo=UTC)
MOST_GROUPS, SEED = 2, 20261124


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.compare", description=__doc__)
    parser.add_argument("--queries", type=int, default=500, help="of the router against itself")
    parser.add_argument("--fault-queries", type=int, default=200, help="of each fault")
    parser.add_argument("--faults", nargs="*", metavar="NAME", help="instead of all of them")
    parser.add_argument("--empty-rate", type=float, default=0.05)
    sizes = parser.parse_args(given)
    with temporary_database():
        from selftest.cycles.planning import new_combination
        from selftest.evaluation.comparing import run_planned
        from selftest.evaluation.comparison_requests import SAYS, Wanted, plan
        from selftest.evaluation.core.answer_differences import DifferenceKind
        from selftest.evaluation.models import Comparison
        from selftest.measuring.observation import generated_queries
        from selftest.models import Actor, Combination, Cycle, Run, Target
        from selftest.operating.vocabularies import import_vocabulary
        from selftest.targets.reference import target as bundled
        from selftest.targets.reference.bundled_vocabulary import reference_document, reference_vocabulary
        from selftest.targets.reference.faults.registry import FAULTS

        moments = (BEGAN + number * APART for number in itertools.count())
        real = bundled.ReferenceTarget.__init__

        def travelling(self: bundled.ReferenceTarget, *args: object, **options: object) -> None:
            real(self, *args, **{**options, "now": lambda: next(moments)})  # type: ignore[arg-type]

        bundled.ReferenceTarget.__init__ = travelling  # type: ignore[method-assign]

        def router(name: str) -> Target:
            kind = Target.Kind.REFERENCE
            made = Target.objects.create(name=name, kind=kind, reference_empty_rate=sizes.empty_rate)
            import_vocabulary(made, reference_document(), BEGAN)
            return made

        def compared(at_most: int) -> Comparison:
            row = plan(Wanted(staging, production, at_most=at_most), Actor("benchmark"))
            run_planned(row)
            assert row.state == Comparison.State.FINISHED, row.note
            return row

        def has_asked(target: Target, count: int) -> None:
            """As if it had been asked so many different queries, without any answer kept."""
            queries = {query.text: query for query in generated_queries(reference_vocabulary(), SEED, 2 * count)}
            asked = list(queries.values())[:count]
            cycle = Cycle.objects.create(
                target=target, trigger="command", state="finished", seed=SEED, queries_wanted=count, created_at=BEGAN
            )
            rows = {one.fingerprint: one for one in (new_combination(target, query, BEGAN) for query in asked)}
            saved = {one.fingerprint: one for one in Combination.objects.bulk_create(rows.values())}
            made = [(query, saved[new_combination(target, query, BEGAN).fingerprint]) for query in asked]
            Run.objects.bulk_create(
                Run(
                    cycle=cycle,
                    target=target,
                    combination=combination,
                    recipe_name=query.recipe,
                    place=place,
                    state=Run.State.DONE,
                )
                for place, (query, combination) in enumerate(made)
            )

        production, staging = router("production"), router("staging")
        has_asked(production, max(sizes.queries, sizes.fault_queries))
        row = compared(sizes.queries)
        print(
            f"against itself: {row.compared} queries, {row.differing} differ, {len(row.groups)} groups, {row.latency}"
        )
        for group in row.groups:
            print("   ", group["has"], "|", group["kind"], group["subject"], "|", group["before"], "→", group["now"])
        failed = [] if not row.groups else ["itself"]
        names = list(FAULTS) if sizes.faults is None else sizes.faults
        for fault in names:
            Target.objects.filter(pk=staging.pk).update(reference_faults=[fault])
            staging.refresh_from_db()
            began_s = time.process_time()
            row = compared(sizes.fault_queries)
            told = "; ".join(
                f"{len(group['members'])} of {group['of']} with {group['has']}: "
                f"{SAYS[DifferenceKind(group['kind'])].format(group['subject'])}"
                for group in row.groups
            )
            is_slower = bool(row.latency and row.latency["is_clear"])
            if not (1 <= len(row.groups) <= MOST_GROUPS or (not row.groups and is_slower)):
                failed.append(fault)
            print(f"  {fault}: {len(row.groups)} groups, {time.process_time() - began_s:.0f} s: {told}", flush=True)
        print(f"{time.process_time():.0f} s of this process")
        print(f"{len(names)} faults; not told, or in more than {MOST_GROUPS} groups: {failed or 'none'}")
    return 0 if not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
