"""Rows of graders, of the golden set, of scores and of drift."""

from selftest.evaluation.models.grader_settings import GraderSettings
from selftest.evaluation.models.terms import TargetTerm, terms_of
from selftest.evaluation.models.threshold import Threshold, thresholds

__all__ = ["GraderSettings", "TargetTerm", "Threshold", "terms_of", "thresholds"]
