"""Rows of the golden set, of its reports and of what graders said of runs."""

from selftest.evaluation.models.pair import GoldenPair, GoldenSet, PairVersion
from selftest.evaluation.models.report import PairResult, Report
from selftest.evaluation.models.score import GraderScore
from selftest.evaluation.models.settings import EvaluationSettings
from selftest.evaluation.models.threshold import Threshold

__all__ = [
    "EvaluationSettings",
    "GoldenPair",
    "GoldenSet",
    "GraderScore",
    "PairResult",
    "PairVersion",
    "Report",
    "Threshold",
]
