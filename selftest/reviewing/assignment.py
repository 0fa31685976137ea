"""Who looks into a flagged combination: assigned to one person at a time, until they unassign it."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from selftest.models import Actor, Combination, Installation, ReviewEvent
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.events import record_event


def assign(combination: Combination, actor: Actor, assignee: User | None = None) -> bool:
    """Assigns the combination to a person, `actor` where no other is named; whether that changed anything.

    Raises OutdatedError where it is assigned to someone else.
    """
    person = assignee or actor.user
    with transaction.atomic():
        unassigned = Combination.objects.filter(pk=combination.pk, held_by__isnull=True)
        if unassigned.update(held_by=person, held_at=timezone.now()):
            record_event(combination, ReviewEvent.Kind.ASSIGNED, actor, assignee=name_of_other(person, actor))
            Installation.queue_changed()
            return True
    combination.refresh_from_db()
    if combination.held_by is not None and combination.held_by != person:
        raise OutdatedError(f"it is assigned to {combination.held_by.get_username()} already; they can unassign it")
    return False


def name_of_other(person: User | None, actor: Actor) -> str:
    """Who something is assigned to, where that is not the one who does it."""
    return "" if person is None or person == actor.user else person.get_username()


def unassign(combination: Combination, actor: Actor) -> None:
    """Assigns the combination to no one. Raises RefusedError where it is not assigned."""
    with transaction.atomic():
        assigned = Combination.objects.filter(pk=combination.pk, held_by__isnull=False)
        if not assigned.update(held_by=None, held_at=None):
            raise RefusedError("this combination is assigned to no one; there is nothing to unassign")
        record_event(combination, ReviewEvent.Kind.UNASSIGNED, actor)
        Installation.queue_changed()
