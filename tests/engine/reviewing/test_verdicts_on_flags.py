"""Verdicts on flags: what a combination keeps of them, what takes them back, and when one for later is over."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.cycles.putting_off import bring_back_due
from selftest.models import Actor, BulkAct, Cause, Combination, Cycle, ReviewEvent
from selftest.reading.queue import QueueFilter, Tab, in_tab
from selftest.reading.verdicts import JudgedAs, Month
from selftest.refusals import RefusedError
from selftest.reviewing import bulk_acts
from selftest.reviewing.bulk_acts import Kind
from selftest.reviewing.causes import judge, merge, reopen
from selftest.reviewing.dismissal import dismiss, judge_combination, undismiss
from selftest.reviewing.judgement import Judgement
from tests.review import factory

pytestmark = pytest.mark.django_db

ADA = Actor("ada")
NOON = datetime(2026, 6, 30, 12, tzinfo=UTC)
Verdict = Cause.Verdict
TWICE, BLANK = CheckName.SECTION_REPEATED, CheckName.SECTION_BLANK


def flag(check: CheckName = BLANK, times: int = 1) -> list[Combination]:
    made = [factory.flagged("", factory.finding(check)) for _ in range(times)]
    assign_causes(factory.a_target(), timezone.now())
    return made


def cause_of(check: CheckName) -> Cause:
    return Cause.objects.get(checks=[check], merged_into=None)


def verdicts(rows: list[Combination]) -> list[tuple[str | None, str | None]]:
    """The review status and the verdict of each."""
    found = Combination.objects.in_bulk([row.pk for row in rows])
    return [(found[row.pk].review_status, found[row.pk].verdict) for row in rows]


def judged_at_once(rows: list[Combination], judgement: Judgement) -> BulkAct:
    act = bulk_acts.freeze_rows(Kind.DISMISS, {row.pk: row.last_run_id or 0 for row in rows}, ADA, judgement)
    bulk_acts.apply(act, ADA)
    return act


def events(row: Combination, kind: str) -> QuerySet[ReviewEvent]:
    return row.events.filter(kind=kind).order_by("id")


OPEN, ACCEPTED = (None, None), ("dismissed", "accepted")


# --- given and taken back ---


@pytest.mark.parametrize("verdict", [Verdict.CONFIRMED, Verdict.FALSE_ALARM, Verdict.ACCEPTED, Verdict.LATER])
def test_a_verdict_dismisses_and_is_told_with_who_why_and_where(verdict: Cause.Verdict) -> None:
    [row] = flag()
    assert judge_combination(row, Judgement(verdict, "known", "https://tracker.example/7"), ADA)
    assert verdicts([row]) == [("dismissed", verdict)]
    told = events(row, "dismissed").get()
    assert (told.verdict, told.actor, told.note, told.link) == (verdict, "ada", "known", "https://tracker.example/7")


def test_a_plain_dismissal_has_no_verdict() -> None:
    [row, other] = flag(times=2)
    dismiss(row, ADA, "noise")
    judge_combination(other, Judgement(Verdict.DISMISSED), ADA)
    assert verdicts([row, other]) == [("dismissed", None)] * 2
    assert events(row, "dismissed").get().verdict is None


def test_a_link_that_no_browser_should_open_is_refused_and_nothing_happens() -> None:
    [row] = flag()
    with pytest.raises(RefusedError, match="the link"):
        judge_combination(row, Judgement(Verdict.CONFIRMED, link="javascript:alert(1)"), ADA)
    assert verdicts([row]) == [OPEN]


def test_restored_or_flagged_again_it_has_no_verdict_any_more() -> None:
    restored, again = flag(times=2)
    for row in (restored, again):
        judge_combination(row, Judgement(Verdict.ACCEPTED), ADA)
    undismiss(restored, ADA)
    factory.ask(again, [factory.finding(BLANK)])
    assert verdicts([restored, again]) == [OPEN] * 2
    assert events(again, "resurfaced").count() == 1


def test_a_bulk_act_gives_its_verdict_to_all_and_its_undo_takes_it_back() -> None:
    rows = flag(times=3)
    act = judged_at_once(rows, Judgement(Verdict.ACCEPTED, "since May", "https://tracker.example/7"))
    assert verdicts(rows) == [ACCEPTED] * 3
    told = events(rows[0], "dismissed").get()
    assert (told.verdict, told.note, told.link) == ("accepted", "since May", "https://tracker.example/7")
    bulk_acts.undo(act, ADA)
    assert verdicts(rows) == [OPEN] * 3


def test_undoing_a_bulk_restore_gives_each_the_verdict_that_it_had_and_what_it_waited_for() -> None:
    rows = flag(times=3)
    judge_combination(rows[0], Judgement(Verdict.ACCEPTED), ADA)
    judge_combination(rows[1], Judgement(Verdict.LATER, until_date=date(2027, 1, 1)), ADA)
    dismiss(rows[2], ADA)
    seen = {row.pk: row.last_run_id or 0 for row in rows}
    act = bulk_acts.freeze_rows(Kind.UNDISMISS, seen, ADA)
    bulk_acts.apply(act, ADA)
    assert verdicts(rows) == [OPEN] * 3
    bulk_acts.undo(act, ADA)
    assert verdicts(rows) == [ACCEPTED, ("dismissed", "later"), ("dismissed", None)]
    assert events(rows[0], "dismissed").last().verdict == "accepted"  # type: ignore[union-attr]
    assert bring_back_due(datetime(2027, 1, 1, tzinfo=UTC)) == 1


def test_judging_a_cause_writes_its_verdict_on_what_it_dismisses_and_reopening_takes_it_back() -> None:
    rows = flag(times=2)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED, "known"), ADA)
    assert verdicts(rows) == [ACCEPTED] * 2
    judge(cause_of(BLANK), Judgement(Verdict.CONFIRMED), ADA)
    assert verdicts(rows) == [("dismissed", "confirmed")] * 2
    reopen(cause_of(BLANK), ADA)
    assert verdicts(rows) == [OPEN] * 2


# --- merged causes ---


def test_merged_into_one_that_is_not_judged_what_was_dismissed_waits_with_it() -> None:
    rows, others = flag(BLANK, 2), flag(TWICE, 2)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA)
    merge(cause_of(BLANK), cause_of(TWICE), ADA)
    assert verdicts([*rows, *others]) == [OPEN] * 4


@pytest.mark.parametrize("is_judged", [True, False])
def test_merged_into_a_judged_one_its_flags_have_that_verdict_and_come_back_with_it(is_judged: bool) -> None:
    rows, others = flag(BLANK, 2), flag(TWICE, 2)
    if is_judged:
        judge(cause_of(BLANK), Judgement(Verdict.FALSE_ALARM), ADA)
    judge(cause_of(TWICE), Judgement(Verdict.ACCEPTED, "known"), ADA)
    heir = cause_of(TWICE)
    merge(cause_of(BLANK), heir, ADA)
    assert verdicts([*rows, *others]) == [ACCEPTED] * 4
    assert events(rows[0], "dismissed").last().note == "known"  # type: ignore[union-attr]
    assign_causes(factory.a_target(), timezone.now())
    heir.refresh_from_db()
    assert heir.new_flags == 0, "what came with the merge is not new"
    reopen(heir, ADA)
    assert verdicts([*rows, *others]) == [OPEN] * 4


def test_a_merge_swallows_no_new_flag_of_the_judged_one() -> None:
    flag(BLANK, 2)
    others = flag(TWICE, 2)
    judge(cause_of(TWICE), Judgement(Verdict.ACCEPTED), ADA)
    factory.ask(others[0], [factory.finding(TWICE)])
    assign_causes(factory.a_target(), timezone.now())
    heir = cause_of(TWICE)
    merge(cause_of(BLANK), heir, ADA)
    assert verdicts(others) == [OPEN, ACCEPTED]
    heir.refresh_from_db()
    assert heir.new_flags == 1


def test_what_the_engine_merged_comes_back_with_the_cause_that_it_went_into() -> None:
    rows, others = flag(BLANK, 2), flag(TWICE, 2)
    judge(cause_of(BLANK), Judgement(Verdict.FALSE_ALARM), ADA)
    judge(cause_of(TWICE), Judgement(Verdict.ACCEPTED), ADA)
    heir = cause_of(TWICE)
    Cause.objects.filter(pk=cause_of(BLANK).pk).update(merged_into=heir)  # as an assignment does
    reopen(heir, ADA)
    assert verdicts([*rows, *others]) == [OPEN] * 4


# --- later ---


def test_later_comes_back_at_its_date_and_says_so() -> None:
    row, other = flag(times=2)
    with time_machine.travel(NOON - timedelta(days=1)):
        judge_combination(row, Judgement(Verdict.LATER, until_date=NOON.date()), ADA)
    judge_combination(other, Judgement(Verdict.LATER), ADA)
    assert bring_back_due(NOON - timedelta(days=1)) == 0
    assert bring_back_due(NOON) == 1
    assert verdicts([row, other]) == [OPEN, ("dismissed", "later")]
    due = events(row, "due").get()
    assert (due.actor, due.note, due.at) == ("engine", "put off until 30 Jun 2026", NOON)
    assert bring_back_due(NOON) == 0


@pytest.mark.parametrize(
    "until", [{"until_date": NOON.date()}, {"until_date": date(2020, 1, 1)}, {"until_new_flags": 0}]
)
def test_nothing_is_put_off_until_what_has_come_already(until: dict[str, Any]) -> None:
    [row] = flag()
    said = Judgement(Verdict.LATER, **until)
    with time_machine.travel(NOON), pytest.raises(RefusedError, match="put"):
        judge_combination(row, said, ADA)
    with time_machine.travel(NOON), pytest.raises(RefusedError, match="put"):
        judge(cause_of(BLANK), said, ADA)
    assert verdicts([row]) == [OPEN]


@pytest.mark.parametrize(
    ("said", "answers_with", "is_back"),
    [
        (Judgement(Verdict.LATER, until_other_version=True), "1.0", False),
        (Judgement(Verdict.LATER, until_other_version=True), "1.1", True),
        (Judgement(Verdict.LATER, until_version="1.2"), "1.1", False),
        (Judgement(Verdict.LATER, until_version="1.2"), "1.2", True),
    ],
)
def test_later_comes_back_with_its_version(said: Judgement, answers_with: str, is_back: bool) -> None:
    rows = flag(times=2)
    Cycle.objects.update(target_version="1.0")
    judge_combination(rows[0], said, ADA)
    judged_at_once(rows[1:], said)
    Cycle.objects.filter(pk=factory.make_cycle().pk).update(target_version=answers_with)
    assert bring_back_due(timezone.now()) == (2 if is_back else 0)


def test_what_a_cause_put_off_comes_back_with_the_cause_alone() -> None:
    rows = flag(times=2)
    with time_machine.travel(NOON - timedelta(days=1)):
        judge(cause_of(BLANK), Judgement(Verdict.LATER, until_date=NOON.date()), ADA)
    assert bring_back_due(NOON) == 0
    assert verdicts(rows) == [("dismissed", "later")] * 2


def test_an_undo_leaves_alone_what_is_back_by_then() -> None:
    rows = flag(times=2)
    with time_machine.travel(NOON - timedelta(days=1)):
        act = judged_at_once(rows, Judgement(Verdict.LATER, until_date=NOON.date()))
    bring_back_due(NOON)
    dismiss(rows[0], ADA)
    bulk_acts.undo(act, ADA)
    assert verdicts(rows) == [("dismissed", None), OPEN]


# --- lists ---


def test_dismissed_flags_are_found_by_their_verdict_and_by_the_month() -> None:
    june, july, plain, by_cause, waiting = flag(times=5)
    with time_machine.travel(NOON, tick=False):
        judge_combination(june, Judgement(Verdict.CONFIRMED), ADA)
        dismiss(plain, ADA)
    with time_machine.travel(NOON + timedelta(days=1), tick=False):
        judge_combination(july, Judgement(Verdict.FALSE_ALARM), ADA)

    def found(**filters: object) -> set[Combination]:
        return set(in_tab(QueueFilter(Tab.DISMISSED, **filters), timezone.now()))  # type: ignore[arg-type]

    assert found(verdict=JudgedAs.CONFIRMED) == {june}
    assert found(verdict=JudgedAs.DISMISSED) == {plain}
    assert found(verdict=JudgedAs.OF_THE_CHECK) == {june, july}
    assert found(month=Month(2026, 6)) == {june, plain}
    assert found(is_alone=True) == {june, july}
    undismiss(june, ADA)
    assert found(month=Month(2026, 6)) == {plain}
    assert found(verdict=JudgedAs.CONFIRMED) == set()
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA)
    assert found(is_alone=True) == set()
    assert found(verdict=JudgedAs.ACCEPTED) == {june, by_cause, waiting}


@pytest.mark.parametrize("text", ["2026", "2026-13", "2026-6", "June", "2026-06-01", "9999-12", "0000-01"])
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Month.of_text(text)


def test_months_follow_each_other_across_a_year() -> None:
    assert Month(2026, 1).earlier(1) == Month(2025, 12)
    assert Month(2026, 12).earlier(-1) == Month(2027, 1)
    assert str(Month.of_text("2026-06")) == "2026-06"
