"""What the django-q2 cluster calls, with ids only. Stored rows name these functions, so they stay where they are."""

import logging

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django_q.tasks import async_task

from selftest.cycles import runner as cycles
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.evaluation import comparing
from selftest.evaluation.drifting import check_all
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.grading import try_to_grade
from selftest.evaluation.models import Comparison, EvaluationSettings, VocabularyGrowth
from selftest.evaluation.reading import sets
from selftest.evaluation.suggesting import suggest_by_model
from selftest.findings import checking
from selftest.findings.sweeping import sweep_if_on
from selftest.knowledge.schedule import forget_old_searches, watch_if_on
from selftest.models import ENGINE, Actor, Cycle, Reduction, Target
from selftest.operating.housekeeping import keep_house
from selftest.reading.targets import target_or_none
from selftest.refusals import RefusedError
from selftest.reviewing import smallest_query_search
from selftest.reviewing.smallest_query_request import minimise_new_causes
from selftest.storage.broker_faults import BROKER_AWAY

log = logging.getLogger(__name__)

GONE = "its row is gone, so there is nothing to do"
KNOWLEDGE_SECONDS = 60.0  # of one task that brings pieces up to date; what is left then waits for the next one


def scheduled_cycles() -> str:
    """Queues one cycle for every target that is switched on and has none of the schedule waiting."""
    waiting = Cycle.objects.filter(target=OuterRef("pk"), trigger=Cycle.Trigger.SCHEDULE, state=Cycle.State.PLANNED)
    targets = Target.objects.filter(~Exists(waiting), enabled=True)
    queued = [trigger_later(CycleRequest(target, Cycle.Trigger.SCHEDULE)) for target in targets]
    return ", ".join(str(cycle) for cycle in queued if cycle is not None) or "nothing to do"


def planned_cycle(cycle_id: int) -> str:
    """Runs the cycle that a page, a script or the schedule requested."""
    cycle = Cycle.objects.select_related("target").filter(pk=cycle_id).first()
    if cycle is None:
        return GONE
    # Where another one runs on the target, this one stays planned: the end of that one hands it over again.
    return _followed_up(cycles.run_planned(cycle, wait_s=0.0, may_spread=True))


def next_chunk(cycle_id: int) -> str:
    """Asks the next chunk of a cycle that is spread over the workers."""
    cycle = Cycle.objects.select_related("target").filter(pk=cycle_id).first()
    return GONE if cycle is None else _followed_up(cycles.ask_next_chunk(cycle))


def _followed_up(outcome: cycles.CycleOutcome) -> str:
    if outcome.status is cycles.Status.RAN and outcome.cycle is not None:
        minimise_new_causes(outcome.cycle.target)
        try_to_grade(outcome.cycle)
        if checking.has_new_version(outcome.cycle.target):
            _hand_over_examples(outcome.cycle.target_id)
    return outcome.status


def planned_reduction(reduction_id: int) -> str:
    """Runs the search for the smallest query that a page or a script requested."""
    rows = Reduction.objects.select_related("combination__target", "run__target")
    reduction = rows.filter(pk=reduction_id).first()
    return GONE if reduction is None else smallest_query_search.run_planned(reduction)


def housekeeping() -> str:
    """Deletes what was kept for long enough. Handed over by the sweep, once an hour."""
    forget_old_searches(timezone.now())
    return keep_house()


def rebuild_knowledge() -> str:
    """Reads every source of search once more. Handed over by a start that finds nothing to search."""
    from selftest.knowledge.rebuilding import rebuild  # with readers of Markdown and YAML, which no other task needs

    summary = rebuild()
    return f"{summary.documents} documents: {summary.added} added, {summary.changed} changed, {summary.removed} removed"


def sweep_findings() -> str:
    """Looks for findings that contradict each other. Scheduled once a day."""
    swept = sweep_if_on()
    return "switched off" if swept is None else f"superseded {swept.superseded}, proposed {swept.proposed}"


def ask_golden_sets() -> str:
    """Asks each golden set of the default target. Scheduled as the settings have it."""
    target = target_or_none(None)
    if target is None or EvaluationSettings.get_solo().asks_every == EvaluationSettings.Every.NEVER:
        return "switched off"
    said = []
    for golden_set in sets():
        try:
            report = evaluate(golden_set, target, Actor(ENGINE))
            said.append(f"{golden_set}: {report.state}, {report.broken} of {report.pairs} broken")
        except RefusedError as refused:
            said.append(f"{golden_set}: {refused}")
    return "; ".join(said) or "there is no golden set"


def scheduled_example_checks() -> str:
    """Queues a round of checks for every target that claims with examples are about. Scheduled once an hour."""
    targets = checking.targets_to_check()
    for target in targets:
        _hand_over_examples(target)
    return f"queued {len(targets)}"


def check_examples(target_id: int) -> str:
    """Asks the examples of claims on a target that are due."""
    return checking.check_target(target_id)


def _hand_over_examples(target_id: int) -> None:
    """A failure is left to the next hour."""
    try:
        async_task("selftest.tasks.check_examples", target_id, task_name=f"examples of target {target_id}")
    except BROKER_AWAY:
        log.warning("The examples of target %s could not be handed over", target_id, exc_info=True)


def planned_comparison(comparison_id: int) -> str:
    """Compares two targets, as a page or a script requested."""
    comparison = Comparison.objects.select_related("target", "against").filter(pk=comparison_id).first()
    return GONE if comparison is None else comparing.run_planned(comparison)


def grow_vocabularies() -> str:
    """Queues a round of suggestions for every target whose vocabulary grows. Scheduled once a week."""
    targets = list(VocabularyGrowth.objects.filter(is_on=True).values_list("target", flat=True))
    for target in targets:
        try:
            async_task("selftest.tasks.suggest_for", target, task_name=f"suggestions for target {target}")
        except BROKER_AWAY:  # left to the next week
            log.warning("Suggestions for target %s could not be handed over", target, exc_info=True)
    return f"queued {len(targets)}"


def suggest_for(target_id: int) -> str:
    """Asks the language model once what the vocabulary of a target may grow by."""
    growth = VocabularyGrowth.objects.select_related("target").filter(target=target_id, is_on=True).first()
    if growth is None:
        return "switched off"
    try:
        return str(suggest_by_model(growth))
    except RefusedError as refused:
        log.warning("No suggestions for %s: %s", growth.target, refused)
        return f"no suggestions: {refused}"


def check_drift() -> str:
    """Looks whether answers have changed. Scheduled once an hour."""
    return str(check_all())


def bring_knowledge_current() -> str:
    """Brings what changed into the index of search: handed over by a search that found more than it takes itself."""
    from selftest.knowledge.live.draining import bring_all_current  # with numpy, which few tasks need

    return f"took {bring_all_current(KNOWLEDGE_SECONDS)} changes"


def watch_searches() -> str:
    """Looks whether searches find what people look for. Scheduled once a day."""
    watched = watch_if_on(timezone.now())
    return "switched off" if watched is None else str(watched)
