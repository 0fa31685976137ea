"""Several questions at once, with a limit on the time all of them take together. Knows nothing of what is asked."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Result = TypeVar("Result")

TIME_LIMIT_S = 5.0  # a caller waits no longer; a question that is not answered by then is left out
THREADS = 32  # several callers with a dozen questions each; threads are started only when needed


class FanOut:
    """A pool of threads for questions. time_limit_s: for all questions of one call together."""

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="reference-fanout")

    def __call__(self, questions: Sequence[Callable[[], Result]], late: Result) -> list[Result]:
        """The answers in the order of `questions`; `late` for those that took too long.

        Raises what a question raises.
        """
        if len(questions) == 1:
            return [questions[0]()]
        futures = [self._pool.submit(question) for question in questions]
        done, late_ones = wait(futures, timeout=self._time_limit_s)
        for future in late_ones:
            future.cancel()
        return [future.result() if future in done else late for future in futures]

    def close(self) -> None:
        """Takes no more questions, and does not wait for those under way."""
        self._pool.shutdown(wait=False, cancel_futures=True)
