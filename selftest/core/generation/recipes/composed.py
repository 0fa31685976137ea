"""Megaqueries: two to four recipes of the specification in one sentence, the shape that found most bugs. Pure."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import cycle, islice

from selftest.core.generation.queries import Choose, Part, PartKind, Picks, Product, Space, some_of
from selftest.core.generation.recipes.base import (
    COMMA,
    SPACE,
    Recipe,
    Relation,
    after_consequence,
    conjunctions_of,
    different_conjunctions,
    intents,
    keywordless,
    parts,
)
from selftest.core.generation.recipes.requirements import CONJUNCTION, REQUIREMENT_OF_KIND
from selftest.core.generation.vocabulary import Requirement, Vocabulary

AND = Part(PartKind.MARK, ", and ")
Sentence = tuple[PartKind | Part, ...]  # kinds to be filled in; a part is used as it is
PRONOUN: Sentence = (PartKind.PAIR, PartKind.CONJUNCTION, PartKind.REQUEST)
CHAIN: Sentence = (PartKind.INTENT, PartKind.CONJUNCTION, PartKind.INTENT, PartKind.CONJUNCTION, PartKind.INTENT)
CONDITION: Sentence = (PartKind.CONDITION, COMMA, PartKind.CONSEQUENCE, PartKind.CONJUNCTION, PartKind.INTENT)
NOSPLIT: Sentence = (PartKind.NOSPLIT, SPACE, PartKind.PAIR, PartKind.CONJUNCTION, PartKind.INTENT)
DISCOURSE: Sentence = (PartKind.DISCOURSE, SPACE, PartKind.TOPIC, AND, PartKind.INTENT)
PAIRS: Sentence = (PartKind.PAIR, PartKind.CONJUNCTION, PartKind.PAIR, PartKind.CONJUNCTION, PartKind.INTENT)
COMPOSITIONS: tuple[tuple[Sentence, ...], ...] = (
    (NOSPLIT, CHAIN),
    (DISCOURSE, PRONOUN),
    (PAIRS, CONDITION),
    (NOSPLIT, DISCOURSE),
    (PRONOUN, CONDITION, CHAIN),
    (PAIRS, PRONOUN, DISCOURSE),
    (NOSPLIT, CONDITION, PRONOUN),
    (NOSPLIT, DISCOURSE, PAIRS, CONDITION),
    (PRONOUN, NOSPLIT, DISCOURSE, CHAIN),
    (CONDITION, PAIRS, DISCOURSE, PRONOUN),
    (CHAIN, CONDITION, DISCOURSE, NOSPLIT),
)


def _counts(composition: Iterable[Sentence]) -> Counter[PartKind]:
    """How many parts of which kind, conjunctions apart: no two compositions need the same, so this tells them apart."""
    kinds = (item for sentence in composition for item in sentence if isinstance(item, PartKind))
    return Counter(kind for kind in kinds if kind is not PartKind.CONJUNCTION)


def _needs(composition: Iterable[Sentence]) -> tuple[Requirement, ...]:
    return (*(REQUIREMENT_OF_KIND[kind].times(count) for kind, count in _counts(composition).items()), CONJUNCTION)


def _space(vocabulary: Vocabulary) -> Space:
    pairs = parts(PartKind.PAIR, vocabulary.seeds.proper_noun_pairs)
    conjunctions = conjunctions_of(vocabulary, *pairs)
    values = {
        PartKind.PAIR: pairs,
        PartKind.REQUEST: parts(PartKind.REQUEST, vocabulary.seeds.pronoun_requests),
        PartKind.CONDITION: parts(PartKind.CONDITION, vocabulary.seeds.conditions),
        PartKind.CONSEQUENCE: parts(PartKind.CONSEQUENCE, vocabulary.seeds.consequences),
        PartKind.NOSPLIT: parts(PartKind.NOSPLIT, vocabulary.nosplit_phrases),
        PartKind.DISCOURSE: parts(PartKind.DISCOURSE, vocabulary.discourse_phrases),
        PartKind.TOPIC: keywordless(vocabulary, vocabulary.seeds.discourse_topics),
        PartKind.INTENT: intents(vocabulary, vocabulary.encyclopedia),
    }
    factors: dict[tuple[PartKind, int], Choose] = {}

    def product(composition: Sequence[Sentence]) -> Product:
        counts = sorted(_counts(composition).items())
        inside = sum(sentence.count(PartKind.CONJUNCTION) for sentence in composition)
        between = len(composition) - 1
        return (
            *(factors.setdefault((kind, k), some_of(values[kind], k)) for kind, k in counts),
            different_conjunctions(conjunctions, inside + between),
        )

    return tuple(map(product, COMPOSITIONS))


def _assemble(picks: Picks, rng: random.Random) -> list[Part]:
    *values, conjunctions = picks
    pools = {chosen[0].kind: iter(rng.sample(chosen, len(chosen))) for chosen in values}
    counts = Counter({chosen[0].kind: len(chosen) for chosen in values})
    composition = next(composition for composition in COMPOSITIONS if _counts(composition) == counts)
    sentences = rng.sample(composition, len(composition))
    wanted = [item for sentence in sentences for item in (PartKind.CONJUNCTION, *sentence)][1:]
    needed = list(islice(cycle(conjunctions), wanted.count(PartKind.CONJUNCTION)))  # too few repeat in their own order
    pools[PartKind.CONJUNCTION] = iter(rng.sample(needed, len(needed)))
    assembled: list[Part] = []
    for item in wanted:
        part = item if isinstance(item, Part) else next(pools[item])
        follows_consequence = assembled and assembled[-1].kind is PartKind.CONSEQUENCE
        assembled += after_consequence(part) if follows_consequence else (part,)
    return assembled


COMPOSED = (
    Recipe(
        "megaquery",
        "Two to four of the specification's shapes in one sentence",
        _space,
        _assemble,
        frozenset({Relation.PARTS, Relation.PAIRS, Relation.TWICE}),
        needs=tuple(map(_needs, COMPOSITIONS)),
        weight=7,  # a fifth of all queries: what breaks in any of the shapes is met soonest here
    ),
)
