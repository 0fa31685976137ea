"""What the overview, a wall screen, shows beside the figures of health."""

from collections.abc import Sequence

from django.db.models import QuerySet

from selftest.models import Combination, Flag
from selftest.reading.listings import flags

NEWEST_FLAGS = 5


def flagged_now(left_out: Sequence[int] = ()) -> int:
    """How many combinations were flagged when they were last asked, without those of these targets."""
    return Combination.objects.filter(currently_flagged=True).exclude(target__in=left_out).count()


def newest_flags(left_out: Sequence[int] = ()) -> QuerySet[Flag]:
    """The reasons of the NEWEST_FLAGS flagged runs, the newest first, without those of these targets."""
    return flags().filter(place=0).exclude(combination__target__in=left_out).order_by("-id")[:NEWEST_FLAGS]
