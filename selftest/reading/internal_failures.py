"""What went wrong in Gadfly itself, and what it has given up on: for a person to look at."""

from django.db.models import Count, OuterRef, QuerySet, Subquery

from selftest.models import Combination, Run

LOOKED_BACK_RUNS = 200


def own_failures() -> list[Run]:
    """Those of the newest runs on which Gadfly failed, the newest first; no long history is searched for older ones."""
    newest = Run.objects.only("combination_id", "cycle_id", "query_text", "own_error", "finished_at").order_by("-id")
    return [run for run in newest[:LOOKED_BACK_RUNS] if run.own_error]


def given_up() -> QuerySet[Combination]:
    """Never answered and broken off so often that no cycle asks them again."""
    broken_off = Run.objects.filter(combination=OuterRef("pk"), state=Run.State.INTERRUPTED)
    times = broken_off.order_by().values("combination").annotate(times=Count("pk")).values("times")
    never_asked = Combination.objects.filter(times_generated=0).select_related("target").defer("query")
    return (
        never_asked.annotate(times_broken_off=Subquery(times))
        .filter(times_broken_off__gte=MAX_BROKEN_OFF)
        .order_by("id")
    )


MAX_BROKEN_OFF = 3  # askings without an end, of a dead worker or a fault of ours; after that a person has to look
