"""Which graders look at a target's answers, by its dictionary and the settings."""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.entailment import Entailment
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.samples import Grader
from selftest.evaluation.judge import Judge, judge_of
from selftest.evaluation.models import GraderSettings, terms_of
from selftest.evaluation.onnx_model import ModelFolderError, model_in
from selftest.models import Target
from selftest.reading.targets import vocabulary_numbered
from selftest.storage.serialization import vocabulary_of

log = logging.getLogger(__name__)

NAMES = (*(grader.name for grader in default_graders()), "faithfulness_nli", EntailedRelevance.name, Judge.name)


def graders_of_runs(target: Target) -> tuple[Grader, ...]:
    """Those that look at every run: none of them needs a model."""
    version = vocabulary_numbered(target)
    return default_graders(terms_of(target.pk), vocabulary_of(version).empty_phrases if version else ())


def graders_of_batches(target: Target) -> tuple[Grader, ...]:
    """Those that look at a batch: models too, where they are set. Each batch asks again: its budget is its own.

    Waits for the entailment model where it is still being loaded; does without where its folder is no model.
    """
    settings = GraderSettings.get_solo()
    return (*graders_of_runs(target), *_entailing(target, settings.nli_folder), *filter(None, [judge_of(settings)]))


def warm_up(may_tell: Callable[[], bool] = lambda: True) -> threading.Thread | None:
    """Has the entailment model loaded in a thread, which is returned; None where none is set.

    Of a folder that is no model it writes one line, where `may_tell` says so, and no more comes of it.
    """
    folder = GraderSettings.get_solo().nli_folder
    if not folder:
        return None
    thread = threading.Thread(target=_load, args=(Path(folder), may_tell), name="entailment", daemon=True)
    thread.start()
    return thread


def _load(folder: Path, may_tell: Callable[[], bool]) -> None:
    try:
        model_in(folder)
    except ModelFolderError as fault:
        if may_tell():
            log.warning("There is no entailment model, so answers are graded without one: %s", fault)


def _entailing(target: Target, folder: str) -> tuple[Grader, ...]:
    if not folder:
        return ()
    try:
        model = model_in(Path(folder))
    except ModelFolderError as fault:
        log.warning("Answers of %s are graded without the entailment model: %s", target, fault)
        return ()
    return Faithfulness(Entailment(model)), EntailedRelevance(model)
