"""What the product remembers from one request to the next."""

from selftest.reading import cursors, groups, queue


def forget() -> None:
    """Lists are remembered by the look of the database, and each test begins with another one alike."""
    queue._waiting.cache_clear()
    queue._counts.cache_clear()
    queue._counts_left_out.cache_clear()
    groups._fold.cache_clear()
    groups._pieces.cache_clear()
    cursors._listed.cache_clear()
    queue._sources_of.cache_clear()
