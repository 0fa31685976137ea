import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.generator import count_combinations
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.recipes import RECIPES, UnknownRecipeError, recipes_named
from selftest.core.generation.recipes.base import Relation
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from tests.vocabularies import Document, example_document, small_document

THE_SEVEN = [  # the specification's table
    "proper_noun_plus_pronoun_intent",
    "multi_intent_chain",
    "conditional_with_remainder",
    "nosplit_adjacent_to_real_conjunction",
    "discourse_framing_plus_real_keyword",
    "nested_proper_noun_pairs",
    "no_intent_fallthrough",
]
BEYOND = [  # what issue 4 adds
    "discourse_framing_around_keyword",
    "condition_in_later_place",
    "long_intent_chain",
    "repeated_intent",
    "pair_between_pronoun_intents",
    "very_long_input",
    "keywords_in_other_case",
    "keywords_with_signs",
    "lookalike_keyword",
    "megaquery",
]
TOO_FEW_PHRASES = "long_intent_chain"  # the small vocabulary has five, where six are the least


def layer_of(recipe_name: str, vocabulary: Vocabulary) -> Layer:
    return Layer(recipe_name, RECIPES[recipe_name].space(vocabulary), lambda part: 0, 0)


def queries_of(recipe_name: str, vocabulary: Vocabulary, at_most: int = 300) -> Iterator[Query]:
    """All queries of a recipe, or as many spread evenly over them."""
    layer = layer_of(recipe_name, vocabulary)
    assert layer.size, "an empty space would test nothing"
    for index in range(0, layer.size, max(1, layer.size // at_most)):
        yield RECIPES[recipe_name].query(layer.at(index), random.Random(index))


def parts_of(query: Query, *kinds: PartKind) -> list[Part]:
    return [part for part in query.parts if part.kind in kinds]


def shape_of(query: Query) -> list[str]:
    return [part.kind.value for part in query.parts if part.kind is not PartKind.MARK]


@pytest.fixture(params=["small", "example"])
def vocabulary(request: pytest.FixtureRequest) -> Vocabulary:
    return request.getfixturevalue(request.param)


def test_the_recipes_are_the_seven_of_the_specification_and_those_beyond_and_say_what_they_stress():
    assert list(RECIPES) == THE_SEVEN + BEYOND
    assert all(recipe.stresses for recipe in RECIPES.values())


def test_the_relations_that_hold_for_a_recipe_are_said_beside_it():
    assert RECIPES["multi_intent_chain"].relations == {"parts", "order", "conjunction", "twice"}
    assert RECIPES["nested_proper_noun_pairs"].relations == {"parts", "order", "pairs", "twice"}
    assert all(Relation.TWICE in recipe.relations for recipe in RECIPES.values())


@pytest.mark.parametrize("name", ["conditional_with_remainder", "condition_in_later_place", "megaquery"])
def test_what_follows_a_condition_belongs_to_it_so_its_order_matters(name: str):
    assert Relation.ORDER not in RECIPES[name].relations


@pytest.mark.parametrize("name", THE_SEVEN + BEYOND)
def test_every_query_carries_its_recipes_name_and_reads_as_its_parts(vocabulary: Vocabulary, name: str):
    if name == TOO_FEW_PHRASES and vocabulary.name == "harbour office":
        return
    for query in queries_of(name, vocabulary):
        assert query.recipe == name
        assert query.text == "".join(part.text for part in query.parts)
        assert "  " not in query.text


def test_a_pair_is_followed_at_once_by_a_conjunction_and_the_pronoun(vocabulary: Vocabulary):
    for query in queries_of("proper_noun_plus_pronoun_intent", vocabulary):
        assert shape_of(query) == ["pair", "joint", "request"]
        pair, conjunction, request = query.parts
        assert pair.text in vocabulary.seeds.proper_noun_pairs
        assert conjunction.text in vocabulary.conjunctions
        assert request.text.startswith("I ")


def test_a_chain_has_three_to_five_intents_of_different_sources_and_different_conjunctions(example: Vocabulary):
    lengths = set()
    for query in queries_of("multi_intent_chain", example, at_most=2000):
        intents, conjunctions = parts_of(query, PartKind.INTENT), parts_of(query, PartKind.CONJUNCTION)
        lengths.add(len(intents))
        assert len({intent.source for intent in intents}) == len(intents)
        assert len({conjunction.text for conjunction in conjunctions}) == len(conjunctions) == len(intents) - 1
        assert all(intent.text in example.sources[intent.source] for intent in intents)
        assert shape_of(query) == ["intent", *["joint", "intent"] * len(conjunctions)]
    assert lengths == {3, 4, 5}


def test_a_chain_is_not_always_said_in_the_same_order(example: Vocabulary):
    layer = layer_of("multi_intent_chain", example)
    recipe = RECIPES["multi_intent_chain"]
    said = {recipe.query(layer.at(0), random.Random(seed)) for seed in range(20)}
    assert len({tuple(parts_of(query, PartKind.INTENT)) for query in said}) > 1
    assert len({tuple(parts_of(query, PartKind.CONJUNCTION)) for query in said}) > 1
    assert len({fingerprint_of(query) for query in said}) == 1


def test_a_chain_over_two_sources_has_two_intents():
    document = small_document()
    del document["sources"]["ferry"], document["headers"]["ferry"], document["fallbacks"]["ferry"]
    for query in queries_of("multi_intent_chain", parse_vocabulary(document)):
        assert shape_of(query) == ["intent", "joint", "intent"]
        assert set(query.intended_sources) == {"tides", "harbour"}


def test_where_conjunctions_are_few_they_are_said_again():
    document = example_document()
    document["conjunctions"] = [" and "]
    for query in queries_of("multi_intent_chain", parse_vocabulary(document)):
        conjunctions = parts_of(query, PartKind.CONJUNCTION)
        assert [conjunction.text for conjunction in conjunctions] == [" and "] * (len(query.intended_sources) - 1)


def test_a_conditional_ends_in_a_remainder_that_has_nothing_to_do_with_its_condition(vocabulary: Vocabulary):
    for query in queries_of("conditional_with_remainder", vocabulary):
        assert shape_of(query) == ["condition", "consequence", "joint", "intent"]
        (condition,) = parts_of(query, PartKind.CONDITION)
        (remainder,) = parts_of(query, PartKind.INTENT)
        assert query.parts[-1] is remainder
        assert remainder.source not in vocabulary.sources_named_in(condition.text)


@pytest.mark.parametrize(("joint", "said"), [(" and ", ", and "), ("; ", "; "), (" & ", ", & "), (", ", ", ")])
def test_a_remainder_is_joined_by_a_comma_and_a_word_or_by_a_listed_sign(joint: str, said: str):
    vocabulary = parse_vocabulary(small_document() | {"conjunctions": [joint]})
    for query in queries_of("conditional_with_remainder", vocabulary):
        (consequence,), (remainder,) = parts_of(query, PartKind.CONSEQUENCE), parts_of(query, PartKind.INTENT)
        assert query.text.endswith(f"{consequence.text}{said}{remainder.text}")


def test_the_remainders_of_each_condition_are_those_picked_by_hand(small: Vocabulary):
    everything = {"high tide", "low tide", "next ferry", "harbour lights", "berths free"}
    remainders: dict[str, set[str]] = {}
    for query in queries_of("conditional_with_remainder", small):
        (condition,), (intent,) = parts_of(query, PartKind.CONDITION), parts_of(query, PartKind.INTENT)
        remainders.setdefault(condition.text, set()).add(intent.text)
    assert remainders == {
        "if the moon is full": everything,
        "if the next ferry is late": everything - {"next ferry"},
        "if the harbour is shut": everything - {"harbour lights"},
    }


def test_a_source_that_the_condition_names_is_no_remainder_whatever_the_phrase():
    document = small_document()
    document["seeds"]["conditions"] = ["if berths free up"]  # no word of "harbour lights" is in it
    remainders = {q.parts[-1].text for q in queries_of("conditional_with_remainder", parse_vocabulary(document))}
    assert remainders == {"high tide", "low tide", "next ferry"}


@pytest.mark.parametrize(
    ("condition", "phrase", "goes_with"),
    [
        ("if it is raining", "rain today", False),
        ("if rain is near", "is it raining", False),
        ("if any services are down", "Server room", False),
        ("if the train is late", "rain today", True),  # a word's beginning, not what it holds
        ("if the cat is out", "cat food", True),  # three letters are too few to tell
        ("if any services are down", "what is offline", True),  # the known limit: only spelling is looked at
    ],
)
def test_words_that_begin_alike_are_related(condition: str, phrase: str, goes_with: bool):
    document = small_document()
    document["seeds"]["conditions"] = [condition]
    document["sources"]["tides"].append(phrase)
    remainders = {q.parts[-1].text for q in queries_of("conditional_with_remainder", parse_vocabulary(document))}
    assert (phrase in remainders) is goes_with


def test_the_conjunction_beside_a_nosplit_phrase_is_another_than_the_one_inside_the_pair(vocabulary: Vocabulary):
    seen = set()
    for query in queries_of("nosplit_adjacent_to_real_conjunction", vocabulary):
        assert shape_of(query) == ["nosplit", "pair", "joint", "intent"]
        (pair,), (conjunction,) = parts_of(query, PartKind.PAIR), parts_of(query, PartKind.CONJUNCTION)
        assert conjunction.text not in pair.text
        seen.add((pair.text, conjunction.text))
    if vocabulary.name == "harbour office":
        assert seen == {
            ("Castor and Pollux", " plus "),
            ("Castor and Pollux", ", also "),
            ("Jersey and Guernsey", " plus "),
            ("Jersey and Guernsey", ", also "),
            ("Ebb plus Flow", " and "),
            ("Ebb plus Flow", ", also "),
        }


def test_discourse_framing_is_followed_by_a_topic_and_a_keyword_of_another_source(vocabulary: Vocabulary):
    for query in queries_of("discourse_framing_plus_real_keyword", vocabulary):
        assert shape_of(query) == ["discourse", "topic", "intent"]
        (topic,), (intent,) = parts_of(query, PartKind.TOPIC), parts_of(query, PartKind.INTENT)
        assert vocabulary.sources_named_in(topic.text) == set()
        assert intent.source != vocabulary.encyclopedia
        assert query.text.startswith(vocabulary.discourse_phrases)


def test_discourse_framing_takes_no_keyword_of_the_encyclopedia_itself():
    document = small_document()
    document["sources"]["almanac"] = ["look it up"]
    for query in queries_of("discourse_framing_plus_real_keyword", parse_vocabulary(document)):
        assert query.intended_sources != ("almanac",)


def test_a_topic_with_a_keyword_in_it_is_no_topic(small: Vocabulary):
    topics = {
        part.text
        for query in queries_of("discourse_framing_plus_real_keyword", small)
        for part in parts_of(query, PartKind.TOPIC)
    }
    assert topics == {"barnacles", "sea shanties"}  # not "the high tide myth"


def test_two_distinct_pairs_stand_whole_in_the_query(vocabulary: Vocabulary):
    for query in queries_of("nested_proper_noun_pairs", vocabulary):
        pairs = parts_of(query, PartKind.PAIR)
        assert shape_of(query) == ["pair", "joint", "pair", "joint", "intent"]
        assert len({pair.text for pair in pairs}) == 2
        for conjunction in parts_of(query, PartKind.CONJUNCTION):
            assert not any(conjunction.text in pair for pair in vocabulary.seeds.proper_noun_pairs)


def test_the_conjunctions_around_two_pairs_differ_where_there_are_enough(example: Vocabulary):
    for query in queries_of("nested_proper_noun_pairs", example):
        first, second = parts_of(query, PartKind.CONJUNCTION)
        assert first.text != second.text


def test_a_query_without_intent_holds_no_keyword(vocabulary: Vocabulary):
    for query in queries_of("no_intent_fallthrough", vocabulary):
        assert shape_of(query) == ["topic"]
        assert vocabulary.sources_named_in(query.text) == set()
        assert query.intended_sources == ()


def test_an_open_topic_with_a_keyword_in_it_is_left_out():
    document = small_document()
    document["seeds"]["open_topics"] = ["knots", "how low tide pools live"]
    queries = list(queries_of("no_intent_fallthrough", parse_vocabulary(document)))
    assert [query.text for query in queries] == ["knots"]


# --- poor vocabularies ---


NEEDS = {
    "conjunctions": {
        "proper_noun_plus_pronoun_intent",
        "multi_intent_chain",
        "nosplit_adjacent_to_real_conjunction",
        "nested_proper_noun_pairs",
        "conditional_with_remainder",
        "condition_in_later_place",
        "repeated_intent",
        "pair_between_pronoun_intents",
        "very_long_input",
        "keywords_in_other_case",
        "keywords_with_signs",
        "lookalike_keyword",
        "megaquery",
    },
    "nosplit_phrases": {"nosplit_adjacent_to_real_conjunction"},
    "discourse_phrases": {"discourse_framing_plus_real_keyword", "discourse_framing_around_keyword"},
    "seeds.proper_noun_pairs": {
        "proper_noun_plus_pronoun_intent",
        "nosplit_adjacent_to_real_conjunction",
        "nested_proper_noun_pairs",
        "pair_between_pronoun_intents",
        "megaquery",
    },
    "seeds.conditions": {"conditional_with_remainder", "condition_in_later_place"},
    "seeds.consequences": {"conditional_with_remainder", "condition_in_later_place"},
    "seeds.pronoun_requests": {"proper_noun_plus_pronoun_intent", "pair_between_pronoun_intents"},
    "seeds.discourse_topics": {"discourse_framing_plus_real_keyword"},
    "seeds.open_topics": {"no_intent_fallthrough", "very_long_input"},
}


def lacking(key: str) -> Document:
    document = small_document()
    inner = document["seeds"] if key.startswith("seeds.") else document
    inner[key.removeprefix("seeds.")] = []
    return document


@pytest.mark.parametrize("key", NEEDS)
def test_what_a_vocabulary_lacks_empties_the_recipes_that_need_it_and_no_other(key: str):
    vocabulary = parse_vocabulary(lacking(key))
    empty = {name for name, recipe in RECIPES.items() if count_combinations(recipe, vocabulary) == 0}
    assert empty == NEEDS[key] | {TOO_FEW_PHRASES}


def test_a_vocabulary_without_any_seeds_leaves_what_is_made_of_keywords():
    document = small_document()
    document["seeds"] = {}
    vocabulary = parse_vocabulary(document)
    assert [name for name in RECIPES if layer_of(name, vocabulary).size] == [
        "multi_intent_chain",
        "discourse_framing_around_keyword",
        "repeated_intent",
        "keywords_in_other_case",
        "keywords_with_signs",
        "lookalike_keyword",
    ]


def test_a_vocabulary_of_one_source_and_one_conjunction_makes_everything_but_chains():
    document = small_document()
    document["sources"] = {"tides": ["high tide"]}
    document["headers"] = {key: document["headers"][key] for key in ("almanac", "tides")}
    document["fallbacks"] = {}
    document["conjunctions"] = [" and "]
    vocabulary = parse_vocabulary(document)
    chains = {
        "multi_intent_chain",
        "condition_in_later_place",
        "long_intent_chain",
        "repeated_intent",
        "keywords_in_other_case",
        "keywords_with_signs",
    }
    assert {name for name in RECIPES if not layer_of(name, vocabulary).size} == chains
    for name in RECIPES:
        if name not in chains:
            assert all(query.text for query in queries_of(name, vocabulary))


def test_one_pair_alone_cannot_be_nested():
    document = small_document()
    document["seeds"]["proper_noun_pairs"] = ["Castor and Pollux"]
    assert layer_of("nested_proper_noun_pairs", parse_vocabulary(document)).size == 0


# --- by name ---


def test_recipes_are_found_by_name_in_their_own_order():
    found = recipes_named(["no_intent_fallthrough", "multi_intent_chain", "no_intent_fallthrough"])
    assert [recipe.name for recipe in found] == ["multi_intent_chain", "no_intent_fallthrough"]


def test_no_names_mean_all_recipes():
    assert [recipe.name for recipe in recipes_named([])] == THE_SEVEN + BEYOND


def test_an_unknown_name_is_refused_with_those_that_are_known():
    with pytest.raises(UnknownRecipeError) as refused:
        recipes_named(["multi_intent_chain", "chain"])
    assert str(refused.value) == f"unknown recipe 'chain'; known are {', '.join(THE_SEVEN + BEYOND)}"


def test_conjunctions_and_clauses_alternate_in_every_recipe_that_has_conjunctions(example: Vocabulary):
    for name in RECIPES:
        for query in queries_of(name, example, at_most=50):
            kinds = [part.kind for part in query.parts]
            assert not any(a is b is PartKind.CONJUNCTION for a, b in pairwise(kinds))
            assert kinds[0] is not PartKind.CONJUNCTION
            assert kinds[-1] is not PartKind.CONJUNCTION
