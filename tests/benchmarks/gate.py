"""How steady the gate is, what it catches, and what grading a run costs.

The golden set of the bundled router is asked again and again while the clock moves on, so that all that changes with
time changes; each fault is planted alone; the answers of the set are graded.

python -m tests.benchmarks.gate [--repeats 200] [--faults 24]
"""

# ruff: noqa: T201 - what a command says

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tests.benchmarks.database import temporary_database
from tests.evaluation.bearing_faults import BEARING

REPEATS = 200
APART = timedelta(hours=7, minutes=13)  # so that each hour of the day and each day of the week comes up
BEGAN = datetime(2026, 3, 2, 5, 0, tzinfo=UTC)
GRADING_LIMIT_MS = 5.0
TIMES = {"latency_ms", "started_at", "finished_at"}


def main(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.gate", description=__doc__)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--faults", type=int, default=len(BEARING))
    sizes = parser.parse_args(given)
    with temporary_database():
        import time_machine
        from django.core.serializers.json import DjangoJSONEncoder

        from selftest.evaluation.evaluating import evaluate
        from selftest.evaluation.graders_in_force import graders_of_runs
        from selftest.evaluation.grading import grade, sample_of
        from selftest.evaluation.models import Report
        from selftest.evaluation.reading import gate_document, results_of, set_named
        from selftest.evaluation.saving import BUNDLED_FILE, import_pairs
        from selftest.models import Actor
        from selftest.operating.first_start import ensure_target
        from selftest.reading.targets import target_named
        from selftest.targets.reference.bundled_vocabulary import reference_vocabulary

        ensure_target()
        target, actor = target_named(None), Actor("benchmark")
        imported = import_pairs("golden", target, BUNDLED_FILE.read_text(encoding="utf-8"), actor, "")
        golden = set_named("golden")

        def said(report: Report) -> str:
            document = gate_document(report, results_of(report))
            kept = {name: value for name, value in document.items() if name not in TIMES}
            kept["results"] = [
                {name: value for name, value in result.items() if name not in TIMES} for result in kept["results"]
            ]
            return json.dumps(kept, cls=DjangoJSONEncoder)

        failed, documents = 0, set()
        began_s = time.process_time()
        for number in range(sizes.repeats):
            with time_machine.travel(BEGAN + number * APART, tick=True):
                report = evaluate(golden, target, actor)
            failed += not report.passes
            documents.add(said(report))
        each_s = (time.process_time() - began_s) / max(1, sizes.repeats)
        print(
            f"{imported.new} pairs, asked {sizes.repeats} times {APART} apart: "
            f"{failed} failed, {len(documents)} different documents, {each_s:.2f} s of processor time each"
        )

        missed = []
        for fault in BEARING[: sizes.faults]:
            target.reference_faults = [fault]
            target.save()
            report = evaluate(golden, target, actor)
            print(f"  {fault}: {report.broken} of {report.pairs} pairs broken")
            if not report.broken:
                missed.append(fault)
        print(f"{sizes.faults} faults planted, each alone: {len(missed)} missed {missed or ''}")

        headers = reference_vocabulary().headers
        answers = [result for result in results_of(report) if result.result]
        plain = [sample_of(result.query, result.result, headers, None, None, ("weather",)) for result in answers]
        samples = [replace(sample, context=sample.sections) for sample in plain]  # as if each part brought its section
        used = graders_of_runs(target)
        began_s = time.thread_time()
        for sample in samples:
            grade(sample, used, {})
        cost_ms = (time.thread_time() - began_s) * 1000 / len(samples)
        size = sum(len(result.result) for result in answers) / len(answers)
        print(f"graders {', '.join(one.name for one in used)}: {cost_ms:.3f} ms a run of {size:.0f} characters")
    return 0 if not failed and not missed and cost_ms < GRADING_LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
