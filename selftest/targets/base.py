"""The seam between a cycle and whatever answers: one method asks, one looks whether anybody is there."""

from dataclasses import dataclass
from typing import Protocol

from selftest.core.judging.answers import Answer

AUTO = "auto"  # the source that means: route it yourself


class TargetAway(Exception):  # noqa: N818 - a state of the world, not an error of ours
    """Nobody is there to answer: an outage of the cycle, never a flag on a query. The message says what was tried."""


@dataclass(frozen=True)
class Reachability:
    """Whether the target is there. detail: what was tried and seen, for a person. version: "" where it gives none."""

    reachable: bool
    detail: str
    version: str = ""


class Target(Protocol):
    """A search router under test. Called from several threads at once."""

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """One answer, timed. A crash of the target is an Answer with `error`. Raises TargetAway."""

    def reach(self) -> Reachability:
        """Never raises for what the target does."""

    def close(self) -> None:
        """Gives back connections. No other call follows."""
