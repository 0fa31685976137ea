"""Extra askings: what is asked besides a query to tell a broken promise from an innocent cause. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """What a probe is asked for."""

    PART = "part"  # a part alone
    AGAIN = "again"  # the same query once more
    ORDER = "order"  # its parts in another order
    CONJUNCTION = "conjunction"  # its parts joined otherwise
    CONTROL = "control"  # another phrase of the same source


class Urgency(StrEnum):
    """How much hangs on it, most first."""

    EXPLAIN = "explain"  # a finding is there, and this decides whether it is an accusation
    SUSPECT = "suspect"  # something looks lost; without this nothing is said
    ROUTINE = "routine"  # nothing looks wrong


@dataclass(frozen=True)
class Probe:
    """One extra asking. source: whom a part points at, "" where that is open. fresh: no earlier answer will do."""

    text: str
    purpose: Purpose
    urgency: Urgency
    source: str = ""
    fresh: int = 0  # 1, 2, …: asked anew, each of them once
