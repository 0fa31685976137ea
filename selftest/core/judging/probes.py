"""Extra askings: what is asked besides a query to tell a broken promise from an innocent cause. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from selftest.core.judging.answers import Answer


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


@dataclass(frozen=True)
class Shown:
    """A probe and what it brought, as evidence. brought: sources with content."""

    purpose: Purpose
    text: str
    source_used: str
    brought: tuple[str, ...]
    excerpt: str


WORTHWHILE_AT_ONCE = 0.25  # of all of a cycle's, from its first query on
WORTHWHILE_SHARE = 0.75  # by its last
SAVING = 1.5  # routine may have spent the share of queries begun to this power: little at first, all of it at the end
RESERVED_SHARE = 0.25  # of all of a cycle's, for findings that may have an innocent cause


@dataclass
class Budget:
    """The extra askings of one cycle. queries: of its batch. per_query: how many each of them earns."""

    queries: int
    per_query: float = 1.0
    begun: int = 0
    spent: int = 0

    def begin(self) -> None:
        """Another query is examined."""
        self.begun += 1

    def spend(self, urgency: Urgency) -> bool:
        """Whether one more may be asked; it then is counted."""
        total = self.queries * self.per_query
        begun_share = min(self.begun, self.queries) / self.queries
        reserved = total * RESERVED_SHARE * (1 - begun_share)  # the fewer are left that may need it
        limit = {
            Urgency.EXPLAIN: total,
            Urgency.SUSPECT: total - reserved,
            Urgency.WORTHWHILE: total * (WORTHWHILE_AT_ONCE + (WORTHWHILE_SHARE - WORTHWHILE_AT_ONCE) * begun_share),
            Urgency.ROUTINE: (total - reserved) * begun_share**SAVING,
            Urgency.IF_KNOWN: 0.0,
        }[urgency]
        if self.spent + 1 > limit:
            return False
        self.spent += 1
        return True


class Recall:
    """What the probes of one examination were answered. kept: of earlier ones, by text and source asked by name."""

    def __init__(self, kept: Mapping[tuple[str, str], Answer]) -> None:
        self._kept = kept
        self._new: dict[tuple[str, str], list[Answer]] = {}

    def answer(self, probe: Probe) -> Answer | None:
        """What is known already; None: it has to be asked."""
        key = (probe.text, probe.only)
        new = self._new.get(key, [])
        if probe.fresh:
            return new[probe.fresh - 1] if len(new) >= probe.fresh else None
        return self._kept.get(key) or (new[0] if new else None)

    def note(self, probe: Probe, answer: Answer) -> None:
        self._new.setdefault((probe.text, probe.only), []).append(answer)
