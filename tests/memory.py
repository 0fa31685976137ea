"""What the product remembers from one request to the next."""

from selftest.reading import causes, cursors, flagged_rows, groups, queue, sources
from selftest.storage import database_patience


def forget() -> None:
    """Lists are remembered by the look of the database, and each test begins with another one alike."""
    causes.causes_of_targets.cache_clear()
    causes.causes_of_page.cache_clear()
    causes.combinations_by_cause.cache_clear()
    queue.buckets_of.cache_clear()
    queue.counts_of.cache_clear()
    queue.left_out_counts_of.cache_clear()
    queue.newest_flagged_run.cache_clear()
    queue.review_count.cache_clear()
    groups.queue_groups.cache_clear()
    flagged_rows.forget()
    cursors.queue_page.cache_clear()
    sources.sources_in.cache_clear()
    database_patience._away_s = float("-inf")
