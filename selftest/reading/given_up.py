"""Combinations that no cycle asks any more, for a person to look at: each was broken off again and again."""

from django.db.models import Count, F, OuterRef, QuerySet, Subquery

from selftest.models import Combination, Run

MAX_BROKEN_OFF = 3  # requests without an end, of a dead worker or a failure of ours


def given_up() -> QuerySet[Combination]:
    """Never answered and broken off MAX_BROKEN_OFF times, the oldest first, with `times_broken_off`."""
    broken_off = Run.objects.filter(combination=OuterRef("pk"), state=Run.State.INTERRUPTED)
    times = broken_off.order_by().values("combination").annotate(times=Count("pk")).values("times")
    never_asked = Combination.objects.filter(times_generated=0).select_related("target").defer("query")
    return (
        never_asked.annotate(times_broken_off=Subquery(times))
        .filter(times_broken_off__gte=MAX_BROKEN_OFF)
        .order_by(F("pk") + 0)  # ordered by the key itself, SQLite would look at all combinations
    )
