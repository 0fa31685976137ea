"""The smallest query of a flagged one, found by asking real targets: within a budget, beside cycles, after a crash."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ

from selftest import tasks
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.answers import Answer
from selftest.core.judging.findings import CheckName, Finding
from selftest.cycles import lifecycle, ownership, recording
from selftest.cycles.lifecycle import CycleRequest, start
from selftest.cycles.ownership import unregister
from selftest.cycles.planning import new_combination
from selftest.models import Actor, Combination, Cycle, Reduction, ReviewEvent, Run, Target, Tuning
from selftest.refusals import BrokerAwayError, RefusedError
from selftest.reviewing import finding_judge
from selftest.reviewing.smallest_query_request import REQUESTS_AT_MOST, minimise
from selftest.storage.serialization import query_document, query_of
from selftest.storage.target_clients import bundled_vocabulary
from selftest.targets.base import TargetAway
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from selftest.targets.reference.chance import marked_phrase
from selftest.targets.reference.target import ReferenceTarget
from tests.engine.conftest import MakeTarget

pytestmark = pytest.mark.django_db

ANNA = Actor("anna")
VOCABULARY = reference_vocabulary()
Bundled = Callable[..., Target]


@pytest.fixture
def bundled(make_target: MakeTarget) -> Bundled:
    """The reference target in process, with these faults on."""

    def make(*faults: str) -> Target:
        columns: dict[str, Any] = {"kind": Target.Kind.REFERENCE, "dotted_path": "", "reference_faults": list(faults)}
        return make_target(document=bundled_vocabulary(), **columns)

    return make


@pytest.fixture
def commit(django_capture_on_commit_callbacks: Any) -> Any:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def intent(text: str) -> Part:
    source = next(source for source, phrases in VOCABULARY.sources.items() if text in phrases)
    return Part(PartKind.INTENT, text, source)


def others(count: int, without: str = "") -> list[Part]:
    """The first phrase of each of `count` sources, but not of that of the phrase `without`."""
    sources = [s for s, phrases in VOCABULARY.sources.items() if without not in phrases]
    return [Part(PartKind.INTENT, VOCABULARY.sources[source][0], source) for source in sources[:count]]


def joined(*clauses: Part, recipe: str = "multi_intent_chain") -> Query:
    parts = [clauses[0]]
    for number, clause in enumerate(clauses[1:]):
        parts += [Part(PartKind.CONJUNCTION, VOCABULARY.conjunctions[number % 2]), clause]
    return Query(recipe, tuple(parts))


def flagged(target: Target, query: Query, check: CheckName) -> Combination:
    """A combination whose only run was flagged by `check`."""
    now = timezone.now()
    combination = new_combination(target, query, now)
    combination.save()
    cycle = Cycle.objects.create(
        target=target,
        trigger=Cycle.Trigger.COMMAND,
        state=Cycle.State.FINISHED,
        seed=1,
        queries_wanted=1,
        created_at=now,
        started_at=now,
        finished_at=now,
    )
    run = Run.objects.create(
        cycle=cycle,
        target=target,
        combination=combination,
        recipe_name=query.recipe,
        place=0,
        query=query_document(query),
        query_text=query.text,
    )
    recording.claim(run, now)
    recording.record(run, Answer("…", "web", 20.0), [Finding(check, "as it was", "", "", "")], now)
    combination.refresh_from_db()
    return combination


def reduced(combination: Combination, at_most: int = REQUESTS_AT_MOST) -> Reduction:
    planned = minimise(combination, ANNA)
    assert planned is not None
    Reduction.objects.filter(pk=planned.pk).update(askings_at_most=at_most)
    tasks.planned_reduction(planned.pk)
    planned.refresh_from_db()
    return planned


# --- what the bundled router's faults come down to ---


def test_of_a_crash_the_one_phrase_is_left(bundled: Bundled) -> None:
    phrase = marked_phrase("exception_on_phrase", VOCABULARY.sources)
    first, second, third, fourth = others(4, phrase)
    combination = flagged(
        bundled("exception_on_phrase"), joined(first, second, intent(phrase), third, fourth), CheckName.CRASH
    )
    found = reduced(combination)
    assert (found.state, found.smallest_text, found.kept, found.is_minimal) == ("finished", phrase, [4], True)
    assert found.askings == 4  # the whole once more, and three clauses alone
    assert "IndexError" in found.result
    assert query_of(found.smallest or {}) == Query("multi_intent_chain", (intent(phrase),))


def test_of_a_swallowed_fourth_clause_four_are_left(bundled: Bundled) -> None:
    clauses = others(5)
    combination = flagged(bundled("clause_swallowed_after_third"), joined(*clauses), CheckName.PART_LOST)
    found = reduced(combination)
    assert found.state == "finished"
    assert len(query_of(found.smallest or {}).clauses) == 4
    assert found.is_minimal


def test_of_a_pair_that_vetoes_splitting_the_pair_and_one_more_are_left(bundled: Bundled) -> None:
    pair, other = (Part(PartKind.PAIR, text) for text in VOCABULARY.seeds.proper_noun_pairs[:2])
    query = joined(*others(1), pair, other, recipe="nested_proper_noun_pairs")
    combination = flagged(bundled("pair_vetoes_splitting"), query, CheckName.PART_LOST)
    found = reduced(combination)
    assert found.state == "finished"
    assert len(query_of(found.smallest or {}).clauses) == 2
    assert found.is_minimal


def test_a_lost_remainder_needs_the_condition_and_the_remainder(bundled: Bundled) -> None:
    comma = Part(PartKind.MARK, ", ")
    condition = Part(PartKind.CONDITION, VOCABULARY.seeds.conditions[0])
    consequence = Part(PartKind.CONSEQUENCE, VOCABULARY.seeds.consequences[0])
    named = VOCABULARY.sources_named_in(condition.text)
    remainder = next(part for part in others(5) if part.source not in named)
    query = Query("conditional_with_remainder", (condition, comma, consequence, comma, remainder))
    check = CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS
    found = reduced(flagged(bundled("remainder_swallowed"), query, check))
    assert found.state == "finished"
    assert {0, 4} <= set(found.kept)


def test_what_does_not_come_again_is_said_to_be_so(bundled: Bundled) -> None:
    found = reduced(flagged(bundled(), joined(*others(3)), CheckName.CRASH))
    assert (found.state, found.askings) == ("not_seen_again", 3)
    assert found.note == "reproduced 0 of 3 with the whole query"
    assert found.finished_at is not None
    assert not ReviewEvent.objects.filter(kind="reduced").exists()


def test_an_outlier_is_judged_by_the_history_before_its_run(
    make_target: MakeTarget, play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, *rest = others(3)
    combination = flagged(
        make_target(document=bundled_vocabulary(), dotted_path="tests.engine.routers.scripted"),
        joined(slow, *rest),
        CheckName.LATENCY_OUTLIER,
    )
    monkeypatch.setattr(finding_judge, "latency_history_ms", lambda *_, before: [10.0] * 50 if before else [9e9] * 50)
    answers = {True: Answer("so", "web", 5000.0), False: Answer("so", "web", 10.0)}
    monkeypatch.setattr(
        "selftest.targets.python.PythonTarget.ask", lambda self, text, source="auto": answers[slow.text in text]
    )
    found = reduced(combination)
    assert (found.state, found.smallest_text) == ("finished", slow.text)


def test_what_is_in_the_cache_since_it_was_flagged_is_seen_again(
    bundled: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = joined(*others(3))
    asked = [query.text]  # by the run that was flagged

    def ask(self: object, text: str, source: str = "auto") -> Answer:
        asked.append(text)
        return Answer("so", "web", 10.0, cached=text in asked[:-1])

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    found = reduced(flagged(bundled(), query, CheckName.SYNTHETIC_QUERY_CACHED))
    assert (found.state, found.smallest_text, found.askings) == ("finished", others(1)[0].text, 3)


def test_what_a_part_brought_is_asked_once_for_the_whole_search(
    bundled: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = ReferenceTarget.ask

    def noted(self: ReferenceTarget, text: str, source: str = "auto") -> Answer:
        asked.append(text)
        return ask(self, text, source)

    monkeypatch.setattr(ReferenceTarget, "ask", noted)
    clauses = others(5)
    reduced(flagged(bundled("clause_swallowed_after_third"), joined(*clauses), CheckName.PART_LOST))
    # Once for what it brings, and once more after the query, before anything is said to be lost.
    assert max(asked.count(clause.text) for clause in clauses) <= 2


# --- what ends it ---


def test_where_the_budget_is_up_the_smallest_so_far_is_kept(bundled: Bundled) -> None:
    phrase = marked_phrase("exception_on_phrase", VOCABULARY.sources)
    combination = flagged(bundled("exception_on_phrase"), joined(*others(3, phrase), intent(phrase)), CheckName.CRASH)
    found = reduced(combination, at_most=2)
    assert (found.state, found.is_minimal, found.askings) == ("finished", False, 2)
    assert found.smallest_text == combination.last_query_text
    assert found.kept == [0, 1, 2, 3, 4, 5, 6]


def test_a_target_that_goes_away_stops_it_and_what_was_found_is_kept(
    bundled: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(self: object, text: str, source: str = "auto") -> Answer:
        if len(asked) == 2:
            raise TargetAway("nobody at 127.0.0.1")
        asked.append(text)
        return Answer("", "web", 10.0, error="IndexError: x")

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    compared = Part(PartKind.NOSPLIT, "compare"), Part(PartKind.MARK, " "), Part(PartKind.PAIR, "Romeo and Juliet")
    query = Query(
        "nosplit_adjacent_to_real_conjunction", (*compared, Part(PartKind.CONJUNCTION, " and also "), *others(1))
    )
    found = reduced(flagged(bundled(), query, CheckName.CRASH))
    assert (found.state, found.note) == ("stopped", "the target is away: nobody at 127.0.0.1")
    assert asked == [query.text, "compare Romeo and Juliet"]
    assert (found.smallest_text, found.kept, found.is_minimal) == ("compare Romeo and Juliet", [0, 1, 2], False)


def test_a_target_that_is_away_from_the_start_stops_it(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: object, text: str, source: str = "auto") -> Answer:
        raise TargetAway("nobody there")

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    found = reduced(flagged(bundled(), joined(*others(3)), CheckName.CRASH))
    assert (found.state, found.note, found.smallest) == ("stopped", "the target is away: nobody there", None)


def test_off_is_off_before_each_asking(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: object, text: str, source: str = "auto") -> Answer:
        Tuning.objects.update(enabled=False)
        return Answer("", "web", 10.0, error="IndexError: x")

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    Tuning.get_solo()
    found = reduced(combination)
    assert (found.state, found.askings, found.note) == ("stopped", 1, "testing was switched off")


def test_a_target_without_a_vocabulary_stops_it(bundled: Bundled) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    combination.target.vocabularies.all().delete()
    assert reduced(combination).state == "stopped"


def test_a_failure_of_ours_is_marked_and_passed_on(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    monkeypatch.setattr(finding_judge, "examine", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reduced(combination)
    assert Reduction.objects.get().note == "stopped: ZeroDivisionError"


def test_no_transaction_is_open_while_it_asks(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    depths: list[int] = []

    def ask(self: object, text: str, source: str = "auto") -> Answer:
        depths.append(len(connection.savepoint_ids))
        return Answer("", "web", 10.0, error="IndexError: x")

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    outside = len(connection.savepoint_ids)
    reduced(flagged(bundled(), joined(*others(3)), CheckName.CRASH))
    assert set(depths) == {outside}


# --- beside others ---


def test_it_gives_way_to_a_cycle_on_its_target(bundled: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    phrase = marked_phrase("exception_on_phrase", VOCABULARY.sources)
    combination = flagged(bundled("exception_on_phrase"), joined(*others(2, phrase), intent(phrase)), CheckName.CRASH)
    cycle = lifecycle.prepare(CycleRequest(combination.target, Cycle.Trigger.PAGE, 1))
    cycle.save()
    assert start(cycle)
    waited: list[int] = []

    def sleep(seconds: float) -> None:
        waited.append(Reduction.objects.get().askings)
        if len(waited) == 2:
            lifecycle.end(cycle, Cycle.State.FINISHED)
            unregister(cycle)

    monkeypatch.setattr("selftest.cycles.requests_in_turn.time.sleep", sleep)
    assert reduced(combination).state == "finished"
    assert waited == [0, 0]


def test_one_that_was_taken_for_dead_ends_nothing_of_the_worker_that_took_over(
    bundled: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(self: object, text: str, source: str = "auto") -> Answer:
        Reduction.objects.update(owner="elsewhere:1:1.00", askings=7)
        return Answer("", "web", 10.0, error="IndexError: x")

    monkeypatch.setattr("selftest.targets.reference.target.ReferenceTarget.ask", ask)
    taken_over = reduced(flagged(bundled(), joined(*others(3)), CheckName.CRASH))
    assert (taken_over.state, taken_over.askings, taken_over.note) == ("running", 7, "")


def test_what_is_delivered_twice_is_done_once(bundled: Bundled) -> None:
    found = reduced(flagged(bundled(), joined(*others(3)), CheckName.CRASH))
    assert tasks.planned_reduction(found.pk) == "not_seen_again"
    found.refresh_from_db()
    assert found.askings == 3


@pytest.mark.parametrize(
    ("deaths", "left", "is_new"),
    [(0, ("planned", ""), False), (9, ("stopped", "its worker died"), True)],
)
def test_a_dead_workers_search_begins_again_and_after_ten_gives_way_to_a_new_one(
    deaths: int, left: tuple[str, str], is_new: bool, bundled: Bundled
) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    first = minimise(combination, ANNA)
    assert first is not None
    with pytest.raises(RefusedError, match="being looked for already"):
        minimise(combination, ANNA)
    Reduction.objects.filter(pk=first.pk).update(state="running", owner=ownership.this_process(), deaths=deaths)
    with nullcontext() if is_new else pytest.raises(RefusedError, match="being looked for already"):
        assert minimise(combination, ANNA) is not None
    first.refresh_from_db()
    assert (first.state, first.note) == left


def test_one_of_another_machine_lives_as_long_as_it_shows_a_sign(bundled: Bundled) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    first = minimise(combination, ANNA)
    assert first is not None
    rows = Reduction.objects.filter(pk=first.pk)
    rows.update(state="running", owner="elsewhere:1:1.00", last_sign_at=timezone.now())
    with pytest.raises(RefusedError):
        minimise(combination, ANNA)
    rows.update(last_sign_at=timezone.now() - timedelta(hours=1))
    with pytest.raises(RefusedError):
        minimise(combination, ANNA)
    assert rows.get().state == "planned"


# --- the call for it ---


def test_a_finished_one_is_a_line_of_the_story(bundled: Bundled) -> None:
    phrase = marked_phrase("exception_on_phrase", VOCABULARY.sources)
    combination = flagged(bundled("exception_on_phrase"), joined(*others(2, phrase), intent(phrase)), CheckName.CRASH)
    reduced(combination)
    event = combination.events.get(kind="reduced")
    assert (event.actor, event.note, event.run_id) == ("engine", phrase, combination.last_flagged_run_id)


def test_the_worker_is_handed_an_id(bundled: Bundled, commit: Any) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    with commit():
        planned = minimise(combination, ANNA)
    assert planned is not None
    queued = OrmQ.objects.get().task
    assert (queued["func"], queued["args"]) == ("selftest.tasks.planned_reduction", (planned.pk,))


def test_a_broker_that_is_away_is_said_and_leaves_nothing_open(
    bundled: Bundled, commit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OSError("connection refused")

    monkeypatch.setattr("selftest.cycles.handing_over.async_task", away)
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    with pytest.raises(BrokerAwayError), commit():
        minimise(combination, ANNA)
    assert Reduction.objects.get().state == "stopped"


def test_nothing_is_begun_where_testing_is_off(bundled: Bundled) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    tuning = Tuning.get_solo()
    tuning.enabled = False
    tuning.save()
    assert minimise(combination, ANNA) is None
    assert not Reduction.objects.exists()


def test_what_was_never_flagged_has_nothing_to_look_for(bundled: Bundled) -> None:
    combination = flagged(bundled(), joined(*others(3)), CheckName.CRASH)
    Combination.objects.update(last_flagged_run=None)
    with pytest.raises(RefusedError, match="nothing to minimise"):
        minimise(combination, ANNA)
