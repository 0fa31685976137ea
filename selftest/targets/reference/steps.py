"""The router's steps as types: what passes from one step to the next, and the table of functions that does the work.

Pure types. Must not know how any step is done, honestly or with a fault: `honest_steps` fills the table, the router
runs it, and a planted fault is another function in one of its fields.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

RULE = "\n\n---\n\n"  # between two sections of a merged answer, as the contract has it


# --- What passes between the steps ---


@dataclass(frozen=True)
class Conditional:
    """A query read as `if condition, consequence, remainder`.

    condition: without its "if". consequence: what to do then. remainder: the unrelated rest, or "". before: what is
    asked ahead of the condition, or "".
    """

    condition: str
    consequence: str
    remainder: str
    before: str = ""


@dataclass(frozen=True)
class ClauseInQuery:
    """text: a part of a query that asks one thing. query: the whole query that it is a part of."""

    text: str
    query: str


Conjunction = tuple[int, int]  # where one conjunction is in a text: start and end, in characters
IsNoun = Callable[[str], bool]


@dataclass(frozen=True)
class GuardedText:
    """A text with what the guards need to know of it: positions in characters; conjunctions from left to right."""

    text: str
    conjunctions: tuple[Conjunction, ...]
    intent_starts: frozenset[int]
    intent_ends: frozenset[int]
    is_noun: IsNoun


@dataclass(frozen=True)
class Question:
    """text: what one source is asked. asked_at: aware; what "now" means for this answer."""

    text: str
    asked_at: datetime


@dataclass(frozen=True)
class FoundItem:
    """One thing that a source found. key: equal for the same thing found twice. text: one line, no header."""

    key: str
    text: str


class Source(Protocol):
    """Answers questions from its own data. Called from several threads at once."""

    def __call__(self, question: Question) -> tuple[FoundItem, ...]:
        """What it found, best first; () where it found nothing.

        A backend that fails is something found, or (); it is never raised.
        """


@dataclass(frozen=True)
class FoundSection:
    """What one source found for one clause, or, once merged, for the whole query."""

    source: str
    items: tuple[FoundItem, ...]

    @property
    def text(self) -> str:
        """The items, one a line, without a header."""
        return "\n".join(item.text for item in self.items)


@dataclass(frozen=True)
class Routed:
    """result: the whole answer. source_used: one source, or the vocabulary's merged source."""

    result: str
    source_used: str
    cached: bool = False


# --- The steps ---

Guard = Callable[[GuardedText], frozenset[Conjunction]]  # the conjunctions at which a text must not be split
KeepClause = Callable[[str], bool]
Decompose = Callable[[str, IsNoun, Sequence[Guard], KeepClause], list[str]]
SearchText = Callable[[ClauseInQuery, str], str]  # (clause, source) → what the source is asked
AskSource = Callable[[str, str], tuple[FoundItem, ...]]  # (source, text) → what it found
Consult = Callable[[str, str, AskSource], tuple[FoundItem, ...]]
Merge = Callable[[Sequence[FoundSection]], tuple[FoundSection, ...]]
HeaderOf = Callable[[str], str]  # source → header


@dataclass(frozen=True)
class Steps:
    """One function a step, in the order in which a query meets them. A fault replaces one of them.

    sleep: seconds; called by a step that is slow on purpose, and by no honest one.
    """

    read_conditional: Callable[[str], Conditional | None]
    is_noun: IsNoun
    guard_pairs: Guard
    guard_nosplit: Guard
    keep_clause: KeepClause
    decompose: Decompose
    sources_of: Callable[[ClauseInQuery], tuple[str, ...]]
    search_text: SearchText
    consult: Consult
    merge: Merge
    header_of: HeaderOf
    write_merged: Callable[[Sequence[FoundSection], HeaderOf], str]
    sign: Callable[[Routed, str], Routed]  # (answer, query) → the answer as it goes out
    cache_is_suppressed: Callable[[], bool]
    sleep: Callable[[float], None]
