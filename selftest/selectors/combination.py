"""One combination: its runs, its story."""

from django.db.models import QuerySet

from selftest.models import Combination, ReviewEvent, Run


def combination_numbered(pk: int) -> Combination | None:
    return Combination.objects.select_related("target").filter(pk=pk).first()


def runs_of(combination: Combination) -> QuerySet[Run]:
    """Its runs, the newest first."""
    return combination.runs.select_related("cycle").order_by("-id")


def last_flagged_run(combination: Combination) -> Run | None:
    """The run whose answer a reviewer wants to see: the last one that was flagged."""
    return combination.last_flagged_run


def story_of(combination: Combination) -> QuerySet[ReviewEvent]:
    """What happened to it, the newest first."""
    return combination.events.order_by("-id")
