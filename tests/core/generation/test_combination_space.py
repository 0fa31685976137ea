import random
import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations, product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.generation.combination_space import Age, Layer, Permutation
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.generator import count_combinations, ingredients_of
from selftest.core.generation.queries import Choose, Part, PartKind, Query, Space, one_of, some_of
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.recipes.unusual_spellings import in_lookalikes
from selftest.core.generation.vocabulary import parse_vocabulary
from tests.core.generation import brute_force
from tests.vocabularies import Document, example_document, small_document

pytestmark = pytest.mark.slow("lists whole spaces")


def topics(*texts: str) -> tuple[Part, ...]:
    return tuple(Part(PartKind.TOPIC, text) for text in texts)


def ages(**by_text: int) -> Age:
    return lambda part: by_text[part.text]


def same_age(part: Part) -> int:
    return 0


def texts_in(layer: Layer) -> list[tuple[tuple[str, ...], ...]]:
    return [tuple(tuple(part.text for part in values) for values in layer.at(index)) for index in range(layer.size)]


def fingerprints_in(recipe_name: str, layer: Layer) -> list[str]:
    recipe = RECIPES[recipe_name]
    return [fingerprint_of(recipe.query(layer.at(index), random.Random(index))) for index in range(layer.size)]


# --- factors and products, by hand ---


def test_one_of_three_times_two_of_three_are_nine():
    layer = Layer("r", ((one_of(topics("a", "b", "c")), some_of(topics("x", "y", "z"), 2)),), same_age, 0)
    expected = {((first,), two) for first in "abc" for two in (("x", "y"), ("x", "z"), ("y", "z"))}
    assert layer.size == 9
    assert set(texts_in(layer)) == expected


def test_each_value_comes_from_another_group():
    choose = Choose((topics("a1", "a2"), topics("b1"), topics("c1", "c2", "c3")), 2)
    layer = Layer("r", ((choose,),), same_age, 0)
    # a×b + a×c + b×c = 2 + 6 + 3
    assert layer.size == 11
    pairs = {frozenset(values) for (values,) in texts_in(layer)}
    assert len(pairs) == 11
    assert all(len({text[0] for text in pair}) == 2 for pair in pairs)


def test_products_of_a_space_are_added_up():
    space = ((one_of(topics("a", "b")),), (one_of(topics("c")), one_of(topics("d", "e"))))
    assert sorted(texts_in(Layer("r", space, same_age, 0))) == [
        (("a",),),
        (("b",),),
        (("c",), ("d",)),
        (("c",), ("e",)),
    ]


def test_more_values_than_there_are_groups_make_no_combination():
    assert Layer("r", ((some_of(topics("a", "b"), 3),),), same_age, 0).size == 0


def test_a_factor_without_values_makes_no_combination():
    assert Layer("r", ((one_of(topics("a")), one_of(())),), same_age, 0).size == 0


def test_a_space_without_products_is_empty():
    assert Layer("r", (), same_age, 0).size == 0


def test_a_layer_holds_the_combinations_whose_youngest_value_has_its_age():
    space = ((one_of(topics("old", "new")), one_of(topics("x", "y"))),)
    age = ages(old=1, new=2, x=1, y=3)
    by_layer = {n: {(a, b) for (a,), (b,) in texts_in(Layer("r", space, age, n))} for n in (1, 2, 3)}
    assert by_layer == {1: {("old", "x")}, 2: {("new", "x")}, 3: {("old", "y"), ("new", "y")}}


def test_counts_stay_exact_where_no_float_could_hold_them():
    hundred = topics(*(f"t{n}" for n in range(100)))
    space: Space = ((one_of(hundred),) * 12,)
    layer = Layer("r", space, same_age, 0)
    assert layer.size == 10**24
    assert len({layer.at(index) for index in (0, 1, 10**24 - 2, 10**24 - 1)}) == 4


SIZES = st.lists(st.integers(0, 3), max_size=4)


@given(sizes=SIZES, other=SIZES, k=st.integers(1, 3), seed=st.integers(0, 999))
def test_layers_part_any_space_without_overlap(sizes: list[int], other: list[int], k: int, seed: int):
    def groups(name: str, sizes: list[int]) -> tuple[tuple[Part, ...], ...]:
        return tuple(topics(*(f"{name}{g}.{n}" for n in range(size))) for g, size in enumerate(sizes))

    def ways(groups: tuple[tuple[Part, ...], ...], k: int) -> set[frozenset[Part]]:
        return {frozenset(values) for chosen in combinations(groups, k) for values in product(*chosen)}

    first, second = groups("a", sizes), groups("b", other)
    rng = random.Random(seed)
    age = {part: rng.randrange(3) for group in first + second for part in group}
    expected = {(a, b): max(map(age.__getitem__, a | b)) for a in ways(first, k) for b in ways(second, 1)}
    found = []
    for number in range(3):
        layer = Layer("r", ((Choose(first, k), Choose(second, 1)),), age.__getitem__, number)
        here = [tuple(map(frozenset, layer.at(index))) for index in range(layer.size)]
        assert all(expected[picks] == number for picks in here)
        found += here
    assert len(found) == len(expected)
    assert set(found) == set(expected)


# --- the recipes' spaces against plain enumeration ---


def test_the_plain_enumeration_itself_gives_what_was_counted_by_hand():
    # 3 pairs × 3 conjunctions × 2 requests; 2×1×2 phrases × 3 ways of two conjunctions; the moon goes with all 5
    # intents, the ferry with all but its own, the harbour with all but "harbour lights", each with 3 conjunctions; two
    # pairs leave 2 conjunctions each and "Ebb plus Flow" too: 2 × 3 × 2 × 5; 2 topics × 5; 3 ways of two pairs × the
    # one conjunction that is in none × 5; 5 topics.
    assert {name: len(every(small_document())) for name, every in brute_force.ALL.items()} == {
        "proper_noun_plus_pronoun_intent": 18,
        "multi_intent_chain": 12,
        "conditional_with_remainder": 39,
        "nosplit_adjacent_to_real_conjunction": 60,
        "discourse_framing_plus_real_keyword": 10,
        "nested_proper_noun_pairs": 15,
        "no_intent_fallthrough": 5,
    }


@pytest.mark.parametrize("recipe_name", brute_force.ALL)
def test_every_index_gives_another_combination_and_together_they_are_all(recipe_name: str):
    document = small_document()
    layer = Layer(recipe_name, RECIPES[recipe_name].space(parse_vocabulary(document)), same_age, 0)
    found = fingerprints_in(recipe_name, layer)
    expected = brute_force.ALL[recipe_name](document)
    assert len(found) == len(set(found)) == len(expected)
    assert set(found) == set(expected)


@pytest.mark.parametrize("recipe_name", [name for name in brute_force.ALL if name != "multi_intent_chain"])
def test_the_count_over_the_fuller_vocabulary_is_that_of_plain_enumeration(recipe_name: str):
    document = example_document()
    expected = len(set(brute_force.ALL[recipe_name](document)))
    assert count_combinations(RECIPES[recipe_name], parse_vocabulary(document)) == expected


def test_the_chains_of_the_fuller_vocabulary_are_as_many_as_by_hand():
    # Sources of 5, 4, 4, 5, 4, 5 phrases. Elementary symmetric sums of (1+5x)³(1+4x)³, that is of 1+15x+75x²+125x³ and
    # 1+12x+48x²+64x³: x³: 64+720+900+125 = 1809; x⁴: 960+3600+1500 = 6060; x⁵: 4800+6000 = 10800.
    # Joints out of 5: two 10, three 10, four 5.
    expected = 1809 * 10 + 6060 * 10 + 10800 * 5
    assert count_combinations(RECIPES["multi_intent_chain"], parse_vocabulary(example_document())) == expected


def part_of(document: Document, rng: random.Random) -> Document:
    """A document with fewer phrases everywhere, often none, in another order."""

    def fewer(values: Iterable[str], least: int = 0) -> list[str]:
        values = list(values)
        return rng.sample(values, min(len(values), rng.randint(least, 3)))

    smaller = dict(document)
    sources = fewer(document["sources"], 1)
    smaller["sources"] = {source: fewer(document["sources"][source], 1) for source in sources}
    smaller["headers"] = {s: document["headers"][s] for s in (*sources, document["encyclopedia"])}
    smaller["fallbacks"] = {}
    for key in ("conjunctions", "nosplit_phrases", "discourse_phrases"):
        smaller[key] = fewer(document[key])
    smaller["seeds"] = {key: fewer(values) for key, values in document["seeds"].items()}
    return smaller


DOCUMENTS = st.builds(
    lambda whole, seed: part_of(whole(), random.Random(seed)),
    st.sampled_from([small_document, example_document]),
    st.integers(0, 10_000),
)


@given(document=DOCUMENTS, seed=st.integers(0, 999))
def test_over_any_vocabulary_the_layers_of_each_recipe_hold_each_combination_once(document: Document, seed: int):
    vocabulary = parse_vocabulary(document)
    rng = random.Random(seed)
    birth = {ingredient: rng.randrange(3) for ingredient in sorted(ingredients_of(vocabulary))}
    for name in brute_force.ALL:
        recipe = RECIPES[name]
        layers = [Layer(name, recipe.space(vocabulary), lambda p: birth[p.ingredient], n) for n in range(3)]
        found = [fingerprint for layer in layers for fingerprint in fingerprints_in(name, layer)]
        expected = brute_force.ALL[name](document)
        assert sum(layer.size for layer in layers) == len(expected) == count_combinations(recipe, vocabulary)
        assert sorted(found) == sorted(expected)


# --- what a layer is known by ---


def layers_of(document: Document, young: Iterable[str] = ()) -> dict[str, Layer]:
    """The layer of age 1 of each recipe, where `young` and what recipes write it as have age 2."""
    vocabulary = parse_vocabulary(document)
    written = {text for phrase in young for text in (phrase, *in_lookalikes(phrase))}

    def age(part: Part) -> int:
        return 2 if (part.plain or part.text) in written else 1

    return {name: Layer(name, recipe.space(vocabulary), age, 1) for name, recipe in RECIPES.items()}


@cache
def small_layers() -> tuple[dict[str, Layer], list[list[str]]]:
    """Those of the small document, with all that is in them."""
    layers = layers_of(small_document())
    return layers, [fingerprints_in(name, layer) for name, layer in layers.items()]


def identities(layers: dict[str, Layer]) -> dict[str, str]:
    return {name: layer.identity for name, layer in layers.items()}


def reordered(document: Document, seed: int) -> Document:
    rng = random.Random(seed)

    def shuffled(value: object) -> object:
        match value:
            case dict():
                return {key: shuffled(value[key]) for key in rng.sample(list(value), len(value))}
            case list():
                return rng.sample(value, len(value))
        return value

    return shuffled(document)  # type: ignore[return-value]


@pytest.mark.parametrize("document", [small_document, example_document])
@pytest.mark.parametrize("seed", range(5))
def test_a_layer_is_the_same_one_however_the_lists_are_ordered(document, seed: int):
    before, after = layers_of(document()), layers_of(reordered(document(), seed))
    assert identities(before) == identities(after)
    for name, layer in before.items():
        places = range(0, layer.size, max(1, layer.size // 50))
        assert [layer.at(n) for n in places] == [after[name].at(n) for n in places]


def test_no_two_recipes_share_a_layer(small):
    assert len(set(identities(layers_of(small_document())).values())) == len(RECIPES)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sources.tides", "spring tide"),
        ("sources.tides", "moon phase"),  # shares a word with one of the conditions and not with the others
        ("sources.ferry", "harbour crossing"),
        ("seeds.proper_noun_pairs", "Alpha and Omega"),
        ("seeds.conditions", "if the wind turns"),
        ("seeds.consequences", "ring the bell"),
        ("seeds.pronoun_requests", "I need a rope"),
        ("seeds.discourse_topics", "kelp"),
        ("seeds.open_topics", "kelp"),
        ("nosplit_phrases", "either"),
        ("discourse_phrases", "they all talk of"),
    ],
)
def test_a_layer_is_the_same_one_when_a_younger_value_is_added(key: str, value: str):
    before, fingerprints_before = small_layers()
    document = small_document()
    *parents, last = key.split(".")
    inner = document
    for parent in parents:
        inner = inner[parent]
    inner[last].append(value)
    after = layers_of(document, {value})
    assert identities(before) == identities(after)
    assert [fingerprints_in(n, layer) for n, layer in after.items()] == fingerprints_before


def test_a_younger_keyword_that_goes_with_only_some_conditions_leaves_the_older_layer_as_it_was():
    """All four conditions go with all older keywords; with this one only three do."""
    before = layers_of(example_document())
    document = example_document()
    document["sources"]["home"].append("cellar light")
    assert identities(layers_of(document, {"cellar light"})) == identities(before)


def test_a_layer_is_the_same_one_when_a_younger_source_is_added():
    before = layers_of(small_document())
    document = small_document()
    document["sources"]["gulls"] = ["gull count"]
    document["headers"]["gulls"] = "[GULLS]"
    after = layers_of(document, {"gull count"})
    assert identities(before) == identities(after)
    assert after["multi_intent_chain"].size == 12


def test_another_value_of_the_layers_own_age_makes_it_another_layer():
    before = layers_of(small_document())["no_intent_fallthrough"]
    document = small_document()
    document["seeds"]["open_topics"].append("kelp")
    assert layers_of(document)["no_intent_fallthrough"].identity != before.identity


# --- the shuffle ---


def test_a_permutation_gives_each_index_once_for_every_size_up_to_three_hundred():
    for size in range(1, 301):
        permutation = Permutation(size, 1)
        assert sorted(permutation.at(place) for place in range(size)) == list(range(size))


@given(size=st.integers(1, 300), key=st.integers(-(2**63), 2**63 - 1))
def test_a_permutation_gives_each_index_once_whatever_the_key(size: int, key: int):
    permutation = Permutation(size, key)
    assert sorted(map(permutation.at, range(size))) == list(range(size))


def test_two_keys_shuffle_differently_and_one_key_the_same():
    first, again, other = (list(map(Permutation(200, key).at, range(200))) for key in (5, 5, 6))
    assert first == again
    assert first != other
    assert first != list(range(200))


def test_a_permutation_leaves_no_part_of_the_range_for_last():
    firsts = [Permutation(10_000, key).at(0) for key in range(2000)]
    by_tenth = [sum(1 for index in firsts if index // 1000 == tenth) for tenth in range(10)]
    assert all(120 <= count <= 280 for count in by_tenth)  # 200 expected in each; six standard deviations are 80


@pytest.mark.parametrize("position", [-1, 7, 10**15])
def test_a_position_outside_the_range_is_refused(position: int):
    with pytest.raises(IndexError, match=re.escape(f"position {position} of 7")):
        Permutation(7, 1).at(position)


def test_a_position_far_out_is_found_as_quickly_as_the_first():
    hundred = topics(*(f"t{n}" for n in range(100)))
    layer = Layer("r", ((one_of(hundred),) * 10,), same_age, 0)
    permutation = Permutation(layer.size, 3)
    assert layer.size == 10**20
    begun = process_time()
    far = [layer.at(permutation.at(place)) for place in range(10**15, 10**15 + 100)]
    assert process_time() - begun < 1.0
    assert len(set(far)) == 100


def test_a_layer_shares_what_its_products_share():
    """A thousand conditions that go with the same thousand keywords are laid out in a moment, not in minutes."""
    document = small_document()
    document["sources"]["tides"] = [f"keyword {n}" for n in range(1000)]
    document["seeds"]["conditions"] = [f"if it {n}" for n in range(1000)]
    recipe = RECIPES["conditional_with_remainder"]
    vocabulary = parse_vocabulary(document)
    begun = process_time()
    size = Layer(recipe.name, recipe.space(vocabulary), same_age, 0).size
    assert process_time() - begun < 5.0
    assert size == 1000 * 3 * (1000 + 3)  # conjunctions; keywords, and those of the other sources


def test_the_queries_of_a_layer_are_of_its_recipe(small):
    recipe = RECIPES["no_intent_fallthrough"]
    layer = Layer(recipe.name, recipe.space(small), same_age, 0)
    assert isinstance(recipe.query(layer.at(0), random.Random(0)), Query)
