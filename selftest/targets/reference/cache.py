"""Answers kept for a while, and the context in which they are neither read nor kept. Knows no routing."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Generic, TypeVar

Value = TypeVar("Value")

KEPT_S = 60.0  # a forecast or a door may be this old
MAX_ENTRIES = 512  # the oldest go first

_suppressed: ContextVar[bool] = ContextVar("reference_cache_suppressed", default=False)


@contextmanager
def suppressed_cache() -> Iterator[None]:
    """Inside it nothing is answered from a cache or kept, so that a synthetic query leaves no trace for real users.

    Applies to the calling thread or task alone.
    """
    token = _suppressed.set(True)
    try:
        yield
    finally:
        _suppressed.reset(token)


def is_suppressed() -> bool:
    """Whether the caller is inside `suppressed_cache`."""
    return _suppressed.get()


class Cache(Generic[Value]):
    """Values by (source, query): each for KEPT_S, at most MAX_ENTRIES of them. Safe to share between threads."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, str], tuple[float, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: tuple[str, str]) -> Value | None:
        """The value kept under `key`; None where there is none or it is too old."""
        with self._lock:
            kept_at_s, value = self._entries.get(key, (float("-inf"), None))
            return value if self._clock_s() - kept_at_s < KEPT_S else None

    def put(self, key: tuple[str, str], value: Value) -> None:
        """Keeps `value` from now on; the oldest entries go where there are too many."""
        with self._lock:
            self._entries[key] = (self._clock_s(), value)
            self._entries.move_to_end(key)
            while len(self._entries) > MAX_ENTRIES:
                self._entries.popitem(last=False)
