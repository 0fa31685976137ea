"""What a change would do to the flags."""

from dataclasses import dataclass
from datetime import datetime

from selftest.core.judging.findings import CheckName

MOST_EXAMPLES = 50  # each way


@dataclass(frozen=True)
class CheckCount:
    """How many flags of a check would come and go."""

    check: CheckName
    come: int
    go: int


@dataclass(frozen=True)
class FlagChange:
    """One flag that would come or go."""

    run: int
    target: str
    query_text: str
    check: CheckName
    reason: str
    asked_at: datetime | None


@dataclass(frozen=True)
class WhatIfResult:
    """What a change would do. come and go: the newest MOST_EXAMPLES each way, newest first.

    concerns_flags: False where nothing that judges answers is changed. runs: judged, the first and the last of them
    asked at first_at and last_at. is_short: there was no time for more of them. unjudged: runs of that time that
    cannot be, by why. lacking: runs for which the change makes a probe necessary that was never sent. drifted:
    runs in which what is in force finds something else today than was recorded, which is no effect of the change.
    """

    concerns_flags: bool = True
    runs: int = 0
    is_short: bool = False
    first_at: datetime | None = None
    last_at: datetime | None = None
    counts: tuple[CheckCount, ...] = ()
    come: tuple[FlagChange, ...] = ()
    go: tuple[FlagChange, ...] = ()
    unjudged: tuple[tuple[str, int], ...] = ()
    lacking: int = 0
    drifted: int = 0
    took_s: float = 0.0

    @property
    def come_count(self) -> int:
        """Flags that would come, of all checks."""
        return sum(count.come for count in self.counts)

    @property
    def go_count(self) -> int:
        """Flags that would go, of all checks."""
        return sum(count.go for count in self.counts)
