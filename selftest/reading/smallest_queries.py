"""The searches for the smallest query of a combination."""

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Left

from selftest.models import Combination, Reduction, Target

ANSWER_START_CHARACTERS = 2_000  # as much of an answer as a page shows; whole it may have 256 KiB


def reductions_of(combination: Combination) -> QuerySet[Reduction]:
    """The newest first, with their whole answers."""
    rows = Reduction.objects.filter(combination=combination).select_related("run__combination", "requested_by")
    return rows.order_by("-id")


def running_on(target: Target) -> QuerySet[Reduction]:
    """Those that ask this target now, as far as rows know."""
    # Each is looked at for its target: the other way about, SQLite goes through all combinations of the target.
    of_target = Combination.objects.filter(pk=OuterRef("combination"), target=target)
    return Reduction.objects.filter(Exists(of_target), state=Reduction.State.RUNNING)


def newest_reductions(combination: Combination, limit: int) -> list[Reduction]:
    """The newest first, each with the query that it began with and, as `excerpt`, the beginning of its answer."""
    unread = ("result", "smallest", "run__result", "run__error", "run__reason")
    excerpt = Left("result", ANSWER_START_CHARACTERS)
    return list(reductions_of(combination).defer(*unread).annotate(excerpt=excerpt)[:limit])
