"""Clean runs that no probe was left for: how they are kept, and what the next cycle does."""

import pytest

from selftest.core.judging.context import parts_of
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Combination, Cycle, Probe, Run, Target, Tuning
from selftest.reading.judging_terms import unchecked_of_last_cycle
from selftest.storage.serialization import query_of, vocabulary_of
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.texts import texts_of

pytestmark = pytest.mark.django_db

CHAIN = ["multi_intent_chain"]


def tune(**columns: float | bool) -> None:
    Tuning.get_solo()
    Tuning.objects.update(**columns)


def parts_in(runs: list[Run], target: Target) -> list[frozenset[str]]:
    vocabulary = vocabulary_of(target.vocabularies.get(in_force=True))
    return [parts_of([query_of(run.document)], vocabulary) for run in runs]


def counted(cycle: Cycle | None) -> tuple[int | None, int | None]:
    assert cycle is not None
    return cycle.unchecked, cycle.probes_at_most


def test_without_a_probe_no_part_is_checked_and_the_cycle_counts_that(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    tune(probes_per_query=0)
    outcome = cycle_on(make_target(), 8, recipes=CHAIN)
    assert set(Run.objects.values_list("state", "reason", "unchecked")) == {("done", None, True)}
    assert counted(outcome.cycle) == (8, 0)


@pytest.mark.usefixtures("knows_targets")
def test_with_probes_for_all_nothing_stays_unchecked(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(probes_per_query=20)
    outcome = cycle_on(make_target(), 8, recipes=CHAIN)
    assert set(Run.objects.values_list("state", "unchecked")) == {("done", False)}
    assert counted(outcome.cycle) == (0, 160)


@pytest.mark.usefixtures("knows_targets")
def test_where_the_budget_is_short_some_are_checked_and_some_are_not(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    outcome = cycle_on(make_target(), 8, recipes=CHAIN)
    unchecked = Run.objects.filter(unchecked=True)
    assert 0 < unchecked.count() < 8
    assert counted(outcome.cycle) == (unchecked.count(), 8)
    assert not Probe.objects.filter(run__in=unchecked, purpose="part").exists()


def test_by_the_specification_alone_nothing_is_due(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(explains=False, probes_per_query=0)
    outcome = cycle_on(make_target(), 8)
    assert set(Run.objects.values_list("unchecked", flat=True)) == {False}
    assert counted(outcome.cycle) == (0, None)


def test_a_flagged_run_claims_nothing_that_was_not_checked(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(probes_per_query=0)
    assert cycle_on(make_target("collapsing"), 24).flagged > 0
    assert set(Run.objects.filter(reason__isnull=False).values_list("unchecked", flat=True)) == {False}


def test_a_run_without_an_answer_says_nothing_of_it(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    cycle_on(make_target(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:1"), 2)
    assert not Run.objects.exclude(unchecked=None).exists()


# --- the next cycle ---


def test_the_next_cycle_begins_with_what_holds_the_parts_that_found_no_probe(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    """With a budget that routine alone gets nothing of at the start, these have their probes at once."""
    target = make_target()
    tune(probes_per_query=0)
    first = cycle_on(target, 2, recipes=CHAIN)
    assert first.cycle is not None
    overdue = frozenset().union(*parts_in(list(first.cycle.runs.all()), target))
    tune(probes_per_query=1)
    second = cycle_on(target, 24, seed=2, recipes=CHAIN)
    assert second.cycle is not None
    runs = list(second.cycle.runs.order_by("place"))
    holding = [bool(parts & overdue) for parts in parts_in(runs, target)]
    assert 0 < sum(holding) < 24
    assert holding == sorted(holding, reverse=True)
    assert not any(run.unchecked for run, holds in zip(runs, holding, strict=True) if holds)
    asked = Probe.objects.filter(run=runs[0], purpose="part").values_list("text", flat=True)
    assert set(asked) & overdue


def test_no_query_is_asked_again_for_that_as_long_as_there_are_new_ones(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target()
    tune(probes_per_query=0)
    for seed in range(4):
        cycle_on(target, 8, seed)
    assert Run.objects.filter(unchecked=True).exists()
    assert set(Combination.objects.values_list("times_generated", flat=True)) == {1}


def test_asked_again_with_probes_it_is_clean(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(probes_per_query=0)
    cycle_on(make_target(), 1, recipes=CHAIN)
    combination = Combination.objects.get()
    tune(probes_per_query=20)
    run_cycle(CycleRequest(combination.target, Cycle.Trigger.PAGE, 1, combination=combination))
    assert list(Run.objects.order_by("id").values_list("unchecked", flat=True)) == [True, False]


def test_a_cycle_that_repeats_something_pays_no_debt(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    tune(probes_per_query=0)
    cycle_on(target, 3, recipes=CHAIN)
    due = [query.text for query in unchecked_of_last_cycle(target)]
    assert due == texts_of(Run.objects.all())
    run_cycle(CycleRequest(target, Cycle.Trigger.PAGE, 1, combination=Combination.objects.first()))
    assert [query.text for query in unchecked_of_last_cycle(target)] == due
    tune(probes_per_query=20)
    cycle_on(target, 3, seed=2, recipes=CHAIN)
    assert unchecked_of_last_cycle(target) == []


def test_a_replay_keeps_to_its_order_whatever_is_overdue(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    first = cycle_on(target, 8).cycle
    assert first is not None
    tune(probes_per_query=0)
    cycle_on(target, 8, seed=2)
    run_cycle(CycleRequest(target, Cycle.Trigger.PAGE, replay_of=first, count=8))
    again = Cycle.objects.get(replay_of=first)
    texts = [texts_of(cycle.runs.all()) for cycle in (first, again)]
    assert texts[0] == texts[1]
