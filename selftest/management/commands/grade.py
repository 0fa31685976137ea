"""`manage.py grade`: what one grader says of answers, one a line."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.entailment import Entailment
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.graders.sentences import plain
from selftest.evaluation.core.samples import Grader, Sample, Score, Term
from selftest.evaluation.graders_in_force import NAMES
from selftest.evaluation.judge import Judge, judge_of
from selftest.evaluation.models import GraderSettings
from selftest.evaluation.onnx_model import model_in
from selftest.evaluation.sample_lines import documents, sample_of_line, terms_of_line
from selftest.management.tables import console_on, one_line, table_of
from selftest.operating.first_start import prepare_database
from selftest.refusals import RefusedError, SetupError

STDIN = "standard input"
NAMES_NLI = ("faithfulness_nli", EntailedRelevance.name)


class Command(BaseCommand):
    """Reads all of standard input, then prints a line for each of its lines, or a table."""

    help = (
        "Grades answers from standard input, one a line of JSON: answer, and what the grader looks at of query, "
        "sections, context, reference, keyphrases, language and terms. It needs no database but for the judge."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--grader", required=True, choices=NAMES, metavar="NAME", help=", ".join(NAMES))
        parser.add_argument("--nli", type=Path, metavar="FOLDER", help=f"the model of {' and '.join(NAMES_NLI)}")
        parser.add_argument("--json", action="store_true", help="each line again, with score and reason")

    def handle(self, *args: Any, grader: str, nli: Path | None, **options: Any) -> None:
        """Exits with 2 for a line that is no sample, and for a grader whose model is not set."""
        try:
            graded = _graded(grader, nli)
        except (SetupError, RefusedError, UnicodeDecodeError) as fault:
            raise CommandError(str(fault), returncode=2) from fault
        if options["json"]:
            for document, score in graded:
                said = {"score": score.value, "reason": score.reason, "label": score.label, "details": score.details}
                self.stdout.write(plain(json.dumps({**document, **said}, ensure_ascii=False)))
            return
        table = table_of("answer", "score", "reason", whole=("score",))
        for document, score in graded:
            value = "–" if score.value is None else f"{score.value:.3f}"
            table.add_row(one_line(plain(document["answer"])), value, score.reason)
        console_on(self.stdout).print(table)


def _graded(name: str, nli: Path | None) -> list[tuple[dict[str, Any], Score]]:
    given: list[tuple[dict[str, Any], Sample, tuple[Term, ...]]] = []
    for where, document in documents(sys.stdin, STDIN):
        given.append((document, sample_of_line(document, where), terms_of_line(document, where)))
    model = _model_grader(name, nli)
    return [(document, (model or _of_words(name, terms)).grade(sample)) for document, sample, terms in given]


def _of_words(name: str, terms: Sequence[Term]) -> Grader:
    return next(grader for grader in default_graders(terms) if grader.name == name)


def _model_grader(name: str, nli: Path | None) -> Grader | None:
    """None for a grader that needs no model. Raises RefusedError where its model is not set."""
    if name == Judge.name:
        prepare_database()
        judge = judge_of(GraderSettings.get_solo())
        if judge is None:
            raise RefusedError("the judge is off, or lacks an address, a model or a readable key; an admin sets these")
        return judge
    if name not in NAMES_NLI:
        return None
    if nli is None:
        raise RefusedError(f"{name} needs a model: --nli FOLDER")
    model = model_in(nli)
    return Faithfulness(Entailment(model)) if name == NAMES_NLI[0] else EntailedRelevance(model)
