"""The seven recipes of the specification: which ingredients go together, and how they are said. Pure."""

import random

from selftest.core.generation.combinations import Choose, Picks, Space, one_of, some_of
from selftest.core.generation.queries import Part, PartKind
from selftest.core.generation.recipes.base import (
    COMMA,
    SPACE,
    Recipe,
    Relation,
    Shared,
    alternate,
    different_joints,
    intents,
    intents_by_source,
    joints_of,
    keywordless,
    parts,
    say_chain,
    say_in_order,
    unrelated,
    word_beginnings,
)
from selftest.core.generation.vocabulary import Vocabulary

CHAIN_LENGTHS = range(3, 6)  # 3–5 independent intents, as the specification has it


def _pair_then_pronoun(vocabulary: Vocabulary) -> Space:
    pairs = parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    requests = parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests)
    return ((one_of(pairs), one_of(joints_of(vocabulary)), one_of(requests)),)


def _intent_chain(vocabulary: Vocabulary) -> Space:
    groups = intents_by_source(vocabulary)
    joints = joints_of(vocabulary)
    longest = min(CHAIN_LENGTHS[-1], len(groups))
    shortest = max(2, min(CHAIN_LENGTHS[0], len(groups)))  # a router of two sources has chains of two
    return tuple((Choose(groups, n), different_joints(joints, n - 1)) for n in range(shortest, longest + 1))


def _condition_and_remainder(vocabulary: Vocabulary) -> Space:
    consequences = one_of(parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences))
    among = [(intent, word_beginnings(intent.text)) for intent in intents(vocabulary)]
    shared = Shared()
    # A product for each condition, not for each set of remainders: a later keyword that goes with only some of the
    # conditions would part such a set, and walks that it has nothing to do with would begin anew.
    return tuple(
        (one_of([condition]), consequences, shared.one_of(unrelated(vocabulary, condition, among)))
        for condition in parts(PartKind.CONDITION, vocabulary.seeds.conditions)
    )


def _say_condition(picks: Picks, rng: random.Random) -> list[Part]:
    (condition,), (consequence,), (remainder,) = picks
    return [condition, COMMA, consequence, COMMA, remainder]


def _nosplit_beside_joint(vocabulary: Vocabulary) -> Space:
    nosplit = one_of(parts(PartKind.NOSPLIT, vocabulary.nosplit_phrases))
    of_any_source = one_of(intents(vocabulary))
    shared = Shared()
    return tuple(
        (nosplit, one_of([pair]), shared.one_of(joints_of(vocabulary, pair)), of_any_source)
        for pair in parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    )


def _say_nosplit(picks: Picks, rng: random.Random) -> list[Part]:
    (nosplit,), (pair,), (joint,), (intent,) = picks
    return [nosplit, SPACE, pair, joint, intent]


def _discourse_and_keyword(vocabulary: Vocabulary) -> Space:
    return (
        (
            one_of(parts(PartKind.DISCOURSE, vocabulary.discourse_phrases)),
            one_of(keywordless(vocabulary, vocabulary.seeds.discourse_topics)),
            one_of(intents(vocabulary, vocabulary.encyclopedia)),
        ),
    )


def _say_discourse(picks: Picks, rng: random.Random) -> list[Part]:
    (phrase,), (topic,), (intent,) = picks
    return [phrase, SPACE, topic, Part(PartKind.MARK, ", and "), intent]


def _two_pairs(vocabulary: Vocabulary) -> Space:
    pairs = parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    joints = joints_of(vocabulary, *pairs)
    return ((some_of(pairs, 2), different_joints(joints, 2), one_of(intents(vocabulary))),)


def _say_two_pairs(picks: Picks, rng: random.Random) -> list[Part]:
    pairs, joints, (intent,) = picks
    return alternate([*rng.sample(pairs, 2), intent], joints, rng)


def _open_topic(vocabulary: Vocabulary) -> Space:
    return ((one_of(keywordless(vocabulary, vocabulary.seeds.open_topics)),),)


SPECIFIED = (
    Recipe(
        "proper_noun_plus_pronoun_intent",
        "A proper-noun pair, a conjunction, and the pronoun I, which is no third noun",
        _pair_then_pronoun,
        say_in_order,
        frozenset({Relation.PARTS, Relation.CONJUNCTION, Relation.PAIRS, Relation.TWICE}),
        weight=3,  # the shape that found most: a pair beside the pronoun
    ),
    Recipe(
        "multi_intent_chain",
        "Three to five intents of different sources, joined by different conjunctions",
        _intent_chain,
        say_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        weight=6,  # so that most phrases have been said within a dozen queries
    ),
    Recipe(
        "conditional_with_remainder",
        "A condition with its consequence, then an intent that has nothing to do with it",
        _condition_and_remainder,
        _say_condition,
        frozenset({Relation.PARTS, Relation.TWICE}),
    ),
    Recipe(
        "nosplit_adjacent_to_real_conjunction",
        "A phrase that must not split, beside another conjunction that must",
        _nosplit_beside_joint,
        _say_nosplit,
        frozenset({Relation.PARTS, Relation.PAIRS, Relation.TWICE}),
    ),
    Recipe(
        "discourse_framing_plus_real_keyword",
        "Discourse framing, which promises the encyclopedia, and a keyword of another source",
        _discourse_and_keyword,
        _say_discourse,
        frozenset({Relation.PARTS, Relation.TWICE}),
    ),
    Recipe(
        "nested_proper_noun_pairs",
        "Two proper-noun pairs that must each stay whole, and an intent",
        _two_pairs,
        _say_two_pairs,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.PAIRS, Relation.TWICE}),
        weight=4,  # as the pair of which only the first is kept
    ),
    Recipe(
        "no_intent_fallthrough",
        "No keyword at all: does it fall through to the encyclopedia?",
        _open_topic,
        say_in_order,
        frozenset({Relation.TWICE}),
    ),
)
