"""One combination under review: assigned, unassigned, noted."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connections

from selftest.models import Actor, Combination, ReviewEvent
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.assignment import assign, unassign
from selftest.reviewing.dismissal import dismiss
from selftest.reviewing.events import NOTE_CHARACTERS
from selftest.reviewing.notes import add_note
from tests.review import factory


@pytest.fixture
def broken(db: None) -> Combination:
    return factory.flagged("tell me about molybdenum")


@pytest.fixture
def anna(db: None) -> Actor:
    return Actor.person(User.objects.create_user("anna"))


@pytest.fixture
def otto(db: None) -> Actor:
    return Actor.person(User.objects.create_user("otto"))


def events(combination: Combination) -> list[tuple[str, str]]:
    """The story without what the engine did, the oldest first."""
    told = ReviewEvent.objects.filter(combination=combination, user__isnull=False).order_by("id")
    return list(told.values_list("kind", "actor"))


def test_it_is_assigned_to_who_asks_and_an_event_records_it(broken: Combination, anna: Actor) -> None:
    assert assign(broken, anna) is True
    broken.refresh_from_db()
    assert broken.held_by == anna.user
    assert broken.held_at is not None
    assert events(broken) == [("taken", "anna")]


def test_assigning_it_to_its_assignee_changes_nothing(broken: Combination, anna: Actor) -> None:
    assign(broken, anna)
    broken.refresh_from_db()
    since = broken.held_at
    assert assign(broken, anna) is False
    broken.refresh_from_db()
    assert broken.held_at == since
    assert events(broken) == [("taken", "anna")]


def test_what_is_assigned_to_another_is_refused_with_their_name(broken: Combination, anna: Actor, otto: Actor) -> None:
    assign(broken, anna)
    with pytest.raises(OutdatedError, match="it is assigned to anna already"):
        assign(broken, otto)
    broken.refresh_from_db()
    assert broken.held_by == anna.user
    assert events(broken) == [("taken", "anna")]


def test_unassigned_it_can_be_assigned_to_another(broken: Combination, anna: Actor, otto: Actor) -> None:
    assign(broken, anna)
    unassign(broken, anna)
    broken.refresh_from_db()
    assert (broken.held_by, broken.held_at) == (None, None)
    assert assign(broken, otto) is True
    assert events(broken) == [("taken", "anna"), ("released", "anna"), ("taken", "otto")]


def test_anyone_may_unassign_it_and_an_event_records_who(broken: Combination, anna: Actor, otto: Actor) -> None:
    """A colleague on holiday must not keep it for ever."""
    assign(broken, anna)
    unassign(broken, otto)
    assert events(broken) == [("taken", "anna"), ("released", "otto")]


def test_what_is_assigned_to_no_one_cannot_be_unassigned(broken: Combination, anna: Actor) -> None:
    with pytest.raises(RefusedError, match="assigned to no one"):
        unassign(broken, anna)
    assert events(broken) == []


def test_a_new_flag_leaves_its_assignee(broken: Combination, anna: Actor) -> None:
    assign(broken, anna)
    factory.ask(broken, [factory.finding()])
    assert broken.held_by == anna.user


def test_a_dismissal_leaves_the_assignee_and_what_resurfaces_is_free(
    broken: Combination, anna: Actor, otto: Actor
) -> None:
    assign(broken, anna)
    dismiss(broken, otto)
    broken.refresh_from_db()
    assert broken.held_by == anna.user
    factory.ask(broken, [factory.finding()])
    assert (broken.held_by, broken.held_at, broken.review_status) == (None, None, None)


def test_a_note_is_an_event_and_changes_nothing_else(broken: Combination, anna: Actor) -> None:
    before = Combination.objects.filter(pk=broken.pk).values().get()
    add_note(broken, anna, "  seen before,\nin May  ")
    event = ReviewEvent.objects.get(kind="noted")
    assert (event.actor, event.note, event.run_id) == ("anna", "seen before,\nin May", broken.last_run_id)
    assert Combination.objects.filter(pk=broken.pk).values().get() == before


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_note_is_refused(broken: Combination, anna: Actor, text: str) -> None:
    with pytest.raises(RefusedError, match="the note is empty"):
        add_note(broken, anna, text)


def test_a_nul_in_a_note_is_kept_off_the_database(broken: Combination, anna: Actor) -> None:
    add_note(broken, anna, "a\x00b")
    assert "\x00" not in ReviewEvent.objects.get(kind="noted").note


def test_a_note_has_room_for_two_thousand_characters(broken: Combination, anna: Actor) -> None:
    add_note(broken, anna, "x" * NOTE_CHARACTERS)
    with pytest.raises(RefusedError, match="2001 characters; the limit is 2000"):
        add_note(broken, anna, "x" * (NOTE_CHARACTERS + 1))
    assert ReviewEvent.objects.filter(kind="noted").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_assign_it_at_once_one_gets_it() -> None:
    broken = factory.flagged()
    people = [Actor.person(User.objects.create_user(name)) for name in ("anna", "otto")]
    start, came_to = threading.Barrier(2), []

    def take(actor: Actor) -> None:
        try:
            mine = Combination.objects.get(pk=broken.pk)
            start.wait(10)
            came_to.append(str(assign(mine, actor)))
        except OutdatedError:
            came_to.append("refused")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=take, args=[actor]) for actor in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(came_to) == ["True", "refused"]
    assert ReviewEvent.objects.filter(kind="taken").count() == 1
