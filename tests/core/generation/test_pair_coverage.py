"""Pairs and triples by number, counted by hand."""

import random
from itertools import combinations

import pytest

from selftest.core.generation.pair_coverage import (
    MOST_VALUES,
    MOST_VALUES_IN_TRIPLES,
    PairCoverage,
    pair_number,
    triple_number,
)
from selftest.core.generation.pair_covering import Covering, Pairs
from selftest.core.generation.queries import Choose, Part, PartKind, Query, one_of, some_of

pytestmark = pytest.mark.slow("searches pairs")


def topics(*texts: str) -> tuple[Part, ...]:
    return tuple(Part(PartKind.TOPIC, text) for text in texts)


def query(*texts: str) -> Query:
    return Query("any", topics(*texts))


def carried(coverage: PairCoverage) -> PairCoverage:
    """As it comes back from where it is kept."""
    return PairCoverage(
        coverage.values, coverage.packed_pairs, coverage.packed_triples, coverage.queries, coverage.turn
    )


def test_pairs_and_triples_are_numbered_without_a_gap_in_the_order_of_their_greatest() -> None:
    pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    assert [pair_number(*pair) for pair in pairs] == [0, 1, 2, 3, 4, 5]
    triples = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (0, 1, 4)]
    assert [triple_number(*triple) for triple in triples] == [0, 1, 2, 3, 4]


def test_a_query_of_four_values_covers_six_pairs_and_four_triples() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "b", "c", "d"))
    assert coverage.values == ["topic:a", "topic:b", "topic:c", "topic:d"]
    assert (coverage.queries, coverage.pairs_covered, coverage.triples_covered) == (1, 6, 4)


def test_only_what_is_new_adds_to_it() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "b", "c"))
    coverage.add(query("b", "c", "d"))  # b and c again; the triple b, c, d and two pairs with d
    assert (coverage.queries, coverage.pairs_covered, coverage.triples_covered) == (2, 5, 2)
    coverage.add(query("d", "b"))
    assert (coverage.queries, coverage.pairs_covered, coverage.triples_covered) == (3, 5, 2)


def test_the_same_value_twice_is_no_pair() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "a"))
    assert (coverage.pairs_covered, coverage.triples_covered) == (0, 0)


def test_whether_two_were_said_together_does_not_depend_on_their_order() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "b"))
    coverage.add(query("c", "b"))
    assert coverage.has_pair("topic:a", "topic:b")
    assert coverage.has_pair("topic:b", "topic:c")
    assert not coverage.has_pair("topic:a", "topic:c")
    assert not coverage.has_pair("topic:a", "never said")


def test_it_is_the_same_after_being_packed_and_goes_on_from_there() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "b", "c"))
    kept = carried(coverage)
    kept.add(query("c", "d", "a"))
    again = carried(kept)
    assert again.values == ["topic:a", "topic:b", "topic:c", "topic:d"]
    assert (again.queries, again.pairs_covered, again.triples_covered) == (2, 5, 2)
    assert again.has_pair("topic:c", "topic:d")
    assert not again.has_pair("topic:b", "topic:d")


def test_nothing_packed_is_nothing_covered() -> None:
    assert carried(PairCoverage()).pairs_covered == 0
    assert PairCoverage([], b"", b"").triples_covered == 0


def test_who_was_said_with_whom_comes_in_the_order_that_is_asked_for() -> None:
    coverage = PairCoverage()
    coverage.add(query("a", "b"))
    coverage.add(query("c", "b"))
    names = ["topic:b", "never said", "topic:c", "topic:a"]
    assert coverage.partners(names) == [0b1100, 0, 0b0001, 0b0001]
    assert PairCoverage().partners(names) == [0, 0, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_rows_agree_with_pairs_looked_up_one_by_one(seed: int) -> None:
    rng, letters, coverage = random.Random(seed), "abcdefghijkl", PairCoverage()
    for _ in range(6):
        coverage.add(query(*rng.sample(letters, 3)))
    names = [f"topic:{letter}" for letter in rng.sample(letters, 12)]
    rows = carried(coverage).partners(names)
    for (i, name), (j, other) in combinations(enumerate(names), 2):
        assert bool(rows[i] >> j & 1) == bool(rows[j] >> i & 1) == coverage.has_pair(name, other)


def test_values_beyond_the_most_are_asked_but_not_kept_account_of() -> None:
    coverage = PairCoverage()
    for number in range(0, MOST_VALUES + 4, 2):
        coverage.add(query(f"{number}", f"{number + 1}"))
    assert len(coverage.values) == MOST_VALUES
    assert coverage.pairs_covered == MOST_VALUES / 2
    assert coverage.queries == MOST_VALUES / 2 + 2


def test_triples_of_later_values_are_not_kept_account_of() -> None:
    coverage = PairCoverage()
    for number in range(0, MOST_VALUES_IN_TRIPLES + 60, 3):
        coverage.add(query(*(f"{number + n}" for n in range(3))))
    assert coverage.triples_covered == MOST_VALUES_IN_TRIPLES // 3


# --- what can be covered ---


def test_the_pairs_of_a_space_are_those_across_its_factors_and_within_those_that_take_several() -> None:
    """Two of three letters, and one digit of two: 3 + 3 × 2."""
    assert Pairs(((some_of(topics("a", "b", "c"), 2), one_of(topics("1", "2"))),)).count == 9


def test_values_of_one_group_never_meet() -> None:
    """One of each of two groups: a and b never together."""
    assert Pairs(((Choose((topics("a", "b"), topics("c")), 2),),)).count == 2


def test_a_pair_that_two_products_can_say_is_one_pair() -> None:
    letters = one_of(topics("a", "b"))
    space = ((letters, one_of(topics("1"))), (letters, one_of(topics("1", "2"))))
    assert Pairs(space).count == 4


def test_a_product_that_makes_no_combination_brings_no_pairs() -> None:
    assert Pairs(((some_of(topics("a"), 2), one_of(topics("1"))),)).count == 0


ALL = (1 << 30) - 1


def test_what_was_never_said_by_any_recipe_goes_first() -> None:
    pairs = Pairs(((one_of(topics("a", "b", "c")), one_of(topics("1", "2"))),))
    said = {"topic:a", "topic:b", "topic:1"}
    picks = Covering(pairs, PairCoverage()).best(ALL & 0b11111, 0b11111, said, random.Random(1))
    assert picks == (topics("c"), topics("2"))


def test_one_value_at_least_is_new_where_that_is_asked_for() -> None:
    pairs = Pairs(((one_of(topics("a", "b", "c")), one_of(topics("1", "2"))),))
    covering = Covering(pairs, PairCoverage())
    new = 1 << pairs.names.index("topic:b")
    for seed in range(10):
        picks = covering.best(0b11111, new, set(), random.Random(seed))
        assert picks is not None
        assert picks[0] == topics("b")


def test_a_value_that_is_not_allowed_is_not_said() -> None:
    pairs = Pairs(((one_of(topics("a", "b")), one_of(topics("1", "2"))),))
    covering = Covering(pairs, PairCoverage())
    allowed = 0b1111 & ~(1 << pairs.names.index("topic:2"))
    found = [covering.best(allowed, allowed, set(), random.Random(seed)) for seed in range(10)]
    assert all(picks is not None and picks[1] == topics("1") for picks in found)


def test_where_all_pairs_were_said_there_is_none_to_cover() -> None:
    pairs = Pairs(((one_of(topics("a", "b")), one_of(topics("1"))),))
    covering = Covering(pairs, PairCoverage())
    covering.note(["topic:a", "topic:1"])
    assert covering.best(0b111, 0b111, set(), random.Random(1)) == (topics("b"), topics("1"))
    covering.note(["topic:b", "topic:1"])
    assert covering.best(0b111, 0b111, set(), random.Random(1)) is None
