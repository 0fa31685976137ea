"""A generated query: typed parts, and from them its text and ingredients; and spaces of parts. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache


class PartKind(StrEnum):
    """The role of a part in a query. The values are stored, in queries and fingerprints."""

    INTENT = "intent"  # a keyword phrase of one source
    CONJUNCTION = "joint"  # a conjunction of the vocabulary, with its spaces
    NOSPLIT = "nosplit"  # a phrase that looks like a conjunction and must not split
    PAIR = "pair"  # a proper-noun pair that must stay whole
    DISCOURSE = "discourse"  # framing that promises the encyclopedia
    TOPIC = "topic"  # no keyword of any source
    CONDITION = "condition"
    CONSEQUENCE = "consequence"
    REQUEST = "request"  # a request in the first person
    LOOKALIKE = "lookalike"  # a keyword phrase in other letters; a router may take it for the phrase or not
    MARK = "mark"  # punctuation and filler between the others; no ingredient


COMMA = ","
STYLED = "…"  # in place of the phrase
CAPITALS, TITLE_CASE, MIXED_CASE = "AA", "Aa", "aA"
ENCYCLOPEDIA_KINDS = frozenset({PartKind.PAIR, PartKind.TOPIC, PartKind.DISCOURSE})
# Routed by a keyword that their text happens to hold.
FREE_KINDS = frozenset({PartKind.CONDITION, PartKind.REQUEST, PartKind.LOOKALIKE})


@dataclass(frozen=True)
class Part:
    """A part of a query as it appears in the text.

    source: the one that an intent points at, "" for every other kind. plain: the phrase that `text` is written from
    in another case, in quotes or with a sign, "" where the two are the same.
    """

    kind: PartKind
    text: str
    source: str = ""
    plain: str = ""

    @property
    def style(self) -> str:
        """How its plain phrase is written: the signs around it, or which letters are capitals; "" for as it is."""
        if not self.plain:
            return ""
        if self.plain in self.text:
            return self.text.replace(self.plain, STYLED, 1)
        if self.text.isupper():
            return CAPITALS
        return TITLE_CASE if self.text[:1].isupper() else MIXED_CASE

    @property
    def ingredient(self) -> str:
        """Kind, source and text in one name, as fingerprints hold it."""
        return ":".join(filter(None, (self.kind, self.source, self.text)))


@dataclass(frozen=True)
class Clause:
    """What could be asked by itself: parts that belong together, such as a discourse phrase and its topic."""

    parts: tuple[Part, ...]

    @cached_property
    def text(self) -> str:
        """What is asked."""
        return "".join(part.text for part in self.parts).strip()

    @cached_property
    def plain(self) -> str:
        """The text with every phrase as the vocabulary has it."""
        return "".join(part.plain or part.text for part in self.parts).strip()

    @cached_property
    def kinds(self) -> frozenset[PartKind]:
        """Of its parts."""
        return frozenset(part.kind for part in self.parts)

    @property
    def intended_sources(self) -> tuple[str, ...]:
        """The sources that its intents point at, in order, each once."""
        return _intended(self.parts)


@dataclass(frozen=True)
class Query:
    """What is asked: the parts of one recipe, in order."""

    recipe: str
    parts: tuple[Part, ...]

    @cached_property
    def text(self) -> str:
        """What is asked."""
        return "".join(part.text for part in self.parts).strip()

    @cached_property
    def ingredients(self) -> tuple[str, ...]:
        """Sorted; each as often as it was used. Marks do not count."""
        return tuple(sorted(part.ingredient for part in self.parts if part.kind is not PartKind.MARK))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """What conjunctions and commas separate; not the comma after a condition, to which its consequence belongs."""
        clauses: list[list[Part]] = [[]]
        for part in self.parts:
            is_comma = part.kind is PartKind.MARK and COMMA in part.text
            if is_comma and clauses[-1] and clauses[-1][-1].kind is PartKind.CONDITION:
                clauses[-1].append(part)
            elif part.kind is PartKind.CONJUNCTION or is_comma:
                clauses.append([])
            else:
                clauses[-1].append(part)
        return tuple(_clause(tuple(clause)) for clause in clauses if clause)

    @property
    def intended_sources(self) -> tuple[str, ...]:
        """The sources that the intents point at, in order, each once."""
        return _intended(self.parts)


@lru_cache(maxsize=16384)  # queries are made of the same ones over and over
def _clause(parts: tuple[Part, ...]) -> Clause:
    return Clause(parts)


def _intended(parts: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.source for part in parts if part.kind is PartKind.INTENT))


# --- what recipes choose from ---


@dataclass(frozen=True)
class Choose:
    """One value from each of `k` different `groups`; which comes first does not matter."""

    groups: tuple[tuple[Part, ...], ...]
    k: int = 1


def one_of(values: Iterable[Part]) -> Choose:
    """One value of a list."""
    return Choose((tuple(values),))


def some_of(values: Iterable[Part], k: int) -> Choose:
    """`k` different values of one list."""
    return Choose(tuple((value,) for value in values), k)


Product = tuple[Choose, ...]
Space = tuple[Product, ...]
Picks = tuple[tuple[Part, ...], ...]  # for each factor of the product, the values chosen
