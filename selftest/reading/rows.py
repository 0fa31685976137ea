"""What a row of the queue shows, read for those rows alone that are shown."""

from collections.abc import Iterable, Mapping

from django.db.models import Window
from django.db.models.functions import RowNumber

from selftest.models import Cause, Combination, Run

# Of a row: all that it shows, and no more of what is large or stands elsewhere.
SHOWN = (
    "target__name",
    "recipe_name",
    "times_generated",
    "times_flagged",
    "query",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "last_flagged_reason",
    "first_flagged_reason",
    "last_flagged_result_excerpt",
    "last_run_timestamp",
    "first_flagged_timestamp",
    "ever_flagged",
    "currently_flagged",
    "review_status",
    "verdict",
    "dismissed_at",
    "until_date",
    "until_version",
    "judged_version",
    "flagged_check",
    "cause__checks",
    "cause__sentence",
    "held_by__username",
    "last_run__unchecked",
    "last_flagged_run__query_text",
    "last_flagged_run__query",
    "last_flagged_run__source_used",
)


def rows_numbered(keys: Iterable[int]) -> list[Combination]:
    """These combinations in this order, each with its last flagged run, its assignee and its cause."""
    wanted = list(keys)
    rows = (
        Combination.objects.filter(pk__in=wanted)
        .select_related("target", "held_by", "cause", "last_run", "last_flagged_run")
        .only(*SHOWN)
    )
    found = {row.pk: row for row in rows.order_by()}
    for row in found.values():
        if row.last_flagged_run is not None:
            row.last_flagged_run.combination = row  # known here, and not to be asked for once more
    return [found[key] for key in wanted if key in found]


def causes_numbered(keys: Iterable[int]) -> Mapping[int, Cause]:
    """By key, as far as they are named elsewhere."""
    return Cause.objects.only("checks", "sentence").in_bulk(set(keys))


def latest_latencies(keys: Iterable[int], each: int) -> Mapping[int, list[tuple[float, bool]]]:
    """Combination → its last `each` latencies in ms, the oldest first, each with whether that run was flagged."""
    rank = Window(RowNumber(), partition_by="combination", order_by="-id")
    done = Run.objects.filter(combination__in=list(keys), state=Run.State.DONE, latency_ms__isnull=False)
    newest = done.annotate(rank=rank).filter(rank__lte=each).order_by("combination", "id")
    found: dict[int, list[tuple[float, bool]]] = {}
    for combination, latency_ms, reason in newest.values_list("combination", "latency_ms", "reason"):
        if latency_ms is not None:  # the filter saw to that
            found.setdefault(combination, []).append((latency_ms, reason is not None))
    return found
