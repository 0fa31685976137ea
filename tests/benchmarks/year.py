"""How many bytes a year of cycles comes to, with clean answers kept for 30 days and for ever.

python -m tests.benchmarks.year --data-dir NEW --queries 8 --minutes 60 --runs 70080
python -m tests.benchmarks.year --database-url NEW --queries 100 --minutes 1 --runs 200000

Seeds a history of --runs runs, nearly each of another combination, as cycles ask as long as there are new ones. Each
clean run gets an answer of the bundled router, and each run a probe, as many as cycles send at most by default.
Housekeeping then deletes what is older than 30 days; of a history that is shorter than a year, all, and a year is
computed from the bytes a run took before and after. The database is compacted before each measuring.
`tests.benchmarks.pages` then measures its pages.
"""

# ruff: noqa: T201 - what a command says

import argparse
import json
import random
import subprocess
import sys
from datetime import timedelta
from time import perf_counter
from typing import Any

from django.db import transaction

from tests.benchmarks.pages import open_database

YEAR_MINUTES = 365 * 24 * 60
KEPT_DAYS = 30
NOVEL_SHARE = 0.98  # an outage and a worker's death leave runs that are asked again

REAL_CYCLES, REAL_QUERIES = 12, 32  # whose answers are dealt out to the seeded runs, as seeded ones are shorter
PROBES_PER_RUN = 1  # the most by default, once a target is known
AT_ONCE = 500


def ask_for_real(target: Any) -> tuple[list[str], list[str]]:
    """The answers of real cycles on the bundled router: to queries, and to their probes."""
    from selftest.cycles.lifecycle import CycleRequest
    from selftest.cycles.runner import run_cycle
    from selftest.models import Cycle, Probe, Run

    for number in range(REAL_CYCLES):
        run_cycle(CycleRequest(target, Cycle.Trigger.COMMAND, REAL_QUERIES, number))
    return [list(rows.objects.exclude(result="").values_list("result", flat=True)) for rows in (Run, Probe)]


def deal_out(of_runs: list[str], of_probes: list[str], after: int) -> None:
    """Gives every seeded clean run a real answer and its probes."""
    from selftest.models import Probe, Run

    answered = Run.objects.filter(pk__gt=after, state=Run.State.DONE).select_related("combination").order_by("pk")
    rng = random.Random(1)
    while runs := list(answered.filter(pk__gt=after)[:AT_ONCE]):
        after = runs[-1].pk
        clean = [run for run in runs if run.reason is None]
        for run in clean:
            run.result = rng.choice(of_runs)
            run.result_length_bytes = len(run.result.encode())
        with transaction.atomic():
            Run.objects.bulk_update(clean, ["result", "result_length_bytes"])
            Probe.objects.bulk_create(
                probe_of(run, rng.choice(of_probes)) for run in runs for _ in range(PROBES_PER_RUN)
            )


def probe_of(run: Any, result: str) -> Any:
    from selftest.models import Probe

    return Probe(
        target_id=run.target_id,
        run=run,
        purpose="part",
        text=run.text[:40],
        text_sha256=run.result_sha256,
        source=run.source_used,
        asked_at=run.finished_at,
        source_used=run.source_used,
        latency_ms=run.latency_ms,
        http_status=run.http_status,
        result=result,
        result_length_bytes=len(result.encode()),
        result_sha256=run.result_sha256,
    )


def seed(queries: int, minutes: int, runs: int) -> None:
    from django.db.models import Max
    from django.utils import timezone

    from selftest.models import Run, Tuning
    from selftest.operating.first_start import ensure_target, prepare_database

    prepare_database()
    target = ensure_target().target
    Tuning.get_solo()
    Tuning.objects.update(batch_size=queries, interval_minutes=minutes, keep_answers_days=0)  # else none is seeded
    real = ask_for_real(target)
    newest = Run.objects.aggregate(newest=Max("pk"))["newest"]
    Run.objects.update(finished_at=timezone.now() - timedelta(days=366))  # before the seeded ones, as by their numbers
    numbers = ("--combinations", str(int(runs * NOVEL_SHARE)), "--runs", str(runs), "--seed", "1")
    # A command of its own, as it starts a process itself. What it says goes where the other words go.
    subprocess.run([sys.executable, "manage.py", "seed_history", *numbers], check=True, stdout=sys.stderr)
    deal_out(*real, after=newest)
    Tuning.objects.update(keep_answers_days=KEPT_DAYS)


def compacted_bytes() -> int:
    from django.db import connection

    from selftest.storage.database_size import database_bytes

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL" if connection.vendor == "postgresql" else "VACUUM")
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM (ANALYZE)")
    return database_bytes()


def delete_all() -> int:
    """The answers of whatever age that may be deleted at some time."""
    from django.utils import timezone

    from selftest.operating.retention import delete_answers, next_old_answers

    now = timezone.now() + timedelta(days=1)
    through = deleted = 0
    while found := next_old_answers(through, now, now):
        through = found.through
        deleted += delete_answers(found.runs, now)
    return deleted


def measure(queries: int, minutes: int, runs: int) -> dict[str, Any]:
    from selftest.operating.housekeeping import keep_house
    from selftest.reading.housekeeping import housekeeping

    seed(queries, minutes, runs)
    of_year = YEAR_MINUTES // minutes * queries
    kept = compacted_bytes()
    began = perf_counter()
    if runs < of_year:
        deleted = delete_all()
    else:
        keep_house(budget_s=float("inf"))
        deleted = housekeeping().answers_deleted
    took_s = perf_counter() - began
    left = compacted_bytes()
    share_of_year = runs / of_year
    if runs < of_year:
        kept_days_share = KEPT_DAYS / 365
        left_in_year = (kept * kept_days_share + left * (1 - kept_days_share)) / share_of_year
    else:
        left_in_year = left
    return {
        "runs": runs,
        "share_of_year": share_of_year,
        "bytes": kept,
        "bytes_after_deletion": left,
        "deleted": deleted,
        "deleted_per_s": round(deleted / took_s),
        "year_for_ever": round(kept / share_of_year),
        f"year_{KEPT_DAYS}_days": round(left_in_year),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--data-dir", dest="place")
    place.add_argument("--database-url", dest="place")
    for name in ("--queries", "--minutes", "--runs"):
        parser.add_argument(name, type=int, required=True)
    options = parser.parse_args()
    open_database(options.place)
    print(json.dumps(measure(options.queries, options.minutes, options.runs), indent=2))


if __name__ == "__main__":
    main()
