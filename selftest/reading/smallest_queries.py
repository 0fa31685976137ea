"""The searches for the smallest query of a combination."""

from django.db.models import QuerySet
from django.db.models.functions import Left

from selftest.models import Combination, Reduction

EXCERPT_CHARACTERS = 2_000  # of an answer on a page; whole it may have 256 KiB


def reductions_of(combination: Combination) -> QuerySet[Reduction]:
    """The newest first, with their whole answers."""
    return Reduction.objects.filter(combination=combination).select_related("run", "requested_by").order_by("-id")


def newest_reductions(combination: Combination, limit: int) -> list[Reduction]:
    """The newest first, each with the query that it began with and, as `excerpt`, the beginning of its answer."""
    unread = ("result", "smallest", "run__result", "run__error", "run__reason")
    return list(reductions_of(combination).defer(*unread).annotate(excerpt=Left("result", EXCERPT_CHARACTERS))[:limit])
