"""The seven recipes of the specification: which ingredients go together, and in what order. Pure."""

import random

from selftest.core.generation.queries import Choose, Part, PartKind, Picks, Space, one_of, some_of
from selftest.core.generation.recipes.base import (
    COMMA,
    SPACE,
    UNRELATED_PHRASE,
    Recipe,
    Relation,
    Shared,
    after_consequence,
    alternate,
    conjunctions_of,
    different_conjunctions,
    in_order,
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
    DISCOURSE_TOPIC,
    FRAMING,
    NOSPLIT,
    OPEN_TOPIC,
    PAIR,
    PHRASE,
    PHRASE_OF_ANOTHER_SOURCE,
    REQUEST,
    SOURCE,
)
from selftest.core.generation.vocabulary import Vocabulary

CHAIN_LENGTHS = range(3, 6)  # 3–5 independent intents, as the specification has it


def _pair_then_pronoun(vocabulary: Vocabulary) -> Space:
    pairs = parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    requests = parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests)
    return ((one_of(pairs), one_of(conjunctions_of(vocabulary)), one_of(requests)),)


def _intent_chain(vocabulary: Vocabulary) -> Space:
    groups = intents_by_source(vocabulary)
    conjunctions = conjunctions_of(vocabulary)
    longest = min(CHAIN_LENGTHS[-1], len(groups))
    shortest = max(2, min(CHAIN_LENGTHS[0], len(groups)))  # a router of two sources has chains of two
    return tuple((Choose(groups, n), different_conjunctions(conjunctions, n - 1)) for n in range(shortest, longest + 1))


def _condition_and_remainder(vocabulary: Vocabulary) -> Space:
    consequences = one_of(parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences))
    among = [(intent, word_beginnings(intent.text)) for intent in intents(vocabulary)]
    shared = Shared()
    # A product for each condition, not for each set of remainders: a later keyword that goes with only some of the
    # conditions would split such a set, and walks unrelated to it would start again.
    return tuple(
        (
            one_of([condition]),
            consequences,
            shared.one_of(conjunctions_of(vocabulary, condition)),
            shared.one_of(unrelated(vocabulary, condition, among)),
        )
        for condition in parts(PartKind.CONDITION, vocabulary.seeds.conditions)
    )


def _assemble_condition(picks: Picks, rng: random.Random) -> list[Part]:
    (condition,), (consequence,), (conjunction,), (remainder,) = picks
    return [condition, COMMA, consequence, *after_consequence(conjunction), remainder]


def _nosplit_with_conjunction(vocabulary: Vocabulary) -> Space:
    nosplit = one_of(parts(PartKind.NOSPLIT, vocabulary.nosplit_phrases))
    of_any_source = one_of(intents(vocabulary))
    shared = Shared()
    return tuple(
        (nosplit, one_of([pair]), shared.one_of(conjunctions_of(vocabulary, pair)), of_any_source)
        for pair in parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    )


def _assemble_nosplit(picks: Picks, rng: random.Random) -> list[Part]:
    (nosplit,), (pair,), (conjunction,), (intent,) = picks
    return [nosplit, SPACE, pair, conjunction, intent]


def _discourse_and_keyword(vocabulary: Vocabulary) -> Space:
    return (
        (
            one_of(parts(PartKind.DISCOURSE, vocabulary.discourse_phrases)),
            one_of(keywordless(vocabulary, vocabulary.seeds.discourse_topics)),
            one_of(intents(vocabulary, vocabulary.encyclopedia)),
        ),
    )


def _assemble_discourse(picks: Picks, rng: random.Random) -> list[Part]:
    (phrase,), (topic,), (intent,) = picks
    return [phrase, SPACE, topic, Part(PartKind.MARK, ", and "), intent]


def _two_pairs(vocabulary: Vocabulary) -> Space:
    pairs = parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    conjunctions = conjunctions_of(vocabulary, *pairs)
    return ((some_of(pairs, 2), different_conjunctions(conjunctions, 2), one_of(intents(vocabulary))),)


def _assemble_two_pairs(picks: Picks, rng: random.Random) -> list[Part]:
    pairs, conjunctions, (intent,) = picks
    return alternate([*rng.sample(pairs, 2), intent], conjunctions, rng)


def _open_topic(vocabulary: Vocabulary) -> Space:
    return ((one_of(keywordless(vocabulary, vocabulary.seeds.open_topics)),),)


SPECIFIED = (
    Recipe(
        "proper_noun_plus_pronoun_intent",
        "A proper-noun pair, a conjunction, and the pronoun I, which is no third noun",
        _pair_then_pronoun,
        in_order,
        frozenset({Relation.PARTS, Relation.CONJUNCTION, Relation.PAIRS, Relation.TWICE}),
        needs=((PAIR, CONJUNCTION, REQUEST),),
        weight=3,  # the shape that found most: a pair next to the pronoun
    ),
    Recipe(
        "multi_intent_chain",
        "Three to five intents of different sources, joined by different conjunctions",
        _intent_chain,
        shuffled_chain,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.CONJUNCTION, Relation.TWICE}),
        needs=((SOURCE.times(2), CONJUNCTION),),
        weight=6,  # so that most phrases have been used within a dozen queries
    ),
    Recipe(
        "conditional_with_remainder",
        "A condition with its consequence, then an intent that has nothing to do with it",
        _condition_and_remainder,
        _assemble_condition,
        frozenset({Relation.PARTS, Relation.TWICE}),
        needs=((CONDITION, CONSEQUENCE, CONJUNCTION, UNRELATED_PHRASE),),
        is_in_megaqueries=True,
    ),
    Recipe(
        "nosplit_adjacent_to_real_conjunction",
        "A phrase that must not split, next to another conjunction that must",
        _nosplit_with_conjunction,
        _assemble_nosplit,
        frozenset({Relation.PARTS, Relation.PAIRS, Relation.TWICE}),
        needs=((NOSPLIT, PAIR, CONJUNCTION, PHRASE),),
        is_in_megaqueries=True,
    ),
    Recipe(
        "discourse_framing_plus_real_keyword",
        "Discourse framing, which promises the encyclopedia, and a keyword of another source",
        _discourse_and_keyword,
        _assemble_discourse,
        frozenset({Relation.PARTS, Relation.TWICE}),
        needs=((FRAMING, DISCOURSE_TOPIC, PHRASE_OF_ANOTHER_SOURCE),),
        is_in_megaqueries=True,
    ),
    Recipe(
        "nested_proper_noun_pairs",
        "Two proper-noun pairs that must each stay whole, and an intent",
        _two_pairs,
        _assemble_two_pairs,
        frozenset({Relation.PARTS, Relation.ORDER, Relation.PAIRS, Relation.TWICE}),
        needs=((PAIR.times(2), CONJUNCTION, PHRASE),),
        weight=4,  # as the pair of which only the first is kept
    ),
    Recipe(
        "no_intent_fallthrough",
        "No keyword at all: does it fall through to the encyclopedia?",
        _open_topic,
        in_order,
        frozenset({Relation.TWICE}),
        needs=((OPEN_TOPIC,),),
    ),
)
