"""Putting changed settings in force, together with the schedule that depends on them."""

from django.db import transaction

from selftest.models import Actor, Tuning
from selftest.operating.schedule import follow_tuning


def tune(tuning: Tuning, actor: Actor) -> None:
    """Saves these settings and updates the schedule, both or neither; the history names `actor`."""
    tuning._history_user = actor.user  # read by the history
    with transaction.atomic():
        tuning.save()
        follow_tuning()
