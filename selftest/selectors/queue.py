"""What waits for a person, and what broke."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby

from django.db.models import Q, QuerySet

from selftest.models import Combination, Flag, Target
from selftest.models.combination import IN_QUEUE

NEWEST_RUN_FIRST = ("-last_run_timestamp", "-id")


def flagged(include_dismissed: bool = False, target: Target | None = None) -> QuerySet[Combination]:
    """The queue: flagged on the last run or ever, and not dismissed; with `include_dismissed` those too.

    A combination that is flagged now was flagged ever, and a new flag takes its dismissal back: so the union of the
    specification is one condition. Newest run first.
    """
    rows = Combination.objects.filter(Q(ever_flagged=True) if include_dismissed else IN_QUEUE)
    if target is not None:
        rows = rows.filter(target=target)
    return rows.select_related("target").order_by(*NEWEST_RUN_FIRST)


def older_than(rows: QuerySet[Combination], last_run: datetime, pk: int) -> QuerySet[Combination]:
    """The rest of `rows`, newest run first, after the one that was last asked at `last_run` and has this key."""
    at_most = Q(last_run_timestamp__lte=last_run)  # said apart, so that the index is entered here
    return rows.filter(at_most, Q(last_run_timestamp__lt=last_run) | Q(pk__lt=pk))


def findings_of(run_ids: Iterable[int]) -> Mapping[int, list[Flag]]:
    """The findings of these runs, by run, the first in priority order first; in one query."""
    flags = Flag.objects.filter(run_id__in=run_ids).order_by("run_id", "place")
    return {run_id: list(found) for run_id, found in groupby(flags, lambda flag: flag.run_id)}
