"""How many probes a cycle may send, and which answers it need not ask for again. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from selftest.core.judging.answers import Answer
from selftest.core.judging.probes import Probe, Urgency
from selftest.core.settings import NEW_QUERIES

WORTHWHILE_AT_ONCE = 0.25  # of all of a cycle's, from its first query on
WORTHWHILE_SHARE = 0.75  # by its last
SAVING = 1.5  # routine may have spent the share of queries begun to this power: little at first, all of it at the end
RESERVED_SHARE = 0.25  # of all of a cycle's, for findings that may have an explanation
NEW_FACTOR = 1.75  # times as many for the first queries of a target, of which nothing is known yet
LEFT_SHARE = 0.25  # of all of a cycle's: so many more it may send, where the one before did not


def earned(per_query: float, answered: int) -> float:
    """How many probes each query of a cycle earns. per_query: by the settings. answered: queries before this cycle."""
    return per_query * NEW_FACTOR if answered < NEW_QUERIES else per_query


def left_over(unspent: int, queries: int, per_query: float, answered: int) -> int:
    """How many of the probes that the cycle before did not send one of `queries` may send beside its own.

    None as long as it earns more than that: it would take too long.
    """
    return 0 if answered < NEW_QUERIES else min(unspent, int(LEFT_SHARE * queries * per_query))


@dataclass
class Budget:
    """The probes that one cycle may send. queries: of its batch. per_query: how many each of them earns.

    left_over: how many more it may send, as the cycle before did not.
    over: how many of the queries begun have their verdict.
    """

    queries: int
    per_query: float = 1.0
    left_over: int = 0
    begun: int = 0
    over: int = 0
    spent: int = 0

    @property
    def at_most(self) -> int:
        """All that may be sent."""
        return int(self.queries * self.per_query) + self.left_over

    def begin(self) -> None:
        """Another query is examined."""
        self.begun += 1

    def end(self) -> None:
        """One that was begun has its verdict."""
        self.over += 1

    def spend(self, urgency: Urgency, together: int = 1) -> bool:
        """Whether one more may be asked, and all that tell something only `together`; the one then is counted."""
        total = self.queries * self.per_query + self.left_over
        begun_share = min(self.begun, self.queries) / self.queries
        reserved = total * RESERVED_SHARE * (1 - begun_share)  # the fewer are left that may need it
        unchecked = max(0, self.queries - self.over - 1)  # without the one that asks
        limit = {
            Urgency.EXPLAIN: total,
            Urgency.SUSPECT: total - reserved,
            Urgency.WORTHWHILE: total * (WORTHWHILE_AT_ONCE + (WORTHWHILE_SHARE - WORTHWHILE_AT_ONCE) * begun_share),
            Urgency.ROUTINE: (total - reserved) * begun_share**SAVING,
            Urgency.SPARE: total - reserved - unchecked,
            Urgency.IF_KNOWN: 0.0,
        }[urgency]
        if self.spent + together > limit:
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

    def new_answers(self, key: tuple[str, str]) -> int:
        """How many there are to this text, asked of this source, since the query was answered."""
        return len(self._new.get(key, ()))

    def note(self, probe: Probe, answer: Answer) -> None:
        """Remembers an answer for the rest of this examination."""
        self._new.setdefault((probe.text, probe.only), []).append(answer)
