"""Shapes beyond the specification's: positions, lengths and repetitions that routers are rarely tried with. Pure."""

import random
from itertools import chain

from selftest.core.generation.queries import Choose, Part, PartKind, Picks, Product, Space, one_of, some_of
from selftest.core.generation.recipes.base import (
    COMMA,
    SPACE,
    UNRELATED_SOURCE,
    Recipe,
    Relation,
    after_consequence,
    alternate,
    conjunctions_of,
    different_conjunctions,
    intents,
    intents_by_source,
    keywordless,
    parts,
    shuffled_chain,
    unrelated,
    word_beginnings,
)
from selftest.core.generation.recipes.requirements import (
    CONDITION,
    CONJUNCTION,
    CONSEQUENCE,
    FRAMING,
    OPEN_TOPIC,
    PAIR,
    PHRASE,
    PHRASE_OF_ANOTHER_SOURCE,
    REQUEST,
    SOURCE,
)
from selftest.core.generation.vocabulary import Vocabulary

LONG_CHAIN_LENGTHS = range(6, 13)
LONG_CHARACTERS = (300, 600, 1200, 2400)  # from a long paragraph to what no sensible person would type
ABOUT = Part(PartKind.MARK, " about ")


def _framed_keyword(vocabulary: Vocabulary) -> Space:
    framing = one_of(parts(PartKind.DISCOURSE, vocabulary.discourse_phrases))
    keywords = one_of(intents(vocabulary, vocabulary.encyclopedia))
    # Topics of no other framed query: the two would be made of the same ingredients.
    open_topics = [t for t in vocabulary.seeds.open_topics if t not in vocabulary.seeds.discourse_topics]
    return ((framing, keywords), (framing, keywords, one_of(keywordless(vocabulary, open_topics))))


def _assemble_framed_keyword(picks: Picks, rng: random.Random) -> list[Part]:
    (phrase,), (intent,), *topics = picks
    return [phrase, SPACE, intent, *chain.from_iterable((ABOUT, topic) for (topic,) in topics)]


def _condition_in_later_position(vocabulary: Vocabulary) -> Space:
    consequences = one_of(parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences))
    conjunctions = conjunctions_of(vocabulary)
    by_source = [[(i, word_beginnings(i.text)) for i in group] for group in intents_by_source(vocabulary)]
    products: list[Product] = []
    for condition in parts(PartKind.CONDITION, vocabulary.seeds.conditions):
        groups = tuple(filter(None, (unrelated(vocabulary, condition, group) for group in by_source)))
        # One alone would be the recipe with a remainder, turned round.
        for count in (2, 3):
            between = different_conjunctions(conjunctions, count)
            products.append((one_of([condition]), consequences, Choose(groups, count), between))
    return tuple(products)


def _assemble_condition_later(picks: Picks, rng: random.Random) -> list[Part]:
    (condition,), (consequence,), chosen, conjunctions = picks
    shuffled, before = rng.sample(chosen, len(chosen)), min(2, max(1, len(chosen) - rng.randint(0, 1)))
    joined = alternate([*shuffled[:before], condition, *shuffled[before:]], conjunctions, rng)
    after = joined.index(condition) + 1
    ending = [*after_consequence(joined[after]), *joined[after + 1 :]] if joined[after:] else []
    return [*joined[:after], COMMA, consequence, *ending]


def _long_chain(vocabulary: Vocabulary) -> Space:
    phrases, conjunctions = intents(vocabulary), conjunctions_of(vocabulary)
    return tuple((some_of(phrases, n), different_conjunctions(conjunctions, n - 1)) for n in LONG_CHAIN_LENGTHS)


def _repeated_intent(vocabulary: Vocabulary) -> Space:
    """Two phrases of one source, or one phrase twice; and one of another source."""
    conjunctions = different_conjunctions(conjunctions_of(vocabulary), 2)
    products: list[Product] = []
    for phrases in intents_by_source(vocabulary):
        others = one_of(intents(vocabulary, phrases[0].source))
        products += [(some_of(phrases, times), others, conjunctions) for times in (2, 1)]
    return tuple(products)


def _assemble_repeated(picks: Picks, rng: random.Random) -> list[Part]:
    phrases, others, conjunctions = picks
    twice = phrases * 2 if len(phrases) == 1 else phrases
    return shuffled_chain(((*twice, *others), conjunctions), rng)


def _pair_between_pronouns(vocabulary: Vocabulary) -> Space:
    requests = some_of(parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests), 2)
    pairs = one_of(parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs))
    return ((requests, pairs, different_conjunctions(conjunctions_of(vocabulary), 2)),)


def _assemble_pair_between(picks: Picks, rng: random.Random) -> list[Part]:
    requests, (pair,), conjunctions = picks
    first, last = rng.sample(requests, 2)
    return alternate([first, pair, last], conjunctions, rng)


def _very_long(vocabulary: Vocabulary) -> Space:
    topics = some_of(keywordless(vocabulary, vocabulary.seeds.open_topics), 2)
    groups, conjunctions = intents_by_source(vocabulary), conjunctions_of(vocabulary)
    return tuple((topics, Choose(groups, n), different_conjunctions(conjunctions, n)) for n in (1, 2))


def _assemble_very_long(picks: Picks, rng: random.Random) -> list[Part]:
    """The two topics over and over, as one clause; the intents before, after or around it."""
    topics, chosen, conjunctions = picks
    first, second = rng.sample(topics, 2)
    repeated = f" {first.text} {second.text}".replace(",", "")
    filler = Part(PartKind.MARK, repeated * (rng.choice(LONG_CHARACTERS) // len(repeated)))
    clauses = rng.sample([first, *chosen], 1 + len(chosen))
    joined = alternate(clauses, conjunctions, rng)
    position = joined.index(first) + 1
    return [*joined[:position], SPACE, second, filler, *joined[position:]]


AWKWARD = (
    Recipe(
        "discourse_framing_around_keyword",
        "A keyword inside discourse framing, in one clause: both the encyclopedia and the source are promised",
        _framed_keyword,
        _assemble_framed_keyword,
        frozenset({Relation.TWICE}),
        needs=((FRAMING, PHRASE_OF_ANOTHER_SOURCE),),
    ),
    Recipe(
        "condition_in_later_place",
        "A condition in second or third position, with or without something after its consequence",
        _condition_in_later_position,
        _assemble_condition_later,
        frozenset({Relation.PARTS, Relation.TWICE}),
        needs=((CONDITION, CONSEQUENCE, UNRELATED_SOURCE.times(2), CONJUNCTION),),
    ),
    Recipe(
        "long_intent_chain",
        "Six to twelve intents, so that sources and conjunctions repeat",
        _long_chain,
        shuffled_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((PHRASE.times(LONG_CHAIN_LENGTHS[0]), CONJUNCTION),),
        weight=2,
        hides=True,
    ),
    Recipe(
        "repeated_intent",
        "One source asked for twice, even in the same words, next to another",
        _repeated_intent,
        _assemble_repeated,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((SOURCE.times(2), CONJUNCTION),),
        hides=True,
    ),
    Recipe(
        "pair_between_pronoun_intents",
        "A proper-noun pair with the pronoun I on either side of it",
        _pair_between_pronouns,
        _assemble_pair_between,
        frozenset({Relation.PARTS, Relation.CONJUNCTION, Relation.PAIRS, Relation.TWICE}),
        needs=((PAIR, REQUEST.times(2), CONJUNCTION),),
    ),
    Recipe(
        "very_long_input",
        "Intents next to two topics repeated over and over, for hundreds or thousands of characters",
        _very_long,
        _assemble_very_long,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((OPEN_TOPIC.times(2), PHRASE, CONJUNCTION),),
    ),
)
