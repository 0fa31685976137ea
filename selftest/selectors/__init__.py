"""Reads: the queue, a combination, cycles, coverage. Nothing here changes a row."""

from selftest.selectors.combination import combination_numbered, runs_of, story_of
from selftest.selectors.coverage import Coverage, coverage, possible_combinations
from selftest.selectors.cycles import (
    Progress,
    cycle_numbered,
    cycles,
    listed_cycles,
    newest_cycles,
    progress_of,
    replays_of,
    runs_of_cycle,
    schedule,
)
from selftest.selectors.explained import (
    LATELY_PROBES,
    SourceAlone,
    explained,
    explanations_of,
    sources_alone,
    sources_of,
)
from selftest.selectors.listings import (
    CombinationFilter,
    CombinationState,
    combinations,
    flags,
    newest_flags,
    runs,
    targets,
)
from selftest.selectors.queue import NEWEST_RUN_FIRST, findings_of, flagged
from selftest.selectors.recipes import (
    RecipeFigures,
    examples_of_recipe,
    findings_by_day,
    flagged_by_day,
    latencies_of_recipe_ms,
    recipe_figures,
)
from selftest.selectors.reductions import is_given_up, newest_reductions, reductions_of
from selftest.selectors.run import AnswerPart, AnswerPiece, parts_of_answer, run_numbered, runs_beside
from selftest.selectors.standing import HealthFigures, health_figures, is_enabled, tuning
from selftest.selectors.target import (
    LOOKED_BACK_CYCLES,
    cycles_of_target,
    last_outages,
    target_numbered,
    vocabularies_in_force,
    vocabulary_before,
    vocabulary_numbered,
    vocabulary_versions,
)
from selftest.selectors.trouble import LOOKED_BACK_RUNS, given_up, own_failures
from selftest.selectors.wall import flagged_now
from selftest.selectors.worker import waiting_tasks, worker_clusters

__all__ = [
    "LATELY_PROBES",
    "LOOKED_BACK_CYCLES",
    "LOOKED_BACK_RUNS",
    "NEWEST_RUN_FIRST",
    "AnswerPart",
    "AnswerPiece",
    "CombinationFilter",
    "CombinationState",
    "Coverage",
    "HealthFigures",
    "Progress",
    "RecipeFigures",
    "SourceAlone",
    "combination_numbered",
    "combinations",
    "coverage",
    "cycle_numbered",
    "cycles",
    "cycles_of_target",
    "examples_of_recipe",
    "explained",
    "explanations_of",
    "findings_by_day",
    "findings_of",
    "flagged",
    "flagged_by_day",
    "flagged_now",
    "flags",
    "given_up",
    "health_figures",
    "is_enabled",
    "is_given_up",
    "last_outages",
    "latencies_of_recipe_ms",
    "listed_cycles",
    "newest_cycles",
    "newest_flags",
    "newest_reductions",
    "own_failures",
    "parts_of_answer",
    "possible_combinations",
    "progress_of",
    "recipe_figures",
    "reductions_of",
    "replays_of",
    "run_numbered",
    "runs",
    "runs_beside",
    "runs_of",
    "runs_of_cycle",
    "schedule",
    "sources_alone",
    "sources_of",
    "story_of",
    "target_numbered",
    "targets",
    "tuning",
    "vocabularies_in_force",
    "vocabulary_before",
    "vocabulary_numbered",
    "vocabulary_versions",
    "waiting_tasks",
    "worker_clusters",
]
