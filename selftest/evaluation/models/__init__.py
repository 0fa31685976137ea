"""Rows of the golden set, of scores, of drift and of comparisons."""

from selftest.evaluation.models.comparison import Comparison

__all__ = ["Comparison"]
