"""The parts of a query as a reader sees them, and what is suspected among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.query_text import shortened
from selftest.core.generation.queries import PartKind
from selftest.core.insight.pair_names import members

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

    is_broken: a flag is about it.
    """

    text: str
    label: str
    kind: str = ""
    is_suspect: bool = False
    is_broken: bool = False

    @classmethod
    def of(cls, part: Sequence[str], suspect: str) -> "Chip":
        """part: as a stored query has it. suspect: the name that is suspected."""
        kind, text, source, *_plain = part
        if kind == PartKind.MARK:
            return cls(shortened(text, MARK_CHARACTERS), "")
        label = KINDS.get(kind, kind) + (f" → {source}" if source else "")
        return cls(shortened(text), label, kind, ":".join(filter(None, (kind, source, text))) in members(suspect))


@dataclass(frozen=True)
class SuspectLabel:
    """The ingredient that is suspected, or the two. name: as fingerprints have it. label and text: as a reader has it.

    parts: each of the two by itself; of one, that one.
    """

    name: str
    label: str
    text: str
    parts: "tuple[SuspectLabel, ...]" = ()

    @classmethod
    def named(cls, name: str) -> "SuspectLabel | None":
        """None for ""."""
        if not name:
            return None
        parts = tuple(map(cls._one, members(name)))
        return cls(name, " + ".join(part.label for part in parts), " + ".join(part.text for part in parts), parts)

    @classmethod
    def _one(cls, name: str) -> "SuspectLabel":
        kind, _, rest = name.partition(":")
        source, text = rest.split(":", 1) if kind == PartKind.INTENT and ":" in rest else ("", rest)
        label = KINDS.get(kind, kind)
        return cls(name, label + (f" → {source}" if source else ""), text.strip() or text)
