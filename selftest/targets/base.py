"""The seam between a cycle and what it tests: one method asks, one looks whether the target is up.

Must not know any kind of target, or what an answer means.
"""

from dataclasses import dataclass
from typing import Protocol

from selftest.core.judging.answers import Answer

AUTO = "auto"  # the source that means: route it yourself


class TargetAway(Exception):  # noqa: N818 - a state of the world, not an error of ours
    """The target is not up: an outage of the cycle, never a flag on a query. The message says what was tried."""


@dataclass(frozen=True)
class Reachability:
    """Whether the target is up. detail: what was tried and seen, for a person. version: "" where it gives none."""

    reachable: bool
    detail: str
    version: str = ""


class TargetClient(Protocol):
    """What speaks to a search router under test. Called from several threads at once."""

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """One answer, timed. A crash of the target is an Answer with `error`. Raises TargetAway."""

    def reach(self) -> Reachability:
        """Whether the target is up now. Never raises for what the target does."""

    def close(self) -> None:
        """Gives back connections. No other call follows."""
