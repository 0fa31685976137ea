"""Graders: each one small class with a range, a sentence, and what it cannot see. They advise and decide nothing."""

from collections.abc import Collection, Sequence

from selftest.evaluation.core.graders.contextual import ContextualPrecision, ContextualRecall
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.keyphrases import KeyphraseCoverage
from selftest.evaluation.core.graders.relevance import AnswerRelevance
from selftest.evaluation.core.graders.terminology import Terminology
from selftest.evaluation.core.samples import Grader, Term


def default_graders(terms: Sequence[Term] = (), refusals: Collection[str] = ()) -> tuple[Grader, ...]:
    """Those that need no model, cheap enough for every run.

    terms: the target's dictionary. refusals: what the target says where it has nothing.
    """
    return (
        Faithfulness(refusals=refusals),
        Terminology(terms),
        KeyphraseCoverage(),
        ContextualPrecision(),
        ContextualRecall(),
        AnswerRelevance(),
    )
