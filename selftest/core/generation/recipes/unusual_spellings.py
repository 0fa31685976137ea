"""Keyword phrases written in other ways than in the vocabulary: case, quotes, signs, look-alike letters. Pure."""

import random
from collections.abc import Callable, Iterable, Iterator

from selftest.core.generation.queries import Choose, Part, PartKind, Picks, Space, one_of
from selftest.core.generation.recipes.base import (
    Recipe,
    Relation,
    conjunctions_of,
    different_conjunctions,
    intents,
    intents_by_source,
    shuffled_chain,
)
from selftest.core.generation.recipes.requirements import CONJUNCTION, SOURCE
from selftest.core.generation.vocabulary import Requirement, Vocabulary

Writings = Callable[[str], Iterator[str]]
CHAIN_LENGTHS = (2, 3)
SIGNED_LENGTHS = (2, 3, 4)  # so that two chains hold every sign once
CYRILLIC = str.maketrans("aceopxyi", "асеорхуі")
FULL_WIDTH_OFFSET = 0xFEE0  # from an ASCII letter to its full-width form
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
SCRAP_CHARACTERS = 3  # what is no keyword and no longer than this is nothing that a router has to answer
ZERO_WIDTH_SPACE = "\N{ZERO WIDTH SPACE}"
CURLY_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


def _in_other_case(phrase: str) -> Iterator[str]:
    """Only what is the same without its case."""
    mixed = "".join(c.upper() if index % 2 else c.lower() for index, c in enumerate(phrase))
    title = " ".join(word.capitalize() for word in phrase.split(" "))
    yield from (text for text in (phrase.upper(), title, mixed) if text.casefold() == phrase.casefold())


def _with_signs(phrase: str) -> Iterator[str]:
    yield from (f'"{phrase}"', f"“{phrase}”", f"«{phrase}»", f"({phrase})", f"{phrase}!", f"{phrase}?", f"{phrase}…")


def in_lookalikes(phrase: str) -> Iterator[str]:
    """The phrase in characters that look alike but are others."""
    yield phrase.translate(CYRILLIC)
    yield "".join(chr(ord(c) + FULL_WIDTH_OFFSET) if c.isascii() and c.isalpha() else c for c in phrase)
    yield phrase.replace(" ", NO_BREAK_SPACE)
    yield phrase.replace("'", CURLY_APOSTROPHE)
    yield f"{phrase[:2]}{ZERO_WIDTH_SPACE}{phrase[2:]}"


def _written(plain: str, writings: Writings) -> list[str]:
    """Each way of writing `plain` once, and not itself."""
    return [text for text in dict.fromkeys(writings(plain)) if text != plain]


def _chain_of(writings: Writings, lengths: Iterable[int] = CHAIN_LENGTHS) -> Callable[[Vocabulary], Space]:
    """A few intents of different sources, each written in another way."""

    def space(vocabulary: Vocabulary) -> Space:
        groups = tuple(
            tuple(
                Part(PartKind.INTENT, text, intent.source, intent.text)
                for intent in phrases
                for text in _written(intent.text, writings)
            )
            for phrases in intents_by_source(vocabulary)
        )
        conjunctions = conjunctions_of(vocabulary)
        return tuple((Choose(groups, n), different_conjunctions(conjunctions, n - 1)) for n in lengths)

    return space


def _lookalike_among_intents(vocabulary: Vocabulary) -> Space:
    long_enough = [intent.text for intent in intents(vocabulary) if len(intent.text) > SCRAP_CHARACTERS]
    texts = dict.fromkeys(text for phrase in long_enough for text in _written(phrase, in_lookalikes))
    lookalikes = one_of(Part(PartKind.LOOKALIKE, text) for text in texts)
    groups, conjunctions = intents_by_source(vocabulary), conjunctions_of(vocabulary)
    return tuple(
        (lookalikes, Choose(groups, n - 1), different_conjunctions(conjunctions, n - 1)) for n in CHAIN_LENGTHS
    )


def _assemble_lookalike(picks: Picks, rng: random.Random) -> list[Part]:
    lookalikes, chosen, conjunctions = picks
    return shuffled_chain(((*lookalikes, *chosen), conjunctions), rng)


def _sources_with(what: str, writings: Writings) -> Requirement:
    """Two sources that each have a phrase which `writings` changes."""

    def usable(vocabulary: Vocabulary) -> int:
        return sum(any(_written(phrase, writings) for phrase in phrases) for phrases in vocabulary.sources.values())

    item = f"with a phrase that has {what}"
    return Requirement("sources", f"source {item}", f"sources {item}", usable, 2)


LONG_PHRASE = Requirement(
    "sources",
    f"keyword phrase of more than {SCRAP_CHARACTERS} characters",
    f"keyword phrases of more than {SCRAP_CHARACTERS} characters",
    lambda v: sum(len(phrase) > SCRAP_CHARACTERS for phrases in v.sources.values() for phrase in phrases),
)
WRITTEN = (
    Recipe(
        "keywords_in_other_case",
        "Keyword phrases in CAPITALS, In Title Case or mIxEd: they are compared without their case",
        _chain_of(_in_other_case),
        shuffled_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((_sources_with("another case", _in_other_case), CONJUNCTION),),
        weight=2,
    ),
    Recipe(
        "keywords_with_signs",
        "Keyword phrases in quotes or brackets, or with a sign after them",
        _chain_of(_with_signs, SIGNED_LENGTHS),
        shuffled_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((SOURCE.times(2), CONJUNCTION),),
        weight=3,
    ),
    Recipe(
        "lookalike_keyword",
        "A keyword phrase in letters that only look like it, among intents that must not suffer from it",
        _lookalike_among_intents,
        _assemble_lookalike,
        frozenset({Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((LONG_PHRASE, SOURCE, CONJUNCTION),),
    ),
)
