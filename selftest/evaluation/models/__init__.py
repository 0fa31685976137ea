"""Rows of graders, of the golden set, of scores, of drift and of comparisons."""

from selftest.evaluation.models.comparison import Comparison
from selftest.evaluation.models.grader_settings import GraderSettings
from selftest.evaluation.models.terms import TargetTerm, terms_of
from selftest.evaluation.models.threshold import Threshold, thresholds

__all__ = ["Comparison", "GraderSettings", "TargetTerm", "Threshold", "terms_of", "thresholds"]
