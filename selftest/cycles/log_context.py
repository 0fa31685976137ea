"""What a process works on, for the lines that it logs meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_work: ContextVar[dict[str, int]] = ContextVar("work", default={})  # noqa: B039 - replaced, never changed


@contextmanager
def logging_of(**keys: int) -> Iterator[None]:
    """Until it ends, log lines of this thread carry these keys too: `cycle`, `run`."""
    token = _work.set({**_work.get(), **keys})
    try:
        yield
    finally:
        _work.reset(token)


def work_in_hand() -> dict[str, int]:
    """The keys of what is worked on; empty for nothing."""
    return _work.get()
