import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from time import process_time

import covertable
import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.generator import (
    Generator,
    IntroducedIn,
    WalkState,
    count_combinations,
    ingredients_of,
    introductions,
)
from selftest.core.generation.pair_coverage import PairCoverage
from selftest.core.generation.pair_covering import Pairs
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES, recipes_named
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.targets.reference.bundled_vocabulary import reference_document
from tests.core.generation import brute_force
from tests.vocabularies import Document, example_document, small_document

pytestmark = pytest.mark.slow("draws thousands of queries")

SEEDS = st.integers(-(2**63), 2**63 - 1)


SEVEN = tuple(brute_force.ALL)  # of which every combination is listed
WEIGHTS = {name: recipe.weight for name, recipe in RECIPES.items()}
ROUND = sum(WEIGHTS.values())


def generator_of(
    document: Document,
    *recipes: str,
    seed: int = 1,
    introduced_in: IntroducedIn | None = None,
    walk_states: Mapping[str, WalkState] = {},
    coverage: Mapping[str, PairCoverage] = {},
) -> Generator:
    vocabulary = parse_vocabulary(document)
    introduced_in = introductions(vocabulary, 1, {}) if introduced_in is None else introduced_in
    return Generator(vocabulary, introduced_in, recipes_named(recipes), walk_states, seed, coverage)


def introduced_later(document: Document, first: Document) -> dict[str, int]:
    """By `document` as the second version, after `first`."""
    return introductions(parse_vocabulary(document), 2, introductions(parse_vocabulary(first), 1, {}))


class Batches:
    """Batch after batch, each of a generator of its own, with all carried over and what is known left out."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self._states: dict[str, WalkState] = {}
        self._coverage: dict[str, PairCoverage] = {}

    def next(
        self, count: int, document: Document, *recipes: str, seed: int, introduced_in: IntroducedIn | None = None
    ) -> list[Query]:
        generator = generator_of(
            document,
            *recipes,
            seed=seed,
            introduced_in=introduced_in,
            walk_states=self._states,
            coverage=self._coverage,
        )
        fresh: list[Query] = []
        while len(fresh) < count and (drawn := generator.next_queries(count - len(fresh))):
            fresh += [query for query in drawn if fingerprint_of(query) not in self.drawn]
        self._states = states_after(generator, self._states)
        self._coverage |= generator.covered()
        self.drawn += fingerprints(fresh)
        return fresh


def states_after(generator: Generator, before: Mapping[str, WalkState] = {}) -> dict[str, WalkState]:
    return {**before, **{walk.identity: walk.state for walk in generator.walked()}}


def fingerprints(queries: list[Query]) -> list[str]:
    return [fingerprint_of(query) for query in queries]


def everything(document: Document) -> list[str]:
    return [fingerprint for every in brute_force.ALL.values() for fingerprint in every(document)]


def with_phrase(document: Document, source: str, phrase: str) -> Document:
    document["sources"][source].append(phrase)
    return document


# --- novelty ---


@given(seed=SEEDS)
def test_a_recipe_of_five_topics_gives_five_different_ones_in_five_draws(seed: int):
    queries = generator_of(small_document(), "no_intent_fallthrough", seed=seed).next_queries(5)
    assert {query.text for query in queries} == {"narwhals", "knots", "tide mills", "lighthouses", "whalebone"}


@given(seed=SEEDS)
def test_two_hundred_draws_over_a_large_vocabulary_are_two_hundred_combinations(seed: int):
    assert len(set(fingerprints(generator_of(example_document(), seed=seed).next_queries(200)))) == 200


@given(seed=SEEDS)
def test_in_the_first_round_each_recipe_is_drawn_as_often_as_it_weighs(seed: int):
    assert Counter(query.recipe for query in generator_of(example_document(), seed=seed).next_queries(ROUND)) == WEIGHTS


@pytest.mark.parametrize("seed", [0, 1, -5, 2**40])
def test_everything_is_drawn_once_and_then_nothing(seed: int):
    expected = everything(small_document())
    generator = generator_of(small_document(), *SEVEN, seed=seed)
    queries = generator.next_queries(len(expected) + 1000)
    assert sorted(fingerprints(queries)) == sorted(expected)
    assert generator.next_queries(1) == []


@pytest.mark.parametrize("name", sorted(set(RECIPES) - set(SEVEN) - {"keywords_with_signs", "megaquery"}))
def test_of_each_recipe_beyond_everything_is_drawn_once_too(name: str):
    vocabulary = parse_vocabulary(small_document())
    queries = generator_of(small_document(), name).next_queries(5000)
    assert len(queries) == len(set(fingerprints(queries))) == count_combinations(RECIPES[name], vocabulary)


def test_drawing_nothing_walks_nowhere():
    generator = generator_of(small_document())
    assert generator.next_queries(0) == []
    assert generator.walked() == ()


def test_a_vocabulary_that_makes_no_combination_gives_nothing():
    document = small_document()
    document["seeds"], document["conjunctions"], document["discourse_phrases"] = {}, [], []
    assert generator_of(document).next_queries(5) == []


def test_only_the_recipes_asked_for_are_drawn():
    queries = generator_of(small_document(), "no_intent_fallthrough", "multi_intent_chain").next_queries(100)
    assert Counter(query.recipe for query in queries) == {"multi_intent_chain": 12, "no_intent_fallthrough": 5}


# --- seeds ---


def test_the_same_seed_without_places_gives_the_same_queries():
    first, again, other = (generator_of(example_document(), seed=seed).next_queries(50) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_the_order_of_the_lists_makes_no_difference_to_what_a_seed_gives():
    document = example_document()
    for phrases in (*document["sources"].values(), *document["seeds"].values(), document["conjunctions"]):
        phrases.reverse()
    document["sources"] = dict(reversed(document["sources"].items()))
    assert generator_of(document, seed=7).next_queries(50) == generator_of(example_document(), seed=7).next_queries(50)


def test_drawing_in_one_go_or_in_pieces_from_one_generator_is_the_same():
    pieces = generator_of(example_document(), seed=3)
    in_pieces = [query for count in (1, 8, 0, 20, 3) for query in pieces.next_queries(count)]
    assert in_pieces == generator_of(example_document(), seed=3).next_queries(32)


# --- places carried over ---


@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=30), seed=st.integers(0, 10**9))
def test_batches_with_places_carried_over_never_repeat_and_miss_nothing(sizes: list[int], seed: int):
    rng, batches = random.Random(seed), Batches()
    for size in [*sizes, 1000]:
        left = 159 - len(batches.drawn)  # 18 + 12 + 39 + 60 + 10 + 15 + 5, counted by hand
        batch = batches.next(size, small_document(), *SEVEN, seed=rng.randrange(10**9))
        assert len(batch) == min(size, left)
    assert sorted(batches.drawn) == sorted(everything(small_document()))


def test_a_walk_remembers_the_key_that_it_began_with():
    first = generator_of(small_document(), "no_intent_fallthrough", seed=1)
    first.next_queries(2)
    (before,) = first.walked()
    second = generator_of(small_document(), "no_intent_fallthrough", seed=99, walk_states=states_after(first))
    second.next_queries(1)
    (after,) = second.walked()
    assert after.identity == before.identity
    assert (after.state.key, after.state.position) == (before.state.key, 3)


def test_only_the_walks_stepped_on_and_the_recipes_drawn_are_to_be_remembered():
    generator = generator_of(small_document(), "no_intent_fallthrough", "lookalike_keyword", "repeated_intent")
    queries = generator.next_queries(3)
    assert [walk.recipe.name for walk in generator.walked()] == ["no_intent_fallthrough"]  # the others cover pairs
    assert set(generator.covered()) == {query.recipe for query in queries}
    assert [(c.queries, c.turn) for c in generator.covered().values()] == [(1, 1)] * 3


def test_no_two_recipes_are_shuffled_alike():
    generator = generator_of(small_document(), *SEVEN)
    generator.next_queries(1000)
    assert len({walk.state.key for walk in generator.walked()}) == 7


def test_keys_fit_a_database_number_that_has_a_sign():
    for seed in range(12):
        generator = generator_of(small_document(), *SEVEN, seed=seed)
        generator.next_queries(100)
        assert all(0 <= walk.state.key < 2**63 for walk in generator.walked())


@pytest.fixture(scope="module")
def vast() -> Vocabulary:
    """Six sources of a thousand phrases each."""
    document = example_document()
    document["sources"] = {f"s{n}": [f"word{n} {m}" for m in range(1000)] for n in range(6)}
    document["headers"] = {key: f"[{key}]" for key in ("kiwix", *document["sources"])}
    document["fallbacks"] = {}
    return parse_vocabulary(document)


@pytest.fixture(scope="module")
def introduced_in_vast(vast: Vocabulary) -> IntroducedIn:
    return introductions(vast, 1, {})


def test_a_vast_recipe_is_counted_without_being_listed(vast: Vocabulary):
    # 20 ways of three sources out of six, 15 of four, 6 of five; of five conjunctions 10, 10 and 5.
    expected = 20 * 10**9 * 10 + 15 * 10**12 * 10 + 6 * 10**15 * 5
    assert count_combinations(RECIPES["multi_intent_chain"], vast) == expected


@pytest.mark.parametrize("position", [0, 3 * 10**16])
def test_a_draw_costs_the_same_wherever_the_walk_has_come(
    vast: Vocabulary, introduced_in_vast: IntroducedIn, position: int
):
    (recipe,) = recipes_named(["multi_intent_chain"])
    identity = Layer(recipe.name, recipe.space(vast), lambda part: 1, 1).identity
    far = Generator(vast, introduced_in_vast, [recipe], {identity: WalkState(1, position)}, 1)
    begun = process_time()
    queries = far.next_queries(100)
    assert process_time() - begun < 1.0
    assert len(set(fingerprints(queries))) == 100
    assert [walk.state.position for walk in far.walked()] == [position + 100]


# --- turns ---


def test_a_small_recipe_neither_floods_the_batch_nor_starves_a_large_one():
    queries = generator_of(example_document(), "no_intent_fallthrough", "repeated_intent").next_queries(40)
    assert Counter(query.recipe for query in queries) == {"no_intent_fallthrough": 5, "repeated_intent": 35}
    assert Counter(query.recipe for query in queries[:10]) == {"no_intent_fallthrough": 5, "repeated_intent": 5}


def test_while_all_have_something_left_each_recipe_has_its_turns_in_each_round():
    queries = generator_of(example_document()).next_queries(5 * ROUND)  # the smallest has five
    for start in range(0, 5 * ROUND, ROUND):
        assert Counter(query.recipe for query in queries[start : start + ROUND]) == WEIGHTS


def test_a_round_goes_on_in_the_next_batch():
    batches = Batches()
    queries = [query for seed in range(-(-ROUND // 4)) for query in batches.next(8, example_document(), seed=seed)]
    assert Counter(query.recipe for query in queries[:ROUND]) == WEIGHTS
    assert Counter(query.recipe for query in queries[ROUND : 2 * ROUND]) == WEIGHTS


def test_over_many_small_batches_recipes_are_drawn_as_they_weigh():
    names = ("lookalike_keyword", "nested_proper_noun_pairs")
    batches, counts = Batches(), Counter[str]()
    for seed in range(20 * sum(WEIGHTS[name] for name in names)):
        counts.update(query.recipe for query in batches.next(1, example_document(), *names, seed=seed))
    assert counts == {name: 20 * WEIGHTS[name] for name in names}


def test_a_recipe_that_sat_out_has_one_turn_more_and_not_all_that_it_missed():
    batches = Batches()
    batches.next(30, example_document(), "lookalike_keyword", seed=1)
    together = batches.next(9, example_document(), "lookalike_keyword", "repeated_intent", seed=2)
    assert Counter(query.recipe for query in together) == {"lookalike_keyword": 4, "repeated_intent": 5}


def test_what_says_the_most_at_once_and_what_only_one_source_answers_go_first():
    queries = generator_of(example_document()).next_queries(5)
    assert {query.recipe for query in queries} >= {"megaquery", "multi_intent_chain", "no_intent_fallthrough"}


@given(seed=SEEDS)
def test_every_shape_that_megaqueries_do_not_hold_is_asked_in_the_first_half_of_a_round(seed: int):
    firsts = {query.recipe for query in generator_of(example_document(), seed=seed).next_queries(ROUND // 2)}
    in_megaqueries = {
        "conditional_with_remainder",
        "nosplit_adjacent_to_real_conjunction",
        "discourse_framing_plus_real_keyword",
    }
    assert firsts >= set(RECIPES) - in_megaqueries


@given(seed=SEEDS)
def test_the_first_two_queries_with_signs_hold_every_sign(seed: int):
    queries = generator_of(example_document(), "keywords_with_signs", seed=seed).next_queries(2)
    styles = {part.style for query in queries for part in query.parts if part.style}
    assert styles == {'"…"', "“…”", "«…»", "(…)", "…!", "…?", "……"}


def test_ways_of_writing_that_were_used_in_an_earlier_batch_do_not_come_first_again():
    batches = Batches()
    first, second = (batches.next(1, example_document(), "keywords_with_signs", seed=seed) for seed in (1, 2))
    of_first, of_second = ({part.style for query in each for part in query.parts} - {""} for each in (first, second))
    assert len(of_first) == 4
    assert len(of_second - of_first) == 3


# --- coverage ---


def pairs_in(queries: list[Query]) -> set[frozenset[str]]:
    return {frozenset(pair) for query in queries for pair in combinations(set(query.ingredients), 2)}


@pytest.mark.parametrize("name", ["nested_proper_noun_pairs", "conditional_with_remainder", "repeated_intent"])
def test_while_pairs_are_new_each_query_covers_some_and_none_comes_twice(name: str):
    generator = generator_of(small_document(), name)
    every = generator_of(small_document(), name).next_queries(10_000)
    queries: list[Query] = []
    while pairs_in(queries) != pairs_in(every):
        (query,) = generator.next_queries(1)
        assert not pairs_in([query]) <= pairs_in(queries)
        queries.append(query)
    assert len(set(fingerprints(queries))) == len(queries)
    assert generator.walked() == ()


def test_what_was_never_said_is_said_first():
    queries = generator_of(example_document(), "multi_intent_chain").next_queries(4)
    intents = [name for query in queries for name in query.ingredients if name.startswith("intent")]
    assert len(set(intents)) == len(intents)  # at most 20 of 27


def test_coverage_carried_over_is_not_covered_again():
    first = generator_of(example_document(), "nested_proper_noun_pairs", seed=1)
    before = pairs_in(first.next_queries(20))
    second = generator_of(example_document(), "nested_proper_noun_pairs", seed=2, coverage=first.covered())
    assert all(not pairs_in([query]) <= before for query in second.next_queries(20))


def test_a_recipe_of_more_values_than_are_kept_account_of_is_walked(vast: Vocabulary, introduced_in_vast: IntroducedIn):
    generator = Generator(vast, introduced_in_vast, recipes_named(["multi_intent_chain"]), {}, 1)
    generator.next_queries(3)
    assert [walk.state.position for walk in generator.walked()] == [3]


def bundled_intents() -> list[str]:
    return [phrase for phrases in reference_document()["sources"].values() for phrase in phrases]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("proper_noun_plus_pronoun_intent", ["proper_noun_pairs", "conjunctions", "pronoun_requests"]),
        ("discourse_framing_plus_real_keyword", ["discourse_phrases", "discourse_topics", "intents"]),
        ("nosplit_adjacent_to_real_conjunction", ["nosplit_phrases", "proper_noun_pairs", "other joints", "intents"]),
    ],
)
def test_all_pairs_are_reached_in_at_most_half_as_many_again_as_a_covering_array_has(name: str, keys: list[str]):
    """Of the bundled vocabulary: each pair holds " and ", no topic holds a keyword, no phrase is the encyclopedia's."""
    document = reference_document()
    conjunctions = [conjunction for conjunction in document["conjunctions"] if conjunction != " and "]
    lists = document | document["seeds"] | {"intents": bundled_intents(), "other joints": conjunctions}
    array = covertable.make([lists[key] for key in keys], strength=2)
    vocabulary = parse_vocabulary(document)
    possible = Pairs(RECIPES[name].space(vocabulary)).count
    assert possible == sum(len(lists[a]) * len(lists[b]) for a, b in combinations(keys, 2))
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), [RECIPES[name]], {}, 1)
    queries = 0
    while not (covered := generator.covered()) or covered[name].pairs_covered < possible:
        queries += len(generator.next_queries(1))
    assert queries <= 1.5 * len(array)


# --- introduced_in and what is new ---


def test_ingredients_are_born_with_the_version_that_first_holds_them():
    before = introductions(parse_vocabulary(small_document()), 1, {})
    assert set(before.values()) == {1}
    after = introductions(parse_vocabulary(with_phrase(small_document(), "tides", "spring tide")), 2, before)
    assert {name for name, version in after.items() if version == 2} == {
        "intent:tides:spring tide",
        *(f"intent:tides:{text}" for text in ("SPRING TIDE", "Spring Tide", "sPrInG TiDe")),
        *(f"intent:tides:{text}" for text in ('"spring tide"', "“spring tide”", "«spring tide»", "(spring tide)")),
        *(f"intent:tides:{text}" for text in ("spring tide!", "spring tide?", "spring tide…")),
        "lookalike:sрrіng tіdе",
        "lookalike:ｓｐｒｉｎｇ ｔｉｄｅ",
        "lookalike:spring\N{NO-BREAK SPACE}tide",
        "lookalike:sp\N{ZERO WIDTH SPACE}ring tide",
    }
    assert {name: version for name, version in after.items() if version == 1} == before


def test_an_ingredient_that_left_and_came_back_is_born_again():
    whole, less = small_document(), small_document()
    less["seeds"]["open_topics"].remove("knots")
    introduced_in = introductions(parse_vocabulary(whole), 1, {})
    introduced_in = introductions(parse_vocabulary(less), 2, introduced_in)
    assert "topic:knots" not in introduced_in
    introduced_in = introductions(parse_vocabulary(whole), 3, introduced_in)
    assert introduced_in["topic:knots"] == 3


def test_ingredients_are_all_that_any_recipe_uses(small: Vocabulary):
    found = ingredients_of(small)
    assert {name.split(":")[0] for name in found} == {
        "intent", "joint", "nosplit", "pair", "discourse", "topic", "condition", "consequence", "request",
        "lookalike",
    }  # fmt: skip
    assert "intent:harbour:berths free" in found
    assert "topic:the high tide myth" not in found  # it holds a keyword, so no recipe takes it


def test_what_is_new_in_the_vocabulary_comes_first_in_each_recipe_that_it_belongs_to():
    batches = Batches()
    without_intents = {"no_intent_fallthrough", "proper_noun_plus_pronoun_intent"}
    turns_with_intents = sum(WEIGHTS[name] for name in set(SEVEN) - without_intents)
    batches.next(5 * sum(WEIGHTS[name] for name in SEVEN), example_document(), *SEVEN, seed=1)  # five whole rounds
    changed = with_phrase(example_document(), "home", "doorbell rang")
    introduced_in = introductions(
        parse_vocabulary(changed), 2, introductions(parse_vocabulary(example_document()), 1, {})
    )
    batch = batches.next(70, changed, *SEVEN, seed=2, introduced_in=introduced_in)
    with_intents = [query for query in batch if query.recipe not in without_intents]
    # Of the two pair recipes and the rest that take an intent, each has more than ten combinations with the new one.
    new_first = [query for query in with_intents[:50] if "intent:home:doorbell rang" in query.ingredients]
    assert len(new_first) == 50
    assert {query.recipe for query in batch[:turns_with_intents]} == set(SEVEN) - without_intents


def test_after_additions_everything_still_comes_once_overall():
    documents = [small_document() for _ in range(4)]
    for document in documents[1:]:
        document["sources"]["tides"].append("moon phase")  # related to one condition, unrelated to the others
        document["nosplit_phrases"].append("either")
    for document in documents[2:]:
        document["seeds"]["proper_noun_pairs"].append("Alpha and Omega")
        document["sources"]["gulls"] = ["gull count"]
        document["headers"]["gulls"] = "[GULLS]"
    for document in documents[3:]:
        document["seeds"]["open_topics"].append("kelp")
        document["seeds"]["conditions"].append("if the wind turns")
    introduced_in: dict[str, int] = {}
    batches = Batches()
    for number, document in enumerate(documents, start=1):
        introduced_in = introductions(parse_vocabulary(document), number, introduced_in)
        last = number == len(documents)
        batches.next(10_000 if last else 60, document, *SEVEN, seed=number, introduced_in=introduced_in)
    drawn = batches.drawn
    assert len(drawn) == len(set(drawn))
    possible = set(everything(documents[-1]))
    assert possible <= set(drawn)
    assert len(set(drawn) - possible) == 0


def test_after_everything_was_drawn_an_addition_gives_just_what_it_adds():
    batches = Batches()
    batches.next(10_000, small_document(), *SEVEN, seed=1)
    changed = small_document()
    changed["seeds"]["open_topics"].append("kelp")
    introduced_in = introductions(
        parse_vocabulary(changed), 2, introductions(parse_vocabulary(small_document()), 1, {})
    )
    assert [query.text for query in batches.next(10_000, changed, *SEVEN, seed=2, introduced_in=introduced_in)] == [
        "kelp"
    ]
