"""Rows of the golden set, of scores and of drift."""

from selftest.evaluation.models.drift import (
    DriftAlert,
    DriftEvent,
    DriftProposal,
    DriftSeries,
    DriftWatch,
    DriftWindow,
)

__all__ = ["DriftAlert", "DriftEvent", "DriftProposal", "DriftSeries", "DriftWatch", "DriftWindow"]
