"""Reads: the queue, a combination, cycles, coverage. Nothing here changes a row."""

from selftest.selectors.combination import combination_numbered, last_flagged_run, runs_of, story_of
from selftest.selectors.coverage import Coverage, coverage
from selftest.selectors.cycles import Progress, cycles, newest_cycles, progress_of, runs_of_cycle, schedule
from selftest.selectors.listings import CombinationFilter, CombinationState, combinations, flags, runs, targets
from selftest.selectors.queue import NEWEST_RUN_FIRST, findings_of, flagged, older_than
from selftest.selectors.runs import AnswerPart, parts_of_answer, run_numbered
from selftest.selectors.standing import HealthFigures, health_figures, is_enabled, tuning

__all__ = [
    "NEWEST_RUN_FIRST",
    "AnswerPart",
    "CombinationFilter",
    "CombinationState",
    "Coverage",
    "HealthFigures",
    "Progress",
    "combination_numbered",
    "combinations",
    "coverage",
    "cycles",
    "findings_of",
    "flagged",
    "flags",
    "health_figures",
    "is_enabled",
    "last_flagged_run",
    "newest_cycles",
    "older_than",
    "parts_of_answer",
    "progress_of",
    "run_numbered",
    "runs",
    "runs_of",
    "runs_of_cycle",
    "schedule",
    "story_of",
    "targets",
    "tuning",
]
