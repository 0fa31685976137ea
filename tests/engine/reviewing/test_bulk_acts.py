"""Acts upon many combinations: frozen, done once, undone to what each row was; what changed is left alone."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from selftest.core.judging.findings import CheckName
from selftest.models import Actor, BulkAct, BulkItem, Combination, ReviewEvent
from selftest.reading.bulk_acts import items, left_out, outcomes_of
from selftest.reading.queue import Age, QueueFilter, Tab
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing import bulk_acts
from selftest.reviewing.assignment import assign
from selftest.reviewing.bulk_acts import CountedRows, Kind, Outcome
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.reviewing.judgement import Judgement
from selftest.reviewing.notes import add_note
from tests.review import factory

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
ANNA = Actor("anna")
DISMISSED = "dismissed"


@pytest.fixture
def three(db: None) -> list[Combination]:
    return [factory.flagged(f"number {n}") for n in range(3)]


@pytest.fixture
def anna(db: None) -> Actor:
    return Actor.person(User.objects.create_user("anna"))


@pytest.fixture
def otto(db: None) -> Actor:
    return Actor.person(User.objects.create_user("otto"))


def seen(rows: list[Combination]) -> dict[int, int | None]:
    return {row.pk: row.last_run_id for row in rows}


def states(rows: list[Combination]) -> list[tuple[str | None, int | None, datetime | None]]:
    """All that an act may change."""
    found = Combination.objects.in_bulk([row.pk for row in rows])
    return [(found[row.pk].review_status, found[row.pk].held_by_id, found[row.pk].held_at) for row in rows]


def statuses(rows: list[Combination]) -> list[str | None]:
    return [status for status, _, _ in states(rows)]


def outcomes(act: BulkAct) -> list[str]:
    return list(BulkItem.objects.filter(act=act).order_by("id").values_list("outcome", flat=True))


def dismissed_at_once(rows: list[Combination], actor: Actor = ANNA) -> BulkAct:
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(rows), actor, Judgement(reason="the feed was down"))
    assert bulk_acts.apply(act, actor)
    return act


# --- done and undone ---


def test_rows_are_dismissed_and_their_activity_tells_by_whom_and_why(three: list[Combination], anna: Actor) -> None:
    act = dismissed_at_once(three[:2], anna)
    assert statuses(three) == [DISMISSED, DISMISSED, None]
    event = three[0].events.get(kind="dismissed")
    assert (event.actor, event.user, event.note, event.run_id, event.act) == (
        "anna",
        anna.user,
        "the feed was down",
        three[0].last_run_id,
        act,
    )
    assert not three[2].events.filter(kind="dismissed").exists()


def test_an_undo_gives_every_row_back_what_it_was(three: list[Combination], anna: Actor, otto: Actor) -> None:
    assign(three[1], otto)
    Combination.objects.filter(pk=three[1].pk).update(held_at=NOON)
    before = states(three)
    act = dismissed_at_once(three, anna)
    assert bulk_acts.undo(act, anna)
    assert states(three) == before
    assert states(three)[1] == (None, otto.user.pk, NOON)  # type: ignore[union-attr]
    assert outcomes(act) == ["undone"] * 3
    assert three[0].events.filter(kind="undismissed", actor="anna", act=act).count() == 1


def test_undoing_an_assignment_leaves_rows_unassigned_as_they_were(three: list[Combination], anna: Actor) -> None:
    act = bulk_acts.freeze_rows(Kind.ASSIGN, seen(three), anna)
    bulk_acts.apply(act, anna)
    assert {holder for _, holder, _ in states(three)} == {anna.user.pk}  # type: ignore[union-attr]
    bulk_acts.undo(act, anna)
    assert states(three) == [(None, None, None)] * 3


def test_undoing_an_unassignment_restores_the_assignee_and_since_when(three: list[Combination], anna: Actor) -> None:
    assign(three[0], anna)
    Combination.objects.filter(pk=three[0].pk).update(held_at=NOON)
    act = bulk_acts.freeze_rows(Kind.UNASSIGN, seen(three[:1]), anna)
    bulk_acts.apply(act, anna)
    assert states(three[:1]) == [(None, None, None)]
    bulk_acts.undo(act, anna)
    assert states(three[:1]) == [(None, anna.user.pk, NOON)]  # type: ignore[union-attr]


def test_undoing_a_restore_dismisses_again(three: list[Combination]) -> None:
    for row in three:
        dismiss(row, ANNA)
    act = bulk_acts.freeze_rows(Kind.UNDISMISS, seen(three), ANNA)
    bulk_acts.apply(act, ANNA)
    assert statuses(three) == [None] * 3
    bulk_acts.undo(act, ANNA)
    assert statuses(three) == [DISMISSED] * 3


# --- what changed is left alone and named ---


def test_what_was_flagged_again_since_it_was_seen_is_left_alone(three: list[Combination]) -> None:
    looked = seen(three)
    factory.ask(three[1], [factory.finding()])
    act = bulk_acts.freeze_rows(Kind.DISMISS, looked, ANNA)
    bulk_acts.apply(act, ANNA)
    assert statuses(three) == [DISMISSED, None, DISMISSED]
    assert [item.combination_id for item in left_out(act)] == [three[1].pk]


def test_a_clean_run_since_is_no_change(three: list[Combination]) -> None:
    looked = seen(three)
    factory.ask(three[1])
    act = bulk_acts.freeze_rows(Kind.DISMISS, looked, ANNA)
    bulk_acts.apply(act, ANNA)
    assert statuses(three) == [DISMISSED] * 3


def test_what_another_dismissed_first_is_left_alone_and_stays_so_after_the_undo(three: list[Combination]) -> None:
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(three), ANNA)
    dismiss(three[0], Actor("otto"))
    bulk_acts.apply(act, ANNA)
    assert outcomes(act) == ["skipped", "done", "done"]
    bulk_acts.undo(act, ANNA)
    assert statuses(three) == [DISMISSED, None, None]
    assert outcomes(act) == ["skipped", "undone", "undone"]


def test_what_is_assigned_to_another_by_now_stays_theirs(three: list[Combination], anna: Actor, otto: Actor) -> None:
    assign(three[0], otto)
    act = bulk_acts.freeze_rows(Kind.ASSIGN, seen(three), anna)
    bulk_acts.apply(act, anna)
    assert outcomes(act) == ["skipped", "done", "done"]
    assert states(three)[0][1] == otto.user.pk  # type: ignore[union-attr]


def test_what_is_assigned_to_another_is_not_unassigned(three: list[Combination], anna: Actor, otto: Actor) -> None:
    assign(three[0], otto)
    assign(three[1], anna)
    act = bulk_acts.freeze_rows(Kind.UNASSIGN, seen(three[:2]), anna)
    bulk_acts.apply(act, anna)
    assert outcomes(act) == ["skipped", "done"]


@pytest.mark.parametrize("change", ["resurfaced", "undone by another", "dismissed once more"])
def test_the_undo_leaves_out_what_changed_since(three: list[Combination], change: str) -> None:
    act = dismissed_at_once(three)
    if change == "resurfaced":
        factory.ask(three[0], [factory.finding()])
    else:
        undismiss(three[0], Actor("otto"))
    if change == "dismissed once more":
        dismiss(three[0], Actor("otto"))
    after = states(three[:1])
    bulk_acts.undo(act, ANNA)
    assert states(three[:1]) == after
    assert statuses(three[1:]) == [None, None]
    assert outcomes(act) == ["kept", "undone", "undone"]
    assert [item.combination_id for item in left_out(act)] == [three[0].pk]


def test_a_note_or_a_clean_run_since_is_no_reason_to_leave_out_the_undo(three: list[Combination]) -> None:
    act = dismissed_at_once(three)
    add_note(three[0], Actor("otto"), "seen before")
    factory.ask(three[1])
    bulk_acts.undo(act, ANNA)
    assert statuses(three) == [None] * 3


def test_the_undo_of_an_older_act_leaves_a_newer_one_alone(three: list[Combination]) -> None:
    first = dismissed_at_once(three)
    for row in three:
        factory.ask(row, [factory.finding()])
        row.refresh_from_db()
    dismissed_at_once(three)
    bulk_acts.undo(first, ANNA)
    assert statuses(three) == [DISMISSED] * 3


def test_undoing_a_dismissal_leaves_an_assignee_of_since_then(three: list[Combination], otto: Actor) -> None:
    act = dismissed_at_once(three)
    assign(three[0], otto)
    bulk_acts.undo(act, ANNA)
    assert states(three)[0][1] == otto.user.pk  # type: ignore[union-attr]


# --- once ---


def test_done_twice_it_is_done_once(three: list[Combination]) -> None:
    act = dismissed_at_once(three)
    assert bulk_acts.apply(act, ANNA) is False
    assert ReviewEvent.objects.filter(kind="dismissed").count() == 3


def test_undone_twice_it_is_undone_once(three: list[Combination]) -> None:
    act = dismissed_at_once(three)
    assert bulk_acts.undo(act, ANNA) is True
    dismiss(three[0], Actor("otto"))
    assert bulk_acts.undo(act, ANNA) is False
    assert statuses(three) == [DISMISSED, None, None]


def test_undone_it_is_not_done_again(three: list[Combination]) -> None:
    act = dismissed_at_once(three)
    bulk_acts.undo(act, ANNA)
    with pytest.raises(OutdatedError, match="undone already"):
        bulk_acts.apply(act, ANNA)
    assert statuses(three) == [None] * 3


def test_what_was_not_done_cannot_be_undone(three: list[Combination]) -> None:
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(three), ANNA)
    with pytest.raises(RefusedError, match="nothing to undo"):
        bulk_acts.undo(act, ANNA)


# --- lists ---


def test_a_frozen_list_does_not_grow(three: list[Combination]) -> None:
    act = bulk_acts.freeze_all(Kind.DISMISS, QueueFilter(), ANNA)
    late = factory.flagged()
    bulk_acts.apply(act, ANNA)
    assert statuses([*three, late]) == [DISMISSED, DISMISSED, DISMISSED, None]


def test_all_of_a_list_are_those_of_its_filter_that_can_be_acted_upon(three: list[Combination]) -> None:
    crash = factory.flagged("a crash", factory.finding(CheckName.CRASH))
    dismiss(three[0], ANNA)
    wanted = QueueFilter(tab=Tab.EVER, check=CheckName.SOURCE_MISMATCH)
    act = bulk_acts.freeze_all(Kind.DISMISS, wanted, ANNA)
    assert {item.combination_id for item in items(act, 0)} == {three[1].pk, three[2].pk}
    back = bulk_acts.freeze_all(Kind.UNDISMISS, QueueFilter(tab=Tab.DISMISSED), ANNA)
    assert {item.combination_id for item in items(back, 0)} == {three[0].pk}
    assert statuses([crash]) == [None]


def test_a_list_by_age_is_acted_upon_as_it_is_shown_to_the_minute(db: None) -> None:
    shown = factory.flagged("a day and twenty seconds old", now=NOON - timedelta(days=1) + timedelta(seconds=20))
    factory.flagged("older", now=NOON - timedelta(days=1, seconds=1))
    with time_machine.travel(NOON + timedelta(seconds=40), tick=False):
        act = bulk_acts.freeze_all(Kind.DISMISS, QueueFilter(age=Age.DAY), ANNA)
    assert list(BulkItem.objects.filter(act=act).values_list("combination", flat=True)) == [shown.pk]


def test_counted_rows_are_those_or_none(three: list[Combination]) -> None:
    counted = CountedRows(3, sum(row.pk for row in three), max(row.last_run_id or 0 for row in three))
    bulk_acts.apply(bulk_acts.freeze_counted(Kind.DISMISS, QueueFilter(), counted, ANNA), ANNA)
    assert statuses(three) == [DISMISSED] * 3
    with pytest.raises(OutdatedError, match="the list has changed since its 3 rows were counted"):
        bulk_acts.freeze_counted(Kind.DISMISS, QueueFilter(), counted, ANNA)


def test_counted_rows_are_not_joined_by_what_was_flagged_later(three: list[Combination]) -> None:
    counted = CountedRows(3, sum(row.pk for row in three), max(row.last_run_id or 0 for row in three))
    late = factory.flagged()
    bulk_acts.apply(bulk_acts.freeze_counted(Kind.DISMISS, QueueFilter(), counted, ANNA), ANNA)
    assert statuses([*three, late]) == [DISMISSED, DISMISSED, DISMISSED, None]


def test_nothing_at_all_is_refused_and_leaves_no_act(db: None) -> None:
    clean = factory.make_combination()
    factory.ask(clean)
    for freeze in (
        lambda: bulk_acts.freeze_rows(Kind.DISMISS, {}, ANNA),
        lambda: bulk_acts.freeze_rows(Kind.DISMISS, {clean.pk: clean.last_run_id, 4711: None}, ANNA),
        lambda: bulk_acts.freeze_all(Kind.DISMISS, QueueFilter(), ANNA),
    ):
        with pytest.raises(RefusedError, match="nothing is selected"):
            freeze()
    assert not BulkAct.objects.exists()


def test_a_reason_that_is_too_long_is_refused(three: list[Combination]) -> None:
    with pytest.raises(RefusedError, match="2001 characters"):
        bulk_acts.freeze_rows(Kind.DISMISS, seen(three), ANNA, Judgement(reason="x" * 2001))
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(three), ANNA, Judgement(reason="a\x00b"))
    assert "\x00" not in act.note
    with pytest.raises(RefusedError, match="2001 characters"):
        bulk_acts.give_judgement(act, Judgement(reason="x" * 2001))


# --- many rows, and what goes wrong in the middle ---


def test_a_crash_in_the_middle_keeps_what_was_done_and_goes_on_from_there(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 2)
    rows = [factory.flagged(f"number {n}") for n in range(5)]
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(rows), ANNA)
    _break_after(monkeypatch, "_do", calls=1)
    with pytest.raises(ConnectionError):
        bulk_acts.apply(act, ANNA)
    assert statuses(rows) == [DISMISSED, DISMISSED, None, None, None]
    assert outcomes_of(act)[Outcome.WAITING] == 3
    monkeypatch.undo()
    assert bulk_acts.apply(act, ANNA) is True
    assert statuses(rows) == [DISMISSED] * 5
    assert bulk_acts.apply(act, ANNA) is False
    assert ReviewEvent.objects.filter(kind="dismissed").count() == 5


def test_what_is_undone_while_it_is_being_done_is_done_no_further(
    three: list[Combination], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 1)
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(three), ANNA)
    do = bulk_acts._do

    def then_undo(*arguments: Any) -> None:
        do(*arguments)
        bulk_acts.undo(act, ANNA)

    monkeypatch.setattr(bulk_acts, "_do", then_undo)
    bulk_acts.apply(act, ANNA)
    assert statuses(three) == [None, None, None]
    assert outcomes(act) == ["undone", "waiting", "waiting"]


def test_a_crash_in_the_middle_of_an_undo_goes_on_too(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 2)
    rows = [factory.flagged(f"number {n}") for n in range(5)]
    act = dismissed_at_once(rows)
    _break_after(monkeypatch, "_undo", calls=1)
    with pytest.raises(ConnectionError):
        bulk_acts.undo(act, ANNA)
    monkeypatch.undo()
    bulk_acts.undo(act, ANNA)
    assert statuses(rows) == [None] * 5


def test_what_a_crash_left_undone_half_way_through_is_not_done_by_its_undo(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 2)
    rows = [factory.flagged(f"number {n}") for n in range(4)]
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen(rows), ANNA)
    _break_after(monkeypatch, "_do", calls=1)
    with pytest.raises(ConnectionError):
        bulk_acts.apply(act, ANNA)
    bulk_acts.undo(act, ANNA)
    assert statuses(rows) == [None] * 4
    assert outcomes(act) == ["undone", "undone", "waiting", "waiting"]


def _break_after(monkeypatch: pytest.MonkeyPatch, name: str, calls: int) -> None:
    whole = getattr(bulk_acts, name)
    left = [calls]

    def breaking(*arguments: object) -> None:
        if not left[0]:
            raise ConnectionError("the machine went down")
        left[0] -= 1
        whole(*arguments)

    monkeypatch.setattr(bulk_acts, name, breaking)


def test_the_number_of_queries_grows_with_chunks_and_not_with_rows(db: None) -> None:
    counts = []
    for n in (2, 30):
        act = bulk_acts.freeze_rows(Kind.DISMISS, seen([factory.flagged() for _ in range(n)]), ANNA)
        with CaptureQueriesContext(connection) as queries:
            bulk_acts.apply(act, ANNA)
            bulk_acts.undo(act, ANNA)
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- two at once ---


def _at_once(act: Callable[[], object], times: int = 2) -> list[object]:
    """What each of several threads came to."""
    start, came_to = threading.Barrier(times), []

    def go() -> None:
        try:
            start.wait(10)
            came_to.append(act())
        except RefusedError as refusal:
            came_to.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=go) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return came_to


@pytest.mark.django_db(transaction=True)
def test_two_who_press_the_same_button_at_once_do_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 3)
    rows = [factory.flagged(f"number {n}") for n in range(10)]
    pk = bulk_acts.freeze_rows(Kind.DISMISS, seen(rows), ANNA).pk
    came_to = _at_once(lambda: bulk_acts.apply(BulkAct.objects.get(pk=pk), ANNA))
    assert {True} <= set(came_to) <= {True, False}  # both did something where they shared the chunks; neither failed
    assert statuses(rows) == [DISMISSED] * 10
    assert ReviewEvent.objects.filter(kind="dismissed").count() == 10
    came_to = _at_once(lambda: bulk_acts.undo(BulkAct.objects.get(pk=pk), ANNA))
    assert {True} <= set(came_to) <= {True, False}
    assert statuses(rows) == [None] * 10
    assert ReviewEvent.objects.filter(kind="undismissed").count() == 10


@pytest.mark.django_db(transaction=True)
def test_two_who_dismiss_overlapping_lists_at_once_dismiss_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_acts, "CHUNK_ROWS", 3)
    rows = [factory.flagged(f"number {n}") for n in range(10)]
    frozen = [bulk_acts.freeze_rows(Kind.DISMISS, seen(part), ANNA).pk for part in (rows[:7], rows[3:])]
    todo = list(frozen)
    _at_once(lambda: bulk_acts.apply(BulkAct.objects.get(pk=todo.pop()), ANNA))
    assert statuses(rows) == [DISMISSED] * 10
    assert ReviewEvent.objects.filter(kind="dismissed").count() == 10
    came_to = [outcomes_of(BulkAct.objects.get(pk=pk)) for pk in frozen]
    assert sum(each[Outcome.DONE] for each in came_to) == 10
    assert sum(each[Outcome.SKIPPED] for each in came_to) == 4
