"""What a change would do to flags, judged over stored answers: nothing is asked, and nothing stored changes."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import Probe as WantedProbe
from selftest.core.judging.probes import Purpose, Urgency
from selftest.cycles import recording
from selftest.cycles.lifecycle import CycleRequest
from selftest.cycles.runner import run_cycle
from selftest.models import Combination, Cycle, Explanation, Flag, Probe, ReviewEvent, Run, Target, Tuning
from selftest.reading.what_if import changes, judging
from selftest.reading.what_if.changes import what_if_imported, what_if_tuned
from selftest.reading.what_if.memory import KeptProbes, latest_rows
from selftest.reading.what_if.result import WhatIfResult
from selftest.storage.serialization import answer_columns, query_document
from selftest.storage.texts import sha256_hex
from tests.engine import routers
from tests.engine.conftest import NOW, MakeTarget
from tests.vocabularies import small_document

pytestmark = [pytest.mark.django_db, pytest.mark.slow("judges stored histories twice")]

ALMANAC = "[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]"
TIDES = "[TIDES — HOURS AND HEIGHTS]"
FERRY = "[FERRY — SAILINGS]"


@pytest.fixture
def target(make_target: MakeTarget) -> Target:
    """One that must not be asked: its function does not exist."""
    return make_target("nowhere_to_be_found", small_document())


def ask(target: Target, answer: Answer, query: Query, *flags: str) -> Run:
    """A run with this answer and flags of these checks, whatever was to be found."""
    cycle = Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=Cycle.State.FINISHED,
        seed=1,
        queries_wanted=1,
        vocabulary=target.vocabularies.get(in_force=True),
        created_at=NOW,
        finished_at=NOW,
    )
    combination, _ = Combination.objects.get_or_create(
        target=target,
        fingerprint_sha256=sha256_hex(fingerprint_of(query)),
        defaults={
            "fingerprint": fingerprint_of(query),
            "recipe_name": query.recipe,
            "query": query_document(query),
            "first_seen_timestamp": NOW,
            "last_query_text": query.text,
        },
    )
    run = Run.objects.create(
        cycle=cycle,
        target=target,
        combination=combination,
        recipe_name=query.recipe,
        place=cycle.runs.count(),
        query=query_document(query),
        query_text=query.text,
    )
    assert recording.claim(run, NOW)
    assert recording.record(run, answer, [Finding(CheckName(check), "", "", "", "") for check in flags], NOW)
    return run


def topic(text: str = "narwhals") -> Query:
    return Query("no_intent_fallthrough", (Part(PartKind.TOPIC, text),))


def ferry() -> Query:
    return Query("multi_intent_chain", (Part(PartKind.INTENT, "next ferry", "ferry"),))


def told(text: str = "Whales with a horn.", source: str = "almanac", latency_ms: float = 40.0) -> Answer:
    return Answer(text, source, latency_ms)


def history_of(target: Target, latencies_ms: Sequence[float]) -> list[Run]:
    return [ask(target, told(latency_ms=latency_ms), topic()) for latency_ms in latencies_ms]


def tuned(**columns: Any) -> WhatIfResult:
    tuning = Tuning.get_solo()
    for name, value in columns.items():
        setattr(tuning, name, value)
    return what_if_tuned(tuning)


def changed(**keys: Any) -> dict[str, Any]:
    return {**small_document(), **keys}


def counts(replay: WhatIfResult) -> list[tuple[CheckName, int, int]]:
    return [(count.check, count.come, count.go) for count in replay.counts]


def save(**columns: Any) -> None:
    tuning = Tuning.get_solo()
    for name, value in columns.items():
        setattr(tuning, name, value)
    tuning.save()


def test_without_any_run_nothing_comes_and_nothing_goes(target: Target) -> None:
    replay = tuned(latency_outlier_floor_ms=0)
    assert (replay.concerns_flags, replay.runs, replay.counts, replay.first_at) == (True, 0, (), None)


def test_what_judges_no_answer_is_told_apart(target: Target) -> None:
    history_of(target, [40.0])
    assert not tuned(batch_size=99, probe_hours=3.0).concerns_flags
    assert not what_if_imported(target, small_document()).concerns_flags


def test_a_raised_floor_lets_a_latency_flag_go(target: Target) -> None:
    runs = history_of(target, [40.0] * 10 + [1_200.0])
    replay = tuned(latency_outlier_floor_ms=1_300)
    assert counts(replay) == [(CheckName.LATENCY_OUTLIER, 0, 1)]
    [example] = replay.go
    assert (example.run, example.target, example.query_text) == (runs[-1].pk, target.name, "narwhals")
    assert example.reason == "latency_outlier: 1200 ms; the recipe's p95 is 40 ms over 10 runs"
    assert (replay.come, replay.runs, replay.first_at, replay.last_at) == ((), 11, NOW, NOW)


def test_a_lowered_multiplier_brings_one(target: Target) -> None:
    save(latency_outlier_multiplier=3.0)
    runs = history_of(target, [1_000.0] * 10 + [2_000.0, 1_000.0])
    replay = tuned(latency_outlier_multiplier=1.5)  # 1.5 × 1000 ms is less than 2000 ms; 3 × 1000 ms is not
    assert counts(replay) == [(CheckName.LATENCY_OUTLIER, 1, 0)]
    assert [example.run for example in replay.come] == [runs[10].pk]


def test_fewer_samples_are_needed_before_the_window_too(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latencies of the runs just before those that are looked at count as they did then."""
    history_of(target, [40.0] * 10 + [1_200.0])
    monkeypatch.setattr(changes, "MOST_RUNS", 1)
    replay = tuned(latency_outlier_min_samples=11)
    assert (replay.runs, counts(replay)) == (1, [(CheckName.LATENCY_OUTLIER, 0, 1)])


def test_cached_answers_and_crashes_are_no_samples_and_never_slow(target: Target) -> None:
    history_of(target, [40.0] * 10)
    ask(target, Answer("Whales.", "almanac", 9_000.0, cached=True), topic())
    ask(target, Answer("", "", 9_000.0, error="gone"), topic())
    replay = tuned(latency_outlier_floor_ms=100)
    assert (replay.runs, replay.counts) == (12, ())


def test_a_check_switched_off_lets_its_flags_go_and_leaves_the_others(target: Target) -> None:
    blank = told("", "tides")  # and by a source that nothing points at
    ask(target, blank, topic(), "source_mismatch", "unexpected_empty")
    ask(target, told(), topic())
    replay = tuned(checks_off=["source_mismatch"])
    assert (replay.runs, counts(replay)) == (2, [(CheckName.SOURCE_MISMATCH, 0, 1)])


def test_a_check_switched_on_brings_its_flags(target: Target) -> None:
    save(checks_off=["source_mismatch", "a check of long ago"])
    ask(target, told(source="tides"), topic())
    assert counts(tuned(checks_off=[])) == [(CheckName.SOURCE_MISMATCH, 1, 0)]


def test_a_check_and_a_limit_at_once(target: Target) -> None:
    history_of(target, [40.0] * 10 + [1_200.0])
    ask(target, told(source="tides"), topic(), "source_mismatch")
    replay = tuned(checks_off=["source_mismatch"], latency_outlier_floor_ms=1_300)
    assert counts(replay) == [(CheckName.SOURCE_MISMATCH, 0, 1), (CheckName.LATENCY_OUTLIER, 0, 1)]


def test_without_relations_and_explanations_only_the_seven_are_left(target: Target) -> None:
    ask(target, told("Whales have one horn.\nWhales have one horn."), topic(), "item_repeated")
    assert counts(tuned(explains=False)) == [(CheckName.ITEM_REPEATED, 0, 1)]
    save(explains=False)
    assert counts(tuned(explains=True)) == [(CheckName.ITEM_REPEATED, 1, 0)]


def test_a_vocabulary_without_a_fallback_brings_a_source_mismatch(target: Target) -> None:
    run = ask(target, told("Berths are free.", "harbour"), ferry())  # documented: the harbour stands in for the ferry
    replay = what_if_imported(target, changed(fallbacks={}))
    assert (CheckName.SOURCE_MISMATCH, 1, 0) in counts(replay)
    assert run.pk in [example.run for example in replay.come]


def test_a_renamed_header_is_missed_in_what_was_answered(target: Target) -> None:
    query = Query(
        "conditional_with_remainder",
        (
            Part(PartKind.INTENT, "next ferry", "ferry"),
            Part(PartKind.CONJUNCTION, " and "),
            Part(PartKind.INTENT, "high tide", "tides"),
        ),
    )
    ask(target, told(f"{FERRY}\nAt ten.\n---\n{TIDES}\nAt noon.", "digest"), query)
    headers = small_document()["headers"] | {"ferry": "[FERRIES]", "tides": "[WATER]"}
    replay = what_if_imported(target, changed(headers=headers))
    assert (CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS, 1, 0) in counts(replay)


def test_another_target_s_runs_are_no_matter_of_a_vocabulary(target: Target, make_target: MakeTarget) -> None:
    ask(make_target("elsewhere", small_document()), told("Berths are free.", "harbour"), ferry())
    assert what_if_imported(target, changed(fallbacks={})).runs == 0


def test_coming_and_going_change_places_when_a_change_is_taken_back(target: Target) -> None:
    history_of(target, [40.0] * 10 + [1_200.0])
    there = counts(tuned(latency_outlier_floor_ms=1_300))
    save(latency_outlier_floor_ms=1_300)
    back = counts(tuned(latency_outlier_floor_ms=1_000))
    assert [(check, go, come) for check, come, go in there] == back


def test_nothing_is_asked_and_no_row_changes(target: Target) -> None:
    history_of(target, [40.0] * 10 + [1_200.0])
    ask(target, told(source="tides"), topic(), "source_mismatch")

    def everything() -> list[list[dict[str, Any]]]:
        return [list(model.objects.order_by("pk").values()) for model in (Run, Flag, Combination, ReviewEvent, Cycle)]

    before = everything()
    assert tuned(latency_outlier_floor_ms=2_000, checks_off=["source_mismatch"]).go_count == 2
    assert what_if_imported(target, changed(fallbacks={})).runs == 12
    assert everything() == before
    assert Tuning.get_solo().checks_off == []
    assert target.vocabularies.count() == 1


def test_what_a_cycle_flagged_is_found_again_so_that_nothing_drifts(
    make_target: MakeTarget, play: Callable[[routers.Route], None]
) -> None:
    def swapped(query: str, source: str = "auto") -> tuple[str, str]:
        return "Whales with a horn.", "nobody"

    play(swapped)
    asked = make_target("scripted", small_document())
    save(explains=False)
    run_cycle(CycleRequest(asked, Cycle.Trigger.COMMAND, 12, 3))
    flags = Flag.objects.filter(check_name="source_mismatch").count()
    replay = tuned(checks_off=["source_mismatch"])
    assert flags > 0
    assert (replay.runs, replay.drifted, counts(replay)) == (12, 0, [(CheckName.SOURCE_MISMATCH, 0, flags)])


def test_what_is_found_today_but_was_not_recorded_is_said_and_is_no_effect_of_the_change(target: Target) -> None:
    save(explains=False)
    ask(target, told(source="tides"), topic())
    replay = tuned(explains=True)
    assert (replay.drifted, replay.counts) == (1, ())


def test_a_flag_that_is_not_found_again_today_drifts_and_does_not_go(target: Target) -> None:
    ask(target, told(), topic(), "source_mismatch")
    replay = tuned(checks_off=["source_mismatch"])
    assert (replay.drifted, replay.counts) == (1, ())


def test_what_cannot_be_judged_is_counted_by_why(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "KEPT_RESULT_BYTES", 20)
    ask(target, told("A long story about whales"), topic())
    ours = ask(target, told("Short."), topic())
    Run.objects.filter(pk=ours.pk).update(state=Run.State.INTERRUPTED, own_error="ValueError: of ours")
    unknown = ask(target, told("Short."), topic())
    Cycle.objects.filter(pk=unknown.cycle_id).update(vocabulary=None)
    ask(target, told("Short."), topic())
    save(explains=False)
    replay = tuned(explains=True)
    assert replay.runs == 1
    assert dict(replay.unjudged) == {judging.CUT: 1, judging.OURS: 1, judging.NO_VOCABULARY: 1}


def no_longer_kept(row: Run | Probe) -> None:
    row._meta.default_manager.filter(pk=row.pk).update(result="", answer_deleted_at=NOW)


def test_a_run_whose_answer_is_no_longer_kept_is_not_taken_for_empty(target: Target) -> None:
    ask(target, told(), topic())
    no_longer_kept(ask(target, told(), topic()))
    save(explains=False)
    replay = tuned(explains=True)
    assert (replay.runs, replay.counts, replay.unjudged) == (1, (), ((judging.NOT_KEPT, 1),))


def test_a_phrase_that_is_new_may_have_stood_in_an_answer_that_is_no_longer_kept(target: Target) -> None:
    ask(target, told(), topic())
    no_longer_kept(ask(target, told(), topic()))
    replay = what_if_imported(target, changed(empty_phrases=["nothing to report", "all is fog"]))
    assert (replay.runs, replay.unjudged) == (1, ((judging.NOT_KEPT, 1),))


def test_limits_of_time_judge_runs_whose_answers_are_no_longer_kept(target: Target) -> None:
    no_longer_kept(ask(target, told(), topic()))
    replay = tuned(latency_outlier_floor_ms=5)
    assert (replay.runs, replay.unjudged) == (1, ())


def test_a_failure_of_ours_on_one_run_does_not_end_the_others(target: Target) -> None:
    ask(target, told(), topic())
    broken = ask(target, told(), topic())
    Run.objects.filter(pk=broken.pk).update(query={"recipe": "x"})
    replay = what_if_imported(target, changed(fallbacks={}))
    assert (replay.runs, replay.unjudged) == (1, ((judging.FAILED, 1),))


def test_the_newest_come_first_and_time_is_bounded(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "CHUNK_RUNS", 2)
    runs = [ask(target, told(source="tides"), topic(f"whale {number}"), "source_mismatch") for number in range(5)]
    replay = tuned(checks_off=["source_mismatch"])
    assert [example.run for example in replay.go] == [run.pk for run in reversed(runs)]
    monkeypatch.setattr(judging, "MOST_S", 0.0)
    short = tuned(checks_off=["source_mismatch"])
    assert (short.runs, short.is_short) == (0, True)


def test_fifty_examples_each_way_are_enough(target: Target) -> None:
    for number in range(52):
        ask(target, told(source="tides"), topic(f"whale {number}"), "source_mismatch")
    replay = tuned(checks_off=["source_mismatch"])
    assert (replay.go_count, len(replay.go), replay.go[0].query_text) == (52, 50, "whale 51")


def test_the_number_of_queries_does_not_grow_with_the_runs(target: Target) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            tuned(checks_off=["source_mismatch"])
        return len(seen)

    ask(target, told(source="tides"), topic(), "source_mismatch")
    Tuning.get_solo()
    few = queries()
    for number in range(60):
        ask(target, told(source="tides"), topic(f"whale {number}"), "source_mismatch")
    assert queries() == few


# --- extra askings, answered from what is kept ---


def keep(run: Run, text: str, asked_at: datetime = NOW, result: str = "Sails at ten.", source: str = "ferry") -> None:
    columns = answer_columns(told(result, source))
    Probe.objects.create(target=run.target, run=run, purpose="part", text=text, asked_at=asked_at, **columns)


def in_row(rows: Sequence[Run]) -> KeptProbes:
    return KeptProbes(latest_rows(Run.objects.filter(pk__in=[run.pk for run in rows]), 10), believed_hours=24.0)


def wanted(text: str, fresh: int = 0, only: str = "") -> WantedProbe:
    return WantedProbe(text, Purpose.PART, Urgency.ROUTINE, only=only, fresh=fresh)


def test_a_kept_answer_is_the_newest_from_before_the_run_or_its_own_first_one(target: Target) -> None:
    first, second, third = history_of(target, [40.0] * 3)
    keep(first, "next ferry", result="first")
    keep(first, "next ferry", result="first again")
    keep(third, "next ferry", result="third")
    keep(third, "high tide", result="its own")
    probes = in_row([first, second, third])
    _, two, three = latest_rows(Run.objects.all(), 10)
    for row, text, result in (
        (two, "next ferry", "first again"),
        (three, "next ferry", "first again"),  # known before the third run asked it anew
        (three, "high tide", "its own"),
    ):
        found = probes.answer(row, wanted(text))
        assert found is not None
        assert found.result == result
    assert probes.answer(two, wanted("high tide")) is None  # asked later
    assert probes.answer(three, wanted("low tide")) is None


def test_what_was_to_be_asked_again_is_the_run_s_own(target: Target) -> None:
    first, second = history_of(target, [40.0] * 2)
    keep(first, "next ferry")
    keep(second, "next ferry", result="anew")
    keep(second, "next ferry", result="and anew")
    probes = in_row([first, second])
    row = latest_rows(Run.objects.all(), 10)[-1]
    found = [probes.answer(row, wanted("next ferry", fresh)) for fresh in (1, 2, 3)]
    assert [answer.result if answer else None for answer in found] == ["anew", "and anew", None]


def test_what_is_older_than_it_is_believed_or_was_asked_by_name_is_not_used(target: Target) -> None:
    first, second = history_of(target, [40.0] * 2)
    keep(first, "next ferry", asked_at=NOW - timedelta(hours=25))
    keep(first, "high tide", asked_at=NOW - timedelta(hours=23))
    probes = in_row([first, second])
    row = latest_rows(Run.objects.all(), 10)[-1]
    assert probes.answer(row, wanted("next ferry")) is None
    assert probes.answer(row, wanted("high tide")) is not None
    assert probes.answer(row, wanted("high tide", only="tides")) is None


def test_answers_from_before_the_runs_that_are_looked_at_count(target: Target) -> None:
    before, looked_at = history_of(target, [40.0] * 2)
    keep(before, "next ferry")
    assert in_row([looked_at]).answer(latest_rows(Run.objects.all(), 1)[0], wanted("next ferry")) is not None


def test_a_part_that_was_answered_alone_explains_what_is_missing_in_a_replay_too(target: Target) -> None:
    """Explained as things stand; a flag, once nothing is explained any more."""
    query = Query(
        "conditional_with_remainder",
        (
            Part(PartKind.INTENT, "next ferry", "ferry"),
            Part(PartKind.CONJUNCTION, " and "),
            Part(PartKind.INTENT, "high tide", "tides"),
        ),
    )
    run = ask(target, told("nothing to report", "digest"), query)
    for part, source in (("next ferry", "ferry"), ("high tide", "tides")):
        keep(run, part, result="nothing to report", source=source)
    Explanation.objects.create(
        run=run,
        target=target,
        combination=run.combination,
        check_name="conditional_remainder_missing_sections",
        reason="no section at all",
        evidence={},
        cause="empty_alone",
        source="ferry",
        created_at=NOW,
    )
    replay = tuned(explains=False)
    assert (CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS, 1, 0) in counts(replay)
