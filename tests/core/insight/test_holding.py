"""Of many queries at once: which parts a predicate holds of is what it is of each of them."""

from selftest.core.generation.queries import Query
from selftest.core.insight.holding import Holding
from selftest.core.insight.predicates import ANY, ANY_OF, BOTH, FAMILIES, OfFinding, Predicate, QueryShape
from tests.core.judging.relations.scripted import BERTHS, FERRY, HIGH, KNOTS, LOW, PAIR, VOCABULARY, query_of

SHAPES = [
    QueryShape(query, VOCABULARY)
    for query in (
        query_of(HIGH, FERRY, LOW, HIGH),
        query_of(FERRY, HIGH, PAIR, BERTHS, KNOTS),
        query_of(KNOTS),
        Query("another", query_of(HIGH, KNOTS, PAIR).parts),
        query_of(*[FERRY] * 18),
    )
]
EVERY = {one for shape in SHAPES for shared in (*shape.aspects, *shape.parts) for one in shared.predicates}
TIDES, SECOND = Predicate("points_at", ("tides",)), Predicate("from", ("1",))
JOINED = (Predicate(BOTH, (), (TIDES, SECOND)), Predicate(ANY_OF, (), (TIDES, Predicate("points_at", ("ferry",)))))
NEVER = Predicate("phrase", ("intent", "nothing that is asked"))
LOST = Predicate("shown_as", ("part_lost",))
TOLD_APART = (1 << 16) - 1  # of very long queries only the first parts are told apart


def test_it_is_what_each_query_by_itself_says() -> None:
    holding = Holding(SHAPES)
    of_queries = {name for name, family in FAMILIES.items() if not isinstance(family, OfFinding)}
    assert {predicate.family for predicate in EVERY} > of_queries - {"written", "long"}
    for predicate in (*EVERY, *JOINED, ANY, NEVER, LOST):
        places = [predicate.places(shape) for shape in SHAPES]
        assert list(holding.places_of(holding.bits(predicate))) == [those & TOLD_APART for those in places]
        assert holding.count(predicate) == sum(map(bool, places))


def test_what_is_told_of_one_query_by_numbers_is_what_it_says_itself() -> None:
    holding = Holding(SHAPES)
    for number, shape in enumerate(SHAPES):
        told = holding.told(number)
        predicates = [holding.predicates[each] for each in told.numbers]
        said = {predicate: places for predicate in EVERY if (places := predicate.places(shape))}
        assert dict(zip(predicates, told.places, strict=True)) == said


def test_parts_that_are_put_in_come_out_again() -> None:
    holding = Holding(SHAPES)
    assert list(holding.places_of(holding.bits_of({1: 0b101, 4: 0b1}))) == [0, 0b101, 0, 0, 0b1]
    assert holding.count_bits(holding.bits_of({1: 0b101, 4: 1 << 15})) == 2


def test_of_no_queries_nothing_holds() -> None:
    assert (Holding([]).count(ANY), Holding([]).bits(ANY)) == (0, 0)
