"""All rows of a view of the queue, in its order, a few at a time: memory stays the same however many there are."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from selftest.models import Combination
from selftest.reading.cursors import entries_after
from selftest.reading.queue import Cursor, QueueFilter

SORTED_ROWS = 20_000  # whose keys are held: most orders are sorted for each stretch, so few stretches are fewer sorts
CHUNK_ROWS = 500  # that are held whole

# All that is exported: neither the query's parts nor what only pages show.
EXPORTED = (
    "target__name",
    "fingerprint",
    "recipe_name",
    "first_seen_timestamp",
    "times_generated",
    "last_query_text",
    "last_source_used",
    "last_latency_ms",
    "last_flagged_reason",
    "last_run_timestamp",
    "ever_flagged",
    "currently_flagged",
    "first_flagged_reason",
    "first_flagged_timestamp",
    "review_status",
    "verdict",
    "dismissed_at",
    "last_flagged_result_excerpt",
    "last_run",
    "last_flagged_run",
    "flagged_check",
    "cause__sentence",
)


def exported_flags(filters: QueueFilter, now: datetime) -> Iterator[list[Combination]]:
    """What the filters leave of their tab, in their order, in chunks that are not empty; each row with its cause.

    Each stretch begins after the last row of the one before, so no read lasts long. A row that moves in this order
    meanwhile, as by another run, may be left out or come twice.
    """
    after: Cursor | None = None
    while True:
        entries = entries_after(filters, now, after, SORTED_ROWS)
        keys = [pk for pk, _ in entries]
        for begin in range(0, len(keys), CHUNK_ROWS):
            if found := _flags(keys[begin : begin + CHUNK_ROWS]):
                yield found
        if len(entries) < SORTED_ROWS:
            return
        after = entries[-1][1]


def _flags(keys: Sequence[int]) -> list[Combination]:
    rows = Combination.objects.filter(pk__in=keys).select_related("target", "cause").only(*EXPORTED).order_by()
    found = {row.pk: row for row in rows}
    return [found[pk] for pk in keys if pk in found]
