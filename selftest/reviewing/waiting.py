"""What waits of judged causes, counted again where their flags move, or the review of those opens or closes."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from selftest.models import Cause, Flag, Target
from selftest.reading.causes import waiting_flags
from selftest.storage.locks import locked


def judged_causes(combinations: Collection[int] | QuerySet[Any, Any]) -> frozenset[int]:
    """Those that any flag of these combinations, by their keys, was put down to."""
    flags = Flag.objects.filter(combination__in=combinations, cause__verdict__isnull=False).order_by()
    return frozenset(flags.values_list("cause", flat=True).distinct())


def lock_targets(causes: Collection[int]) -> None:
    """Before causes and combinations, as all do who change what a cause's flags are or whether they wait."""
    if causes:
        targets = set(Cause.objects.filter(pk__in=causes).order_by().values_list("target", flat=True))
        list(locked(Target.objects).filter(pk__in=targets).order_by("pk").values_list("pk"))


def count_waiting(causes: Collection[int]) -> None:
    """Writes down what waits of each of them that is judged."""
    if not causes:
        return
    with transaction.atomic():
        lock_targets(causes)
        for row in Cause.objects.filter(pk__in=causes, verdict__isnull=False).order_by("pk"):
            waiting = waiting_flags(row).count()
            if waiting != row.new_flags:
                Cause.objects.filter(pk=row.pk).update(new_flags=waiting)


@contextmanager
def counting_waiting(combination: int) -> Iterator[None]:
    """The review of this one is opened or closed. Within a transaction."""
    causes = judged_causes([combination])
    lock_targets(causes)
    yield
    count_waiting(causes)
