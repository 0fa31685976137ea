"""The figures of /health: the last cycle, what was tried, what waits for a person."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, Sum

from selftest.models import ANY_CHECK, Cycle, RecipeTally, Target
from selftest.reading.queue import QueueRevision, queue_revision, review_count


@dataclass(frozen=True)
class HealthFigures:
    """What /health reports. last_run: when the last cycle that asked its whole batch finished."""

    last_run: datetime | None
    combinations_tried: int
    in_queue: int
    last_outage: Cycle | None


def health_figures(target: Target | None = None, revision: QueueRevision | None = None) -> HealthFigures:
    """Of `target`, or of all of them together. revision: of the queue, where it is known already."""
    of_target = Q() if target is None else Q(target=target)
    cycles = Cycle.objects.filter(of_target)
    tallies = RecipeTally.objects.filter(of_target, check_name=ANY_CHECK)
    outage = cycles.filter(state=Cycle.State.TARGET_UNAVAILABLE).order_by("-id").first()
    return HealthFigures(
        last_run=_last_run(Target.objects.all() if target is None else Target.objects.filter(pk=target.pk)),
        # Summed over recipes and days, which are few, instead of counted over combinations, which are many.
        combinations_tried=tallies.aggregate(total=Sum("novel"))["total"] or 0,
        in_queue=review_count(target, revision or queue_revision()),
        last_outage=outage,
    )


def _last_run(targets: QuerySet[Target]) -> datetime | None:
    """Looked up target by target, as the index of finished cycles has them, in one statement."""
    finished = Cycle.objects.filter(target=OuterRef("pk"), state=Cycle.State.FINISHED).order_by("-finished_at")
    of_each = targets.order_by().annotate(last_run=Subquery(finished.values("finished_at")[:1]))
    found: datetime | None = of_each.aggregate(newest=Max("last_run"))["newest"]
    return found
