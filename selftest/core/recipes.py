"""The seven recipes of the specification: which ingredients go together, and how they are said. Pure."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, cycle, islice

from selftest.core.combinations import Choose, Picks, Space, one_of, some_of
from selftest.core.queries import Part, PartKind, Query
from selftest.core.vocabulary import Vocabulary

CHAIN_LENGTHS = range(3, 6)  # 3–5 independent intents, as the specification has it
AKIN_LETTERS = 4  # words that begin with the same four are taken for forms of one: raining, rain
COMMA = Part(PartKind.MARK, ", ")
SPACE = Part(PartKind.MARK, " ")


@dataclass(frozen=True)
class Recipe:
    """One awkward shape. space: all its combinations over a vocabulary. say: one of them as parts in order."""

    name: str
    stresses: str
    space: Callable[[Vocabulary], Space]
    say: Callable[[Picks, random.Random], list[Part]]

    def query(self, picks: Picks, rng: random.Random) -> Query:
        return Query(self.name, tuple(self.say(picks, rng)))


def _parts(kind: PartKind, texts: Iterable[str]) -> tuple[Part, ...]:
    return tuple(Part(kind, text) for text in texts)


def _intents(vocabulary: Vocabulary, *without: str) -> tuple[Part, ...]:
    """Every keyword phrase of every source but those named in `without`."""
    return tuple(chain.from_iterable(_intents_by_source(vocabulary, *without)))


def _intents_by_source(vocabulary: Vocabulary, *without: str) -> tuple[tuple[Part, ...], ...]:
    return tuple(
        tuple(Part(PartKind.INTENT, phrase, source) for phrase in phrases)
        for source, phrases in vocabulary.sources.items()
        if source not in without
    )


def _joints(vocabulary: Vocabulary, *beside: Part) -> tuple[Part, ...]:
    """The conjunctions that no part in `beside` holds already; all of them where that leaves none."""
    spoken = " ".join(part.text for part in beside).casefold()
    different = [c for c in vocabulary.conjunctions if c.casefold() not in spoken]
    return _parts(PartKind.JOINT, different or vocabulary.conjunctions)


class _Shared:
    """The same factor for the same values, so that a layer has to lay it out only once."""

    def __init__(self) -> None:
        self._factors: dict[tuple[Part, ...], Choose] = {}

    def one_of(self, values: tuple[Part, ...]) -> Choose:
        return self._factors.setdefault(values, one_of(values))


def _different_joints(joints: tuple[Part, ...], count: int) -> Choose:
    """`count` different joints, or all of them where the vocabulary has fewer; `_alternate` then says some twice.

    At least one: without any joint there is no combination, rather than one that cannot be said.
    """
    return some_of(joints, max(1, min(count, len(joints))))


def _keywordless(vocabulary: Vocabulary, texts: Iterable[str]) -> tuple[Part, ...]:
    """Topics that really point at no source: "google's history" is none where "google" is a keyword."""
    return _parts(PartKind.TOPIC, (text for text in texts if not vocabulary.sources_named_in(text)))


def _pair_then_pronoun(vocabulary: Vocabulary) -> Space:
    pairs = _parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    requests = _parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests)
    return ((one_of(pairs), one_of(_joints(vocabulary)), one_of(requests)),)


def _say_in_order(picks: Picks, rng: random.Random) -> list[Part]:
    return list(chain.from_iterable(picks))


def _intent_chain(vocabulary: Vocabulary) -> Space:
    groups = _intents_by_source(vocabulary)
    joints = _joints(vocabulary)
    longest = min(CHAIN_LENGTHS[-1], len(groups))
    shortest = max(2, min(CHAIN_LENGTHS[0], len(groups)))  # a router of two sources has chains of two
    return tuple((Choose(groups, n), _different_joints(joints, n - 1)) for n in range(shortest, longest + 1))


def _say_chain(picks: Picks, rng: random.Random) -> list[Part]:
    intents, joints = picks
    return _alternate(rng.sample(intents, len(intents)), joints, rng)


def _alternate(clauses: list[Part], joints: Iterable[Part], rng: random.Random) -> list[Part]:
    """clause joint clause joint clause. Too few joints repeat in their own order, so the ingredients are the same."""
    needed = list(islice(cycle(joints), len(clauses) - 1))
    rng.shuffle(needed)
    return [clauses[0], *chain.from_iterable(zip(needed, clauses[1:], strict=True))]


def _condition_and_remainder(vocabulary: Vocabulary) -> Space:
    consequences = one_of(_parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences))
    intents = [(intent, _word_beginnings(intent.text)) for intent in _intents(vocabulary)]
    shared = _Shared()
    # A product for each condition, not for each set of remainders: a later keyword that goes with only some of the
    # conditions would part such a set, and walks that it has nothing to do with would begin anew.
    return tuple(
        (one_of([condition]), consequences, shared.one_of(_unrelated(vocabulary, condition, intents)))
        for condition in _parts(PartKind.CONDITION, vocabulary.seeds.conditions)
    )


def _unrelated(vocabulary: Vocabulary, condition: Part, intents: list[tuple[Part, set[str]]]) -> tuple[Part, ...]:
    """Intents that have genuinely nothing to do with the condition: no source that it names, no word akin to its own.

    Only spelling is looked at: "what is offline" stays beside "if any services are down".
    """
    said = _word_beginnings(condition.text)
    named = vocabulary.sources_named_in(condition.text)
    return tuple(intent for intent, beginnings in intents if intent.source not in named and not said & beginnings)


def _word_beginnings(text: str) -> set[str]:
    """The first four letters of each word: "raining" is akin to "rain". Shorter words are mostly grammar."""
    return {word[:AKIN_LETTERS] for word in re.findall(r"\w+", text.casefold()) if len(word) >= AKIN_LETTERS}


def _say_condition(picks: Picks, rng: random.Random) -> list[Part]:
    (condition,), (consequence,), (remainder,) = picks
    return [condition, COMMA, consequence, COMMA, remainder]


def _nosplit_beside_joint(vocabulary: Vocabulary) -> Space:
    nosplit = one_of(_parts(PartKind.NOSPLIT, vocabulary.nosplit_phrases))
    intents = one_of(_intents(vocabulary))
    shared = _Shared()
    return tuple(
        (nosplit, one_of([pair]), shared.one_of(_joints(vocabulary, pair)), intents)
        for pair in _parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    )


def _say_nosplit(picks: Picks, rng: random.Random) -> list[Part]:
    (nosplit,), (pair,), (joint,), (intent,) = picks
    return [nosplit, SPACE, pair, joint, intent]


def _discourse_and_keyword(vocabulary: Vocabulary) -> Space:
    return (
        (
            one_of(_parts(PartKind.DISCOURSE, vocabulary.discourse_phrases)),
            one_of(_keywordless(vocabulary, vocabulary.seeds.discourse_topics)),
            one_of(_intents(vocabulary, vocabulary.encyclopedia)),
        ),
    )


def _say_discourse(picks: Picks, rng: random.Random) -> list[Part]:
    (phrase,), (topic,), (intent,) = picks
    return [phrase, SPACE, topic, Part(PartKind.MARK, ", and "), intent]


def _two_pairs(vocabulary: Vocabulary) -> Space:
    pairs = _parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    joints = _joints(vocabulary, *pairs)
    return ((some_of(pairs, 2), _different_joints(joints, 2), one_of(_intents(vocabulary))),)


def _say_two_pairs(picks: Picks, rng: random.Random) -> list[Part]:
    pairs, joints, intents = picks
    return _alternate([*rng.sample(pairs, 2), *intents], joints, rng)


def _open_topic(vocabulary: Vocabulary) -> Space:
    return ((one_of(_keywordless(vocabulary, vocabulary.seeds.open_topics)),),)


RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "proper_noun_plus_pronoun_intent",
            "A proper-noun pair, a conjunction, and the pronoun I, which is no third noun",
            _pair_then_pronoun,
            _say_in_order,
        ),
        Recipe(
            "multi_intent_chain",
            "Three to five intents of different sources, joined by different conjunctions",
            _intent_chain,
            _say_chain,
        ),
        Recipe(
            "conditional_with_remainder",
            "A condition with its consequence, then an intent that has nothing to do with it",
            _condition_and_remainder,
            _say_condition,
        ),
        Recipe(
            "nosplit_adjacent_to_real_conjunction",
            "A phrase that must not split, beside another conjunction that must",
            _nosplit_beside_joint,
            _say_nosplit,
        ),
        Recipe(
            "discourse_framing_plus_real_keyword",
            "Discourse framing, which promises the encyclopedia, and a keyword of another source",
            _discourse_and_keyword,
            _say_discourse,
        ),
        Recipe(
            "nested_proper_noun_pairs",
            "Two proper-noun pairs that must each stay whole, and an intent",
            _two_pairs,
            _say_two_pairs,
        ),
        Recipe(
            "no_intent_fallthrough",
            "No keyword at all: does it fall through to the encyclopedia?",
            _open_topic,
            _say_in_order,
        ),
    )
}


class UnknownRecipeError(ValueError):
    """A name that is no recipe's; the message lists those that are."""


def recipes_named(names: Iterable[str]) -> list[Recipe]:
    """The recipes of these names, all of them for none. Raises UnknownRecipeError."""
    wanted = list(names)
    unknown = [name for name in wanted if name not in RECIPES]
    if unknown:
        raise UnknownRecipeError(f"unknown recipe {unknown[0]!r}; known are {', '.join(RECIPES)}")
    return [recipe for recipe in RECIPES.values() if not wanted or recipe.name in wanted]
