"""Long lists of keys in chunks that every database accepts."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

CHUNK_ROWS = 500  # below SQLite's limit of variables in a statement


def chunks(items: Iterable[T], size: int = CHUNK_ROWS) -> Iterator[list[T]]:
    """`items` in lists of `size`, the last one shorter; no list for no items."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
