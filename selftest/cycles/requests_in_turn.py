"""Requests to a target outside any cycle, within a budget and the target's limits.

They give way to cycles: they wait while one runs on the target, so that no latency is disturbed. Of a spread one they
ask what waits meanwhile, as there may be no other worker. Beside others outside cycles, wherever these run, each takes
its turn. No transaction is open meanwhile.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from enum import Enum

from django.conf import settings
from django.db import Error as AnyDatabaseError

from selftest.core.judging.answers import Answer
from selftest.cycles import handing_over, lifecycle, open_requests
from selftest.models import Chunk, Cycle, QueuedRequest, Target
from selftest.reading.tuning import is_enabled
from selftest.storage import request_pace
from selftest.storage.database_patience import keep_trying
from selftest.targets.base import AUTO, TargetAway, TargetClient

TURN_POLL_S = 1.0  # while a cycle runs
QUEUE_POLL_S = 0.1  # while others' requests are open, which takes no longer than their answers


class Reason(Enum):
    """Why no more requests can be sent."""

    BUDGET = "the budget is used up"
    TIME = "it took too long"
    OFF = "testing is off"
    AWAY = "the target is away"
    TAKEN_OVER = "another worker does the work, or a person has stopped it"


class NoMoreRequestsError(Exception):
    """No more requests can be sent."""

    def __init__(self, note: str, reason: Reason) -> None:
        super().__init__(note)
        self.reason = reason


class RequestsInTurn:
    """Sends requests while that is allowed, and counts them. Each method raises NoMoreRequestsError where it is not.

    at_most: None for any number. beside: other targets whose cycles go first, too. is_busy: whether anything else goes
    first. show_it_lives: is told how many were sent, and says whether this process still holds the work.
    """

    def __init__(
        self,
        target: Target,
        client: TargetClient,
        at_most: int | None = None,
        beside: Sequence[Target] = (),
        is_busy: Callable[[], bool] = lambda: False,
        show_it_lives: Callable[[int], bool] = lambda sent: True,
    ) -> None:
        self.sent = 0
        self.target = target
        self._client = client
        self._at_most = at_most
        self._cycles = Cycle.objects.filter(target__in=[target, *beside], state=Cycle.State.RUNNING)
        self._is_busy = is_busy
        self._holds_on = show_it_lives
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S
        self._begun = 0  # sent, or about to be
        self._queued: QueuedRequest | None = None  # waits for its turn
        self._poll_s = QUEUE_POLL_S

    def ask(self, text: str, source: str = AUTO) -> Answer:
        """The answer to one request."""
        while (request := keep_trying(self._opened)) is None:
            time.sleep(self._poll_s)
        try:
            answer = self._answer(text, source, self._reserved_s())
        finally:
            _close(request)
        self._count()
        return answer

    def ask_each(self, texts: Iterable[str]) -> list[Answer]:
        """The answers to all of them, in their order. As many are open as the target answers at once."""
        left = deque(enumerate(texts))
        answers: dict[int, Answer] = {}
        under_way: dict[Future[Answer], tuple[int, QueuedRequest]] = {}
        at_once = self.target.requests_at_once
        with ThreadPoolExecutor(at_once, thread_name_prefix="ask") as pool:
            try:
                while left or under_way:
                    may_open = bool(left) and len(under_way) < at_once
                    if may_open and (request := keep_trying(self._opened)) is not None:
                        place, text = left.popleft()
                        under_way[pool.submit(self._answer, text, AUTO, self._reserved_s())] = place, request
                    elif not under_way:
                        time.sleep(self._poll_s)
                    else:
                        for asked in wait(under_way, self._poll_s if may_open else None, FIRST_COMPLETED).done:
                            place, request = under_way[asked]
                            answers[place] = asked.result()
                            del under_way[asked]
                            _close(request)
                            self._count()
            finally:
                wait(under_way)
                for _, request in under_way.values():
                    _close(request)
        return [answers[place] for place in sorted(answers)]

    def _opened(self) -> QueuedRequest | None:
        """The next request, where its turn has come. It waits in no queue while something else goes first."""
        if (stop := self._stop()) is not None:
            self._leave_queue()
            raise stop
        if self._cycles.exists() or self._is_busy():
            self._leave_queue()
            lifecycle.end_abandoned(self.target)
            self._show_it_lives()
            self._poll_s = 0.0 if self._has_helped() else TURN_POLL_S
            return None
        self._poll_s = QUEUE_POLL_S
        if self._queued is None:
            self._queued = open_requests.enqueue(self.target)
        elif not open_requests.try_to_open(self._queued):
            self._show_it_lives()
        if not self._queued.is_open:
            return None
        opened, self._queued = self._queued, None
        self._begun += 1
        return opened

    def _has_helped(self) -> bool:
        """Whether a part of a spread cycle waited, and is asked now: all workers may wait here for it."""
        spread = self._cycles.filter(chunks__state=Chunk.State.PLANNED).select_related("target").first()
        return spread is not None and handing_over.take_over_chunk(spread)

    def _stop(self) -> NoMoreRequestsError | None:
        if self._at_most is not None and self._begun >= self._at_most:
            return NoMoreRequestsError(f"all {self._begun} requests are used up", Reason.BUDGET)
        if not is_enabled(self.target):  # looked at before each request: off is off
            return NoMoreRequestsError("testing was switched off", Reason.OFF)
        if time.monotonic() > self._deadline:
            return NoMoreRequestsError(f"stopped after {settings.CYCLE_BUDGET_S:g} s", Reason.TIME)
        return None

    def _leave_queue(self) -> None:
        if self._queued is not None:
            open_requests.close(self._queued)
            self._queued = None

    def _reserved_s(self) -> float:
        return keep_trying(lambda: request_pace.reserve(self.target))

    def _answer(self, text: str, source: str, wait_s: float) -> Answer:
        """Perhaps in a thread of its own: nothing here looks at the database."""
        if wait_s:
            time.sleep(wait_s)
        try:
            return self._client.ask(text, source)
        except TargetAway as away:
            raise NoMoreRequestsError(f"the target is away: {away}", Reason.AWAY) from away

    def _count(self) -> None:
        self.sent += 1
        keep_trying(self._show_it_lives)

    def _show_it_lives(self) -> None:
        if not self._holds_on(self.sent):
            self._leave_queue()
            raise NoMoreRequestsError("another worker has taken it over", Reason.TAKEN_OVER)


def _close(request: QueuedRequest) -> None:
    """Once, as it may be a stop. Where the database is away it is dropped later, as overdue."""
    with suppress(AnyDatabaseError):
        open_requests.close(request)
