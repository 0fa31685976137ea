"""Rows of the golden set and its reports, of graders and what they said of runs, of drift and of comparisons."""

from selftest.evaluation.models.comparison import Comparison
from selftest.evaluation.models.drift import (
    DriftAlert,
    DriftEvent,
    DriftProposal,
    DriftSeries,
    DriftWatch,
    DriftWindow,
)
from selftest.evaluation.models.grader_settings import GraderSettings
from selftest.evaluation.models.pair import GoldenPair, GoldenSet, PairVersion
from selftest.evaluation.models.report import PairResult, Report
from selftest.evaluation.models.score import GraderScore
from selftest.evaluation.models.settings import EvaluationSettings
from selftest.evaluation.models.suggestion import Suggestion, SuggestionDecision, VocabularyGrowth
from selftest.evaluation.models.terms import TargetTerm, terms_of
from selftest.evaluation.models.threshold import Threshold, thresholds

__all__ = [
    "Comparison",
    "DriftAlert",
    "DriftEvent",
    "DriftProposal",
    "DriftSeries",
    "DriftWatch",
    "DriftWindow",
    "EvaluationSettings",
    "GoldenPair",
    "GoldenSet",
    "GraderScore",
    "GraderSettings",
    "PairResult",
    "PairVersion",
    "Report",
    "Suggestion",
    "SuggestionDecision",
    "TargetTerm",
    "Threshold",
    "VocabularyGrowth",
    "terms_of",
    "thresholds",
]
