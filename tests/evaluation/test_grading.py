"""Grading of runs: scores stand beside a run and advise; nothing is flagged, queued or counted for them."""

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from selftest import tasks
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.triggering import trigger_later
from selftest.evaluation import graders_in_force, grading
from selftest.evaluation.core.graders.faithfulness import Faithfulness
from selftest.evaluation.core.graders.keyphrases import KeyphraseCoverage
from selftest.evaluation.core.samples import Sample, Score
from selftest.evaluation.models import EvaluationSettings, GraderScore, Threshold
from selftest.models import Combination, Cycle, Flag, Probe, Run, Target
from selftest.operating.retention import delete_answers
from selftest.reading.queue import queue_revision
from selftest.storage.texts import sha256_hex
from tests.evaluation.test_saving import BOTH, merged
from tests.review import factory
from tests.review.pages import text_of

pytestmark = pytest.mark.django_db


class Length:
    """A grader for tests: long answers are good ones."""

    name, low, high = "length", 0.0, 1.0
    says = "How long the answer is, of 1,000 characters."
    cannot_see = "What it says."

    def grade(self, sample: Sample) -> Score:
        if sample.context is None:
            return Score(min(1.0, len(sample.answer) / 1000), "graded", "no context")
        return Score(min(1.0, len(sample.answer) / 1000), "graded", "; ".join(part.text for part in sample.context))


@pytest.fixture(autouse=True)
def _one_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (Length(),))


@pytest.fixture
def run(target: Target) -> Run:
    """A clean run with a short answer."""
    return factory.ask(factory.combination_of(BOTH, target), result=merged(target), source="fusion")


def flag_below(value: float) -> None:
    Threshold.objects.create(grader="length", value=value)


def test_each_answered_run_of_a_cycle_is_graded_once(run: Run) -> None:
    assert grading.grade_cycle(run.cycle) == 1
    assert grading.grade_cycle(run.cycle) == 0
    score = run.scores.get()
    assert (score.grader, score.label, score.is_below) == ("length", "graded", False)
    assert score.value == pytest.approx(len(run.result) / 1000)


def test_what_a_score_quotes_goes_with_the_answer_and_its_value_stays(run: Run) -> None:
    grading.grade_cycle(run.cycle)
    run.scores.update(details=["All about weather."])
    value = run.scores.get().value
    delete_answers([run.pk], timezone.now())
    assert (run.scores.get().details, run.scores.get().value) == ([], value)


def test_a_run_that_crashed_is_not_graded(target: Target) -> None:
    run = factory.ask(factory.make_combination(target=target), error="no answer within 60 s", result="")
    assert grading.grade_cycle(run.cycle) == 0


def test_what_the_parts_brought_alone_is_the_context_once_each_is_known(run: Run) -> None:
    factory.probe(run, "weather", "forecast")
    assert grading.grade_cycle(run.cycle) == 1
    assert run.scores.get().reason == "no context"
    GraderScore.objects.all().delete()
    factory.probe(run, "headlines", "news")
    grading.grade_cycle(run.cycle)
    assert run.scores.get().reason == "All about weather.; All about headlines."


def test_what_a_part_brought_longer_ago_than_a_check_would_use_it_is_no_context(run: Run) -> None:
    factory.probe(run, "weather", "forecast")
    old = factory.probe(run, "headlines", "news")
    started = run.cycle.started_at or run.cycle.created_at
    for hours, reason in ((25, "no context"), (23, "All about weather.; All about headlines.")):
        Probe.objects.filter(pk=old.pk).update(asked_at=started - timedelta(hours=hours))
        grading.grade_cycle(run.cycle)
        assert run.scores.get().reason == reason
        GraderScore.objects.all().delete()


def test_a_figure_that_two_probes_of_a_part_gave_otherwise_is_no_contradiction(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says 3 °C and that a bridge opens; the forecast alone said 4 °C a moment ago, and 5 °C last week."""
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (Faithfulness(),))
    brought(factory.probe(run, "Weather", "forecast"), "Monday: 5 °C", days_ago=7)
    brought(factory.probe(run, "weather", "forecast"), "Monday: 4 °C")
    brought(factory.probe(run, "headlines", "news"), "Bridge opens")
    grading.grade_cycle(run.cycle)
    assert run.scores.get().value == 1.0


@pytest.mark.parametrize("other", ["Monday: 4 °C", "Tuesday: 5 °C"])
def test_a_figure_that_no_second_asking_gave_otherwise_is_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (Faithfulness(),))
    brought(factory.probe(run, "weather", "forecast"), other, days_ago=7)
    brought(factory.probe(run, "weather", "forecast"), "Monday: 4 °C")
    brought(factory.probe(run, "headlines", "news"), "Bridge opens")
    grading.grade_cycle(run.cycle)
    assert run.scores.get().value == 0.5


def brought(probe: Probe, result: str, days_ago: int = 0) -> None:
    at = probe.asked_at - timedelta(days=days_ago)
    Probe.objects.filter(pk=probe.pk).update(result=result, result_sha256=sha256_hex(result), asked_at=at)


def test_a_score_below_its_threshold_writes_one_structured_warning(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    flag_below(0.9)
    with caplog.at_level(logging.WARNING, "selftest.evaluation.grading"):
        grading.grade_cycle(run.cycle)
    (record,) = [one for one in caplog.records if getattr(one, "event", "") == "EVAL_FAIL"]
    assert record.getMessage().startswith(f"EVAL_FAIL run {run.pk}: length 0.")
    assert record.scores["length"]["threshold"] == 0.9  # type: ignore[attr-defined]


def test_it_flags_nothing_and_stays_out_of_the_queue(run: Run) -> None:
    flag_below(0.9)
    before = (queue_revision(), Combination.objects.values().get(pk=run.combination_id))
    grading.grade_cycle(run.cycle)
    run.refresh_from_db()
    assert run.scores.get().is_below
    assert run.reason is None
    assert not Flag.objects.exists()
    assert (queue_revision(), Combination.objects.values().get(pk=run.combination_id)) == before
    assert Cycle.objects.get(pk=run.cycle_id).flagged == 0


def test_the_run_s_page_and_document_tell_it_as_advice(run: Run, vera: Client) -> None:
    flag_below(0.9)
    grading.grade_cycle(run.cycle)
    assert "Advice, not a flag: Length below the threshold" in text_of(vera.get(f"/runs/{run.pk}"))
    document = vera.get(f"/api/v1/runs/{run.pk}").json()
    assert document["flagged_by_graders"] is True
    (score,) = document["scores"].values()
    assert (list(document["scores"]), score["is_below"], score["threshold"]) == (["length"], True, 0.9)
    assert 0 <= score["score"] < 0.9
    assert score["reason"] == "no context"
    assert document["findings"] == []
    assert "length 0." in text_of(vera.get(f"/combinations/{run.combination_id}"))
    assert text_of(vera.get("/flags")).count(BOTH.text) == 0


def test_without_scores_the_page_says_nothing_of_graders(run: Run, vera: Client) -> None:
    assert "Graders" not in text_of(vera.get(f"/runs/{run.pk}"))
    assert vera.get(f"/api/v1/runs/{run.pk}").json()["flagged_by_graders"] is False


def test_a_grader_for_which_nothing_is_set_leaves_no_score(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (Length(), KeyphraseCoverage()))
    grading.grade_cycle(run.cycle)
    assert [score.grader for score in GraderScore.objects.all()] == ["length"]


def test_it_is_switched_off_in_the_settings(run: Run) -> None:
    EvaluationSettings.objects.update_or_create(pk=1, defaults={"grades_runs": False})
    assert grading.grade_cycle(run.cycle) == 0


@pytest.mark.parametrize("batch", [1, 200])
def test_grading_stops_where_it_takes_too_long(
    target: Target, batch: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(grading, "BATCH_ROWS", batch)
    cycle = factory.make_cycle(target=target)
    for _ in range(3):
        factory.ask(factory.make_combination(target=target), cycle=cycle)
    ticks: Iterator[float] = iter([0.0, 0.0, 0.0, 1.0])  # what changes by itself, then the first run
    monkeypatch.setattr(grading.time, "thread_time", lambda: next(ticks))
    assert grading.grade_cycle(cycle) == 1
    assert "left without scores, as grading took too long: 2" in caplog.text


def test_a_failure_of_a_grader_leaves_the_cycle_as_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (object(),))
    grading.try_to_grade(run.cycle)
    assert "could not be graded" in caplog.text
    assert not GraderScore.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_worker_grades_a_cycle_when_it_is_over(target: Target) -> None:
    cycle = trigger_later(CycleRequest(target, Cycle.Trigger.API, 2, 7))
    assert cycle is not None
    assert tasks.planned_cycle(cycle.pk) == "ran"
    assert GraderScore.objects.filter(run__cycle=cycle).count() == 2


# --- how much is kept of what a grader says ---


class Says:
    """A grader for tests that has much to say."""

    name, low, high, says, cannot_see = "says", 0.0, 1.0, "Much.", "Anything."

    def __init__(self, reason: str, *details: str) -> None:
        self._score = Score(0.5, "judged", reason, details)

    def grade(self, sample: Sample) -> Score:
        return self._score


def said(reason: str, *details: str) -> grading.Graded:
    (graded,) = grading.grade(Sample("", ""), [Says(reason, *details)], {})
    return graded


def test_a_rationale_and_a_rubric_are_kept_whole() -> None:
    rationale, rubric = "because " * 300, "rubric: " + "x" * 4_000
    graded = said(rationale, "model: tiny", rubric)
    assert (graded.reason, graded.details) == (rationale, ("model: tiny", rubric))


def test_what_is_longer_than_anyone_reads_is_cut_and_says_so() -> None:
    graded = said("x" * 10_001, "y" * 20_001, "z")
    assert len(graded.reason) == 10_000
    assert graded.reason.endswith("x… (cut: it has 10,001 characters)")
    assert len(graded.details[0]) == 20_000
    assert graded.details[0].endswith("y… (cut: it has 20,001 characters)")
    assert graded.details[1:] == ("… 1 more",)


def test_of_many_lines_the_first_fifty_are_kept_and_the_others_counted() -> None:
    assert said("", *["line"] * 53).details == (*["line"] * 50, "… 3 more")


def test_a_long_reason_can_be_kept_beside_a_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (Says("x" * 501),))
    grading.grade_cycle(run.cycle)
    reason = run.scores.get().reason
    assert len(reason) == 500
    assert reason.endswith("x… (cut: it has 501 characters)")
