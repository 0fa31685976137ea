"""Another verdict on what was decided already: told from which to which, and undone exactly."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Actor, Cause, CauseEvent, Combination, ReviewEvent
from selftest.reading.dismissals import newest_dismissal
from selftest.reading.given_verdicts import verdicts_of
from selftest.reading.queue import QueueFilter, Tab, queue_revision
from selftest.reading.verdicts import Month
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing import bulk_acts, causes
from selftest.reviewing.bulk_acts import Kind
from selftest.reviewing.causes import judge, merge, reopen, undo_verdict
from selftest.reviewing.dismissal import change_verdict, judge_combination, undismiss
from selftest.reviewing.judgement import COLUMNS, Judgement
from selftest.reviewing.reasons import explain_dismissal
from tests.review import factory

pytestmark = pytest.mark.django_db

ADA, BEN = Actor("ada"), Actor("ben")
Verdict = Cause.Verdict
BLANK = CheckName.SECTION_BLANK
LATER = Judgement(Verdict.LATER, "after the holidays", "https://tracker.example/7", date(2027, 1, 1))


def flag(times: int = 1) -> list[Combination]:
    made = [factory.flagged("", factory.finding(BLANK)) for _ in range(times)]
    assign_causes(factory.a_target(), timezone.now())
    return made


def the_cause() -> Cause:
    return Cause.objects.get(checks=[BLANK], merged_into=None)


def columns(row: Combination) -> Mapping[str, Any]:
    return Combination.objects.filter(pk=row.pk).values("review_status", *COLUMNS).get()


def state(row: Combination) -> tuple[Any, ...]:
    """All that is known of a dismissal: the row's columns, and who decided, when, why and where it is tracked."""
    made = newest_dismissal(row.pk)
    assert made
    return columns(row), made.event.actor, made.event.at, made.reason, made.event.link


def verdicts(rows: list[Combination]) -> list[str | None]:
    return [Combination.objects.get(pk=row.pk).verdict for row in rows]


def kinds(row: Combination) -> list[str]:
    return list(row.events.filter(actor__in=["ada", "ben"]).order_by("id").values_list("kind", flat=True))


# --- a flag ---


def test_another_verdict_is_told_from_which_to_which_and_the_combination_stays_dismissed() -> None:
    [row] = flag()
    judge_combination(row, Judgement(Verdict.ACCEPTED, "known"), ADA)
    change_verdict(row, Judgement(Verdict.CONFIRMED, "it is worse", "https://tracker.example/9"), BEN, Verdict.ACCEPTED)
    assert columns(row)["review_status"] == "dismissed"
    assert columns(row)["verdict"] == "confirmed"
    told = row.events.get(kind="rejudged")
    assert told.before
    assert told.before["verdict"] == "accepted"
    assert (told.verdict, told.actor, told.note, told.link) == (
        "confirmed",
        "ben",
        "it is worse",
        "https://tracker.example/9",
    )


def test_undoing_a_change_gives_the_former_verdict_with_its_reason_its_link_and_what_it_waited_for() -> None:
    [row] = flag()
    with time_machine.travel(datetime(2026, 6, 1, 12, tzinfo=UTC), tick=False):
        judge_combination(row, LATER, ADA)
    explain_dismissal(row, ADA, "the source is closed until then")
    before = state(row)
    change_verdict(row, Judgement(Verdict.FALSE_ALARM, "no"), BEN, Verdict.LATER)
    assert state(row) != before
    change = newest_dismissal(row.pk)
    assert change
    undismiss(row, ADA, dismissal=change.event.pk)
    assert state(row) == before
    assert kinds(row) == ["dismissed", "reasoned", "rejudged", "changed_back"]


def test_a_change_is_made_on_the_verdict_that_was_seen_and_on_no_other() -> None:
    [row] = flag()
    judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    change_verdict(row, Judgement(Verdict.CONFIRMED), ADA, Verdict.ACCEPTED)
    with pytest.raises(OutdatedError, match="Confirmed"):
        change_verdict(row, Judgement(Verdict.FALSE_ALARM), BEN, Verdict.ACCEPTED)
    undismiss(row, ADA)
    with pytest.raises(OutdatedError, match="back in the queue"):
        change_verdict(row, Judgement(Verdict.FALSE_ALARM), BEN, Verdict.CONFIRMED)
    assert columns(row)["review_status"] is None


def test_restoring_after_a_change_brings_it_back_to_the_queue() -> None:
    [row] = flag()
    judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    change_verdict(row, Judgement(Verdict.CONFIRMED), ADA, Verdict.ACCEPTED)
    undismiss(row, ADA)
    assert (columns(row)["review_status"], columns(row)["verdict"]) == (None, None)


def test_a_change_that_another_one_followed_is_not_undone() -> None:
    [row] = flag()
    judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    change_verdict(row, Judgement(Verdict.CONFIRMED), ADA, Verdict.ACCEPTED)
    first = row.events.get(kind="rejudged")
    change_verdict(row, Judgement(Verdict.FALSE_ALARM), BEN, Verdict.CONFIRMED)
    with pytest.raises(OutdatedError, match="ben"):
        undismiss(row, ADA, dismissal=first.pk)
    assert verdicts([row]) == ["false_alarm"]


def test_two_changes_are_undone_one_after_the_other() -> None:
    [row] = flag()
    judge_combination(row, LATER, ADA)
    states = [state(row)]
    for verdict, seen in ((Verdict.ACCEPTED, Verdict.LATER), (Verdict.DISMISSED, Verdict.ACCEPTED)):
        change_verdict(row, Judgement(verdict, f"now {verdict}"), BEN, seen)
        states.append(state(row))
    for before in reversed(states[:-1]):
        made = newest_dismissal(row.pk)
        assert made
        undismiss(row, ADA, dismissal=made.event.pk)
        assert state(row) == before


# --- many flags ---


def test_a_bulk_change_keeps_what_each_had_and_its_undo_gives_that_back() -> None:
    rows = flag(times=3)
    judge_combination(rows[0], Judgement(Verdict.ACCEPTED, "known"), ADA)
    judge_combination(rows[1], LATER, BEN)
    before = [state(row) for row in rows[:2]]
    seen = {row.pk: row.last_run_id for row in rows}
    said = {rows[0].pk: Verdict.ACCEPTED, rows[1].pk: Verdict.LATER}
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen, ADA, Judgement(Verdict.CONFIRMED), said)
    bulk_acts.apply(act, ADA)
    assert verdicts(rows) == ["confirmed"] * 3
    assert [ReviewEvent.objects.filter(act=act, kind=kind).count() for kind in ("dismissed", "rejudged")] == [1, 2]
    bulk_acts.undo(act, BEN)
    assert [state(row) for row in rows[:2]] == before
    assert columns(rows[2])["review_status"] is None


def test_a_bulk_change_skips_what_got_another_verdict_since_it_was_seen() -> None:
    rows = flag(times=2)
    for row in rows:
        judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    change_verdict(rows[0], Judgement(Verdict.CONFIRMED), BEN, Verdict.ACCEPTED)
    said = {row.pk: Verdict.ACCEPTED for row in rows}
    seen = {row.pk: row.last_run_id for row in rows}
    act = bulk_acts.freeze_rows(Kind.DISMISS, seen, ADA, Judgement(Verdict.FALSE_ALARM), said)
    bulk_acts.apply(act, ADA)
    assert verdicts(rows) == ["confirmed", "false_alarm"]
    assert list(act.items.order_by("combination_id").values_list("outcome", flat=True)) == ["skipped", "done"]


def test_all_of_the_dismissed_list_get_another_verdict_and_what_waits_is_left_alone() -> None:
    rows = flag(times=3)
    for row in rows[:2]:
        judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    act = bulk_acts.freeze_all(Kind.DISMISS, QueueFilter(tab=Tab.DISMISSED), ADA, Judgement(Verdict.CONFIRMED))
    bulk_acts.apply(act, ADA)
    assert verdicts(rows) == ["confirmed", "confirmed", None]


def test_an_act_is_undone_after_a_change_of_its_verdict_was_undone() -> None:
    rows = flag(times=2)
    act = bulk_acts.freeze_rows(Kind.DISMISS, {row.pk: row.last_run_id for row in rows}, ADA)
    bulk_acts.apply(act, ADA)
    change_verdict(rows[0], Judgement(Verdict.CONFIRMED), BEN, Verdict.DISMISSED)
    made = newest_dismissal(rows[0].pk)
    assert made
    undismiss(rows[0], BEN, dismissal=made.event.pk)
    bulk_acts.undo(act, ADA)
    assert [columns(row)["review_status"] for row in rows] == [None, None]


def test_undoing_a_bulk_restore_keeps_the_reason_and_the_link_of_the_dismissal() -> None:
    [row] = flag()
    judge_combination(row, LATER, ADA)
    act = bulk_acts.freeze_rows(Kind.UNDISMISS, {row.pk: row.last_run_id}, BEN)
    bulk_acts.apply(act, BEN)
    bulk_acts.undo(act, BEN)
    made = newest_dismissal(row.pk)
    assert made
    assert (made.reason, made.event.link) == ("after the holidays", "https://tracker.example/7")


# --- a cause ---


def of_cause(cause: Cause) -> Mapping[str, Any]:
    return Cause.objects.filter(pk=cause.pk).values().get()


def test_another_verdict_on_a_cause_is_told_and_its_undo_gives_back_all_of_the_former_one() -> None:
    rows = flag(times=3)
    cause = the_cause()
    judge(cause, LATER, ADA)
    causes.note_cause(cause, ADA, "a note")
    before, rows_before = of_cause(cause), [state(row) for row in rows]
    change = judge(the_cause(), Judgement(Verdict.CONFIRMED, "it is worse"), BEN, seen=Verdict.LATER)
    assert change.before
    assert change.before["verdict"] == "later"
    assert verdicts(rows) == ["confirmed"] * 3
    undo_verdict(the_cause(), ADA, change.pk)
    assert of_cause(cause) == before
    assert [state(row) for row in rows] == rows_before
    newest = CauseEvent.objects.filter(cause=cause).first()
    assert newest
    assert (newest.kind, newest.verdict, newest.actor) == ("changed_back", "later", "ada")


def test_new_flags_are_new_since_the_former_verdict_again_once_the_change_is_undone() -> None:
    rows = flag(times=2)
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    [new] = flag()
    assert the_cause().new_flags == 1
    change = judge(the_cause(), Judgement(Verdict.CONFIRMED), BEN)
    assert (the_cause().new_flags, columns(new)["review_status"]) == (0, "dismissed")
    undo_verdict(the_cause(), BEN, change.pk)
    assert (the_cause().verdict, the_cause().new_flags) == ("accepted", 1)
    assert [columns(row)["review_status"] for row in (*rows, new)] == ["dismissed", "dismissed", None]


def test_reopening_a_cause_whose_verdict_was_changed_brings_all_of_it_back() -> None:
    rows = flag(times=2)
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    judge(the_cause(), Judgement(Verdict.CONFIRMED), ADA)
    judge(the_cause(), Judgement(Verdict.FALSE_ALARM), ADA)
    reopen(the_cause(), ADA)
    assert the_cause().verdict is None
    assert [columns(row)["review_status"] for row in rows] == [None, None]


def test_a_flag_that_a_person_judged_otherwise_keeps_that_when_its_cause_gets_another_verdict() -> None:
    rows = flag(times=2)
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    change_verdict(rows[0], Judgement(Verdict.FALSE_ALARM, "not this one"), BEN, Verdict.ACCEPTED)
    judge(the_cause(), Judgement(Verdict.CONFIRMED), ADA)
    assert verdicts(rows) == ["false_alarm", "confirmed"]


def test_a_verdict_is_given_on_the_one_that_was_seen_and_on_no_other() -> None:
    flag()
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA, seen=None)
    with pytest.raises(OutdatedError, match="ada has judged it “Accepted”"):
        judge(the_cause(), Judgement(Verdict.CONFIRMED), BEN, seen=None)
    reopen(the_cause(), ADA)
    with pytest.raises(OutdatedError, match="taken back"):
        judge(the_cause(), Judgement(Verdict.CONFIRMED), BEN, seen=Verdict.ACCEPTED)
    assert the_cause().verdict is None


def test_an_undo_never_takes_back_a_later_verdict() -> None:
    flag()
    first = judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    judge(the_cause(), Judgement(Verdict.CONFIRMED), BEN)
    with pytest.raises(OutdatedError, match="ben has decided otherwise since"):
        undo_verdict(the_cause(), ADA, first.pk)
    assert the_cause().verdict == "confirmed"


def test_a_change_is_not_undone_once_another_cause_was_merged_into_it() -> None:
    flag()
    factory.flagged("", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), timezone.now())
    other = Cause.objects.get(checks=[CheckName.SECTION_REPEATED])
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    change = judge(the_cause(), Judgement(Verdict.CONFIRMED), ADA)
    heir = merge(other, the_cause(), ADA)
    with pytest.raises(OutdatedError):
        undo_verdict(heir, ADA, change.pk)
    assert set(Combination.objects.values_list("verdict", flat=True)) == {"confirmed"}


def test_a_merge_into_a_cause_that_is_not_judged_brings_back_what_was_changed_before() -> None:
    rows = flag(times=2)
    factory.flagged("", factory.finding(CheckName.SECTION_REPEATED))
    assign_causes(factory.a_target(), timezone.now())
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    judge(the_cause(), Judgement(Verdict.CONFIRMED), ADA)
    merge(the_cause(), Cause.objects.get(checks=[CheckName.SECTION_REPEATED]), ADA)
    assert [columns(row)["review_status"] for row in rows] == [None, None]


def test_what_was_never_changed_has_no_former_verdict() -> None:
    flag()
    judge(the_cause(), Judgement(Verdict.ACCEPTED), ADA)
    with pytest.raises(RefusedError, match="not changed"):
        causes.restore_former_verdict(the_cause(), ADA)


def test_a_month_counts_the_verdict_that_stands_and_the_former_one_once_a_change_is_undone() -> None:
    flag()
    cause = the_cause()
    with time_machine.travel(datetime(2026, 6, 30, 12, tzinfo=UTC)):
        judge(cause, Judgement(Verdict.ACCEPTED), ADA)
        change = judge(the_cause(), Judgement(Verdict.CONFIRMED), ADA)
        assert verdicts_of(queue_revision(), Month(2026, 6)) == {cause.pk: "confirmed"}
        undo_verdict(the_cause(), ADA, change.pk)
        assert verdicts_of(queue_revision(), Month(2026, 6)) == {cause.pk: "accepted"}
    with time_machine.travel(datetime(2026, 7, 1, 12, tzinfo=UTC)):
        judge(the_cause(), Judgement(Verdict.FALSE_ALARM), ADA)
        reopen(the_cause(), ADA)
        assert verdicts_of(queue_revision(), Month(2026, 7)) == {}
        assert verdicts_of(queue_revision(), Month(2026, 6)) == {cause.pk: "accepted"}
