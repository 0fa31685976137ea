"""What lists count in this process is what the database holds, whatever changed it and however little is read again."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Count, F, Max, Min, Sum
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from selftest.core.judging.findings import CheckName
from selftest.models import Actor, Cause, Combination, Installation, QueueChange, Run, Target
from selftest.reading.flagged_rows import FlaggedRows, flagged_rows, moment_of
from selftest.reading.queue import queue_revision
from selftest.reviewing.dismissal import dismiss, undismiss
from selftest.storage import queue_triggers
from tests.review import factory

NOON = datetime(2026, 6, 30, 12, 0, tzinfo=UTC)
ANNA = Actor("anna")
committed = pytest.mark.django_db(transaction=True)


def counted() -> set[tuple[object, ...]]:
    """As lists count them now, by what they are grouped by."""
    targets = list(Target.objects.values_list("pk", flat=True))
    buckets = flagged_rows(queue_revision().changes).buckets(targets)
    return {
        (*kind, rows, keys, seen, moment_of(newest), moment_of(oldest), most)
        for kind, rows, keys, seen, newest, oldest, most in buckets
    }


def held() -> set[tuple[object, ...]]:
    """The same by the database alone."""
    kinds = Combination.objects.filter(ever_flagged=True).order_by()
    kinds = kinds.values_list("target", "flagged_check", "cause", "review_status", "currently_flagged")
    return set(
        kinds.annotate(
            rows=Count("pk"),
            keys=Sum("pk"),
            seen=Max("last_flagged_run"),
            newest=Max("last_run_timestamp"),
            oldest=Min("first_flagged_timestamp"),
            most=Max("times_flagged"),
        )
    )


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each time that all rows are read."""
    seen: list[int] = []
    read = FlaggedRows.read

    def noted(change: int) -> FlaggedRows:
        seen.append(change)
        return read(change)

    monkeypatch.setattr(FlaggedRows, "read", staticmethod(noted))
    return seen


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


# --- what changes is seen ---


def change_something(rng: random.Random, cause: Cause) -> None:
    """One of all the ways in which rows come, change and go, as its own transaction."""
    rows = list(Combination.objects.filter(ever_flagged=True).order_by("pk"))
    row = rng.choice(rows)
    match rng.randrange(8):
        case 0:
            factory.flagged("", factory.finding(rng.choice([CheckName.CRASH, CheckName.SOURCE_MISMATCH])))
        case 1:
            factory.ask(row)
        case 2:
            factory.ask(row, [factory.finding(CheckName.CRASH)])
        case 3:
            dismiss(row, ANNA)
        case 4 if row.review_status:
            undismiss(row, ANNA)
        case 5:
            with transaction.atomic():
                Combination.objects.filter(pk__in=[row.pk, rows[0].pk]).update(cause=cause)
                Installation.queue_changed()
        case 6:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("UPDATE selftest_combination SET times_flagged = 7 WHERE id = %s", [row.pk])
                Installation.queue_changed()
        case 7 if len(rows) > 3:
            with transaction.atomic():
                row.delete()
                Installation.queue_changed()


@committed
@pytest.mark.parametrize("seed", [1, 2])
def test_after_any_change_lists_count_what_the_database_holds_and_read_all_rows_once(
    seed: int, reads: list[int], clock: time_machine.Traveller
) -> None:
    rng = random.Random(seed)
    cause = factory.make_cause()
    for _ in range(4):
        factory.flagged()
    counted()
    reads.clear()
    for _ in range(40):
        clock.shift(timedelta(seconds=1))
        change_something(rng, cause)
        assert counted() == held()
    assert reads == []


@committed
def test_what_did_not_change_is_not_read_again() -> None:
    rows = [factory.flagged() for _ in range(3)]
    counted()
    dismiss(rows[1], ANNA)
    with CaptureQueriesContext(connection) as seen:
        flagged_rows(queue_revision().changes)
    read = [query["sql"] for query in seen if "first_flagged_timestamp" in query["sql"]]
    assert len(read) == 1
    assert f"IN ({rows[1].pk})" in read[0]


@committed
def test_nothing_is_read_until_the_queue_changes() -> None:
    factory.flagged()
    counted()
    change = queue_revision().changes
    with CaptureQueriesContext(connection) as seen:
        flagged_rows(change)
    assert len(seen) == 0


@committed
def test_what_was_undone_is_not_remembered() -> None:
    row = factory.flagged()
    before = counted()
    with transaction.atomic():
        Combination.objects.filter(pk=row.pk).update(times_flagged=9)
        Installation.queue_changed()
        assert counted() == held() != before
        transaction.set_rollback(True)
    factory.flagged()
    assert counted() == held()


@committed
def test_a_change_that_was_not_told_of_is_seen_with_the_next_one() -> None:
    row = factory.flagged()
    counted()
    Combination.objects.filter(pk=row.pk).update(times_flagged=9)
    factory.flagged()
    assert counted() == held()


@committed
@pytest.mark.database("postgresql")
def test_what_began_first_and_ended_last_is_not_passed_over() -> None:
    """SQLite has one writer at a time."""
    first, second = factory.flagged(), factory.flagged()
    counted()
    has_written, may_end = Event(), Event()

    def begin_first() -> None:
        try:
            with transaction.atomic():
                Combination.objects.filter(pk=first.pk).update(times_flagged=5)
                has_written.set()
                assert may_end.wait(20)
                Installation.queue_changed()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(begin_first)
        assert has_written.wait(20)
        with transaction.atomic():
            Combination.objects.filter(pk=second.pk).update(times_flagged=6)
            Installation.queue_changed()
        assert counted() == held()
        may_end.set()
        ended.result()
    assert counted() == held()


@committed
@pytest.mark.database("postgresql")
def test_who_tells_of_changes_does_not_wait_for_who_makes_others() -> None:
    """The other may wait for the lock that is held while they are told of."""
    first, second = factory.flagged(), factory.flagged()
    Combination.objects.filter(pk=first.pk).update(times_flagged=4)  # and not told of
    has_written, may_end = Event(), Event()

    def begin_first() -> None:
        try:
            with transaction.atomic():
                Combination.objects.filter(pk=first.pk).update(times_flagged=5)
                has_written.set()
                assert may_end.wait(20)
                Installation.queue_changed()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(begin_first)
        assert has_written.wait(20)
        with transaction.atomic():
            Combination.objects.filter(pk=second.pk).update(times_flagged=6)
            Installation.queue_changed()
        assert counted() == held()
        may_end.set()
        ended.result()
    assert counted() == held()
    assert not QueueChange.objects.filter(change=None).exists()


# --- another database in the place of the one that was known ---


@committed
def test_a_database_that_was_emptied_is_read_anew(reads: list[int]) -> None:
    for _ in range(3):
        factory.flagged()
    counted()
    call_command("flush", interactive=False, verbosity=0)
    reads.clear()
    factory.flagged()
    assert counted() == held()
    assert len(reads) == 1


@committed
def test_an_earlier_state_of_the_database_is_read_anew(reads: list[int]) -> None:
    row = factory.flagged()
    counted()
    reads.clear()
    QueueChange.objects.all().delete()
    Combination.objects.filter(pk=row.pk).update(times_flagged=3)
    QueueChange.objects.all().delete()
    Installation.objects.update(queue_changes=F("queue_changes") - 1)
    assert counted() == held()
    assert len(reads) == 1


@committed
def test_all_are_read_again_once_triggers_were_away(reads: list[int]) -> None:
    row = factory.flagged()
    counted()
    reads.clear()
    queue_triggers.before_migrate("default", ["a migration"])
    Combination.objects.filter(pk=row.pk).update(times_flagged=3)
    queue_triggers.after_migrate("default")
    Installation.queue_changed()
    assert counted() == held()
    assert len(reads) == 1


@committed
def test_of_very_many_changes_all_rows_are_read_at_once(reads: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selftest.reading.flagged_rows.MOST_CHANGED", 2)
    rows = [factory.flagged() for _ in range(4)]
    counted()
    reads.clear()
    for count, expected in ((2, 0), (3, 1)):
        with transaction.atomic():
            Combination.objects.filter(pk__in=[row.pk for row in rows[:count]]).update(
                times_flagged=F("times_flagged") + 1
            )
            Installation.queue_changed()
        assert counted() == held()
        assert len(reads) == expected


# --- what is kept of changes ---


@committed
def test_a_combination_has_one_change_however_often_it_changes() -> None:
    row = factory.flagged()
    for _ in range(3):
        factory.ask(row)
    changes = QueueChange.objects.filter(combination=row.pk)
    assert list(changes.values_list("change", flat=True)) == [queue_revision().changes]


@pytest.mark.django_db
def test_what_was_never_flagged_changes_nothing() -> None:
    row = factory.make_combination()
    factory.ask(row)
    assert not QueueChange.objects.filter(combination=row.pk).exists()


@pytest.mark.django_db
def test_what_no_list_counts_by_changes_nothing() -> None:
    row = factory.flagged()
    before = QueueChange.objects.get(combination=row.pk).change
    Combination.objects.filter(pk=row.pk).update(last_query_text="other", held_at=timezone.now())
    assert QueueChange.objects.get(combination=row.pk).change == before
    Run.objects.filter(pk=row.last_run_id).update(own_error="other")
    assert QueueChange.objects.get(combination=row.pk).change == before
