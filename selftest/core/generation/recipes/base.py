"""What a recipe is, and how its parts are chosen and put in order. Knows no single recipe. Pure."""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, cycle, islice

from selftest.core.generation.queries import Choose, Part, PartKind, Picks, Query, Space, one_of, some_of
from selftest.core.generation.vocabulary import Alternatives, Requirement, Vocabulary

AKIN_LETTERS = 4  # words that begin with the same four count as forms of one: raining, rain
COMMA = Part(PartKind.MARK, ", ")
SPACE = Part(PartKind.MARK, " ")


class Relation(StrEnum):
    """What holds between the answers to a query and to what it is made of, or to another way of asking it."""

    PARTS = "parts"  # each part asked together brings what it brings alone
    ORDER = "order"  # the order of its parts does not matter
    CONJUNCTION = "conjunction"  # which conjunction stands between two parts does not matter
    PAIRS = "pairs"  # a pair stays whole
    TWICE = "twice"  # asking twice gives the same


@dataclass(frozen=True)
class Recipe:
    """One awkward shape. space: all its combinations over a vocabulary. assemble: one of them as parts in order.

    needs: what a vocabulary must hold for it to make anything; of several alternatives one is enough. weight: how many
    turns it has where the others have one. hides: several of its parts are for one source, so that
    what one of them loses another hides; a phrase used here still counts as never used. is_in_megaqueries: its shape is
    part of those too, so others have their first turn before it.
    """

    name: str
    stresses: str
    space: Callable[[Vocabulary], Space]
    assemble: Callable[[Picks, random.Random], list[Part]]
    relations: frozenset[Relation]
    needs: Alternatives
    weight: int = 1
    hides: bool = False
    is_in_megaqueries: bool = False

    def query(self, picks: Picks, rng: random.Random) -> Query:
        """One combination as a query; `rng` decides what the shape leaves open."""
        return Query(self.name, tuple(self.assemble(picks, rng)))


def parts(kind: PartKind, texts: Iterable[str]) -> tuple[Part, ...]:
    """Texts of one list as parts."""
    return tuple(Part(kind, text) for text in texts)


def intents(vocabulary: Vocabulary, *without: str) -> tuple[Part, ...]:
    """Every keyword phrase of every source but those named in `without`."""
    return tuple(chain.from_iterable(intents_by_source(vocabulary, *without)))


def intents_by_source(vocabulary: Vocabulary, *without: str) -> tuple[tuple[Part, ...], ...]:
    """The same, in a group for each source."""
    return tuple(
        tuple(Part(PartKind.INTENT, phrase, source) for phrase in phrases)
        for source, phrases in vocabulary.sources.items()
        if source not in without
    )


def conjunctions_of(vocabulary: Vocabulary, *without: Part) -> tuple[Part, ...]:
    """The conjunctions that no part in `without` holds already; all of them where that leaves none."""
    taken = " ".join(part.text for part in without).casefold()
    different = [c for c in vocabulary.conjunctions if c.casefold() not in taken]
    return parts(PartKind.CONJUNCTION, different or vocabulary.conjunctions)


SIGNS = (";", ":", "–", "—")  # that part as a comma does


def after_consequence(conjunction: Part) -> tuple[Part, ...]:
    """What joins a remainder to the conditional before it: a comma and a word, or a sign that the vocabulary lists."""
    has_sign = COMMA.text.strip() in conjunction.text or conjunction.text.lstrip().startswith(SIGNS)
    return (conjunction,) if has_sign else (Part(PartKind.MARK, ","), conjunction)


class Shared:
    """The same factor for the same values, so that a layer prepares it only once."""

    def __init__(self) -> None:
        self._factors: dict[tuple[Part, ...], Choose] = {}

    def one_of(self, values: tuple[Part, ...]) -> Choose:
        """One value of these."""
        return self._factors.setdefault(values, one_of(values))


def different_conjunctions(conjunctions: tuple[Part, ...], count: int) -> Choose:
    """`count` different conjunctions, or all of them where the vocabulary has fewer; `alternate` then repeats some.

    At least one: without any conjunction there is no combination, rather than one that cannot be assembled.
    """
    return some_of(conjunctions, max(1, min(count, len(conjunctions))))


def keywordless(vocabulary: Vocabulary, texts: Iterable[str]) -> tuple[Part, ...]:
    """Topics that point at no source: "google's history" does where "google" is a keyword."""
    return parts(PartKind.TOPIC, (text for text in texts if not vocabulary.sources_named_in(text)))


def in_order(picks: Picks, rng: random.Random) -> list[Part]:
    """The parts as the space lists them."""
    return list(chain.from_iterable(picks))


def alternate(clauses: list[Part], conjunctions: Iterable[Part], rng: random.Random) -> list[Part]:
    """Clauses with a conjunction between any two.

    Too few conjunctions repeat in their own order, so that the ingredients are the same.
    """
    needed = list(islice(cycle(conjunctions), len(clauses) - 1))
    rng.shuffle(needed)
    return [clauses[0], *chain.from_iterable(zip(needed, clauses[1:], strict=True))]


def shuffled_chain(picks: Picks, rng: random.Random) -> list[Part]:
    """Clauses in any order, joined by conjunctions."""
    clauses, conjunctions = picks
    return alternate(rng.sample(clauses, len(clauses)), conjunctions, rng)


def unrelated(vocabulary: Vocabulary, condition: Part, among: Iterable[tuple[Part, set[str]]]) -> tuple[Part, ...]:
    """Intents that have nothing to do with the condition: no source that it names, no word akin to its own.

    Only spelling is compared: "what is offline" stays next to "if any services are down".
    """
    of_condition = word_beginnings(condition.text)
    named = vocabulary.sources_named_in(condition.text)
    return tuple(intent for intent, beginnings in among if intent.source not in named and not of_condition & beginnings)


def _beside_conditions(vocabulary: Vocabulary) -> Iterator[tuple[Part, ...]]:
    """For each condition the phrases that have nothing to do with it; every phrase where there is no condition."""
    among = [(intent, word_beginnings(intent.text)) for intent in intents(vocabulary)]
    conditions = parts(PartKind.CONDITION, vocabulary.seeds.conditions)
    if not conditions:
        yield intents(vocabulary)
    for condition in conditions:
        yield unrelated(vocabulary, condition, among)


def _unrelated_phrases(vocabulary: Vocabulary) -> int:
    """For the condition that leaves the most."""
    return max(map(len, _beside_conditions(vocabulary)))


def _unrelated_sources(vocabulary: Vocabulary) -> int:
    """For the condition that leaves the most."""
    return max(len({phrase.source for phrase in phrases}) for phrases in _beside_conditions(vocabulary))


UNRELATED_PHRASE = Requirement(
    "sources",
    "keyword phrase unrelated to a condition",
    "keyword phrases unrelated to a condition",
    _unrelated_phrases,
)
UNRELATED_SOURCE = Requirement(
    "sources",
    "source with a keyword phrase unrelated to a condition",
    "sources with a keyword phrase unrelated to a condition",
    _unrelated_sources,
)


def word_beginnings(text: str) -> set[str]:
    """The first four letters of each word: "raining" is akin to "rain". Shorter words are mostly grammar."""
    return {word[:AKIN_LETTERS] for word in re.findall(r"\w+", text.casefold()) if len(word) >= AKIN_LETTERS}
