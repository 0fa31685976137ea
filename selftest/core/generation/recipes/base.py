"""What a recipe is, and what its parts are taken from. Knows no recipe. Pure."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, cycle, islice

from selftest.core.generation.combinations import Choose, Picks, Space, one_of, some_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary

AKIN_LETTERS = 4  # words that begin with the same four are taken for forms of one: raining, rain
COMMA = Part(PartKind.MARK, ", ")
SPACE = Part(PartKind.MARK, " ")


class Relation(StrEnum):
    """What holds between the answers to a query and to what it is made of, or to another way of asking it."""

    PARTS = "parts"  # each part asked together brings what it brings alone
    ORDER = "order"  # the order of its parts does not matter
    CONJUNCTION = "conjunction"  # which joint stands between two parts does not matter
    PAIRS = "pairs"  # a pair stays whole
    TWICE = "twice"  # asking twice gives the same


@dataclass(frozen=True)
class Recipe:
    """One awkward shape. space: all its combinations over a vocabulary. say: one of them as parts in order.

    weight: how often it has a turn where the others have one. hides: several of its parts are for one source, so that
    what one of them loses another hides; a phrase said here still counts as one never said.
    """

    name: str
    stresses: str
    space: Callable[[Vocabulary], Space]
    say: Callable[[Picks, random.Random], list[Part]]
    relations: frozenset[Relation]
    weight: int = 1
    hides: bool = False

    def query(self, picks: Picks, rng: random.Random) -> Query:
        return Query(self.name, tuple(self.say(picks, rng)))


def parts(kind: PartKind, texts: Iterable[str]) -> tuple[Part, ...]:
    return tuple(Part(kind, text) for text in texts)


def intents(vocabulary: Vocabulary, *without: str) -> tuple[Part, ...]:
    """Every keyword phrase of every source but those named in `without`."""
    return tuple(chain.from_iterable(intents_by_source(vocabulary, *without)))


def intents_by_source(vocabulary: Vocabulary, *without: str) -> tuple[tuple[Part, ...], ...]:
    return tuple(
        tuple(Part(PartKind.INTENT, phrase, source) for phrase in phrases)
        for source, phrases in vocabulary.sources.items()
        if source not in without
    )


def joints_of(vocabulary: Vocabulary, *beside: Part) -> tuple[Part, ...]:
    """The conjunctions that no part in `beside` holds already; all of them where that leaves none."""
    spoken = " ".join(part.text for part in beside).casefold()
    different = [c for c in vocabulary.conjunctions if c.casefold() not in spoken]
    return parts(PartKind.JOINT, different or vocabulary.conjunctions)


class Shared:
    """The same factor for the same values, so that a layer has to lay it out only once."""

    def __init__(self) -> None:
        self._factors: dict[tuple[Part, ...], Choose] = {}

    def one_of(self, values: tuple[Part, ...]) -> Choose:
        return self._factors.setdefault(values, one_of(values))


def different_joints(joints: tuple[Part, ...], count: int) -> Choose:
    """`count` different joints, or all of them where the vocabulary has fewer; `alternate` then says some twice.

    At least one: without any joint there is no combination, rather than one that cannot be said.
    """
    return some_of(joints, max(1, min(count, len(joints))))


def keywordless(vocabulary: Vocabulary, texts: Iterable[str]) -> tuple[Part, ...]:
    """Topics that really point at no source: "google's history" is none where "google" is a keyword."""
    return parts(PartKind.TOPIC, (text for text in texts if not vocabulary.sources_named_in(text)))


def say_in_order(picks: Picks, rng: random.Random) -> list[Part]:
    return list(chain.from_iterable(picks))


def alternate(clauses: list[Part], joints: Iterable[Part], rng: random.Random) -> list[Part]:
    """clause joint clause joint clause. Too few joints repeat in their own order, so the ingredients are the same."""
    needed = list(islice(cycle(joints), len(clauses) - 1))
    rng.shuffle(needed)
    return [clauses[0], *chain.from_iterable(zip(needed, clauses[1:], strict=True))]


def say_chain(picks: Picks, rng: random.Random) -> list[Part]:
    said, joints = picks
    return alternate(rng.sample(said, len(said)), joints, rng)


def unrelated(vocabulary: Vocabulary, condition: Part, among: Iterable[tuple[Part, set[str]]]) -> tuple[Part, ...]:
    """Intents that have genuinely nothing to do with the condition: no source that it names, no word akin to its own.

    Only spelling is looked at: "what is offline" stays beside "if any services are down".
    """
    said = word_beginnings(condition.text)
    named = vocabulary.sources_named_in(condition.text)
    return tuple(intent for intent, beginnings in among if intent.source not in named and not said & beginnings)


def word_beginnings(text: str) -> set[str]:
    """The first four letters of each word: "raining" is akin to "rain". Shorter words are mostly grammar."""
    return {word[:AKIN_LETTERS] for word in re.findall(r"\w+", text.casefold()) if len(word) >= AKIN_LETTERS}
