"""The cause of a combination: that of the first flag of its last flagged run. Lists are grouped by it."""

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from selftest.models import Combination, Flag
from selftest.storage.chunks import chunks


def follow_flags(flags: Iterable[int]) -> None:
    """Sets it anywhere that these flags, by their keys, may have changed it. Passes over a flag without a cause."""
    told = Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__isnull=False).order_by("place")
    for chunk in chunks(flags):
        runs = Flag.objects.filter(pk__in=chunk).values("run")
        Combination.objects.filter(last_flagged_run__in=runs).update(cause=Subquery(told.values("cause")[:1]))
