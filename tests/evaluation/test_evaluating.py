"""A golden set asked: what breaks the gate, what does not, and that graders have no part in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django_q.models import Schedule
from junitparser import JUnitXml
from pytest_httpserver import HTTPServer

from selftest import tasks
from selftest.core.judging.answers import Answer
from selftest.evaluation import graders_in_force, saving, schedule
from selftest.evaluation.core.samples import Sample, Score
from selftest.evaluation.evaluating import evaluate
from selftest.evaluation.models import EvaluationSettings, GraderSettings, PairResult, Report
from selftest.evaluation.reading import differences, gate_document, mean_scores, report_before, results_of
from selftest.evaluation.report_files import junit, markdown
from selftest.evaluation.saving import default_set, set_to_ask
from selftest.language_model import LanguageModel
from selftest.models import Cycle, Flag, Target, Tuning
from selftest.refusals import RefusedError, UnknownError
from selftest.targets.reference.target import ReferenceTarget
from tests.evaluation.pairs import CLEO, content, made_pair
from tests.evaluation.test_saving import rename_header

# Committed, as a report asks in threads and several workers may be at it.
pytestmark = pytest.mark.django_db(transaction=True)

TIMES = {"latency_ms", "started_at", "finished_at"}
BOTH = content(
    "weather and headlines", sources=("forecast", "news"), headers=("forecast", "news"), headers_ordered=True
)


class AlwaysZero:
    name, low, high = "zero", 0.0, 1.0
    says = "Nothing."
    cannot_see = "Anything."

    def grade(self, sample: Sample) -> Score:
        return Score(0.0, "graded", "it is always 0")


def without_times(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if key not in TIMES}
    return [without_times(one) for one in document] if isinstance(document, list) else document


def gate(report: Report) -> str:
    return json.dumps(without_times(gate_document(report, results_of(report))))


def outcomes(report: Report) -> dict[str, str]:
    return {result.name: result.outcome for result in results_of(report)}


def plant(target: Target, *faults: str) -> None:
    Target.objects.filter(pk=target.pk).update(reference_faults=list(faults))
    target.refresh_from_db()


def test_an_honest_router_passes_and_twice_it_says_the_same(target: Target) -> None:
    made_pair("both", target, BOTH)
    first, second = (evaluate(default_set(), target, CLEO) for _ in range(2))
    assert first.passes
    assert gate(first) == gate(second)
    assert differences(first, second) == ()
    assert report_before(second) == first


def test_a_fault_breaks_the_pair_that_it_bears_on_and_no_other(target: Target) -> None:
    made_pair("both", target, BOTH)
    made_pair("weather", target)
    plant(target, "collapses_to_first_intent")
    report = evaluate(default_set(), target, CLEO)
    assert not report.passes
    assert outcomes(report) == {"both": "broken", "weather": "held"}
    assert [one["kind"] for one in report.results.get(name="both").judged if not one["holds"]] == ["sources", "headers"]


def test_graders_at_nothing_change_no_outcome(
    target: Target, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made_pair("both", target, BOTH)
    before = gate(evaluate(default_set(), target, CLEO))
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (AlwaysZero(),))
    monkeypatch.setattr("selftest.evaluation.evaluating.thresholds", lambda: {"zero": 0.5})
    report = evaluate(default_set(), target, CLEO)
    assert report.results.get().scores[0]["is_below"] is True
    (warning,) = [one.getMessage() for one in caplog.records if getattr(one, "event", "") == "EVAL_FAIL"]
    assert warning == f"EVAL_FAIL pair 'both' of report {report.pk}: zero 0.000 is below 0.500"
    assert report.passes
    assert gate(report) == before
    assert not Flag.objects.exists()


class AlwaysFails(AlwaysZero):
    name = "failing"

    def grade(self, sample: Sample) -> Score:
        raise RuntimeError("a fault of ours")


def test_a_grader_that_fails_has_no_score_and_its_reason_and_breaks_neither_others_nor_the_gate(
    target: Target, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made_pair("both", target, BOTH)
    monkeypatch.setattr(graders_in_force, "default_graders", lambda *_: (AlwaysFails(), AlwaysZero()))
    report = evaluate(default_set(), target, CLEO)
    assert report.passes
    failing, zero = report.results.get().scores
    assert (failing["value"], failing["reason"]) == (None, "the grader failed: RuntimeError: a fault of ours")
    assert zero["value"] == 0
    assert "failing could not grade an answer" in caplog.text


def test_a_report_is_graded_without_an_entailment_model_that_cannot_be_loaded(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made_pair("both", target, BOTH)
    monkeypatch.setattr(LanguageModel, "answer_to", lambda *_: '{"score": 1, "rationale": "all of it"}')
    GraderSettings.objects.create(
        nli_folder=str(tmp_path), judge_is_on=True, judge_url="http://127.0.0.1:9/v1", judge_model="tiny"
    )
    report = evaluate(default_set(), target, CLEO)
    assert report.passes
    assert {score["grader"]: score["value"] for score in report.results.get().scores}["judge"] == 1.0
    assert "graded without the entailment model: " in caplog.text


def test_a_pair_whose_ground_has_moved_does_not_pass_until_a_person_says_so(target: Target) -> None:
    pair = made_pair("both", target, BOTH)
    rename_header(target)
    report = evaluate(default_set(), target, CLEO)
    assert outcomes(report) == {"both": "rebaseline"}
    assert (report.broken, report.to_rebaseline, report.passes) == (0, 1, False)
    saving.rebaseline(pair, CLEO, "", 1)
    assert evaluate(default_set(), target, CLEO).passes


def test_another_version_of_the_target_that_answers_otherwise_asks_for_a_person(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = made_pair("both", target, content("weather and headlines", sources=("forecast", "news")))
    evaluate(default_set(), target, CLEO)
    saving.rebaseline(pair, CLEO, "as it was seen", 1)
    monkeypatch.setattr("selftest.targets.reference.target.VERSION", "reference-2")
    assert evaluate(default_set(), target, CLEO).passes  # a version alone bears on nothing
    plant(target, "headers_swapped")
    report = evaluate(default_set(), target, CLEO)
    assert outcomes(report) == {"both": "rebaseline"}


def test_a_pair_whose_answer_was_never_seen_remembers_the_first_one(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_pair("both", target, content("weather and headlines", sources=("forecast", "news")))
    assert evaluate(default_set(), target, CLEO).passes
    plant(target, "headers_swapped")
    assert evaluate(default_set(), target, CLEO).passes  # of the same version: it comes and goes
    monkeypatch.setattr("selftest.targets.reference.target.VERSION", "reference-2")
    report = evaluate(default_set(), target, CLEO)
    assert outcomes(report) == {"both": "rebaseline"}
    (change,) = report.results.get().changes
    assert change == "sections: were forecast, news on reference-1, are news, forecast on reference-2"


def test_an_archived_pair_is_not_asked(target: Target) -> None:
    made_pair("weather", target)
    saving.archive(made_pair("both", target, BOTH), CLEO, "", 1)
    assert outcomes(evaluate(default_set(), target, CLEO)) == {"weather": "held"}


def test_off_is_off(target: Target) -> None:
    made_pair("weather", target)
    Tuning.objects.update_or_create(pk=1, defaults={"enabled": False})
    with pytest.raises(RefusedError, match="switched off"):
        evaluate(default_set(), target, CLEO)
    assert not Report.objects.exists()


def test_a_set_without_pairs_is_refused(target: Target) -> None:
    with pytest.raises(RefusedError, match="has no pairs"):
        evaluate(default_set(), target, CLEO)


def test_a_target_that_is_away_is_told_and_breaks_no_pair(target: Target, httpserver: HTTPServer) -> None:
    made_pair("weather", target)
    httpserver.expect_request("/health").respond_with_data(status=503)
    columns = {"kind": "http", "base_url": httpserver.url_for("").rstrip("/")}
    Target.objects.filter(pk=target.pk).update(**columns)
    target.refresh_from_db()
    report = evaluate(default_set(), target, CLEO)
    assert (report.state, report.passes) == (Report.State.TARGET_UNAVAILABLE, False)
    assert not PairResult.objects.exists()


def test_no_more_requests_are_open_at_once_than_the_target_may_get(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_now, most = [], [0]

    def ask(self: Any, query: str, source: str = "auto") -> Any:
        open_now.append(query)
        most[0] = max(most[0], len(open_now))
        answer = real(self, query, source)
        open_now.remove(query)
        return answer

    real = ReferenceTarget.ask
    monkeypatch.setattr(ReferenceTarget, "ask", ask)
    Target.objects.filter(pk=target.pk).update(requests_at_once=1)
    target.refresh_from_db()
    for number in range(4):
        made_pair(f"pair {number}", target, content(f"weather {number}"))
    evaluate(default_set(), target, CLEO)
    assert most == [1]


def test_it_gives_way_to_a_cycle(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    made_pair("weather", target)
    running = Cycle.objects.create(
        target=target, trigger="command", state="running", seed=1, queries_wanted=1, created_at="2026-01-01T00:00Z"
    )
    waited = []

    def sleep(seconds: float) -> None:
        if seconds:
            waited.append(seconds)
            Cycle.objects.filter(pk=running.pk).update(state="finished")

    monkeypatch.setattr("selftest.cycles.requests_in_turn.lifecycle.end_abandoned", lambda _: None)
    monkeypatch.setattr("selftest.cycles.requests_in_turn.time.sleep", sleep)
    assert evaluate(default_set(), target, CLEO).passes
    assert waited == [1.0]


def test_reports_are_files_for_ci(target: Target) -> None:
    made_pair("both", target, BOTH)
    plant(target, "collapses_to_first_intent")
    report = evaluate(default_set(), target, CLEO)
    xml, text = (make(report, results_of(report)) for make in (junit, markdown))
    assert 'failures="1"' in xml
    assert "sources: expected content from forecast, news; seen content from forecast" in xml
    assert "**both**" in text
    assert "| both | happy | Broken |" in text


def test_files_for_ci_say_that_a_set_could_not_be_asked(target: Target) -> None:
    made_pair("both", target, BOTH)
    Target.objects.filter(pk=target.pk).update(kind=Target.Kind.HTTP, base_url="http://127.0.0.1:9")
    target.refresh_from_db()
    report = evaluate(default_set(), target, CLEO)
    xml, text = (make(report, results_of(report)) for make in (junit, markdown))
    (suite,) = JUnitXml.fromstring(xml.encode())
    assert (suite.tests, suite.errors, suite.failures) == (1, 1, 0)
    assert "127.0.0.1:9" in xml
    assert "Target unavailable: GET http://127.0.0.1:9/" in text


def test_junit_xml_can_be_read_whatever_signs_a_name_has(target: Target) -> None:
    made_pair("bell \x07 and \x1b[31m", target)
    report = evaluate(default_set(), target, CLEO)
    (case,) = JUnitXml.fromstring(junit(report, results_of(report)).encode())
    assert next(iter(case)).name == "bell � and �[31m"


def test_a_crash_that_comes_soon_does_not_make_a_late_answer_quick(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_pair("weather", target, content("weather", latency="quick"))
    answers = iter([Answer("Monday: 3 °C", "forecast", 5_000.0), *[Answer("", "", 1.0, error="HTTP 500")] * 2])
    monkeypatch.setattr(ReferenceTarget, "ask", lambda *_: next(answers))
    report = evaluate(default_set(), target, CLEO)
    assert [one["kind"] for one in report.results.get().judged if not one["holds"]] == ["latency"]


@pytest.mark.parametrize(("steady_reading", "faithfulness"), [(False, 1.0), (True, 0.0)])
def test_a_figure_that_follows_the_clock_is_no_contradiction(
    target: Target, monkeypatch: pytest.MonkeyPatch, steady_reading: bool, faithfulness: float
) -> None:
    """The part alone is asked before the whole query and after it; where both say 1 °C, 2 °C is an invention."""
    readings = iter([1, 2, 1 if steady_reading else 3])
    part = {"text": "weather", "source": "forecast"}
    made_pair("weather", target, content("the weather", sources=("forecast",), parts=(part,)))
    monkeypatch.setattr(
        ReferenceTarget, "ask", lambda *_: Answer(f"In the cellar it is {next(readings)} °C", "forecast", 1.0)
    )
    (result,) = evaluate(default_set(), target, CLEO).results.all()
    score = next(score for score in result.scores if score["grader"] == "faithfulness")
    assert score["value"] == faithfulness


# --- the command ---


def test_the_gate_exits_with_1_and_names_what_broke(target: Target, capsys: pytest.CaptureFixture[str]) -> None:
    made_pair("both", target, BOTH)
    call_command("eval_batch", gate=True, json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["pairs"], document["passed"], document["passes"], document["broken"]) == (1, 1, True, [])
    assert document["scores"] == {}  # advice, which may differ each time
    plant(target, "collapses_to_first_intent")
    with pytest.raises(SystemExit) as ended:
        call_command("eval_batch", gate=True)
    assert ended.value.code == 1
    assert "both: headers: expected headers of forecast, news in this order" in capsys.readouterr().err


def test_the_gate_s_json_has_each_broken_expectation(target: Target, capsys: pytest.CaptureFixture[str]) -> None:
    made_pair("both", target, BOTH)
    made_pair("weather", target)
    plant(target, "collapses_to_first_intent")
    with pytest.raises(SystemExit):
        call_command("eval_batch", gate=True, json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["pairs"], document["passed"], document["passes"]) == (2, 1, False)
    assert document["broken"] == [
        {
            "pair": "both",
            "kind": "sources",
            "expectation": "sources: content from forecast, news",
            "seen": "content from forecast",
        },
        {
            "pair": "both",
            "kind": "headers",
            "expectation": "headers: headers of forecast, news in this order",
            "seen": "headers of no source",
        },
    ]


def test_a_pair_that_asks_to_be_rebaselined_has_not_passed(target: Target) -> None:
    made_pair("both", target, BOTH)
    rename_header(target)
    report = evaluate(default_set(), target, CLEO)
    document = gate_document(report, results_of(report))
    assert (document["pairs"], document["passed"], document["broken"]) == (1, 0, [])
    (asked,) = document["rebaseline"]
    assert asked["pair"] == "both"
    assert "header of news" in asked["changes"][0]


def test_without_a_gate_the_json_has_the_mean_of_each_grader_and_its_score_of_each_pair(
    target: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    made_pair("one", target, content("weather", sources=("forecast",), keyphrases=("°C",)))
    made_pair("other", target, content("weather please", sources=("forecast",), keyphrases=("°C", "snow on Mars")))
    call_command("eval_batch", json=True)
    document = json.loads(capsys.readouterr().out)
    coverage = document["scores"]["keyphrase_coverage"]
    assert (coverage["score"], coverage["labels"], coverage["below"]) == (0.75, {"graded": 2}, 0)
    assert coverage["reason"] == "the mean of 2 of 2 answers: 2 graded"
    assert document["scores"]["contextual_recall"]["score"] is None
    assert [one["scores"]["keyphrase_coverage"]["score"] for one in document["results"]] == [1.0, 0.5]


def test_refusals_are_counted_apart_from_the_mean() -> None:
    def result(value: float, label: str) -> PairResult:
        return PairResult(scores=[{"grader": "faithfulness", "value": value, "label": label, "is_below": False}])

    mean = mean_scores([result(1.0, "refusal"), result(0.5, "graded"), result(0.0, "graded")])["faithfulness"]
    assert (mean["score"], mean["labels"]) == (0.25, {"graded": 2, "refusal": 1})


def test_the_bundled_router_has_its_set_without_an_import(target: Target) -> None:
    assert set_to_ask("golden", target, CLEO).pairs.count() == 58
    assert set_to_ask("golden", target, CLEO).pairs.count() == 58
    with pytest.raises(UnknownError, match="unknown set 'release'; known are: golden"):
        set_to_ask("release", target, CLEO)


def test_a_golden_set_that_a_person_has_is_left_as_it_is(target: Target) -> None:
    default_set()
    assert set_to_ask("golden", target, CLEO).pairs.count() == 0


def test_what_could_not_be_asked_exits_with_2(target: Target) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("eval_batch", set="nothing")
    assert refused.value.returncode == 2


# --- the schedule ---


def test_golden_sets_are_asked_by_themselves_only_when_an_admin_says_so(target: Target) -> None:
    made_pair("weather", target)
    assert tasks.ask_golden_sets() == "switched off"
    settings = EvaluationSettings.get_solo()
    settings.asks_every = EvaluationSettings.Every.WEEK
    schedule.put_in_force(settings, CLEO)
    assert tasks.ask_golden_sets() == "golden: finished, 0 of 1 broken"


def test_the_schedule_follows_the_settings(target: Target) -> None:
    schedule.follow_settings()
    assert not Schedule.objects.filter(name=schedule.SCHEDULE_NAME).exists()
    EvaluationSettings.objects.update_or_create(pk=1, defaults={"asks_every": "week"})
    schedule.follow_settings(), schedule.follow_settings()
    row = Schedule.objects.get(name=schedule.SCHEDULE_NAME)
    assert (row.func, row.schedule_type, row.repeats) == ("selftest.tasks.ask_golden_sets", "W", -1)
