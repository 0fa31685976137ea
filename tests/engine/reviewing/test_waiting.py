"""What of a judged cause waits is known at once, whatever opens or closes a review, not after a further cycle."""

import pytest
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.cycles.cause_assignment import assign_causes
from selftest.models import BulkAct, Cause, Combination, Flag
from selftest.reading.causes import CauseFilter, listed_causes
from selftest.reading.queue import QueueFilter, Tab, queue_revision
from selftest.reviewing import bulk_acts
from selftest.reviewing.causes import judge, merge, move_flags, reopen, undo_verdict
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.reviewing.judgement import Judgement
from tests.engine.reviewing.flags import ADA, BLANK, TWICE, flag
from tests.review import factory

pytestmark = pytest.mark.django_db

ACCEPTED = Judgement(Cause.Verdict.ACCEPTED)


def cause_of(check: CheckName) -> Cause:
    found = Flag.objects.filter(check_name=check)[0].cause
    assert found is not None
    return found


def inbox() -> list[int]:
    return [one.row.pk for one in listed_causes(CauseFilter(), queue_revision(), timezone.now())]


def waiting(cause: Cause) -> int:
    return Cause.objects.get(pk=cause.pk).new_flags


def open_ones() -> int:
    return Combination.objects.filter(review_status=None).count()


def test_a_cause_that_is_reopened_waits_with_what_another_ones_verdict_closed() -> None:
    """Each shows both: the first verdict closes none of them, as the other cause waits; the second closes all."""
    flag(TWICE, BLANK, times=3)
    twice, blank = cause_of(TWICE), cause_of(BLANK)
    judge(twice, ACCEPTED, ADA)
    judge(blank, Judgement(Cause.Verdict.CONFIRMED), ADA)
    assert (open_ones(), inbox()) == (0, [])
    reopen(twice, ADA)
    assert (open_ones(), inbox()) == (3, [twice.pk])
    assert waiting(blank) == 0
    judge(twice, ACCEPTED, ADA)
    assert (open_ones(), inbox()) == (0, [])


def test_undone_a_verdict_opens_what_another_ones_closed_but_not_what_a_person_dismissed_alone() -> None:
    rows = flag(TWICE, BLANK, times=3)
    dismiss(rows[0], ADA)
    twice, blank = cause_of(TWICE), cause_of(BLANK)
    event = judge(twice, ACCEPTED, ADA)
    judge(blank, ACCEPTED, ADA)
    undo_verdict(twice, ADA, event.pk)
    assert (open_ones(), inbox()) == (2, [twice.pk])


def test_open_flags_that_are_moved_to_a_judged_cause_wait_with_it() -> None:
    flag(TWICE, times=3)
    flag(BLANK, times=3)
    twice, blank = cause_of(TWICE), cause_of(BLANK)
    judge(blank, ACCEPTED, ADA)
    assert inbox() == [twice.pk]
    move_flags(list(Flag.objects.filter(cause=twice).values_list("pk", flat=True)), blank, ADA)
    assert (inbox(), waiting(blank)) == ([blank.pk], 3)


def test_a_flag_that_is_restored_waits_with_its_judged_cause_until_it_is_dismissed_again() -> None:
    rows = flag(TWICE, times=3)
    twice = cause_of(TWICE)
    judge(twice, ACCEPTED, ADA)
    undismiss(rows[0], ADA)
    assert (inbox(), waiting(twice)) == ([twice.pk], 1)
    dismiss(rows[0], ADA)
    assert (inbox(), waiting(twice)) == ([], 0)


def test_flags_that_are_restored_at_once_wait_with_their_judged_cause_until_that_is_undone() -> None:
    flag(TWICE, times=3)
    twice = cause_of(TWICE)
    judge(twice, ACCEPTED, ADA)
    act = bulk_acts.freeze_all(BulkAct.Kind.UNDISMISS, QueueFilter(tab=Tab.DISMISSED), ADA)
    bulk_acts.apply(act, ADA)
    assert (inbox(), waiting(twice)) == ([twice.pk], 3)
    bulk_acts.undo(act, ADA)
    assert (inbox(), waiting(twice)) == ([], 0)


def test_a_judged_cause_leaves_the_inbox_with_the_last_of_its_new_flags() -> None:
    flag(TWICE, times=3)
    twice = cause_of(TWICE)
    judge(twice, ACCEPTED, ADA)
    new = flag(TWICE, times=2)
    assert (inbox(), waiting(twice)) == ([twice.pk], 2)
    for row in new:
        dismiss(row, ADA)
    assert (inbox(), waiting(twice)) == ([], 0)
    assign_causes(factory.a_target(), timezone.now())
    assert waiting(twice) == 0


def test_a_cause_shows_the_checks_of_what_was_merged_into_it_or_moved_away() -> None:
    flag(TWICE, times=2)
    flag(BLANK, times=3)
    twice, blank = cause_of(TWICE), cause_of(BLANK)
    merge(twice, blank, ADA)
    assert Cause.objects.get(pk=blank.pk).checks == [BLANK, TWICE]
    move_flags(list(Flag.objects.filter(check_name=BLANK).values_list("pk", flat=True)), None, ADA)
    assert Cause.objects.get(pk=blank.pk).checks == [TWICE]
