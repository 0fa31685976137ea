"""Verdicts on causes: what they close, what brings them back, and that all of it can be undone."""

from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import Cause, CauseEvent, Combination, Cycle, Flag, ReviewEvent
from selftest.reading.causes import (
    CauseFilter,
    CauseState,
    ListedCause,
    cause_numbered,
    combinations_by_cause,
    example_queries,
    listed_causes,
)
from selftest.reading.queue import queue_revision
from selftest.reading.verdicts import JudgedAs
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.causes import assign_cause, judge, merge, move_flags, note_cause, reopen
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.reviewing.judgement import Judgement
from selftest.storage.leading_causes import follow_flags
from tests.engine.reviewing.flags import ADA, BLANK, TWICE, flag
from tests.review import factory

pytestmark = pytest.mark.django_db

Verdict = Cause.Verdict


def cause_of(check: CheckName) -> Cause:
    return Cause.objects.get(checks=[check])


def listed(state: CauseState = CauseState.INBOX, **filters: Any) -> list[ListedCause]:
    return listed_causes(CauseFilter(state=state, **filters), queue_revision(), timezone.now())


def inbox() -> list[str]:
    return [one.row.checks[0] for one in listed()]


def statuses(rows: list[Combination]) -> list[str | None]:
    return [Combination.objects.get(pk=row.pk).review_status for row in rows]


def again(combination: Combination, *checks: CheckName) -> None:
    factory.ask(combination, [factory.finding(check) for check in checks])
    assign_causes(factory.a_target(), timezone.now())


# --- the list ---


def test_the_inbox_holds_what_is_not_judged_and_has_open_flags_most_of_them_first() -> None:
    flag(BLANK, times=4)
    flag(TWICE, times=6)
    assert [(one.row.checks, one.combinations.open, one.combinations.now) for one in listed()] == [
        ([TWICE], 6, 6),
        ([BLANK], 4, 4),
    ]


def test_a_second_finding_of_a_run_is_counted_for_its_own_cause() -> None:
    flag(BLANK, times=3)
    flag(BLANK, TWICE, times=4)
    assert {one.row.checks[0]: one.combinations.open for one in listed()} == {BLANK: 7, TWICE: 4}


def test_a_combination_with_two_flags_of_one_cause_is_counted_once() -> None:
    flag(BLANK, times=3)
    flag(BLANK, TWICE, times=4)
    merge(cause_of(TWICE), cause_of(BLANK), ADA)
    assert [(one.combinations.open, one.combinations.now) for one in listed()] == [(7, 7)]


def test_a_combination_is_counted_for_a_further_finding_where_the_first_has_no_cause() -> None:
    flag(BLANK, times=3)
    [row] = flag(BLANK, TWICE)
    blank, twice = cause_of(BLANK), cause_of(TWICE)
    Flag.objects.filter(combination=row, cause=blank).update(cause=None)
    follow_flags(Flag.objects.filter(combination=row).values_list("pk", flat=True))
    combinations_by_cause.cache_clear()
    assert {one.row.pk: one.combinations.open for one in listed(CauseState.ALL)} == {blank.pk: 3, twice.pk: 1}


def test_what_was_dismissed_row_by_row_leaves_the_inbox_and_is_still_listed_among_all() -> None:
    rows = flag(BLANK, times=3)
    Combination.objects.filter(pk__in=[row.pk for row in rows]).update(review_status="dismissed")
    combinations_by_cause.cache_clear()
    assert listed() == []
    assert [one.row.checks for one in listed(CauseState.ALL)] == [[BLANK]]
    assert listed(CauseState.JUDGED) == []


def test_filters_leave_what_they_say() -> None:
    flag(BLANK, times=3)
    flag(TWICE, times=3)
    ada = User.objects.create_user("ada")
    assign_cause(cause_of(BLANK), ADA, ada)
    judge(cause_of(TWICE), Judgement(Verdict.ACCEPTED), ADA)
    everything = CauseState.ALL
    assert [one.row.checks for one in listed(everything, assignee="ada")] == [[BLANK]]
    assert [one.row.checks for one in listed(everything, is_unassigned=True)] == [[TWICE]]
    assert [one.row.checks for one in listed(everything, check=TWICE)] == [[TWICE]]
    assert [one.row.checks for one in listed(everything, verdict=JudgedAs.ACCEPTED)] == [[TWICE]]
    assert listed(everything, target="no such") == []


def test_the_smallest_query_is_the_shortest_that_shows_it() -> None:
    for text in ("a long one about many things", "a short one", "one of middling length"):
        factory.flagged(text, factory.finding(BLANK))
    assign_causes(factory.a_target(), timezone.now())
    [example] = example_queries([cause_of(BLANK)]).values()
    assert (example.text, example.is_minimised) == ("a short one", False)


# --- verdicts ---


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_dismisses_all_its_combinations_and_leaves_the_inbox(verdict: Cause.Verdict) -> None:
    rows = flag(BLANK, times=3)
    others = flag(TWICE, times=2)
    judge(cause_of(BLANK), Judgement(verdict, "known since May"), ADA, seen_flags=3)
    assert statuses(rows) == ["dismissed"] * 3
    assert statuses(others) == [None] * 2
    assert inbox() == [TWICE]
    assert [one.row.verdict for one in listed(CauseState.JUDGED)] == [verdict]
    events = ReviewEvent.objects.filter(kind="dismissed")
    assert {(event.combination_id, event.actor, event.note) for event in events} == {
        (row.pk, "ada", "known since May") for row in rows
    }
    told = CauseEvent.objects.filter(cause=cause_of(BLANK), kind="judged").get()
    assert (told.verdict, told.actor, told.note) == (verdict, "ada", "known since May")


def test_a_combination_that_another_open_cause_shows_in_stays_until_that_one_is_judged_too() -> None:
    both = flag(BLANK, TWICE, times=4)
    flag(BLANK, times=2)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA)
    assert statuses(both) == [None] * 4
    assert inbox() == [TWICE]
    judge(cause_of(TWICE), Judgement(Verdict.CONFIRMED), ADA)
    assert statuses(both) == ["dismissed"] * 4
    assert inbox() == []


def test_new_flags_bring_a_judged_cause_back_as_one_row_that_says_how_many() -> None:
    rows = flag(BLANK, times=3)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA)
    again(rows[0])
    assert inbox() == []
    again(rows[0], BLANK)
    again(rows[1], BLANK)
    [back] = listed()
    assert (back.row.new_flags, back.row.verdict, back.combinations.open) == (2, "accepted", 2)
    judge(back.row, Judgement(Verdict.ACCEPTED), ADA)
    assert (inbox(), cause_of(BLANK).new_flags) == ([], 0)
    assert statuses(rows) == ["dismissed"] * 3


def test_of_flags_that_came_since_the_caller_looked_nothing_is_judged() -> None:
    rows = flag(BLANK, times=3)
    with pytest.raises(OutdatedError, match="1 more flag came since you looked"):
        judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA, seen_flags=2)
    assert statuses(rows) == [None] * 3
    assert cause_of(BLANK).verdict is None


def test_reopened_it_is_as_it_was_but_for_what_was_restored_by_hand() -> None:
    rows = flag(BLANK, times=3)
    judge(cause_of(BLANK), Judgement(Verdict.FALSE_ALARM, "no", link=""), ADA)
    undismiss(Combination.objects.get(pk=rows[0].pk), ADA)
    again(rows[1], BLANK)
    reopen(cause_of(BLANK), ADA, "it is real")
    assert statuses(rows) == [None] * 3
    assert inbox() == [BLANK]
    row = cause_of(BLANK)
    assert (row.verdict, row.reason, row.judged_by, row.new_flags, row.act) == (None, "", "", 0, None)
    assert [event.kind for event in row.events.order_by("id")][-1] == "reopened"
    with pytest.raises(RefusedError, match="not judged"):
        reopen(row, ADA)


@pytest.mark.parametrize("flagged_between", [False, True])
def test_judged_twice_and_reopened_all_that_either_verdict_dismissed_is_back(flagged_between: bool) -> None:
    rows = flag(BLANK, times=3)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED, "known"), ADA)
    if flagged_between:
        again(rows[0], BLANK)
    judge(cause_of(BLANK), Judgement(Verdict.FALSE_ALARM, "it is not one"), ADA)
    assert statuses(rows) == ["dismissed"] * 3
    for row in rows:
        told = ReviewEvent.objects.filter(combination=row).latest("pk")
        assert (told.verdict, told.note) == ("false_alarm", "it is not one"), "the verdict that stands says why"
    reopen(cause_of(BLANK), ADA)
    assert statuses(rows) == [None] * 3
    assert inbox() == [BLANK]


def test_judged_again_it_leaves_alone_what_was_dismissed_row_by_row() -> None:
    rows = flag(BLANK, times=2)
    dismiss(rows[0], ADA, "by itself")
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED), ADA)
    judge(cause_of(BLANK), Judgement(Verdict.CONFIRMED), ADA)
    reopen(cause_of(BLANK), ADA)
    assert statuses(rows) == ["dismissed", None]


def test_a_link_is_kept_and_one_that_no_browser_should_open_is_refused() -> None:
    flag(BLANK, times=2)
    judge(cause_of(BLANK), Judgement(Verdict.CONFIRMED, link="https://tracker.example/7"), ADA)
    assert cause_of(BLANK).link == "https://tracker.example/7"
    for link in ("javascript:alert(1)", "tracker", "https://x.example/" + 500 * "a"):
        with pytest.raises(RefusedError, match="the link"):
            judge(cause_of(BLANK), Judgement(Verdict.CONFIRMED, link=link), ADA)


def test_a_reason_that_is_too_long_is_refused_and_nothing_happens() -> None:
    rows = flag(BLANK, times=2)
    with pytest.raises(RefusedError, match="2001 characters; the limit is 2000"):
        judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED, 2001 * "a"), ADA)
    assert statuses(rows) == [None] * 2


# --- later ---


def test_later_until_a_date() -> None:
    rows = flag(BLANK, times=2)
    today = timezone.now()
    judge(cause_of(BLANK), Judgement(Verdict.LATER, until_date=today.date() + timedelta(days=3)), ADA)
    again(rows[0], BLANK)
    assert inbox() == []
    with time_machine.travel(today + timedelta(days=3), tick=False):
        assert inbox() == [BLANK]


def test_later_until_so_many_new_flags() -> None:
    rows = flag(BLANK, times=3)
    judge(cause_of(BLANK), Judgement(Verdict.LATER, until_new_flags=2), ADA)
    again(rows[0], BLANK)
    assert inbox() == []
    again(rows[1], BLANK)
    assert inbox() == [BLANK]


@pytest.mark.parametrize(
    ("until", "answers_with", "is_back"), [("1.0", "1.1", True), ("1.2", "1.1", False), ("1.2", "1.2", True)]
)
def test_later_until_another_version_or_until_this_one(until: str, answers_with: str, is_back: bool) -> None:
    flag(BLANK, times=2)
    Cycle.objects.update(target_version="1.0")
    judge(cause_of(BLANK), Judgement(Verdict.LATER, until_version=until), ADA)
    assert inbox() == []
    Cycle.objects.filter(pk=factory.make_cycle().pk).update(target_version=answers_with)
    assert inbox() == ([BLANK] if is_back else [])


def test_later_without_a_condition_comes_back_with_the_next_flag() -> None:
    rows = flag(BLANK, times=2)
    judge(cause_of(BLANK), Judgement(Verdict.LATER), ADA)
    again(rows[0], BLANK)
    assert inbox() == [BLANK]


def test_conditions_are_of_later_alone() -> None:
    flag(BLANK, times=2)
    judge(cause_of(BLANK), Judgement(Verdict.ACCEPTED, until_date=date(2020, 1, 1), until_new_flags=1), ADA)
    row = cause_of(BLANK)
    assert (row.until_date, row.until_new_flags) == (None, None)


# --- whose it is, notes, and which flags are its own ---


def test_it_is_assigned_to_a_person_and_to_no_one() -> None:
    flag(BLANK, times=2)
    bob = User.objects.create_user("bob")
    assert assign_cause(cause_of(BLANK), ADA, bob)
    assert cause_of(BLANK).held_by == bob
    assert not assign_cause(cause_of(BLANK), ADA, bob)
    assert assign_cause(cause_of(BLANK), ADA, None)
    kinds = [event.kind for event in cause_of(BLANK).events.order_by("id")]
    assert kinds == ["found", "assigned", "unassigned"]


def test_notes_are_kept_and_an_empty_one_is_refused() -> None:
    flag(BLANK, times=2)
    note_cause(cause_of(BLANK), ADA, " seen in 3.50 ")
    assert cause_of(BLANK).events.order_by("-id")[0].note == "seen in 3.50"
    with pytest.raises(RefusedError, match="empty"):
        note_cause(cause_of(BLANK), ADA, "  ")


def test_flags_are_moved_to_a_cause_of_their_own_and_counted_there() -> None:
    flag(BLANK, times=4)
    row = cause_of(BLANK)
    some = list(Flag.objects.order_by("id").values_list("pk", flat=True)[:2])
    own = move_flags(some, None, ADA)
    row.refresh_from_db()
    assert (row.flags, own.flags, own.checks) == (2, 2, [BLANK])
    assert row.example is not None
    assert row.example.pk not in some
    assert own.example_id == some[0]
    assert row.events.order_by("-id")[0].kind == "moved"
    again(factory.make_combination(), BLANK)
    own.refresh_from_db()
    assert own.flags == 2, "the engine leaves them alone"
    with pytest.raises(RefusedError, match="select flags"):
        move_flags([], None, ADA)


def test_moved_and_merged_flags_take_their_combinations_along() -> None:
    rows = flag(BLANK, times=3)
    both = factory.flagged("", factory.finding(BLANK), factory.finding(TWICE))
    assign_causes(factory.a_target(), timezone.now())
    first, second = (Flag.objects.get(combination=row).pk for row in rows[:2])
    own = move_flags([first, second, Flag.objects.get(combination=both, check_name=TWICE).pk], None, ADA)
    assert set(Combination.objects.filter(cause=own)) == {rows[0], rows[1]}, "of the third a second flag was moved"
    old = cause_of(BLANK)
    merge(own, old, ADA)
    assert Combination.objects.filter(cause=old).count() == 4


def test_a_merged_cause_is_found_by_its_old_number_and_what_is_like_it_goes_along() -> None:
    flag(BLANK, times=3)
    flag(TWICE, times=3)
    gone, heir = cause_of(BLANK), cause_of(TWICE)
    merge(gone, heir, ADA)
    assert cause_numbered(gone.pk) == heir
    flag(BLANK, times=2)
    heir.refresh_from_db()
    assert heir.flags == Flag.objects.filter(cause=heir).count() == 8
    with pytest.raises(RefusedError, match="another one"):
        merge(heir, heir, ADA)
    with pytest.raises(OutdatedError, match="merged into another one"):
        judge(gone, Judgement(Verdict.ACCEPTED), ADA)
