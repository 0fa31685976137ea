"""README's table of graders says what the graders say of themselves."""

from pathlib import Path

import pytest

from selftest.evaluation.core.graders import default_graders
from selftest.evaluation.core.graders.entailment import Entailment, Judgement
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.relevance import EntailedRelevance
from selftest.evaluation.core.samples import Grader
from selftest.evaluation.graders_in_force import NAMES
from selftest.evaluation.judge import Judge
from selftest.evaluation.models import GraderSettings

README = Path(__file__).parents[3] / "README.md"


class Unasked:
    """A model that no test here asks."""

    def judge(self, pairs: object) -> list[Judgement]:
        raise NotImplementedError


def graders() -> tuple[Grader, ...]:
    models: tuple[Grader, ...] = (Faithfulness(Entailment(Unasked())), EntailedRelevance(Unasked()))
    return (*default_graders(), *models, Judge(GraderSettings()))


def test_each_grader_has_a_name_that_a_threshold_can_be_set_for() -> None:
    assert tuple(grader.name for grader in graders()) == NAMES


@pytest.mark.parametrize("grader", graders(), ids=lambda grader: grader.name)
def test_its_row_is_what_it_says_of_itself(grader: Grader) -> None:
    row = f"| `{grader.name}` | {grader.says} | {grader.cannot_see} |"
    assert row in README.read_text(encoding="utf-8").splitlines()
