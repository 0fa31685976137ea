"""Probes: extra requests that tell a broken promise from one with an explanation. Values only."""

from dataclasses import dataclass, field
from enum import StrEnum

MOST_REPETITIONS = 3  # of a query with findings


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
    WORTHWHILE = "worthwhile"  # nothing looks wrong, but one probe says much
    ROUTINE = "routine"  # nothing looks wrong
    SPARE = "spare"  # only where every other query of the cycle has had its turn
    IF_KNOWN = "if_known"  # good to know, and not worth a request


@dataclass(frozen=True)
class Probe:
    """One extra request.

    source: the one that a part points at, "" where that is open. only: the source that is asked by name, "" to let the
    router choose. fresh: 0 where an earlier answer will do, else which new one since the query was answered, from 1.
    ahead: what is asked next, whatever this one is answered, so that all of them can be sent together. together: how
    many are still to be asked, this one among them, before any of them tells something.
    """

    text: str
    purpose: Purpose
    urgency: Urgency
    source: str = ""
    only: str = ""
    fresh: int = 0
    ahead: tuple["Probe", ...] = field(default=(), compare=False)
    together: int = field(default=1, compare=False)
