"""Once an hour: which answers go, what stays, and that a worker that is lost or beside another one does no harm."""

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django_q.models import Failure
from pytest_django import DjangoAssertNumQueries

from selftest import tasks
from selftest.core.judging.probes import Purpose
from selftest.models import (
    Actor,
    CauseTally,
    Combination,
    Cycle,
    Explanation,
    Housekeeping,
    Probe,
    RecipeTally,
    Reduction,
    Run,
    Tuning,
)
from selftest.operating import housekeeping, retention
from selftest.operating.housekeeping import Outcome, keep_house
from selftest.reviewing import dismissal
from selftest.reviewing.notes import add_note
from tests.engine.conftest import NOW
from tests.review import factory

pytestmark = pytest.mark.django_db

LONG_AGO = NOW - timedelta(days=31)
LATELY = NOW - timedelta(days=29)
ANSWER = "Some real content."


@pytest.fixture(autouse=True)
def clock() -> Any:
    """Stands at NOW until a test shifts it."""
    with time_machine.travel(NOW, tick=False) as coordinates:
        yield coordinates


def clean(text: str = "", **columns: Any) -> Run:
    """A clean run, recorded 31 days ago."""
    return factory.ask(factory.make_combination(text), **{"now": LONG_AGO, **columns})


def probe_of(run: Run, result: str = "Tides: high at noon.") -> Probe:
    """Asked a moment before its run was recorded."""
    return Probe.objects.create(
        target=run.target,
        run=run,
        purpose=Purpose.PART,
        text="tides",
        text_sha256="0" * 64,
        asked_at=run.finished_at,
        latency_ms=20.0,
        result=result,
        result_length_bytes=len(result),
        result_sha256="1" * 64,
    )


def answers(*runs: Run) -> list[str]:
    """As they are stored now."""
    found = dict(Run.objects.filter(pk__in=[run.pk for run in runs]).values_list("pk", "result"))
    return [found[run.pk] for run in runs]


def keep_for_days(days: int, **columns: Any) -> None:
    Tuning.get_solo()
    Tuning.objects.update(keep_answers_days=days, **columns)


# --- what goes ---


def test_a_clean_answer_goes_after_thirty_days_and_all_else_of_its_run_stays() -> None:
    run = clean()
    columns = [field.attname for field in Run._meta.concrete_fields]
    before = Run.objects.values(*columns).get(pk=run.pk)
    assert keep_house() is Outcome.DONE
    after = Run.objects.values(*columns).get(pk=run.pk)
    assert {name for name in columns if after[name] != before[name]} == {"result", "answer_deleted_at"}
    assert (after["result"], after["answer_deleted_at"], after["result_length_bytes"]) == ("", NOW, len(ANSWER))


def test_the_answers_of_its_probes_go_with_it_and_their_figures_stay() -> None:
    probe = probe_of(clean())
    keep_house()
    probe.refresh_from_db()
    assert (probe.result, probe.answer_deleted_at) == ("", NOW)
    assert (probe.latency_ms, probe.result_length_bytes, probe.result_sha256) == (20.0, 20, "1" * 64)
    assert Housekeeping.objects.get().answers_deleted == 2


def test_a_machine_whose_clock_is_ahead_of_the_databases_deletes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = clean(now=LATELY)
    with time_machine.travel(NOW + timedelta(days=40), tick=False):
        monkeypatch.setattr("selftest.storage.database_clock.database_now", lambda: NOW)
        assert keep_house() is Outcome.DONE
        assert answers(run) == [ANSWER]


def test_a_note_that_comes_while_answers_are_deleted_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    noted, other = clean(), clean()

    def and_a_note(after: int, kept_since: datetime, now: datetime) -> Any:
        found = retention.next_old_answers(after, kept_since, now)
        if found:
            add_note(noted.combination, Actor("vera"), "see this one")
        return found

    monkeypatch.setattr(housekeeping, "next_old_answers", and_a_note)
    keep_house()
    assert answers(noted, other) == [ANSWER, ""]


def test_an_answer_of_twenty_nine_days_stays() -> None:
    run = clean(now=LATELY)
    keep_house()
    assert answers(run) == [ANSWER]


def test_an_answer_that_was_empty_is_not_said_to_be_deleted() -> None:
    run = clean(result="")
    keep_house()
    run.refresh_from_db()
    assert run.answer_deleted_at is None


def test_with_zero_days_all_answers_stay() -> None:
    keep_for_days(0)
    run = clean()
    assert keep_house() is Outcome.DONE
    assert answers(run) == [ANSWER]
    assert Housekeeping.objects.get().through_run == 0, "they are to be found once another number is set"


def test_answers_stay_while_probes_are_reused_for_longer() -> None:
    keep_for_days(1, probe_hours=720)
    run, older = clean(now=LATELY), clean()
    keep_house()
    assert answers(run, older) == [ANSWER, ANSWER], "the older one comes after the younger one"
    keep_for_days(1, probe_hours=24)
    keep_house()
    assert answers(run, older) == ["", ""]


# --- what stays ---


def test_a_flagged_answer_stays_with_those_of_its_probes() -> None:
    run = clean(findings=[factory.finding()])
    probe = probe_of(run)
    keep_house()
    probe.refresh_from_db()
    assert (answers(run), probe.result) == ([ANSWER], "Tides: high at noon.")


def test_the_answer_of_an_explained_finding_stays() -> None:
    run = clean()
    Explanation.objects.create(
        run=run,
        target=run.target,
        combination=run.combination,
        check_name="part_lost",
        reason="part_lost: nothing on it alone",
        evidence={},
        cause=Explanation.Cause.EMPTY_ALONE,
        source="kiwix",
        created_at=LONG_AGO,
    )
    keep_house()
    assert answers(run) == [ANSWER]


def test_the_answer_that_a_smallest_query_began_with_stays() -> None:
    run = clean()
    Reduction.objects.create(
        combination=run.combination, run=run, check_name="crash", askings_at_most=40, created_at=LONG_AGO
    )
    keep_house()
    assert answers(run) == [ANSWER]


def test_the_answer_that_a_note_or_a_dismissal_was_made_on_stays() -> None:
    noted = clean()
    add_note(noted.combination, Actor("ada"), "odd, but fine")
    dismissed = factory.flagged(now=LONG_AGO)
    seen = factory.ask(dismissed, now=LONG_AGO)
    dismissal.dismiss(dismissed, Actor("ada"), "fixed", seen.pk)
    latest = factory.ask(dismissed, now=LONG_AGO)
    keep_house()
    assert answers(noted, seen, latest) == [ANSWER] * 3


def test_the_latest_clean_answer_of_what_was_ever_flagged_stays_until_a_later_one_is_old() -> None:
    combination = factory.make_combination()
    first = factory.ask(combination, now=LONG_AGO)
    factory.ask(combination, [factory.finding()], now=LONG_AGO)
    back = factory.ask(combination, now=LONG_AGO)  # an event tells of it
    second = factory.ask(combination, now=LONG_AGO)
    keep_house()
    assert answers(first, back, second) == ["", ANSWER, ANSWER]
    third = factory.ask(combination, now=NOW)
    keep_house()
    assert answers(second, third) == [ANSWER, ANSWER], "the third one is not looked at yet"
    with time_machine.travel(NOW + timedelta(days=31), tick=False):
        keep_house()
        assert answers(second, third) == ["", ANSWER]


def test_all_figures_stay_exact() -> None:
    tallies = (RecipeTally, CauseTally)
    for number in range(3):
        factory.ask(factory.make_combination(), [factory.finding()] if number == 1 else (), now=LONG_AGO)

    def figures() -> list[Any]:
        of_combinations = list(Combination.objects.order_by("pk").values())
        return [of_combinations, *(list(rows.objects.order_by("pk").values()) for rows in tallies)]

    before = figures()
    keep_house()
    assert figures() == before
    assert Run.objects.filter(answer_deleted_at=NOW).count() == 2


# --- how far it is ---


def test_it_stops_at_what_is_too_young_or_not_over_and_continues_there() -> None:
    running = factory.make_cycle(Cycle.State.RUNNING)
    old, waiting, behind = clean(), factory.plan_run(factory.make_combination(), running), clean()
    assert keep_house() is Outcome.DONE
    assert answers(old, behind) == ["", ANSWER]
    assert Housekeeping.objects.get().through_run == old.pk
    Run.objects.filter(pk=waiting.pk).update(state=Run.State.SKIPPED)
    keep_house()
    assert answers(behind) == [""]


def test_a_run_that_an_ended_cycle_left_open_holds_nothing_up() -> None:
    factory.plan_run(factory.make_combination(), factory.make_cycle(Cycle.State.INTERRUPTED))
    behind = clean()
    keep_house()
    assert answers(behind) == [""]


def test_a_run_of_a_clock_that_was_ahead_keeps_its_answer_and_holds_nothing_up() -> None:
    ahead, behind = clean(now=NOW + timedelta(days=365)), clean()
    keep_house()
    assert answers(ahead, behind) == [ANSWER, ""]


def test_each_batch_is_a_transaction_that_notes_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH_RUNS", 2)
    runs = [clean() for _ in range(5)]
    batches = []
    delete = housekeeping.delete_answers

    def fail_in_the_third(keys: list[int], now: Any) -> int:
        batches.append(list(keys))
        if len(batches) == 3:
            delete(keys, now)
            raise OperationalError("the database is gone")
        return delete(keys, now)

    monkeypatch.setattr(housekeeping, "delete_answers", fail_in_the_third)
    with pytest.raises(OperationalError):
        keep_house()
    keys = [run.pk for run in runs]
    assert batches == [keys[:2], keys[2:4], keys[4:]]
    assert answers(*runs) == ["", "", "", "", ANSWER]
    row = Housekeeping.objects.get()
    assert (row.through_run, row.answers_deleted, row.finished_at, row.claim) == (keys[3], 4, None, "")
    assert keep_house() is Outcome.DONE
    assert batches[3] == keys[4:], "it continues where it was interrupted"
    assert answers(*runs) == [""] * 5
    assert Housekeeping.objects.get().answers_deleted == 5


def test_out_of_time_it_leaves_the_rest_for_the_next_time() -> None:
    run = clean()
    assert keep_house(budget_s=0.0) is Outcome.MORE
    row = Housekeeping.objects.get()
    assert (answers(run), row.finished_at, row.claim) == ([ANSWER], None, "")


def test_what_was_looked_through_is_not_read_again(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    last = [clean() for _ in range(3)][-1]
    keep_house()
    assert Housekeeping.objects.get().through_run == last.pk
    with django_assert_num_queries(1) as asked:
        assert retention.next_old_answers(last.pk, LATELY, NOW) is None
    assert f'"selftest_run"."id" > {last.pk}' in asked.captured_queries[0]["sql"]


# --- several workers ---


def test_while_one_is_at_it_another_one_does_nothing() -> None:
    run = clean()
    Housekeeping.get_solo()
    Housekeeping.objects.update(claim="another", claimed_until=NOW + timedelta(minutes=5))
    assert keep_house() is Outcome.BUSY
    assert (answers(run), Housekeeping.objects.get().claim) == ([ANSWER], "another")
    with pytest.raises(CommandError, match="a worker is at it"):
        call_command("housekeeping")


@pytest.mark.parametrize("until", [timedelta(seconds=-1), timedelta(days=2)], ids=["died", "its clock was ahead"])
def test_the_claim_of_a_dead_worker_is_taken_over(until: timedelta) -> None:
    run = clean()
    Housekeeping.get_solo()
    Housekeeping.objects.update(claim="dead", claimed_until=NOW + until)
    assert keep_house() is Outcome.DONE
    assert answers(run) == [""]


def test_a_worker_that_lost_its_claim_deletes_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    run = clean()
    found = housekeeping.next_old_answers

    def slowly(*arguments: Any) -> Any:
        Housekeeping.objects.update(claim="another", claimed_until=NOW + timedelta(minutes=5))
        return found(*arguments)

    monkeypatch.setattr(housekeeping, "next_old_answers", slowly)
    assert keep_house() is Outcome.BUSY
    row = Housekeeping.objects.get()
    assert (answers(run), row.through_run, row.claim, row.finished_at) == ([ANSWER], 0, "another", None)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_each_answer_is_deleted_and_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH_RUNS", 5)
    runs = [clean() for _ in range(40)]
    outcomes: list[Outcome] = []
    both = threading.Barrier(2)

    def work() -> None:
        try:
            both.wait()
            outcomes.append(keep_house())
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert Outcome.DONE in outcomes
    assert answers(*runs) == [""] * 40
    assert Housekeeping.objects.get().answers_deleted == 40


# --- what else is tidied up ---


def test_expired_sessions_go_and_others_stay() -> None:
    keys = []
    for days in (-1, 1):
        session = SessionStore()
        session.set_expiry(NOW + timedelta(days=days))
        session.save()
        keys.append(session.session_key)
    tasks.housekeeping()
    assert list(Session.objects.values_list("pk", flat=True)) == keys[1:]


def test_of_failed_tasks_the_newest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "KEPT_FAILURES", 2)
    for minute in range(4):
        at = NOW + timedelta(minutes=minute)
        Failure.objects.create(id=f"task {minute}", name="x", func="f", started=at, stopped=at, success=False)
    keep_house()
    assert sorted(Failure.objects.values_list("id", flat=True)) == ["task 2", "task 3"]


def test_the_command_says_what_it_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    clean()
    clean(now=NOW)
    call_command("housekeeping")
    assert capsys.readouterr().out == "Answers deleted: 1. Runs not old enough: 1.\n"
