"""The parts of a query as a reader sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.query_text import shortened
from selftest.core.generation.queries import PartKind

MARK_CHARACTERS = 120  # of what only fills up between the parts of a very long query; its own page has all of it
KINDS: Mapping[str, str] = {
    PartKind.INTENT: "intent",
    PartKind.CONJUNCTION: "conjunction",
    PartKind.NOSPLIT: "must not split",
    PartKind.PAIR: "pair",
    PartKind.DISCOURSE: "discourse framing",
    PartKind.TOPIC: "topic",
    PartKind.CONDITION: "condition",
    PartKind.CONSEQUENCE: "consequence",
    PartKind.REQUEST: "request",
    PartKind.LOOKALIKE: "look-alike",
}


@dataclass(frozen=True)
class Chip:
    """A part of a query as it was written. label: what it is there for, "" for a mark between two others.

    is_broken: a flag is about it. is_suspect: a cause is told by it.
    """

    text: str
    label: str
    kind: str = ""
    is_suspect: bool = False
    is_broken: bool = False

    @classmethod
    def of(cls, part: Sequence[str]) -> "Chip":
        """part: as a stored query has it."""
        kind, text, source, *_plain = part
        if kind == PartKind.MARK:
            return cls(shortened(text, MARK_CHARACTERS), "")
        label = KINDS.get(kind, kind) + (f" → {source}" if source else "")
        return cls(shortened(text), label, kind)
