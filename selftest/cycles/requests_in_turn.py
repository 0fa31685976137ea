"""Requests to a target outside any cycle: one at a time, within a budget and the target's limits.

They give way to cycles: they wait while one runs on the target, so that no latency is disturbed and it never gets more
requests at once than it is set to bear. No transaction is open meanwhile.
"""

import time
from collections.abc import Callable

from django.conf import settings

from selftest.core.judging.answers import Answer
from selftest.cycles import lifecycle
from selftest.models import Target
from selftest.reading.tuning import is_enabled
from selftest.storage import request_pace
from selftest.storage.database_patience import keep_trying
from selftest.targets.base import AUTO, TargetAway, TargetClient

TURN_POLL_S = 1.0


class NoMoreRequestsError(Exception):
    """No more requests can be sent. is_budget: only because the budget is used up."""

    def __init__(self, note: str, is_budget: bool = False) -> None:
        super().__init__(note)
        self.is_budget = is_budget


class RequestsInTurn:
    """Sends requests while that is allowed, and counts them.

    is_busy: whether something that goes first runs on the target. show_it_lives: is told how many were sent, and says
    whether this process still holds the work.
    """

    def __init__(
        self,
        row: Target,
        client: TargetClient,
        at_most: int,
        is_busy: Callable[[], bool],
        show_it_lives: Callable[[int], bool],
    ) -> None:
        self.sent = 0
        self._row = row
        self._client = client
        self._at_most = at_most
        self._is_busy = is_busy
        self._holds_on = show_it_lives
        self._deadline = time.monotonic() + settings.CYCLE_BUDGET_S

    def ask(self, text: str, source: str = AUTO) -> Answer:
        """Raises NoMoreRequestsError where no more requests may be sent, or the target is away."""
        if self.sent >= self._at_most:
            raise NoMoreRequestsError(f"all {self.sent} requests are used up", is_budget=True)
        keep_trying(self._wait_for_turn)
        if wait_s := keep_trying(lambda: request_pace.reserve(self._row)):
            time.sleep(wait_s)
        try:
            answer = self._client.ask(text, source)
        except TargetAway as away:
            raise NoMoreRequestsError(f"the target is away: {away}") from away
        self.sent += 1
        keep_trying(self._show_it_lives)
        return answer

    def _wait_for_turn(self) -> None:
        while True:
            if not is_enabled(self._row):  # looked at before each request: off is off
                raise NoMoreRequestsError("testing was switched off")
            if time.monotonic() > self._deadline:
                raise NoMoreRequestsError(f"stopped after {settings.CYCLE_BUDGET_S:g} s")
            if not self._is_busy():
                return
            lifecycle.end_abandoned(self._row)
            self._show_it_lives()
            time.sleep(TURN_POLL_S)

    def _show_it_lives(self) -> None:
        if not self._holds_on(self.sent):
            raise NoMoreRequestsError("another worker has taken it over")
