"""An answer within a second, also while the database is silent, as on a machine that froze.

A driver waits for it until the system gives the connection up. So the answer is made by a thread that can be left
behind, and where it does not come, once more with a database that is away.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial, wraps
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from review.stack_room import with_stack_room

T = TypeVar("T")
DEADLINE_S = 1.0


class _NoAnswerError(Exception):
    """There was none in time."""


class _Thread:
    """Makes answers. One that takes too long is left to it, and until it has come no other is asked for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "answers")
        self._left: Future[Any] | None = None

    def answer(self, make: Callable[[], T]) -> T:
        """What `make` returns or raises. Raises _NoAnswerError after DEADLINE_S, or at once.

        It is lent this thread's connection to the database, which is not given back where it takes too long.
        """
        if self._left is not None and not self._left.done():
            raise _NoAnswerError
        lent = connections[DEFAULT_DB_ALIAS]
        lent.inc_thread_sharing()
        answer: Future[T] = self._thread.submit(with_stack_room(_with_connection), lent, make)
        if not wait([answer], DEADLINE_S).done:
            self._left = answer
            del connections[DEFAULT_DB_ALIAS]
            answer.add_done_callback(lambda _: lent.close())
            raise _NoAnswerError
        lent.dec_thread_sharing()
        return answer.result()


def within_deadline(answer: Callable[..., T]) -> Callable[..., T]:
    """`answer` within DEADLINE_S: for what answers as well where the database raises OperationalError.

    As it is on SQLite, which is a file of this machine and has no one to be silent; and within a transaction.
    """
    thread = _Thread()

    @wraps(answer)
    def in_time(*arguments: Any, **named: Any) -> T:
        make = partial(answer, *arguments, **named)
        own = connections[DEFAULT_DB_ALIAS]
        if own.vendor == "sqlite" or own.in_atomic_block:
            return make()
        try:
            return thread.answer(make)
        except _NoAnswerError:
            away = connections.create_connection(DEFAULT_DB_ALIAS)
            away.get_new_connection = _is_silent  # type: ignore[method-assign, assignment]
            return _with_connection(away, make)

    return in_time


def _with_connection(used: BaseDatabaseWrapper, make: Callable[[], T]) -> T:
    own = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = used
    try:
        return make()
    finally:
        connections[DEFAULT_DB_ALIAS] = own


def _is_silent(_: object) -> None:
    raise OperationalError(f"no answer within {DEADLINE_S:g} s")
