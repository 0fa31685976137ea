"""The hourly check: which values it takes, when it freezes a reference, and what begins, ends and proposes what."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import Schedule

from selftest import tasks
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.answers import Answer
from selftest.cycles import recording
from selftest.evaluation import drift_acts, drift_reading, drifting
from selftest.evaluation.core.drift import Metric
from selftest.evaluation.drift_schedule import schedule_drift
from selftest.evaluation.models import DriftAlert, DriftEvent, DriftProposal, DriftSeries, DriftWatch, DriftWindow
from selftest.models import Actor, Channel, Combination, Cycle, Notice, Target
from selftest.operating.vocabularies import import_vocabulary
from selftest.refusals import OutdatedError, RefusedError
from selftest.storage.target_clients import bundled_vocabulary
from tests.review import factory

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 30, 12, tzinfo=UTC)
CLEO = Actor("cleo")
RECIPE = "no_intent_fallthrough"
SLOW = (RECIPE, Metric.LATENCY, False)
USUAL = [100.0 + place / 2 for place in range(200)]  # 100 to 199.5 ms
WINDOW = USUAL[::5]
SLOWER = [4 * value for value in WINDOW]


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def target() -> Target:
    return factory.make_target()


def asked(
    target: Target, result: str = "Some real content.", latency_ms: float = 35.0, cached: bool = False, error: str = ""
) -> Combination:
    """One run of a cycle of its own, which is over."""
    combination = factory.make_combination(target=target)
    run = factory.plan_run(combination, factory.make_cycle(target=target))
    assert recording.claim(run, NOON)
    answer = Answer(result, "kiwix", latency_ms, cached=cached, error=error or None)
    assert recording.record(run, answer, [], NOON)
    return combination


def take(target: Target, *windows: list[float], series: drifting.Key = SLOW) -> drifting.Checked:
    """Each as the values of one check; what all of them did."""
    DriftWatch.objects.get_or_create(target=target)
    done = drifting.Checked()
    for values in windows:
        done += drifting.add_values(target, {series: values})
    return done


def values_of(target: Target, metric: Metric, cached: bool = False) -> list[float]:
    return list(DriftSeries.objects.get(target=target, metric=metric, cached=cached).pending)


# --- values ---


def test_each_run_that_was_answered_gives_its_values_once(target: Target) -> None:
    asked(target, latency_ms=12.5)
    asked(target, latency_ms=99.0, error="it broke")
    assert drifting.check(target).cycles == 2
    assert drifting.check(target).cycles == 0
    assert values_of(target, Metric.LATENCY) == [12.5]
    assert values_of(target, Metric.EXPLAINED) == [0.0]


def test_a_check_that_closes_no_window_does_without_scipy(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "selftest.evaluation.core.drift_statistics", None)  # importing it fails
    asked(target)
    assert drifting.check(target).cycles == 1
    with pytest.raises(ImportError):
        take(target, USUAL, WINDOW)


def test_cached_answers_are_a_series_apart(target: Target) -> None:
    asked(target, latency_ms=400.0)
    asked(target, latency_ms=3.0, cached=True)
    drifting.check(target)
    assert values_of(target, Metric.LATENCY) == [400.0]
    assert values_of(target, Metric.LATENCY, cached=True) == [3.0]


def test_sections_are_counted_for_each_part_and_those_that_hold_nothing() -> None:
    vocabulary = drifting.vocabulary_of(factory.make_target().vocabularies.get())
    parts = (
        Part(PartKind.TOPIC, "comets"),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.TOPIC, "looms"),
    )
    first, second = list(vocabulary.headers.values())[:2]
    combination = factory.combination_of(Query(RECIPE, parts))
    run = factory.ask(combination, result=f"{first}\nThe weather is fine.\n\n---\n\n{second}\n")
    assert drifting.measures_of(run, vocabulary) == {Metric.SECTIONS: 1.0, Metric.EMPTY: 0.5}
    run.result = "Comets are made of ice, and looms of wood."
    assert drifting.measures_of(run, vocabulary) == {Metric.SECTIONS: 0.5, Metric.EMPTY: 0.0}
    run.result = ""
    assert drifting.measures_of(run, vocabulary) == {Metric.SECTIONS: 0.0, Metric.EMPTY: 1.0}


def test_a_finding_that_was_explained_counts(target: Target) -> None:
    combination = asked(target)
    factory.explanation(combination.runs.get())
    drifting.check(target)
    assert values_of(target, Metric.EXPLAINED) == [1.0]


def test_scores_of_graders_are_series_too(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drifting, "grader_scores", lambda runs: {run: {Metric.FAITHFULNESS: 0.667} for run in runs})
    asked(target)
    drifting.check(target)
    assert values_of(target, Metric.FAITHFULNESS) == [0.667]


def test_queries_that_were_chosen_to_be_repeated_say_nothing(target: Target) -> None:
    combination = asked(target)
    Cycle.objects.update(combination=combination)
    assert drifting.check(target).cycles == 1
    assert not DriftSeries.objects.exists()


def test_a_cycle_that_is_not_over_is_waited_for(target: Target) -> None:
    asked(target)
    running = factory.make_cycle(Cycle.State.RUNNING, target=target)
    asked(target)
    assert drifting.check(target).cycles == 1
    Cycle.objects.filter(pk=running.pk).update(state=Cycle.State.FINISHED)
    assert drifting.check(target).cycles == 2


def test_what_another_check_has_taken_is_not_taken_again(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(target)

    def beaten(cycles: list[Cycle]) -> drifting.Values:
        DriftWatch.objects.update(last_cycle=cycles[-1].pk)
        return {SLOW: [1.0]}

    monkeypatch.setattr(drifting, "_values_of", beaten)
    assert drifting.check(target) == drifting.Checked()
    assert not DriftSeries.objects.exists()


def test_of_a_long_history_only_the_last_cycles_are_read(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):
        asked(target)
    monkeypatch.setattr(drifting, "FIRST_CYCLES", 3)
    assert drifting.check(target).cycles == 3


def test_a_check_costs_no_more_queries_for_more_runs(target: Target) -> None:
    def queries(runs: int) -> int:
        for _ in range(runs):
            asked(target)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            drifting.check(target)
        return len(captured)

    queries(1)
    assert queries(2) == queries(20)


# --- references and windows ---


def test_the_first_values_are_frozen_and_the_rest_waits(target: Target) -> None:
    take(target, USUAL[:150])
    row = DriftSeries.objects.get()
    assert (row.reference, len(row.pending), drift_reading.state_of(row)) == ([], 150, "learning")
    take(target, [*USUAL[150:], 7.0])
    row.refresh_from_db()
    assert (row.reference, row.pending, drift_reading.state_of(row)) == (USUAL, [7.0], "waiting")


def test_windows_do_not_overlap_and_have_forty_values_at_least(target: Target) -> None:
    take(target, USUAL, WINDOW[:39])
    assert not DriftWindow.objects.exists()
    take(target, WINDOW[39:] + WINDOW[:5], WINDOW)
    assert [window.size for window in DriftWindow.objects.order_by("id")] == [45, 40]


def test_a_window_holds_the_newest_values_where_many_have_come(target: Target) -> None:
    take(target, USUAL, [1.0] * 300 + WINDOW * 10)
    window = DriftWindow.objects.get()
    assert (window.size, window.verdict) == (400, "calm")


def test_answers_as_before_raise_no_alert(target: Target) -> None:
    done = take(target, USUAL, *[WINDOW] * 10)
    assert (done.windows, done.began) == (10, 0)


# --- alerts ---


def test_drift_begins_one_alert_with_both_distributions_and_tells_of_it(target: Target) -> None:
    Channel.objects.create(name="team", kind="apprise", url="json://127.0.0.1:9/", created_at=NOON)
    assert take(target, USUAL, SLOWER, SLOWER).began == 1
    alert = DriftAlert.objects.get()
    assert (alert.reference, alert.window, alert.distance, alert.is_up) == (USUAL, sorted(SLOWER), 1.0, True)
    event = DriftEvent.objects.get()
    assert (event.kind, event.actor, event.series) == ("began", "engine", alert.series)
    notice = Notice.objects.get()
    assert (notice.kind, notice.deliveries.count()) == ("drift", 1)
    assert notice.link == f"/drift/{alert.series_id}"


def test_it_takes_two_windows_where_one_is_not_certain(target: Target) -> None:
    some_slower = [4 * value if place % 10 < 3 else value for place, value in enumerate(WINDOW)]
    assert take(target, USUAL, some_slower).began == 0
    assert DriftSeries.objects.get().last_verdict == "suspect"
    assert take(target, some_slower).began == 1
    assert DriftAlert.objects.get().window == sorted([*some_slower, *some_slower])  # what says so


def test_one_calm_window_between_two_suspect_ones_is_no_drift(target: Target) -> None:
    some_slower = [4 * value if place % 10 < 3 else value for place, value in enumerate(WINDOW)]
    assert take(target, USUAL, some_slower, WINDOW, some_slower).began == 0


def test_an_alert_ends_after_two_calm_windows_and_is_kept(target: Target) -> None:
    take(target, USUAL, SLOWER)
    assert take(target, WINDOW).ended == 0
    assert take(target, WINDOW).ended == 1
    alert = DriftAlert.objects.get()
    assert (alert.ended_at, alert.end) == (NOON, "calm")
    assert take(target, SLOWER).began == 1  # another one


def test_windows_are_forgotten_after_90_days(target: Target) -> None:
    take(target, USUAL, WINDOW)
    with time_machine.travel(datetime(2026, 9, 29, tzinfo=UTC), tick=False):
        drifting.check_all()
    assert not DriftWindow.objects.exists()


# --- references that start again ---


def test_a_reset_needs_a_reason_and_keeps_what_it_dropped(target: Target) -> None:
    take(target, USUAL, SLOWER)
    row = DriftSeries.objects.get()
    with pytest.raises(RefusedError, match="why"):
        drift_acts.reset(row, "  ", CLEO)
    drift_acts.reset(row, "a new machine", CLEO)
    row.refresh_from_db()
    assert (row.reference, row.pending, drift_reading.state_of(row)) == ([], [], "learning")
    event = DriftEvent.objects.first()
    assert event
    assert (event.kind, event.actor, event.note, event.before) == ("reset", "cleo", "a new machine", USUAL)
    assert DriftAlert.objects.get().end == "reset"
    with pytest.raises(OutdatedError, match="no reference"):
        drift_acts.reset(row, "again", CLEO)


def versions(target: Target, *names: str) -> None:
    for name in names:
        asked(target)
        Cycle.objects.filter(pk=Cycle.objects.latest("pk").pk).update(target_version=name)
        drifting.check(target)


def test_another_version_is_proposed_once_and_never_taken_for_granted(target: Target) -> None:
    versions(target, "3.50")
    take(target, USUAL)
    versions(target, "3.51", "3.51")
    proposal = DriftProposal.objects.get()
    assert (proposal.what, proposal.state) == ("version 3.50 → 3.51", "open")
    assert DriftSeries.objects.exclude(reference=[]).count() == 1


def test_accepted_all_references_of_the_target_start_again(target: Target) -> None:
    versions(target, "3.50")
    take(target, USUAL)
    versions(target, "3.51")
    proposal = DriftProposal.objects.get()
    assert drift_acts.accept(proposal, "", CLEO) == 1
    assert not DriftSeries.objects.exclude(reference=[]).exists()
    with pytest.raises(OutdatedError):
        drift_acts.refuse(proposal, "", CLEO)
    versions(target, "3.51")
    assert DriftProposal.objects.count() == 1
    assert DriftEvent.objects.filter(kind="accepted", actor="cleo", note="version 3.50 → 3.51").count() == 1


def test_refused_the_references_stay_and_it_is_not_proposed_again(target: Target) -> None:
    versions(target, "3.50")
    take(target, USUAL)
    versions(target, "3.51")
    drift_acts.refuse(DriftProposal.objects.get(), "nothing changed", CLEO)
    versions(target, "3.51")
    assert [row.state for row in DriftProposal.objects.all()] == ["refused"]
    assert DriftSeries.objects.exclude(reference=[]).count() == 1


def test_back_at_the_version_of_the_references_nothing_is_left_to_decide(target: Target) -> None:
    versions(target, "3.50")
    take(target, USUAL)
    versions(target, "3.51", "3.50")
    assert DriftProposal.objects.get().state == "overtaken"


def test_another_vocabulary_is_proposed_too(target: Target) -> None:
    versions(target, "3.50")
    take(target, USUAL)
    import_vocabulary(target, {**bundled_vocabulary(), "name": "another"}, NOON)
    versions(target, "3.50")
    assert DriftProposal.objects.get().what == "vocabulary 1 → 2"


def test_before_there_is_a_reference_another_version_starts_again(target: Target) -> None:
    versions(target, "3.50")
    versions(target, "3.51")
    assert len(values_of(target, Metric.LATENCY)) == 1
    assert not DriftProposal.objects.exists()


# --- the schedule ---


def test_the_worker_checks_once_an_hour() -> None:
    schedule_drift()
    schedule_drift()
    row = Schedule.objects.get(name="check for drift")
    assert (row.func, row.schedule_type, row.repeats) == ("selftest.tasks.check_drift", "H", -1)


def test_the_task_checks_targets_that_are_switched_on(target: Target) -> None:
    asked(target)
    assert tasks.check_drift() == "Checked(cycles=1, windows=0, began=0, ended=0)"
    asked(target)
    Target.objects.update(enabled=False)
    assert tasks.check_drift() == "Checked(cycles=0, windows=0, began=0, ended=0)"
