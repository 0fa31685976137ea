"""An example of each shape that a recipe makes."""

import random

import pytest

from selftest.core.generation.examples import examples
from selftest.core.generation.queries import PartKind, Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import parse_vocabulary
from tests.vocabularies import example_document, small_document


def made(recipe: str, seed: int = 1) -> list[Query]:
    return examples(RECIPES[recipe], parse_vocabulary(example_document()), random.Random(seed))


def test_a_chain_has_an_example_of_each_length() -> None:
    lengths = [sum(part.kind is PartKind.INTENT for part in query.parts) for query in made("multi_intent_chain")]
    assert lengths == [3, 4, 5]


SHAPES = {
    "discourse_framing_around_keyword": 2,  # with a topic behind it, and without
    "condition_in_later_place": 2,  # among two intents, or among three
    "long_intent_chain": 7,  # six to twelve
    "repeated_intent": 2,  # two phrases of a source, or one twice
    "very_long_input": 2,  # beside one intent or two
    "keywords_in_other_case": 2,  # two or three
    "keywords_with_signs": 3,  # two to four
    "lookalike_keyword": 2,
    "megaquery": 11,  # compositions
}


@pytest.mark.parametrize("recipe", sorted(set(RECIPES) - {"multi_intent_chain"}))
def test_each_shape_of_the_others_has_an_example(recipe: str) -> None:
    assert [query.recipe for query in made(recipe)] == [recipe] * SHAPES.get(recipe, 1)


def test_a_seed_gives_the_same_examples_and_another_one_others() -> None:
    assert made("multi_intent_chain", 3) == made("multi_intent_chain", 3)
    assert made("multi_intent_chain", 3) != made("multi_intent_chain", 4)


def test_what_the_vocabulary_lacks_has_no_example() -> None:
    document = small_document()
    document["seeds"]["open_topics"] = []
    assert examples(RECIPES["no_intent_fallthrough"], parse_vocabulary(document), random.Random(1)) == []
