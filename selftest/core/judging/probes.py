"""Extra askings: what is asked besides a query to tell a broken promise from an innocent cause. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """What a probe is asked for."""

    PART = "part"  # a part alone
    AGAIN = "again"  # the same query once more
    ORDER = "order"  # its parts in another order
    CONJUNCTION = "conjunction"  # its parts joined otherwise
    PLAIN = "plain"  # in the vocabulary's own words, without framing
    FEWER = "fewer"  # some of its parts without the others
    CONTROL = "control"  # something alike, to hold it against


class Urgency(StrEnum):
    """How much hangs on it, most first."""

    EXPLAIN = "explain"  # a finding is there, and this decides whether it is an accusation
    SUSPECT = "suspect"  # something looks lost; without this nothing is said
    WORTHWHILE = "worthwhile"  # nothing looks wrong, but one asking says much
    ROUTINE = "routine"  # nothing looks wrong
    IF_KNOWN = "if_known"  # good to know, and not worth an asking


@dataclass(frozen=True)
class Probe:
    """One extra asking.

    source: whom a part points at, "" where that is open. only: the one source that is asked by name, "" to let the
    router choose. fresh: 0 where an earlier answer will do, else the how-manieth new one since the query was answered.
    """

    text: str
    purpose: Purpose
    urgency: Urgency
    source: str = ""
    only: str = ""
    fresh: int = 0
