"""Bulk acts: their rows, and what came of each."""

from collections.abc import Mapping

from django.db.models import Count, QuerySet

from selftest.models import BulkAct, BulkItem

Outcome = BulkItem.Outcome


def outcomes_of(act: BulkAct) -> Mapping[BulkItem.Outcome, int]:
    """How many rows came to what."""
    found = dict(BulkItem.objects.filter(act=act).order_by().values_list("outcome").annotate(n=Count("pk")))
    return {outcome: found.get(outcome.value, 0) for outcome in Outcome}


def checks_of(act: BulkAct) -> list[str]:
    """The checks whose flags the act changed, the one of most flags first."""
    done = BulkItem.objects.filter(act=act, outcome=Outcome.DONE).order_by()
    counted = done.values_list("combination__flagged_check").annotate(n=Count("pk"))
    return [check for check, _ in counted.order_by("-n", "combination__flagged_check")]


def act_numbered(pk: int) -> BulkAct | None:
    """The act of this number; None for an unknown one."""
    return BulkAct.objects.filter(pk=pk).first()


def items(act: BulkAct, after: int) -> QuerySet[BulkItem]:
    """Those after this one, in the order of the list."""
    listed = BulkItem.objects.filter(act=act, pk__gt=after).select_related("combination")
    return listed.defer("combination__query", "combination__fingerprint").order_by("id")


def left_out(act: BulkAct) -> QuerySet[BulkItem]:
    """Those that had changed when their turn came, in the act or in its undo."""
    return items(act, 0).filter(outcome__in=[Outcome.SKIPPED, Outcome.KEPT])
