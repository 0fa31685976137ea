"""Of new causes the smallest query is looked for without being asked, as often as the settings allow."""

from collections.abc import Callable
from typing import Any

import pytest
from django_q.models import OrmQ

from selftest import tasks
from selftest.cycles.lifecycle import CycleRequest, prepare
from selftest.models import Cause, Cycle, Reduction, Target, Tuning
from selftest.reading.causes import CauseFilter, causes_of_page, example_queries, listed_causes
from selftest.reading.queue import queue_revision
from selftest.reviewing.smallest_query_request import minimise_new_causes
from selftest.storage.target_clients import bundled_vocabulary
from tests.engine.conftest import MakeTarget
from tests.engine.conftest import Run as RunCycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def faulty(make_target: MakeTarget) -> Callable[..., Target]:
    def make(*faults: str) -> Target:
        columns: dict[str, Any] = {"kind": Target.Kind.REFERENCE, "dotted_path": "", "reference_faults": list(faults)}
        return make_target(document=bundled_vocabulary(), **columns)

    return make


def allow(searches: int) -> None:
    Tuning.get_solo()
    Tuning.objects.update(smallest_queries=searches)


def test_after_a_cycle_of_the_worker_one_search_is_queued_and_the_cause_shows_what_it_finds(
    faulty: Callable[..., Target], cycle_on: RunCycle, django_capture_on_commit_callbacks: Any
) -> None:
    target = faulty("clause_swallowed_after_third")
    for seed in range(3):
        cycle_on(target, 24, seed=seed)
    cycle = prepare(CycleRequest(target, Cycle.Trigger.SCHEDULE, 8, 9))
    cycle.save()
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.planned_cycle(cycle.pk) == "ran"
    search = Reduction.objects.get()
    cause = Cause.objects.order_by("-flags")[0]
    assert (search.combination_id, search.check_name) == (cause.example.combination_id, cause.example.check_name)  # type: ignore[union-attr]  # it has one
    queued = [one.task for one in OrmQ.objects.all() if one.task["func"] == "selftest.tasks.planned_reduction"]
    listed = tuple(listed_causes(CauseFilter(), queue_revision(), cycle.created_at))
    [before, *_] = causes_of_page(listed, queue_revision())
    assert before.example is not None
    assert not before.example.is_minimised
    assert tasks.planned_reduction(*queued[0]["args"]) == "finished"
    [shown_cause, *_] = causes_of_page(listed, queue_revision())
    shown = shown_cause.example
    assert shown is not None
    search.refresh_from_db()
    assert (shown.is_minimised, shown.text) == (True, search.smallest_text)
    assert [part.is_broken for part in shown.parts if part.document[1].strip()][-1], "the part that broke is marked"


def test_as_many_as_the_settings_say_and_each_cause_once(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice", "empty_section_kept", "clause_swallowed_after_third")
    for seed in range(4):
        cycle_on(target, 24, seed=seed)
    allow(0)
    assert minimise_new_causes(target) == 0
    allow(2)
    assert minimise_new_causes(target) == 2
    assert Reduction.objects.values("combination").distinct().count() == 2


def test_a_cause_is_searched_for_once_also_where_a_shorter_query_shows_it_later(
    faulty: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    cause = Cause.objects.get()
    longest = max(cause.found.select_related("run__combination"), key=lambda flag: flag.run.text)
    Cause.objects.update(example=longest)
    assert minimise_new_causes(target) == 1
    Reduction.objects.update(state="finished", smallest_text="short", smallest=longest.run.document)
    cycle_on(target, 24, seed=2)
    cause.refresh_from_db()
    assert cause.example != longest
    assert minimise_new_causes(target) == 0
    example = example_queries([cause])[cause.pk]
    assert (example.flag, example.text, example.is_minimised) == (longest, "short", True)


def test_of_a_judged_cause_none_is_looked_for(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    Cause.objects.update(verdict=Cause.Verdict.ACCEPTED)
    assert minimise_new_causes(target) == 0


def test_switched_off_nothing_is_looked_for(faulty: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = faulty("section_twice")
    cycle_on(target, 24, seed=1)
    Tuning.objects.update(enabled=False)
    assert minimise_new_causes(target) == 0
    assert not Reduction.objects.exists()
