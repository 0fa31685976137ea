"""`manage.py calibrate`: how well each grader tells good answers from spoiled ones, and from which score on."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.evaluation.calibrating import Calibrated, bundled_samples, calibrated
from selftest.evaluation.core.calibration import GOOD, Calibration, Point
from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.entailment import Entailment
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.samples import Grader, Sample
from selftest.evaluation.core.spoiling import SAYS
from selftest.evaluation.evaluating import good_samples
from selftest.evaluation.graders_in_force import graders_of_runs
from selftest.evaluation.onnx_model import model_in
from selftest.evaluation.reading import DEFAULT_SET
from selftest.evaluation.sample_lines import read_samples
from selftest.evaluation.saving import set_to_ask
from selftest.management.arguments import whole_number
from selftest.management.tables import console_on, table_of
from selftest.models import Actor
from selftest.operating.first_start import ensure_target, prepare_database
from selftest.reading.targets import target_named
from selftest.refusals import RefusedError, SetupError

ACTOR = Actor("command line")
SAMPLES = 100
SHOWN_POINTS = 12  # of a curve, in the table; the JSON has all of them


class Command(BaseCommand):
    """Prints a table for each grader, or one line of JSON. Sets nothing: a person does, in the admin."""

    help = (
        "Calibrates graders on good answers and on the same ones spoiled. It sets nothing: thresholds are set in the "
        "admin, under Evaluation. Good are the answers of a target to the pairs of a golden set that hold, those of a "
        "file, or the bundled router's own; with the last two it needs no database."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        given = parser.add_mutually_exclusive_group()
        given.add_argument("--set", default=DEFAULT_SET, metavar="NAME", help=f"golden set; {DEFAULT_SET}")
        given.add_argument("--samples", type=Path, metavar="FILE.jsonl", help="good answers, one a line")
        given.add_argument("--bundled", action="store_true", help="the bundled router's own answers")
        parser.add_argument("--target", metavar="NAME", help="that the set is asked of; the default target")
        parser.add_argument(
            "--count", type=whole_number(2, 10_000), default=SAMPLES, help=f"of the bundled router's; {SAMPLES}"
        )
        parser.add_argument("--seed", type=whole_number(0, 2**32 - 1), default=1, help="of queries and spoiling; 1")
        parser.add_argument("--nli", type=Path, metavar="FOLDER", help="an entailment model, to calibrate that too")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of tables")

    def handle(self, *args: Any, seed: int, nli: Path | None, **options: Any) -> None:
        """Exits with 2 for a set that has no good answers, a file without samples, or a folder without a model."""
        try:
            of_model = _of_model(nli)
            graders, samples = _given(options, seed)
            found = calibrated((*graders, *of_model), samples, seed)
        except (SetupError, RefusedError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        if options["json"]:
            self.stdout.write(json.dumps(_document(found), ensure_ascii=False))
            return
        made = ", ".join(f"{number} times {SAYS[way]}" for way, number in found.spoiled.items())
        self.stdout.write(f"Good answers: {found.samples}. Spoiled: {made}.")
        for calibration in found.calibrations:
            self._print(calibration)

    def _print(self, calibration: Calibration) -> None:
        labels = ", ".join(f"{label} {count}" for label, count in sorted(calibration.labels.items()))
        self.stdout.write(f"\n{calibration.grader}: {labels}")
        if calibration.auc is None:
            self.stdout.write("  no score for good answers, or none for spoiled ones: nothing to calibrate by")
            return
        by_way = ", ".join(f"{way} {value:.2f}" for way, value in calibration.by_spoiling.items())
        self.stdout.write(f"  AUC {calibration.auc:.3f} ({by_way})")
        table = table_of("score below", "precision", "recall", "false alarms", "")
        for point in _shown(calibration.curve, calibration.suggested):
            mark = "suggested" if point == calibration.suggested else ""
            precision = "–" if point.precision is None else f"{point.precision:.1%}"
            table.add_row(f"{point.threshold:.3f}", precision, f"{point.recall:.1%}", f"{point.false_alarms:.1%}", mark)
        if calibration.curve:
            console_on(self.stdout).print(table)
        if calibration.suggested is None:
            self.stdout.write("  no threshold is suggested: the scores hardly tell the two apart")
            return
        table = table_of("answers", "below it", "of")
        for name, (below, of) in calibration.caught.items():
            table.add_row(name if name == GOOD else f"spoiled: {name}", str(below), str(of))
        console_on(self.stdout).print(table)


def _given(options: Mapping[str, Any], seed: int) -> tuple[tuple[Grader, ...], list[Sample]]:
    """Good answers, and the graders: of a target as they are in force, with its dictionary and its failure phrases."""
    if options["samples"]:
        return default_graders(), read_samples(options["samples"])
    if options["bundled"]:
        return default_graders(), bundled_samples(options["count"], seed)
    prepare_database()
    ensure_target()
    target = target_named(options["target"])
    return graders_of_runs(target), good_samples(set_to_ask(options["set"], target, ACTOR), target)


def _of_model(nli: Path | None) -> tuple[Grader, ...]:
    if nli is None:
        return ()
    model = model_in(nli)
    return Faithfulness(Entailment(model)), EntailedRelevance(model)


def _shown(curve: Sequence[Point], suggested: Point | None) -> list[Point]:
    """Points spread over the curve, with the suggested one."""
    step = max(1, -(-len(curve) // SHOWN_POINTS))
    return [point for place, point in enumerate(curve) if place % step == 0 or point == suggested]


def _document(found: Calibrated) -> dict[str, Any]:
    return {
        "samples": found.samples,
        "spoiled": found.spoiled,
        "graders": [
            {
                "name": calibration.grader,
                "labels": dict(sorted(calibration.labels.items())),
                "good": calibration.good,
                "spoiled": calibration.spoiled,
                "auc": calibration.auc,
                "auc_by_spoiling": calibration.by_spoiling,
                "curve": [_point(point) for point in calibration.curve],
                "suggested": calibration.suggested and _point(calibration.suggested),
                "below_suggested": {
                    name: {"below": below, "of": of} for name, (below, of) in calibration.caught.items()
                },
            }
            for calibration in found.calibrations
        ],
    }


def _point(point: Point) -> dict[str, float | None]:
    return {
        "threshold": point.threshold,
        "precision": point.precision,
        "recall": point.recall,
        "false_alarms": point.false_alarms,
    }
