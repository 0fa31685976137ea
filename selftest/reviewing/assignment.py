"""Who looks into a combination."""

from django.db import transaction
from django.utils import timezone

from selftest.models import (
    Combination,
    ReviewEvent,
)
from selftest.models.actor import Actor
from selftest.refusals import OutdatedError, RefusedError
from selftest.reviewing.events import record_event


def assign(combination: Combination, actor: Actor) -> bool:
    """Says that `actor`, a person, looks into it; whether that changed anything.

    Raises OutdatedError where somebody else said so first.
    """
    with transaction.atomic():
        free = Combination.objects.filter(pk=combination.pk, held_by__isnull=True)
        if free.update(held_by=actor.user, held_at=timezone.now()):
            record_event(combination, ReviewEvent.Kind.TAKEN, actor, "")
            return True
    combination.refresh_from_db()
    if combination.held_by is not None and combination.held_by != actor.user:
        raise OutdatedError(f"{combination.held_by.get_username()} has taken it already; they can release it")
    return False


def unassign(combination: Combination, actor: Actor) -> None:
    """Whoever held it no longer does. Raises RefusedError where nobody did."""
    with transaction.atomic():
        held = Combination.objects.filter(pk=combination.pk, held_by__isnull=False)
        if not held.update(held_by=None, held_at=None):
            raise RefusedError("nobody holds this combination; there is nothing to release")
        record_event(combination, ReviewEvent.Kind.RELEASED, actor, "")
