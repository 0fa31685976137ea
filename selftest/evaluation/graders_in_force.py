"""Which graders look at a target's answers, by its dictionary and the settings."""

from pathlib import Path

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.entailment import Entailment
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.samples import Grader
from selftest.evaluation.judge import Judge, judge_of
from selftest.evaluation.models import GraderSettings, terms_of
from selftest.evaluation.onnx_model import model_in
from selftest.models import Target
from selftest.reading.targets import vocabulary_numbered
from selftest.storage.serialization import vocabulary_of

NAMES = (*(grader.name for grader in default_graders()), "faithfulness_nli", EntailedRelevance.name, Judge.name)


def graders_of_runs(target: Target) -> tuple[Grader, ...]:
    """Those that look at every run: none of them needs a model."""
    version = vocabulary_numbered(target)
    return default_graders(terms_of(target.pk), vocabulary_of(version).empty_phrases if version else ())


def graders_of_batches(target: Target) -> tuple[Grader, ...]:
    """Those that look at a batch: models too, where they are set. Each batch asks again: its budget is its own.

    Loads the entailment model at the first call of a process. Raises ModelFolderError where its folder is no model.
    """
    settings = GraderSettings.get_solo()
    return (*graders_of_runs(target), *_entailing(settings.nli_folder), *filter(None, [judge_of(settings)]))


def _entailing(folder: str) -> tuple[Grader, ...]:
    if not folder:
        return ()
    model = model_in(Path(folder))
    return Faithfulness(Entailment(model)), EntailedRelevance(model)
