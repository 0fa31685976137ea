"""What the product remembers from one request to the next."""

from selftest.selectors import fold, places, queue


def forget() -> None:
    """Lists are remembered by the look of the database, and each test begins with another one alike."""
    queue._waiting.cache_clear()
    queue._counts.cache_clear()
    queue._counts_left_out.cache_clear()
    fold._fold.cache_clear()
    fold._pieces.cache_clear()
    places._listed.cache_clear()
    queue._sources_of.cache_clear()
