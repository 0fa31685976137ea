"""How the testing itself is doing."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, Sum

from selftest.models import ANY_CHECK, Cycle, RecipeTally, Target, Tuning
from selftest.reading.queue import Version, version, waiting


@dataclass(frozen=True)
class HealthFigures:
    """What /health reports. last_run: when the last cycle that asked its whole batch was over."""

    last_run: datetime | None
    combinations_tried: int
    in_queue: int
    last_outage: Cycle | None


def health_figures(target: Target | None = None, at: Version | None = None) -> HealthFigures:
    """Of `target`, or of all of them together. at: the version of the lists, where it is known already."""
    of_target = Q() if target is None else Q(target=target)
    cycles = Cycle.objects.filter(of_target)
    tallies = RecipeTally.objects.filter(of_target, check_name=ANY_CHECK)
    outage = cycles.filter(state=Cycle.State.TARGET_UNAVAILABLE).order_by("-id").first()
    return HealthFigures(
        last_run=_last_run(Target.objects.all() if target is None else Target.objects.filter(pk=target.pk)),
        # Summed over recipes and days, which are few, instead of counted over combinations, which are many.
        combinations_tried=tallies.aggregate(total=Sum("novel"))["total"] or 0,
        in_queue=waiting(target, at or version()),
        last_outage=outage,
    )


def _last_run(targets: QuerySet[Target]) -> datetime | None:
    """Looked up target by target, as the index of finished cycles has them, in one statement."""
    finished = Cycle.objects.filter(target=OuterRef("pk"), state=Cycle.State.FINISHED).order_by("-finished_at")
    of_each = targets.order_by().annotate(last_run=Subquery(finished.values("finished_at")[:1]))
    found: datetime | None = of_each.aggregate(newest=Max("last_run"))["newest"]
    return found


def tuning() -> Tuning:
    """The settings in force."""
    found: Tuning = Tuning.get_solo()
    return found


def is_enabled(target: Target | None) -> bool:
    """Whether anything may be asked of `target`; for None, of any. Off in the environment or the settings is off."""
    if not (settings.ADVERSARIAL_TEST_ENABLED and tuning().enabled):
        return False
    if target is None:
        return True
    return Target.objects.filter(pk=target.pk, enabled=True).exists()  # read again: the caller's row may be old
