"""Putting changed settings in force."""

from django.db import transaction

from selftest.models import (
    Tuning,
)
from selftest.models.actor import Actor
from selftest.operating.schedule import follow_tuning


def tune(tuning: Tuning, actor: Actor) -> None:
    """Puts these settings in force and makes the schedule follow, both or neither; the history names `actor`."""
    tuning._history_user = actor.user  # read by the history
    with transaction.atomic():
        tuning.save()
        follow_tuning()
