"""Values: what was learnt, what two such things are to each other, and why."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True)
class Belief:
    """A finding as the rules see it. category: a path; content: the text to the letter."""

    category: str
    content: str
    tags: tuple[str, ...] = ()


class Profile(StrEnum):
    """Which rules compare. v1: the specification's own. v2: better ones."""

    V1 = "v1"
    V2 = "v2"


class Outcome(StrEnum):
    """What becomes of two findings of which one was saved after the other."""

    NEWER_WINS = "newer_wins"
    OLDER_WINS = "older_wins"
    NONE = "none"


class Rule(StrEnum):
    """What decided. The first three find a contradiction, the others none."""

    OPPOSITE_CLAIM = "opposite_claim"
    OPPOSITE_DIRECTIVE = "opposite_directive"
    CHANGED_NUMBER = "changed_number"
    OUT_OF_SCOPE = "out_of_scope"
    OTHER_SUBJECT = "other_subject"
    NO_DIRECTIVE = "no_directive"
    SAME_DIRECTION = "same_direction"
    SAME_NUMBERS = "same_numbers"
    TOO_LITTLE_IN_COMMON = "too_little_in_common"
    DIFFERENT_THINGS = "different_things"
    OTHER_CONDITION = "other_condition"
    EXCEPTION = "exception"
    SWAPPED_ROLES = "swapped_roles"
    NOT_ASSERTED = "not_asserted"


CONTRADICTIONS = frozenset({Rule.OPPOSITE_CLAIM, Rule.OPPOSITE_DIRECTIVE, Rule.CHANGED_NUMBER})

SENTENCES = {
    Rule.OPPOSITE_CLAIM: "opposite claims about the same thing",
    Rule.OPPOSITE_DIRECTIVE: "opposite directives about the same thing",
    Rule.CHANGED_NUMBER: "the same with another number",
    Rule.OUT_OF_SCOPE: "not in a category that is compared",
    Rule.OTHER_SUBJECT: "about another subject",
    Rule.NO_DIRECTIVE: "one of them directs nothing",
    Rule.SAME_DIRECTION: "both say so, or both say the opposite",
    Rule.SAME_NUMBERS: "the same numbers, or numbers that agree",
    Rule.TOO_LITTLE_IN_COMMON: "too few words in common",
    Rule.DIFFERENT_THINGS: "each is about something that the other is not",
    Rule.OTHER_CONDITION: "under another condition",
    Rule.EXCEPTION: "the newer one is an exception of the older one",
    Rule.SWAPPED_ROLES: "who does it to what is the other way round",
    Rule.NOT_ASSERTED: "one of them is a question or a guess",
}


@dataclass(frozen=True)
class Why:
    """The grounds of a verdict. shared: words in common; older, newer: what decided on either side; overlap: 0 to 1."""

    rule: Rule
    shared: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    overlap: float = 0.0

    @property
    def is_contradiction(self) -> bool:
        """Whether the two cannot both hold."""
        return self.rule in CONTRADICTIONS

    def document(self) -> dict[str, Any]:
        """As it is stored and sent."""
        return {
            "rule": str(self.rule),
            "sentence": SENTENCES[self.rule],
            "shared": list(self.shared),
            "older": list(self.older),
            "newer": list(self.newer),
            "overlap": round(self.overlap, 2),
        }

    def __str__(self) -> str:
        """In a line: `opposite claims about the same thing (cannot / does; arguments, pass; overlap 1.00)`."""
        sides = " / ".join(" ".join(words) or "–" for words in (self.older, self.newer))
        return f"{SENTENCES[self.rule]} ({sides}; {', '.join(self.shared) or 'no word'}; overlap {self.overlap:.2f})"


@dataclass(frozen=True)
class Verdict:
    """What becomes of an older and a newer finding, and why."""

    outcome: Outcome
    why: Why
