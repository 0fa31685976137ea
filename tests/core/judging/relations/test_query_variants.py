"""How a query is said otherwise: some of its clauses, in another order, by other conjunctions, in plain words."""

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.relations.query_variants import only, plain, rejoined, reordered
from tests.core.judging.relations.scripted import (
    BERTHS,
    FERRY,
    HIGH,
    HIGH_SAID,
    VOCABULARY,
    bare,
    case_of,
    query_of,
)

QUERY = query_of(HIGH, FERRY, BERTHS)
AND, ALSO = Part(PartKind.CONJUNCTION, " and "), Part(PartKind.CONJUNCTION, ", also ")
COMMA, SPACE = Part(PartKind.MARK, ", "), Part(PartKind.MARK, " ")
PAIR = Part(PartKind.PAIR, "Ebb plus Flow")
CONDITIONAL = (Part(PartKind.CONDITION, "if it rains"), COMMA, Part(PartKind.CONSEQUENCE, "tell me"))
FRAMED = (Part(PartKind.DISCOURSE, "all of them go on about"), SPACE, Part(PartKind.TOPIC, "knots"))
# Places: 0 the pair, 1 the condition, 2 high tide, 3 next ferry, 4 the framed topic, 5 berths free.
MANY = Query(
    "megaquery",
    (PAIR, AND, *CONDITIONAL, COMMA, HIGH, ALSO, FERRY, AND, *FRAMED, Part(PartKind.MARK, ", and "), BERTHS),
)


def test_the_clauses_come_in_reverse_and_what_parts_them_stays() -> None:
    query = Query("multi_intent_chain", (HIGH, AND, FERRY, ALSO, BERTHS))
    assert reordered(query) == "berths free and next ferry, also high tide"


def test_each_conjunction_becomes_the_next_one_that_no_part_holds() -> None:
    assert rejoined(QUERY, VOCABULARY) == "high tide, also next ferry, also berths free"
    held = Query("nested_proper_noun_pairs", (PAIR, AND, HIGH))
    assert rejoined(held, VOCABULARY) == "Ebb plus Flow, also high tide"


def test_some_of_the_clauses_are_joined_as_they_were() -> None:
    assert only(QUERY, [0, 2]).text == "high tide plus berths free"
    assert only(QUERY, [1]).text == "next ferry"


def test_in_plain_words_is_without_framing_case_and_signs() -> None:
    loud = Part(PartKind.INTENT, "“HIGH TIDE”!", "tides", "high tide")
    query = Query("megaquery", (loud, AND, *FRAMED))
    assert (
        plain(query, (part.alone for part in case_of(query, bare("tides", HIGH_SAID)).parts)) == "high tide and knots"
    )


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([1, 2], "if it rains, tell me, high tide"),
        ([1, 3], "if it rains, tell me, next ferry"),  # its follower is left out: the comma ends it all the same
        ([1, 4], "if it rains, tell me, all of them go on about knots"),
        ([4, 5], "all of them go on about knots, and berths free"),
    ],
)
def test_a_mark_that_ends_a_clause_stays_with_it(places: list[int], text: str) -> None:
    assert only(MANY, places).text == text


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([0, 2], "Ebb plus Flow and high tide"),
        ([2, 5], "high tide, also berths free"),
        ([0, 2, 5], "Ebb plus Flow and high tide, also berths free"),
        ([0, 3], "Ebb plus Flow, also next ferry"),  # where a conjunction stood before the later one, that
    ],
)
def test_a_mark_goes_with_the_clause_that_it_ended(places: list[int], text: str) -> None:
    assert only(MANY, places).text == text


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([5, 4], "berths free and all of them go on about knots"),
        ([5, 2], "berths free and high tide"),  # a comma alone stood before it: any conjunction of the query
        ([4, 0], "all of them go on about knots, and Ebb plus Flow"),
        ([5, 3, 1, 0], "berths free, also next ferry and if it rains, tell me, Ebb plus Flow"),
    ],
)
def test_clauses_in_another_order_take_the_marks_that_end_them_along(places: list[int], text: str) -> None:
    assert only(MANY, places).text == text


def test_without_any_conjunction_a_mark_has_to_do() -> None:
    query = Query("conditional_with_remainder", (*CONDITIONAL, COMMA, HIGH))
    assert only(query, [1, 0]).text == "high tide, if it rains, tell me"


def test_in_reverse_a_condition_takes_its_comma_along() -> None:
    first = Query("megaquery", (*CONDITIONAL, COMMA, HIGH, Part(PartKind.CONJUNCTION, " plus "), FERRY))
    assert reordered(first) == "next ferry plus high tide plus if it rains, tell me"
    between = Query("megaquery", (HIGH, Part(PartKind.CONJUNCTION, " plus "), *CONDITIONAL, COMMA, FERRY))
    assert reordered(between) == "next ferry plus if it rains, tell me, high tide"
