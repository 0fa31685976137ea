"""One combination asked again, a cycle replayed: exactly that, through the same house, and no walk moves."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django_q.models import OrmQ

from selftest import tasks
from selftest.cycles import lifecycle
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.runner import CycleOutcome, run_cycle
from selftest.models import Actor, Combination, Cycle, Flag, Run, Target, Tuning, Walk
from selftest.models.run import AS_ASKED
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import RefusedError
from selftest.reviewing import run_again_and_replay
from selftest.reviewing.run_again_and_replay import run_again
from selftest.storage.serialization import query_document, query_of
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.texts import texts_of
from tests.vocabularies import small_document

pytestmark = pytest.mark.django_db

ANNA = Actor("anna")
OPEN_TOPIC = ["no_intent_fallthrough"]
CHAIN = ["multi_intent_chain"]


@pytest.fixture
def bundled(make_target: MakeTarget) -> Callable[..., Target]:
    """The reference target in process, with these faults on."""

    def make(*faults: str) -> Target:
        return make_target(kind=Target.Kind.REFERENCE, dotted_path="", reference_faults=list(faults))

    return make


@pytest.fixture
def commit(django_capture_on_commit_callbacks: Any) -> Any:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def asked_again(combination: Combination, times: int) -> Cycle:
    outcome = run_cycle(CycleRequest(combination.target, Cycle.Trigger.PAGE, times, combination=combination))
    return cycle_of(outcome)


def replayed(earlier: Cycle) -> Cycle:
    return cycle_of(
        run_cycle(CycleRequest(earlier.target, Cycle.Trigger.PAGE, earlier.runs.count(), replay_of=earlier))
    )


def cycle_of(outcome: CycleOutcome) -> Cycle:
    assert outcome.cycle is not None
    return outcome.cycle


def said(cycle: Cycle | None) -> list[str]:
    assert cycle is not None
    return texts_of(cycle.runs.all())


def walked() -> list[tuple[str, int]]:
    return list(Walk.objects.order_by("id").values_list("identity", "position"))


def change_topics(target: Target, topics: list[str]) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = topics
    import_vocabulary(target, document, NOW)


# --- one combination ---


def test_one_combination_is_asked_as_often_as_requested_and_nothing_else(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = bundled()
    cycle_on(target, 6)
    combination = Combination.objects.order_by("id")[3]
    before = walked()
    cycle = asked_again(combination, 5)
    assert set(cycle.runs.values_list("combination", flat=True)) == {combination.pk}
    assert said(cycle) == [combination.last_query_text] * 5
    assert (cycle.state, cycle.queries_run, cycle.novel, cycle.note) == ("finished", 5, 0, "")
    combination.refresh_from_db()
    assert combination.times_generated == 6
    assert walked() == before
    assert Combination.objects.count() == 6


def test_a_fault_is_found_again_and_gone_again(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = bundled("merged_without_headers")
    cycle_on(target, 3, recipes=CHAIN)
    combination = Combination.objects.filter(currently_flagged=True).first()
    assert combination is not None
    cycle = asked_again(combination, 3)
    assert cycle.flagged == 3
    assert Flag.objects.filter(run__cycle=cycle, check_name="part_count_mismatch").count() == 3
    Target.objects.update(reference_faults=[])
    combination = Combination.objects.get(pk=combination.pk)
    assert asked_again(combination, 2).flagged == 0
    combination.refresh_from_db()
    assert (combination.currently_flagged, combination.ever_flagged) == (False, True)
    assert combination.review_status is None, "only a person takes it off the queue"


def test_it_is_said_as_it_was_when_it_was_last_flagged(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = bundled("merged_without_headers")
    cycle_on(target, 1, recipes=CHAIN)
    combination = Combination.objects.get()
    first_said = combination.last_query_text
    query = query_of(combination.query)
    intents = [part for part in query.parts if part.kind == "intent"]
    swapped = {intents[0]: intents[-1], intents[-1]: intents[0]}
    other_order = type(query)(query.recipe, tuple(swapped.get(part, part) for part in query.parts))
    assert other_order.text != first_said
    run = combination.last_flagged_run
    assert run is not None
    Run.objects.filter(pk=run.pk).update(query=query_document(other_order), query_text=other_order.text)
    again = asked_again(Combination.objects.get(), 2)
    assert said(again) == [other_order.text] * 2
    assert [run.document for run in again.runs.all()] == [query_document(other_order)] * 2
    kept = dict(Run.objects.values_list("cycle", AS_ASKED))
    assert (kept[again.pk], kept[run.cycle_id]) == (query_document(other_order),) * 2
    assert set(again.runs.values_list("query_text", flat=True)) == {other_order.text}
    Combination.objects.update(last_flagged_run=None)
    assert said(asked_again(Combination.objects.get(), 1)) == [first_said]


def test_a_query_said_as_its_combination_has_it_is_kept_there_alone(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    cycle_on(bundled(), 3)
    runs = Run.objects.select_related("combination").order_by("pk")
    assert [run.query for run in runs] == [{}] * 3
    written = [run.combination.query for run in runs]
    assert [run.document for run in runs] == written
    assert list(runs.values_list(AS_ASKED, flat=True)) == written
    assert [run.query_text for run in runs] == [""] * 3
    assert [run.text for run in runs] == [query_of(run.document).text for run in runs]
    assert [str(run) for run in runs] == [run.combination.last_query_text for run in runs]


def test_a_run_of_an_earlier_version_says_the_text_that_it_was_kept_with(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    cycle_on(bundled(), 1)
    Run.objects.update(query_text="as it was kept")
    assert Run.objects.get().text == "as it was kept"


def test_one_that_was_never_answered_is_new_the_first_time(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    cycle_on(bundled(), 2)
    Combination.objects.update(times_generated=0, last_run_timestamp=None)
    cycle = asked_again(Combination.objects.order_by("id")[0], 3)
    assert [run.novel for run in cycle.runs.order_by("place")] == [True, False, False]
    assert cycle.novel == 1


def test_one_that_the_vocabulary_no_longer_holds_is_asked_all_the_same(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=small_document())
    cycle_on(target, 5, recipes=OPEN_TOPIC)
    change_topics(target, ["knots"])
    narwhals = Combination.objects.get(last_query_text="narwhals")
    cycle = asked_again(narwhals, 2)
    assert said(cycle) == ["narwhals", "narwhals"]
    assert cycle.state == "finished"
    assert cycle.note == "no longer in the vocabulary, but asked: 'topic:narwhals'"
    assert cycle.vocabulary == target.vocabularies.get(in_force=True)
    assert asked_again(Combination.objects.get(last_query_text="knots"), 1).note == ""


def test_one_of_a_source_that_the_vocabulary_no_longer_knows_is_asked_and_checked(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(kind=Target.Kind.REFERENCE, dotted_path="", document=small_document())
    cycle_on(target, 12, recipes=CHAIN)
    document = small_document()
    del document["sources"]["tides"], document["headers"]["tides"]
    import_vocabulary(target, document, NOW)
    combination = Combination.objects.filter(fingerprint__contains="intent:tides:").first()
    assert combination is not None
    cycle = asked_again(combination, 1)
    assert cycle.runs.get().state == "done"
    assert "'intent:tides:" in cycle.note


# --- a whole cycle ---


def test_a_replay_asks_the_same_queries_in_the_same_order(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    target = bundled("merged_without_headers")
    earlier = cycle_of(cycle_on(target, 12))
    cycle_on(target, 4)
    before = walked()
    again = replayed(earlier)
    assert said(again) == said(earlier)
    assert (again.state, again.queries_run, again.novel) == ("finished", 12, 0)
    assert again.flagged == earlier.flagged > 0
    assert walked() == before
    assert Combination.objects.count() == 16


def test_the_faults_of_a_cycle_are_gone_from_its_replay_once_they_are_mended(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = bundled("merged_without_headers")
    earlier = cycle_of(cycle_on(target, 8, recipes=CHAIN))
    assert earlier.flagged > 0
    Target.objects.update(reference_faults=[])
    assert replayed(Cycle.objects.get(pk=earlier.pk)).flagged == 0


def test_a_replay_asks_what_was_skipped_and_what_broke_off_too(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    earlier = cycle_of(cycle_on(bundled(), 6))
    unanswered = Combination.objects.filter(runs__place__in=[1, 4])
    Run.objects.filter(place=1).update(state="skipped")
    Run.objects.filter(place=4).update(state="interrupted")
    Combination.objects.filter(pk__in=unanswered).update(times_generated=0, last_run_timestamp=None)
    again = replayed(earlier)
    assert said(again) == said(earlier)
    assert [run.place for run in again.runs.order_by("place") if run.novel] == [1, 4]
    assert again.novel == 2


def test_a_query_said_twice_in_a_cycle_is_said_twice_in_its_replay(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    earlier = cycle_of(cycle_on(make_target(document=small_document()), 8, recipes=OPEN_TOPIC))
    assert len(set(said(earlier))) == 5
    Combination.objects.update(times_generated=0)
    again = replayed(earlier)
    assert said(again) == said(earlier)
    assert again.novel == 5


def test_a_replay_goes_by_the_vocabulary_in_force_and_says_what_that_has_lost(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target(document=small_document())
    earlier = cycle_of(cycle_on(target, 5, recipes=OPEN_TOPIC))
    change_topics(target, ["knots", "lighthouses", "kelp"])
    again = replayed(earlier)
    assert said(again) == said(earlier)
    assert again.vocabulary is not None
    assert again.vocabulary.number == 2
    assert again.note == (
        "no longer in the vocabulary, but asked: 'topic:narwhals', 'topic:tide mills', 'topic:whalebone'"
    )


def test_of_many_lost_words_five_are_named(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    document = small_document()
    document["seeds"]["open_topics"] = [f"subject {letter}" for letter in "abcdefgh"]
    target = make_target(document=document)
    earlier = cycle_of(cycle_on(target, 8, recipes=OPEN_TOPIC))
    change_topics(target, ["knots"])
    assert replayed(earlier).note.endswith(": " + ", ".join(f"'topic:subject {c}'" for c in "abcde") + " and 3 more")


def test_an_outage_in_a_replay_touches_no_combination(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    earlier = cycle_of(cycle_on(target, 3))
    Target.objects.update(dotted_path="tests.engine.routers.nowhere")
    again = replayed(Cycle.objects.get(pk=earlier.pk))
    assert again.state == "target_unavailable"
    assert not again.runs.exists()
    assert set(Combination.objects.values_list("times_generated", flat=True)) == {1}


# --- asked for by a person ---


def test_run_again_hands_the_worker_one_cycle_which_does_it(
    bundled: Callable[..., Target], cycle_on: RunCycle, commit: Any
) -> None:
    cycle_on(bundled(), 1)
    combination = Combination.objects.get()
    with commit():
        cycle = run_again(combination, 5, ANNA)
    assert cycle is not None
    assert (cycle.state, cycle.trigger, cycle.combination, cycle.queries_wanted) == ("planned", "page", combination, 5)
    task = OrmQ.objects.get().task
    assert tasks.planned_cycle(*task["args"]) == "ran"
    assert said(cycle) == [combination.last_query_text] * 5


def test_replay_hands_the_worker_one_cycle_which_does_it(
    bundled: Callable[..., Target], cycle_on: RunCycle, commit: Any
) -> None:
    earlier = cycle_of(cycle_on(bundled(), 7, recipes=CHAIN))
    with commit():
        cycle = run_again_and_replay.replay(earlier, ANNA)
    assert cycle is not None
    assert (cycle.state, cycle.trigger, cycle.replay_of) == ("planned", "page", earlier)
    assert (cycle.queries_wanted, cycle.seed) == (7, earlier.seed)
    assert tasks.planned_cycle(*OrmQ.objects.get().task["args"]) == "ran"
    assert said(cycle) == said(earlier)


def test_switched_off_nothing_is_handed_over(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    earlier = cycle_of(cycle_on(bundled(), 1))
    Tuning.objects.update(enabled=False)
    assert run_again(Combination.objects.get(), 1, ANNA) is None
    assert run_again_and_replay.replay(earlier, ANNA) is None
    assert Cycle.objects.count() == 1


@pytest.mark.parametrize("times", [-1, 0, 21, 1000])
def test_a_combination_is_asked_again_one_to_twenty_times(
    times: int, bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    cycle_on(bundled(), 1)
    with pytest.raises(RefusedError, match=f"1 to 20 times, not {times}"):
        run_again(Combination.objects.get(), times, ANNA)
    assert Cycle.objects.count() == 1


def test_twice_at_once_is_refused_and_the_other_one_named(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    earlier = cycle_of(cycle_on(bundled(), 2))
    one, other = Combination.objects.order_by("id")
    cycle = run_again(one, 1, ANNA)
    with pytest.raises(RefusedError, match=f"being asked again already, by cycle {cycle.pk};"):  # type: ignore[union-attr]
        run_again(one, 5, ANNA)
    assert run_again(other, 1, ANNA) is not None
    replay = run_again_and_replay.replay(earlier, ANNA)
    with pytest.raises(RefusedError, match=f"cycle {earlier.pk} is being replayed already, by cycle {replay.pk};"):  # type: ignore[union-attr]
        run_again_and_replay.replay(earlier, ANNA)


def test_once_the_first_is_over_it_may_be_asked_again(
    bundled: Callable[..., Target], cycle_on: RunCycle, commit: Any
) -> None:
    cycle_on(bundled(), 1)
    for _ in range(2):
        with commit():
            cycle = run_again(Combination.objects.get(), 1, ANNA)
        assert cycle is not None
        assert tasks.planned_cycle(cycle.pk) == "ran"


def test_what_a_dead_worker_left_open_stands_in_nobody_s_way(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    cycle_on(bundled(), 1)
    left = run_again(Combination.objects.get(), 1, ANNA)
    assert left is not None
    long_ago = NOW - timedelta(days=2)
    Cycle.objects.filter(pk=left.pk).update(
        state="running", owner="elsewhere:1:1.00", created_at=long_ago, started_at=long_ago, deaths=9
    )
    with time_machine.travel(NOW, tick=False):
        assert run_again(Combination.objects.get(), 1, ANNA) is not None
    left.refresh_from_db()
    assert (left.state, left.note) == ("interrupted", "its worker died; what was recorded is kept")


def test_a_cycle_that_is_not_over_or_asked_nothing_is_not_replayed(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    cycle = cycle_of(cycle_on(bundled(), 1))
    Cycle.objects.update(state="running")
    cycle.refresh_from_db()
    with pytest.raises(RefusedError, match=f"cycle {cycle.pk} is not over"):
        run_again_and_replay.replay(cycle, ANNA)
    Cycle.objects.update(state="interrupted")
    Run.objects.all().delete()
    cycle.refresh_from_db()
    with pytest.raises(RefusedError, match="nothing to replay"):
        run_again_and_replay.replay(cycle, ANNA)


def test_while_another_cycle_runs_a_click_is_not_lost_in_silence(
    bundled: Callable[..., Target], cycle_on: RunCycle, commit: Any
) -> None:
    target = bundled()
    cycle_on(target, 1)
    busy = lifecycle.prepare(CycleRequest(target, Cycle.Trigger.SCHEDULE, 2))
    busy.save()
    assert start(busy)
    with commit():
        cycle = run_again(Combination.objects.get(), 2, ANNA)
    assert cycle is not None
    assert tasks.planned_cycle(cycle.pk) == "busy"
    cycle.refresh_from_db()
    assert cycle.state == "planned", "it keeps its turn"
    lifecycle.end(busy, Cycle.State.FINISHED)
    assert tasks.planned_cycle(cycle.pk) == "ran"
    assert len(said(cycle)) == 2


def test_the_end_of_a_cycle_hands_over_the_one_that_waited_for_it_longest(
    bundled: Callable[..., Target], cycle_on: RunCycle
) -> None:
    target = bundled()
    cycle_on(target, 2)
    first, second = (run_again(combination, 1, ANNA) for combination in Combination.objects.order_by("id"))
    assert first is not None and second is not None  # noqa: PT018
    assert not OrmQ.objects.exists(), "their tasks were lost"
    cycle_on(target, 1)
    assert [task.task["args"] for task in OrmQ.objects.all()] == [(first.pk,)]
    assert tasks.planned_cycle(first.pk) == "ran"
    assert OrmQ.objects.latest("id").task["args"] == (second.pk,)


@pytest.mark.django_db(transaction=True)
def test_of_two_clicks_at_once_one_is_refused(bundled: Callable[..., Target], cycle_on: RunCycle) -> None:
    cycle_on(bundled(), 1)
    combination = Combination.objects.get()
    together = threading.Barrier(2)
    refusals: list[str] = []

    def click() -> None:
        together.wait()
        try:
            run_again(combination, 1, ANNA)
        except RefusedError as refusal:
            refusals.append(str(refusal))
        finally:
            connection.close()

    threads = [threading.Thread(target=click) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refusals) == 1
    assert Cycle.objects.filter(combination=combination).count() == 1
