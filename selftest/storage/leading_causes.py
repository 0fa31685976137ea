"""The cause of a combination: that of the first flag of its last flagged run. Lists are grouped by it."""

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from selftest.models import Combination, Flag
from selftest.storage.chunks import chunks
from selftest.storage.locks import locked


def lock_combinations_of(flags: Iterable[int]) -> None:
    """Before these flags, by their keys, are changed: a recording locks a combination first, and its flags then."""
    concerned: set[int] = set()
    for chunk in chunks(flags):
        concerned.update(Flag.objects.filter(pk__in=chunk).order_by().values_list("combination", flat=True))
    _lock(concerned)


def follow_flags(flags: Iterable[int]) -> None:
    """Sets it anywhere that these flags, by their keys, may have changed it. Passes over a flag without a cause."""
    told = Flag.objects.filter(run=OuterRef("last_flagged_run"), cause__isnull=False).order_by("place")
    concerned: set[int] = set()
    for chunk in chunks(flags):
        runs = Flag.objects.filter(pk__in=chunk).values("run")
        concerned.update(Combination.objects.filter(last_flagged_run__in=runs).values_list("pk", flat=True))
    _lock(concerned)
    for chunk in chunks(concerned):
        Combination.objects.filter(pk__in=chunk).update(cause=Subquery(told.values("cause")[:1]))


def _lock(combinations: Iterable[int]) -> None:
    """In the order of those who judge many: else each may wait for the other."""
    for chunk in chunks(sorted(combinations)):
        list(locked(Combination.objects.filter(pk__in=chunk)).order_by("id").values_list("pk"))
