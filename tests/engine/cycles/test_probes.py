"""What a cycle asks besides its queries: how often, whom, what is kept of it, and what comes of it."""

import hashlib
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
import time_machine
from django.db import OperationalError

from selftest.core.generation.queries import Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput
from selftest.core.judging.examination import Examination
from selftest.core.judging.findings import CheckName, Finding
from selftest.core.judging.probes import Probe as Wanted
from selftest.core.judging.probes import Purpose, Urgency
from selftest.core.judging.verdicts import Explained, ExplanationCause, Rules, Verdict
from selftest.cycles import examination_runner, recording
from selftest.cycles.examination_runner import Examiner, RunningExamination
from selftest.cycles.lifecycle import CycleRequest, prepare
from selftest.cycles.planning import plan
from selftest.cycles.recording import ExaminationDetails
from selftest.cycles.runner import CycleOutcome, Status, run_cycle
from selftest.models import Combination, Cycle, Explanation, Flag, Probe, Run, SourceStability, Target, Tuning
from selftest.reading.judging_terms import latency_history_ms, unspent_of_last_cycle
from selftest.reading.queue import flagged
from selftest.storage import database_patience
from selftest.storage.serialization import probe_columns
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from tests.engine.conftest import NOW, MakeTarget
from tests.engine.conftest import Run as RunCycle
from tests.engine.routers import (
    AUTO,
    MERGED,
    Route,
    Served,
    collapsing,
    content,
    failing_in_words,
    honest,
    is_conditional,
    merged,
    serving,
    sources_of,
)
from tests.engine.texts import texts_of
from tests.review import factory

pytestmark = pytest.mark.django_db

Play = Callable[[Route], None]
CHAIN = ["multi_intent_chain"]
TOPIC = ["no_intent_fallthrough"]
NOTHING = "Could not connect."


def tune(**columns: Any) -> None:
    Tuning.get_solo()
    Tuning.objects.update(**columns)


def without_hosts(query: str, source: str = AUTO) -> tuple[str, str]:
    """Honest, and one of its sources has nothing to say today: alone it says so, among others it is left out."""
    sources = sources_of(query) if source == AUTO else [source]
    speaking = [s for s in sources if s != "uptime"]
    if not speaking:
        return NOTHING, "uptime"
    if source == AUTO and (len(sources) > 1 or is_conditional(query)):
        return merged(speaking)
    return content(speaking[0]), speaking[0]


@pytest.fixture
def listen(play: Play) -> Callable[[Route], list[tuple[str, str]]]:
    """Puts a route in the place of the scripted one; what it is asked, and by the name of which source."""

    def to(route: Route) -> list[tuple[str, str]]:
        asked: list[tuple[str, str]] = []

        def listening(query: str, source: str = AUTO) -> tuple[str, str]:
            asked.append((query, source))
            return route(query, source)

        play(listening)
        return asked

    return to


Listen = Callable[[Route], list[tuple[str, str]]]


def again(combination: Combination, times: int = 1) -> CycleOutcome:
    return run_cycle(CycleRequest(combination.target, Cycle.Trigger.COMMAND, times, combination=combination))


def parts_asked(cycle: Cycle | None) -> list[str]:
    assert cycle is not None
    return list(Probe.objects.filter(run__cycle=cycle, purpose="part").order_by("id").values_list("text", flat=True))


@contextmanager
def at(hours: float) -> Iterator[None]:
    with time_machine.travel(NOW + timedelta(hours=hours), tick=False):
        yield


# --- how often ---


@pytest.mark.usefixtures("knows_targets")
@pytest.mark.parametrize("route", [honest, without_hosts, collapsing])
def test_a_cycle_sends_at_most_as_many_probes_as_it_has_queries(
    route: Route, make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    asked = listen(route)
    target = make_target("scripted")
    for queries in (1, 8, 24):
        asked.clear()
        outcome = cycle_on(target, queries, seed=queries)
        besides = Probe.objects.filter(run__cycle=outcome.cycle).count()
        assert outcome.queries_run == queries
        assert len(asked) == queries + besides <= 2 * queries
    assert Probe.objects.exists()


def test_the_first_queries_of_a_target_get_three_quarters_more(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    target = make_target()
    at_most = [cycle_on(target, queries, seed=queries).cycle for queries in (24, 32, 8, 9)]
    assert [cycle and cycle.probes_at_most for cycle in at_most] == [42, 56, 14, 11]  # 56 and then 64 were asked before
    # The last one may send two that the one before it did not, a quarter of its own nine.


@pytest.mark.parametrize(
    ("at_most", "queries_run", "left"),
    [
        (8, 8, 5),
        (10, 8, 7),  # two of them were left over themselves
        (8, 4, 1),  # interrupted: four queries have earned four
        (8, 2, 0),
        (None, 8, 0),  # without probes
    ],
)
def test_what_a_cycle_leaves_is_what_its_queries_have_earned_and_not_spent(
    at_most: int | None, queries_run: int, left: int
) -> None:
    run = factory.ask(factory.make_combination())
    for text in ("news", "weather", "rain"):
        factory.probe(run, text, "web")
    Cycle.objects.filter(pk=run.cycle_id).update(queries_wanted=8, queries_run=queries_run, probes_at_most=at_most)
    assert unspent_of_last_cycle(run.target) == left


@pytest.mark.usefixtures("knows_targets")
def test_what_a_cycle_leaves_the_next_new_queries_may_have_and_no_repetition(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    target = make_target()
    tune(probes_per_query=20)
    first = cycle_on(target, 8).cycle
    repeated = again(Combination.objects.order_by("id")[0], 8).cycle
    second = cycle_on(target, 8, seed=2).cycle
    assert [cycle and cycle.probes_at_most for cycle in (first, repeated, second)] == [160, 160, 200]


@pytest.mark.usefixtures("knows_targets")
@pytest.mark.parametrize(("per_query", "most"), [(0.25, 5), (3.0, 60)])
def test_how_often_is_a_setting(
    per_query: float, most: int, make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=per_query)
    asked = listen(collapsing)
    cycle_on(make_target("scripted"), 20)
    assert 0 < len(asked) - 20 <= most


@pytest.mark.parametrize("setting", [{"probes_per_query": 0}, {"explains": False}])
def test_no_probe_is_sent_where_probes_are_switched_off(
    setting: dict[str, Any], make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(**setting)
    asked = listen(collapsing)
    outcome = cycle_on(make_target("scripted"), 20, recipes=CHAIN)
    assert [text for text, _ in asked] == texts_of(Run.objects.all())
    assert not Probe.objects.exists()
    assert outcome.flagged > 0
    assert set(Flag.objects.values_list("check_name", "asked_again", "seen_again")) == {("part_count_mismatch", 0, 0)}


def test_as_many_as_the_target_allows_are_asked_at_once_queries_and_others_together(
    make_target: MakeTarget, cycle_on: RunCycle, play: Play
) -> None:
    """Each stays for a moment, so that others that may come do come."""
    changed = threading.Condition()
    inside: list[str] = []
    most: list[int] = []

    def crowded(query: str, source: str = AUTO) -> tuple[str, str]:
        with changed:
            inside.append(query)
            most.append(len(inside))
            changed.notify_all()
            changed.wait_for(lambda: len(inside) > 3, timeout=0.02)
            inside.remove(query)
        return collapsing(query, source)

    play(crowded)
    outcome = cycle_on(make_target("scripted", requests_at_once=3), 24)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 24)
    assert Probe.objects.exists()
    assert max(most) == 3


def test_the_parts_of_one_query_are_asked_at_the_same_time(
    make_target: MakeTarget, cycle_on: RunCycle, play: Play
) -> None:
    tune(probes_per_query=20)
    changed = threading.Condition()
    inside: list[str] = []
    most: list[int] = []

    def crowded(query: str, source: str = AUTO) -> tuple[str, str]:
        with changed:
            inside.append(query)
            most.append(len(inside))
            changed.notify_all()
            changed.wait_for(lambda: len(inside) > 1, timeout=0.05)
            inside.remove(query)
        return honest(query, source)

    play(crowded)
    for seed in range(1, 7):  # what is asked as a routine depends on the query
        cycle_on(make_target("scripted", requests_at_once=4), 1, seed=seed, recipes=CHAIN)
    assert max(most) > 1


# --- answers that come in another order ---


def asking_for(
    monkeypatch: pytest.MonkeyPatch, target: Target, *wanted: Wanted
) -> tuple[RunningExamination, list[Any]]:
    """An examination that asks for these; what each was answered is listed."""
    got: list[Any] = []

    def scripted(asking: CheckInput, rules: Rules) -> Examination:
        for probe in wanted:
            got.append((yield probe))
        return Verdict()

    monkeypatch.setattr(examination_runner, "examine", scripted)
    examiner = Examiner(target, reference_vocabulary(), Tuning.get_solo(), 8)
    run = Run(target=target, query_text="Hello")
    query = Query("single", ())
    return examiner.begin(run, CheckInput(query, Answer("Hi", "web", 1.0), examiner.vocabulary)), got


def part(text: str, fresh: int = 0, ahead: tuple[Wanted, ...] = ()) -> Wanted:
    return Wanted(text, Purpose.PART, Urgency.EXPLAIN, fresh=fresh, ahead=ahead)


def said(text: str) -> Answer:
    return Answer(text, "web", 1.0)


def test_an_answer_that_comes_early_waits_for_its_turn(
    monkeypatch: pytest.MonkeyPatch, make_target: MakeTarget
) -> None:
    first, second = part("are they up"), part("news")
    examination, got = asking_for(monkeypatch, make_target(), part(first.text, ahead=(second,)), second)
    assert examination.begin() == [first, second]
    assert examination.reply(second, said("Today"), NOW) == []
    assert (got, examination.is_over) == ([], False)
    assert examination.reply(first, said("All up"), NOW) == []
    assert [answer.result for answer in got] == ["All up", "Today"]
    assert examination.is_over


@pytest.mark.parametrize(("together", "is_begun"), [(2, True), (99, False)])
def test_what_tells_something_only_together_is_sent_together_or_not_at_all(
    together: int, is_begun: bool, monkeypatch: pytest.MonkeyPatch, make_target: MakeTarget
) -> None:
    first, second = replace(part("are they up"), together=together), part("news")
    examination, got = asking_for(monkeypatch, make_target(), replace(first, ahead=(second,)))
    assert examination.begin() == ([first, second] if is_begun else [])
    assert examination.is_over is not is_begun
    assert got == ([] if is_begun else [None])


def test_each_of_two_askings_of_one_text_has_an_answer_of_its_own(
    monkeypatch: pytest.MonkeyPatch, make_target: MakeTarget
) -> None:
    first, second = part("news", fresh=1), part("news", fresh=2)
    examination, got = asking_for(monkeypatch, make_target(), part("news", fresh=1, ahead=(second,)), second)
    assert examination.begin() == [first, second]
    examination.reply(second, said("B"), NOW)
    assert (len(got), examination.is_over) == (1, False)
    examination.reply(first, said("A"), NOW)
    assert sorted(answer.result for answer in got) == ["A", "B"]
    assert examination.is_over


def test_one_that_was_not_answered_leaves_the_others_theirs(
    monkeypatch: pytest.MonkeyPatch, make_target: MakeTarget
) -> None:
    first, second = part("news", fresh=1), part("news", fresh=2)
    examination, got = asking_for(monkeypatch, make_target(), part("news", fresh=1, ahead=(second,)), second)
    examination.begin()
    examination.reply(first, None, NOW)
    assert got == []
    again = examination.reply(second, said("B"), NOW)
    assert [answer.result for answer in got] == ["B"]
    assert again == [second]
    examination.reply(second, None, NOW)
    assert [answer and answer.result for answer in got] == ["B", None]
    assert examination.is_over


def test_it_is_over_only_once_nothing_is_under_way(monkeypatch: pytest.MonkeyPatch, make_target: MakeTarget) -> None:
    """A probe that was sent ahead and then not wanted is kept with its run like any other."""
    first, second = part("are they up"), part("news")
    examination, got = asking_for(monkeypatch, make_target(), part(first.text, ahead=(second,)))
    examination.begin()
    examination.reply(first, said("All up"), NOW)
    assert (len(got), examination.is_over) == (1, False)
    examination.reply(second, said("Today"), NOW)
    assert examination.is_over
    assert [probe.text for probe in examination.probes] == ["are they up", "news"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failing", [1, 4, 9, 15])
def test_where_the_database_was_away_it_begins_again_and_late_answers_change_nothing(
    failing: int, make_target: MakeTarget, cycle_on: RunCycle, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune(probes_per_query=20)
    play(collapsing)
    recall, calls = Examiner.look_up, count(1)

    def away_once(examiner: Examiner, texts: list[str]) -> None:
        if next(calls) == failing:
            raise OperationalError("the database is away")
        recall(examiner, texts)

    monkeypatch.setattr(Examiner, "look_up", away_once)
    monkeypatch.setattr(database_patience, "sleep", lambda _: None)
    outcome = cycle_on(make_target("scripted", requests_at_once=4), 8, recipes=CHAIN)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 8)
    assert next(calls) > failing
    assert list(Run.objects.values_list("state", flat=True)) == ["done"] * 8
    assert set(Flag.objects.values_list("run", flat=True)) == set(Run.objects.values_list("id", flat=True))


# --- whom, and what is known already ---


def test_what_a_part_brings_alone_is_asked_once_for_all_queries_that_hold_it(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=5)
    listen(without_hosts)
    target = make_target("scripted")
    cycle_on(target, 12, recipes=CHAIN)
    cycle_on(target, 12, seed=2, recipes=CHAIN)
    hosts = Probe.objects.filter(purpose="part", source="uptime")
    assert set(Counter(hosts.values_list("text", flat=True)).values()) == {1}
    runs_explained = set(Explanation.objects.values_list("run", flat=True))
    assert len(runs_explained) > len(set(hosts.values_list("run", flat=True))), "the others were explained by the same"


def test_it_is_believed_for_probe_hours_and_asked_again_after_that(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=5, probe_hours=24)
    listen(failing_in_words)
    with at(0):
        first = cycle_on(make_target("scripted"), 1, recipes=TOPIC)
    topic = Combination.objects.get()
    assert parts_asked(first.cycle) == [topic.last_query_text]
    for hours, expected in ((23.9, []), (24.1, [topic.last_query_text]), (48, []), (48.2, [topic.last_query_text])):
        with at(hours):
            outcome = again(topic)
        assert parts_asked(outcome.cycle) == expected, hours
        assert Explanation.objects.filter(run__cycle=outcome.cycle, cause="empty_alone").exists(), hours


def test_an_answer_that_is_no_longer_kept_is_asked_for_again(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=5, probe_hours=24)
    listen(failing_in_words)
    with at(0):
        cycle_on(make_target("scripted"), 1, recipes=TOPIC)
    topic = Combination.objects.get()
    Probe.objects.update(result="", answer_deleted_at=NOW)
    with at(1):
        outcome = again(topic)
    assert parts_asked(outcome.cycle) == [topic.last_query_text]


def test_another_target_is_asked_itself(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    for target in (make_target("failing_in_words"), make_target("failing_in_words")):
        outcome = cycle_on(target, 1, recipes=TOPIC)
        assert len(parts_asked(outcome.cycle)) == 1
        assert set(Probe.objects.filter(run__cycle=outcome.cycle).values_list("target", flat=True)) == {target.pk}


def test_a_source_that_is_asked_by_name_is_named_to_the_same_target(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    """A router that never asks the news, and leaves all of it to their documented fallback."""

    def forgetting_the_news(query: str, source: str = AUTO) -> tuple[str, str]:
        if source != AUTO:
            return honest(query, source)
        sources = list(dict.fromkeys("web" if s == "news" else s for s in sources_of(query)))
        return merged(sources) if len(sources) > 1 else (content(sources[0]), sources[0])

    tune(probes_per_query=5)
    asked = listen(forgetting_the_news)
    outcome = cycle_on(make_target("scripted"), 12, recipes=CHAIN)
    by_name = {(probe.text, probe.only) for probe in Probe.objects.exclude(only="")}
    assert by_name
    assert {source for _, source in by_name} == {"news"}
    assert by_name == {(text, source) for text, source in asked if source != AUTO}
    assert {probe.source_used for probe in Probe.objects.exclude(only="")} == {"news"}
    assert outcome.flagged > 0
    assert set(Flag.objects.values_list("check_name", flat=True)) == {"part_lost"}


# --- what is kept of it ---


def test_the_whole_answer_is_kept_with_what_it_was_asked_for(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    def at_length(query: str, source: str = AUTO) -> tuple[str, str]:
        result, used = without_hosts(query, source)
        return (result, used) if used in (MERGED, "uptime") else (result + "\nMore." + "x" * 100_000, used)

    tune(probes_per_query=8)
    listen(at_length)
    cycle_on(make_target("scripted"), 12, recipes=CHAIN)
    for probe in Probe.objects.all():
        result, used = at_length(probe.text, probe.only or AUTO)
        assert (probe.result, probe.source_used, probe.error) == (result, used, "")
        assert probe.result_length_bytes == len(result.encode())
        assert probe.result_sha256 == hashlib.sha256(result.encode()).hexdigest()
        assert probe.text_sha256 == hashlib.sha256(probe.text.encode()).hexdigest()
        assert probe.empty_phrase == ("could not connect" if used == "uptime" else "")
        assert probe.target == probe.run.target
        if probe.purpose == "part":
            assert probe.source == sources_of(probe.text)[0]
            assert probe.text in probe.run.text
    assert {"uptime"} < set(Probe.objects.filter(purpose="part").values_list("source", flat=True))
    assert max(Probe.objects.values_list("result_length_bytes", flat=True)) > 100_000


def test_no_latency_history_holds_a_probe(
    make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, list[int]] = {}
    whole = examination_runner.examine

    def look(asking: CheckInput, rules: Rules) -> Examination:
        seen.setdefault(asking.query.recipe, []).append(len(asking.history_ms))
        return whole(asking, rules)

    monkeypatch.setattr(examination_runner, "examine", look)
    target = make_target()
    cycle_on(target, 24)
    assert Probe.objects.exists()
    for recipe, lengths in seen.items():
        assert lengths == list(range(len(lengths))), "each run's history is of the runs before it"
        runs = Run.objects.filter(recipe_name=recipe).order_by("id")
        assert latency_history_ms(target, recipe, 50) == list(runs.values_list("latency_ms", flat=True))


def test_a_run_that_is_delivered_twice_is_recorded_once_with_all_that_belongs_to_it(make_target: MakeTarget) -> None:
    target = make_target()
    cycle = prepare(CycleRequest(target, Cycle.Trigger.COMMAND, 1, 1))
    cycle.state = Cycle.State.RUNNING
    cycle.save()
    (run,) = plan(cycle, target.vocabularies.get(), NOW)
    recording.claim(run, NOW)
    wanted = Wanted("frost warning", Purpose.PART, Urgency.EXPLAIN, "forecast")
    finding = Finding(CheckName.PART_LOST, "it is gone", "all of it", "less", "source_used")
    for is_first in (True, False):
        row = Probe(
            target=target,
            run=run,
            asked_at=NOW,
            **probe_columns(wanted),
            **recording.answer_columns(Answer("Cold.", "forecast", 3.0)),
        )
        besides = ExaminationDetails(
            (Explained(finding, ExplanationCause.EMPTY_ALONE, "forecast"),), 3, {CheckName.CRASH: 2}, [row]
        )
        crash = Finding(CheckName.CRASH, "it broke", "an answer", "none", "error")
        assert recording.record(run, Answer("", "", 1.0, error="broke"), [crash], NOW, besides) is is_first
    assert (Flag.objects.count(), Explanation.objects.count(), Probe.objects.count()) == (1, 1, 1)
    assert Combination.objects.get().times_flagged == 1


# --- what comes of it ---


def test_a_flagged_query_is_asked_again_three_times_and_how_often_it_was_seen_is_kept(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=20)
    asked = listen(collapsing)
    outcome = cycle_on(make_target("scripted"), 4, recipes=CHAIN)
    assert outcome.flagged > 0
    assert set(Flag.objects.values_list("asked_again", "seen_again")) == {(3, 3)}
    for run in Run.objects.filter(reason__isnull=False):
        assert asked.count((run.text, AUTO)) >= 4
        assert run.probes.filter(purpose="again", text=run.text).count() == 3


def test_a_target_that_never_contradicted_itself_is_asked_once_more_only_until_it_does(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(probes_per_query=20)
    listen(collapsing)
    target = make_target("scripted")
    cycle_on(target, 4, recipes=CHAIN)
    assert SourceStability.objects.get(source="").agreed == 12, "four queries, each asked again three times"
    outcome = cycle_on(target, 2, recipes=CHAIN)
    of_the_second = Flag.objects.filter(run__cycle=outcome.cycle)
    assert set(of_the_second.values_list("asked_again", "seen_again")) == {(1, 1)}
    turns: Counter[str] = Counter()

    def healing(query: str, source: str = AUTO) -> tuple[str, str]:
        turns[query] += 1
        return collapsing(query, source) if turns[query] == 1 else honest(query, source)

    listen(healing)
    outcome = cycle_on(target, 1, recipes=CHAIN)
    of_the_third = Flag.objects.filter(run__cycle=outcome.cycle)
    assert set(of_the_third.values_list("asked_again", "seen_again")) == {(3, 0)}


def test_what_is_seen_the_first_time_only_is_flagged_all_the_same(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    first: set[str] = set()

    def failing_once(query: str, source: str = AUTO) -> tuple[str, str]:
        if query not in first:
            first.add(query)
            raise KeyError("no such shelf")
        return honest(query, source)

    tune(probes_per_query=3)
    listen(failing_once)
    outcome = cycle_on(make_target("scripted"), 5)
    assert (outcome.queries_run, outcome.flagged) == (5, 5)
    assert list(Flag.objects.values_list("check_name", "asked_again", "seen_again")) == [("crash", 3, 0)] * 5


def test_a_source_that_has_nothing_is_explained_with_evidence_and_not_in_the_queue(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    listen(failing_in_words)
    outcome = cycle_on(make_target("scripted"), 1, recipes=TOPIC)
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 1, 0)
    run = Run.objects.get()
    assert (run.state, run.reason) == ("done", None)
    assert not Flag.objects.exists()
    assert not flagged().exists()
    combination = Combination.objects.get()
    assert (combination.ever_flagged, combination.times_flagged, combination.times_generated) == (False, 0, 1)
    explained = Explanation.objects.get(check_name="unexpected_empty")
    assert (explained.cause, explained.source) == ("empty_alone", "kiwix")
    assert (explained.run, explained.combination) == (run, combination)
    assert explained.reason.startswith("unexpected_empty: ")
    assert explained.evidence["seen"] == "No results found."
    (alone,) = explained.evidence["asked"]
    assert (alone["purpose"], alone["text"], alone["brought"]) == ("part", run.text, [])
    assert alone["excerpt"] == "No results found."


def choosing_by_meaning(query: str, source: str = AUTO) -> tuple[str, str]:
    """Takes every query with a condition for one about the house, whatever its words are."""
    chosen = "home" if source == AUTO and is_conditional(query) else None
    return (content(chosen), chosen) if chosen else honest(query, source)


@pytest.mark.parametrize("explains", [True, False])
def test_a_source_chosen_for_a_condition_is_kept_in_view_by_its_name_and_by_the_letter_flagged(
    explains: bool, make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    tune(explains_conditions=explains, probes_per_query=20)
    listen(choosing_by_meaning)
    cycle_on(make_target("scripted"), 3, recipes=["conditional_with_remainder"])
    mismatches = set(Explanation.objects.filter(check_name="source_mismatch").values_list("cause", "source"))
    assert mismatches == ({("chosen_alone", "home")} if explains else set())
    assert Flag.objects.filter(check_name="source_mismatch").exists() != explains


@pytest.mark.usefixtures("seven_checks")
def test_explaining_switched_off_it_is_the_specification_s_flag_and_no_probe_is_sent(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    asked = listen(failing_in_words)
    outcome = cycle_on(make_target("scripted"), 1, recipes=TOPIC)
    assert (outcome.queries_run, outcome.flagged, len(asked)) == (1, 1, 1)
    flag = Flag.objects.get()
    assert flag.check_name == "unexpected_empty"
    assert "asked" not in flag.evidence
    assert Run.objects.get().reason == flag.reason
    assert list(flagged()) == [Combination.objects.get()]
    assert not Explanation.objects.exists()


def test_what_nobody_could_ask_about_stays_flagged(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(probes_per_query=0)
    assert cycle_on(make_target("failing_in_words"), 3, recipes=TOPIC).flagged == 3
    assert not Explanation.objects.exists()


def test_checks_that_are_off_flag_nothing(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    tune(checks_off=["part_lost"])
    cycle_on(make_target("collapsing"), 24, seed=1)
    checks = set(Flag.objects.values_list("check_name", flat=True))
    assert "part_lost" not in checks
    assert "part_count_mismatch" in checks
    assert not Explanation.objects.filter(check_name="part_lost").exists()


def test_a_source_that_never_says_the_same_is_compared_by_presence_only(
    make_target: MakeTarget, cycle_on: RunCycle, listen: Listen
) -> None:
    rng = random.Random(7)

    def story() -> str:
        return " ".join("".join(rng.choices("aeioulmnrst", k=6)) for _ in range(5))

    def with_fresh_news(query: str, source: str = AUTO) -> tuple[str, str]:
        result, used = honest(query, source)
        fresh = "\n".join(story() for _ in range(3))
        return result.replace(content("news"), fresh), used

    tune(probes_per_query=4)
    listen(with_fresh_news)
    target = make_target("scripted")
    for seed in range(3):
        outcome = cycle_on(target, 24, seed=seed)
        assert (outcome.status, outcome.flagged) == (Status.RAN, 0)
    news = SourceStability.objects.get(source="news")
    assert news.compared >= 2
    assert news.agreed == 0
    others = SourceStability.objects.exclude(source="news")
    assert any(row.compared > 0 for row in others)
    assert all(row.agreed == row.compared for row in others)
    assert all(row.longest > 0 for row in others)

    def without_news(query: str, source: str = AUTO) -> tuple[str, str]:
        result, used = with_fresh_news(query, source)
        if used != MERGED or source != AUTO:
            return result, used
        return merged([s for s in sources_of(query) if s != "news"] or ["web"])

    listen(without_news)
    outcome = cycle_on(target, 24, seed=9)
    assert outcome.flagged > 0, "by its presence it is compared still"
    assert set(Flag.objects.values_list("check_name", flat=True)) <= {"part_lost", "part_count_mismatch"}


# --- when it goes wrong ---


def test_a_target_that_goes_away_during_a_probe_loses_no_answered_run(
    make_target: MakeTarget, cycle_on: RunCycle
) -> None:
    with serving(Served(collapsing, away_after=1)) as served:
        outcome = cycle_on(make_target(kind=Target.Kind.HTTP, base_url=served.url), 4, recipes=CHAIN)
        assert len(served.asked) == 1
    assert outcome.status is Status.TARGET_UNAVAILABLE
    assert "HTTP 503" in outcome.note
    assert list(Run.objects.order_by("place").values_list("state", flat=True)) == ["done"] + ["skipped"] * 3
    assert (outcome.queries_run, outcome.flagged) == (1, 1)
    assert (Run.objects.get(place=0).reason or "").startswith("part_count_mismatch: ")
    assert Flag.objects.get().asked_again == 0
    assert not Probe.objects.exists()


def test_a_failure_of_ours_on_a_probe_loses_no_run(
    make_target: MakeTarget, cycle_on: RunCycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    from selftest.targets.python import PythonTarget

    whole = PythonTarget.ask
    queries: set[str] = set()

    def fail_besides(self: PythonTarget, query: str, source: str = AUTO) -> Answer:
        if query in queries or not Combination.objects.filter(last_query_text=query).exists():
            raise ZeroDivisionError("ours")
        queries.add(query)
        return whole(self, query, source)

    monkeypatch.setattr(PythonTarget, "ask", fail_besides)
    monkeypatch.setattr("selftest.cycles.run_and_probe_queue.threading.Thread", AtOnce)
    outcome = cycle_on(make_target("collapsing"), 6, recipes=CHAIN)
    assert (outcome.status, outcome.queries_run) == (Status.RAN, 6)
    assert outcome.flagged > 0
    assert set(Run.objects.values_list("state", "own_error")) == {("done", "")}
    assert not Probe.objects.exists()


class AtOnce(threading.Thread):
    """Runs where it is started: the tables of a test in a transaction are seen by its own thread only."""

    def start(self) -> None:
        self.run()


@pytest.mark.parametrize("queries", [1, 4])
def test_when_the_budget_is_used_up_meanwhile_an_answered_run_is_recorded_by_what_is_known(
    queries: int, make_target: MakeTarget, cycle_on: RunCycle, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()
    told: list[tuple[int, int]] = []

    def late(query: str, source: str = AUTO) -> tuple[str, str]:
        if next(numbers) == 1:
            monkeypatch.setattr("selftest.cycles.run_and_probe_queue.time.monotonic", lambda: 1e12)
        return collapsing(query, source)

    play(late)
    tune(probes_per_query=20)
    target = make_target("scripted")
    outcome = cycle_on(target, queries, recipes=CHAIN, progress=lambda over, planned: told.append((over, planned)))
    assert (outcome.status, outcome.queries_run, outcome.flagged) == (Status.RAN, 1, 1)
    assert outcome.note.startswith("stopped asking after ")
    states = list(Run.objects.order_by("place").values_list("state", flat=True))
    assert states == ["done"] + ["skipped"] * (queries - 1)
    assert next(numbers) == 2, "the query and one besides"
    assert Probe.objects.count() == 1, "what was answered is kept"
    assert told[-1] == (1, queries)


@pytest.mark.parametrize(("at_once", "first"), [(1, 1), (2, 4)])
def test_few_runs_are_begun_before_the_probes_of_the_first_are_asked(
    at_once: int, first: int, make_target: MakeTarget, cycle_on: RunCycle, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last run's probes are waited for longest; with one request at a time nothing is gained by that."""
    monkeypatch.setattr("selftest.cycles.run_and_probe_queue.threading.Thread", AtOnce)  # in the order they are begun
    asked: list[str] = []

    def note(query: str, source: str = AUTO) -> tuple[str, str]:
        asked.append(query)
        return collapsing(query, source)

    play(note)
    target = make_target("scripted")
    target.requests_at_once = at_once
    target.save()
    cycle_on(target, 6, recipes=CHAIN)
    runs = set(texts_of(Run.objects.all()))
    assert [query in runs for query in asked[: first + 1]] == [True] * first + [False]
    assert len(runs) == 6


def test_progress_never_goes_back_and_reaches_the_end(make_target: MakeTarget, cycle_on: RunCycle) -> None:
    told: list[tuple[int, int]] = []
    cycle_on(make_target("collapsing"), 8, progress=lambda over, planned: told.append((over, planned)))
    assert Probe.objects.exists()
    assert told == sorted(told)
    assert {planned for _, planned in told} == {8}
    assert [over for over in dict.fromkeys(over for over, _ in told) if over] == list(range(1, 9))
