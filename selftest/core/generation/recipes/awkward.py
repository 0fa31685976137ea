"""Shapes beyond the specification's: places, lengths and repetitions that routers are seldom tried with. Pure."""

import random
from itertools import chain

from selftest.core.generation.combinations import Choose, Picks, Product, Space, one_of, some_of
from selftest.core.generation.queries import Part, PartKind
from selftest.core.generation.recipes.base import (
    COMMA,
    SPACE,
    Recipe,
    Relation,
    alternate,
    different_joints,
    intents,
    intents_by_source,
    joints_of,
    keywordless,
    parts,
    say_chain,
    unrelated,
    word_beginnings,
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


def _say_framed_keyword(picks: Picks, rng: random.Random) -> list[Part]:
    (phrase,), (intent,), *topics = picks
    return [phrase, SPACE, intent, *chain.from_iterable((ABOUT, topic) for (topic,) in topics)]


def _condition_in_a_later_place(vocabulary: Vocabulary) -> Space:
    consequences = one_of(parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences))
    joints = joints_of(vocabulary)
    between = {before: some_of(joints, before) for before in (1, 2)}  # it comes second or third
    by_source = [[(i, word_beginnings(i.text)) for i in group] for group in intents_by_source(vocabulary)]
    products: list[Product] = []
    for condition in parts(PartKind.CONDITION, vocabulary.seeds.conditions):
        groups = tuple(filter(None, (unrelated(vocabulary, condition, group) for group in by_source)))
        for before in between:
            for after in (0, 1):
                products.append((one_of([condition]), consequences, Choose(groups, before + after), between[before]))
    return tuple(products)


def _say_condition_later(picks: Picks, rng: random.Random) -> list[Part]:
    (condition,), (consequence,), said, joints = picks
    intents_said, before = rng.sample(said, len(said)), len(joints)
    after = chain.from_iterable((COMMA, intent) for intent in intents_said[before:])
    return [*alternate([*intents_said[:before], condition], joints, rng), COMMA, consequence, *after]


def _long_chain(vocabulary: Vocabulary) -> Space:
    phrases, joints = intents(vocabulary), joints_of(vocabulary)
    return tuple((some_of(phrases, n), different_joints(joints, n - 1)) for n in LONG_CHAIN_LENGTHS)


def _repeated_intent(vocabulary: Vocabulary) -> Space:
    """Two phrases of one source, or one phrase twice; and one of another source."""
    joints = different_joints(joints_of(vocabulary), 2)
    products: list[Product] = []
    for phrases in intents_by_source(vocabulary):
        others = one_of(intents(vocabulary, phrases[0].source))
        products += [(some_of(phrases, times), others, joints) for times in (2, 1)]
    return tuple(products)


def _say_repeated(picks: Picks, rng: random.Random) -> list[Part]:
    phrases, others, joints = picks
    twice = phrases * 2 if len(phrases) == 1 else phrases
    return say_chain(((*twice, *others), joints), rng)


def _pair_between_pronouns(vocabulary: Vocabulary) -> Space:
    requests = some_of(parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests), 2)
    pairs = one_of(parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs))
    return ((requests, pairs, different_joints(joints_of(vocabulary), 2)),)


def _say_pair_between(picks: Picks, rng: random.Random) -> list[Part]:
    requests, (pair,), joints = picks
    first, last = rng.sample(requests, 2)
    return alternate([first, pair, last], joints, rng)


def _very_long(vocabulary: Vocabulary) -> Space:
    topics = some_of(keywordless(vocabulary, vocabulary.seeds.open_topics), 2)
    groups, joints = intents_by_source(vocabulary), joints_of(vocabulary)
    return tuple((topics, Choose(groups, n), different_joints(joints, n)) for n in (1, 2))


def _say_very_long(picks: Picks, rng: random.Random) -> list[Part]:
    """The two topics over and over, as one clause; somewhere before, after or around it the intents."""
    topics, said, joints = picks
    first, second = rng.sample(topics, 2)
    again = f" {first.text} {second.text}".replace(",", "")
    filler = Part(PartKind.MARK, again * (rng.choice(LONG_CHARACTERS) // len(again)))
    clauses = rng.sample([first, *said], 1 + len(said))
    spoken = alternate(clauses, joints, rng)
    place = spoken.index(first) + 1
    return [*spoken[:place], SPACE, second, filler, *spoken[place:]]


AWKWARD = (
    Recipe(
        "discourse_framing_around_keyword",
        "A keyword inside discourse framing, in one clause: both the encyclopedia and the source are promised",
        _framed_keyword,
        _say_framed_keyword,
        frozenset({Relation.TWICE}),
    ),
    Recipe(
        "condition_in_later_place",
        "A condition in second or third place, with or without something after its consequence",
        _condition_in_a_later_place,
        _say_condition_later,
        frozenset({Relation.PARTS, Relation.TWICE}),
    ),
    Recipe(
        "long_intent_chain",
        "Six to twelve intents, so that sources and conjunctions come again",
        _long_chain,
        say_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        weight=2,
        hides=True,
    ),
    Recipe(
        "repeated_intent",
        "One source asked for twice, even in the same words, beside another",
        _repeated_intent,
        _say_repeated,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        hides=True,
    ),
    Recipe(
        "pair_between_pronoun_intents",
        "A proper-noun pair with the pronoun I on either side of it",
        _pair_between_pronouns,
        _say_pair_between,
        frozenset({Relation.PARTS, Relation.CONJUNCTION, Relation.PAIRS, Relation.TWICE}),
    ),
    Recipe(
        "very_long_input",
        "Intents beside two topics said over and over, for hundreds or thousands of characters",
        _very_long,
        _say_very_long,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
    ),
)
