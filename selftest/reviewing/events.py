"""The activity of a combination: one event for each thing that a person did."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from selftest.models import Actor, Cause, Combination, ReviewEvent

NOTE_CHARACTERS = 2_000  # of a note, and of the reason for an action


def record_event(
    combination: Combination,
    kind: ReviewEvent.Kind,
    actor: Actor,
    note: str = "",
    verdict: Cause.Verdict | None = None,
    link: str = "",
    before: Mapping[str, Any] | None = None,
    assignee: str = "",
) -> None:
    """Adds an event, with the last run as it is now. Call it in the transaction that makes the change.

    before: of a changed verdict, the columns of the former one. assignee: who it was assigned to, if not the actor.
    """
    combination.refresh_from_db()
    ReviewEvent.objects.create(
        combination=combination,
        kind=kind,
        user=actor.user,
        actor=actor.name,
        note=note,
        verdict=verdict,
        link=link or None,
        before=before,
        assignee=assignee or None,
        run_id=combination.last_run_id,
        at=timezone.now(),
    )
