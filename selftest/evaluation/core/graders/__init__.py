"""The graders that are used unless a person adds more."""

from selftest.evaluation.core.graders.keyphrases import KeyphraseCoverage
from selftest.evaluation.core.samples import Grader


def default_graders() -> tuple[Grader, ...]:
    """In the order of reports."""
    return (KeyphraseCoverage(),)
