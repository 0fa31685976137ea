"""What the pages that keep someone out for a while may use."""

import math
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class LockedPage:
    """until: when the next attempt counts. wait_s: whole seconds to then, at least one. back: the form's address.

    is_address: no name can sign in from there; else one name cannot.
    """

    until: datetime
    wait_s: int
    back: str
    is_address: bool

    @classmethod
    def of(cls, until: datetime, now: datetime, back: str, is_address: bool) -> "LockedPage":
        """At least one second is left."""
        return cls(until, max(1, math.ceil((until - now).total_seconds())), back, is_address)

    @property
    def minutes(self) -> int:
        """Rounded up: after that long the next attempt counts."""
        return math.ceil(self.wait_s / 60)

    @property
    def message(self) -> str:
        """For a script."""
        who = "no name can sign in from this address" if self.is_address else "this name cannot sign in from here"
        return f"too many failed attempts: {who} before {self.until:%H:%M:%S} UTC"


@dataclass(frozen=True)
class BusyPage:
    """wait_s: after so many seconds another attempt is worth it. back: the form's address."""

    wait_s: int
    back: str

    @property
    def message(self) -> str:
        """For a script."""
        return "other passwords are being checked: try again in a moment"
