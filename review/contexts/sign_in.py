"""What the page of a locked door may use."""

import math
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class LockedPage:
    """until: when the next attempt counts. wait_s: whole seconds to then, at least one. back: the form's address."""

    until: datetime
    wait_s: int
    back: str

    @classmethod
    def of(cls, until: datetime, now: datetime, back: str) -> "LockedPage":
        return cls(until, max(1, math.ceil((until - now).total_seconds())), back)

    @property
    def minutes(self) -> int:
        """Rounded up: after that long another try is allowed."""
        return math.ceil(self.wait_s / 60)
