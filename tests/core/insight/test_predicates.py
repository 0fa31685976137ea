"""What can be said of a query: of which parts it holds, and in which words."""

from copy import copy

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.insight.predicates import (
    ANY,
    ANY_OF,
    BOTH,
    FAMILIES,
    RANK,
    FindingShape,
    Predicate,
    QueryShape,
    told_of,
)
from tests.core.judging.relations.scripted import BERTHS, FERRY, HIGH, KNOTS, LOW, PAIR, VOCABULARY, query_of

COMPARE = Part(PartKind.NOSPLIT, "compare ")
ROWING = Part(PartKind.REQUEST, "I want to go out rowing")
SHOUTED = Part(PartKind.INTENT, "HIGH TIDE", "tides", "high tide")
ASKED = Part(PartKind.INTENT, "next ferry?", "ferry", "next ferry")
TIDES = "in the section of tides"
QUOTED = Part(PartKind.INTENT, '"next ferry"', "ferry", "next ferry")


def shape(*parts: Part) -> QueryShape:
    return QueryShape(query_of(*parts), VOCABULARY)


def predicates_of(seen: QueryShape) -> list[Predicate]:
    """All that hold of it."""
    return list(dict.fromkeys(one for shared in (*seen.aspects, *seen.parts) for one in shared.predicates))


@pytest.mark.parametrize(
    ("predicate", "parts", "sentence"),
    [
        (Predicate("any"), 0b111, "any query"),
        (Predicate("parts", ("3",)), 0b111, "a query of three or more parts"),
        (Predicate("sources", ("2",)), 0b111, "a query for two or more sources"),
        (Predicate("of_kind", ("pair",)), 0b010, "a pair"),
        (Predicate("with_kind", ("pair",)), 0b111, "a query with a pair"),
        (Predicate("from", ("1",)), 0b110, "the second part or a later one"),
        (Predicate("at_end", ("last",)), 0b100, "the last part of a query"),
        (Predicate("points_at", ("tides",)), 0b001, "a keyword of tides"),
        (Predicate("points_at", ("the encyclopedia",)), 0b010, "a part for the encyclopedia"),
        (Predicate("neighbours", ("pair", "intent")), 0b110, "a pair with a keyword right after it"),
        (Predicate("right_after", ("pair", "intent")), 0b100, "a keyword right after a pair"),
        (Predicate("right_before", ("intent", "pair")), 0b001, "a keyword right before a pair"),
        (Predicate("joined", ("plus",)), 0b111, "what 'plus' joins"),
        (Predicate("after", ("plus",)), 0b110, "what follows 'plus'"),
        (Predicate("behind", ("pair",)), 0b100, "what stands behind a pair"),
        (Predicate("phrase", ("intent", "next ferry")), 0b100, "'next ferry'"),
        (Predicate("with_phrase", ("intent", "next ferry")), 0b111, "a query with 'next ferry'"),
        (Predicate("recipe", ("multi_intent_chain",)), 0b111, "a query of the recipe multi_intent_chain"),
        (Predicate("again", ("intent",)), 0b100, "a keyword after another one"),
        (Predicate("parts", ("4",)), 0, "a query of four or more parts"),
        (Predicate("same_source"), 0, "a second part for the same source"),
        (Predicate("shared_source"), 0, "two keywords of the same source"),
        (Predicate("long", ("100",)), 0, "a query of 100 characters or more"),
    ],
)
def test_a_predicate_says_what_it_holds_of(predicate: Predicate, parts: int, sentence: str) -> None:
    assert predicate.places(shape(HIGH, PAIR, FERRY)) == parts
    assert predicate.sentence == sentence


@pytest.mark.parametrize(
    ("part", "way"),
    [
        (SHOUTED, "in capitals"),
        (QUOTED, "in quotes or brackets"),
        (ASKED, "with a sign that ends a sentence"),
        (Part(PartKind.INTENT, "rss", "ferry"), "of three letters or fewer"),
        (Part(PartKind.INTENT, "is it up", "ferry"), "of short words alone"),
    ],
)
def test_how_a_keyword_is_written_is_told(part: Part, way: str) -> None:
    found = [predicate for predicate in predicates_of(shape(BERTHS, part)) if predicate.family == "written"]
    assert found == [Predicate("written", (way,))]
    assert found[0].places(shape(BERTHS, part)) == 0b10
    assert found[0].sentence == f"a keyword {way}"


def test_a_phrase_that_must_not_split_belongs_to_its_pair() -> None:
    compared = QueryShape(Query("x", (COMPARE, PAIR, *query_of(HIGH, KNOTS).parts[1:])), VOCABULARY)
    assert [Predicate("of_kind", (kind,)).places(compared) for kind in ("nosplit", "pair")] == [0b01, 0b01]


def test_a_second_part_for_a_source_is_told_wherever_it_stands() -> None:
    assert Predicate("same_source").places(shape(HIGH, FERRY, LOW)) == 0b100
    assert Predicate("same_source").places(shape(PAIR, FERRY, KNOTS)) == 0b100


def test_keywords_of_one_source_are_all_meant_and_parts_for_the_encyclopedia_are_not() -> None:
    assert Predicate("shared_source").places(shape(HIGH, FERRY, LOW)) == 0b101
    assert Predicate("shared_source").places(shape(HIGH, LOW, FERRY, FERRY)) == 0b1111
    assert Predicate("shared_source").places(shape(PAIR, FERRY, KNOTS)) == 0


def test_a_keyword_in_a_condition_a_request_or_other_letters_is_of_its_source() -> None:
    flooded = Part(PartKind.CONDITION, "if high tide is near")
    asked = Part(PartKind.REQUEST, "I need to know the next ferry")
    spelled = Part(PartKind.LOOKALIKE, "Next  Ferry", "", "next ferry")
    told = shape(HIGH, flooded, asked, spelled, ROWING, KNOTS)
    assert Predicate("points_at", ("tides",)).places(told) == 0b11
    assert Predicate("points_at", ("ferry",)).places(told) == 0b1100
    assert Predicate("shared_source").places(told) == 0b1111
    assert [part.sources for part in told.parts[4:]] == [(), ("the encyclopedia",)]


def test_two_that_hold_of_the_same_part_are_said_in_one_sentence() -> None:
    not_first = Predicate(BOTH, (), (Predicate("points_at", ("tides",)), Predicate("from", ("1",))))
    assert not_first.places(shape(HIGH, FERRY, LOW)) == 0b100
    assert not_first.places(shape(HIGH, FERRY)) == 0
    assert not_first.sentence == "a keyword of tides, not in first place"
    assert not_first.cost > not_first.of[0].cost + not_first.of[1].cost


def test_of_several_one_is_enough() -> None:
    either = Predicate(ANY_OF, (), tuple(Predicate("phrase", ("intent", text)) for text in ("low tide", "next ferry")))
    assert either.places(shape(HIGH, FERRY, LOW)) == 0b110
    assert either.sentence == "'low tide' or 'next ferry'"


def test_joined_predicates_can_be_joined_and_said() -> None:
    either = Predicate(ANY_OF, (), (Predicate("points_at", ("ferry",)), Predicate("points_at", ("tides",))))
    assert Predicate(BOTH, (), (Predicate("at_end", ("last",)), either)).sentence == (
        "the last part of a query, where a keyword of ferry or a keyword of tides is"
    )


def test_the_same_topic_with_framing_and_without_is_two_parts() -> None:
    framed = (Part(PartKind.DISCOURSE, "all of them go on about "), KNOTS)
    query = Query("x", (*framed, *query_of(HIGH, KNOTS, HIGH).parts[1:], Part(PartKind.MARK, ", "), HIGH))
    found = QueryShape(query, VOCABULARY)
    assert found.conjunctions == ("", "plus", "plus", "")
    assert Predicate("after", ("plus",)).places(found) == 0b0110


def test_what_joins_parts_is_told_of_a_query_whose_parts_were_made_anew() -> None:
    first = query_of(HIGH, FERRY, LOW)
    assert QueryShape(first, VOCABULARY).conjunctions == ("", "plus", "plus")
    again = Query(first.recipe, tuple(map(copy, first.parts)))
    assert QueryShape(again, VOCABULARY).conjunctions == ("", "plus", "plus")


def test_every_family_is_found_in_some_query_says_so_and_has_a_rank() -> None:
    rich = [
        QueryShape(Query("a", (COMPARE, *query_of(PAIR, ROWING, HIGH, LOW, SHOUTED, QUOTED).parts)), VOCABULARY),
        shape(*[KNOTS] * 12, BERTHS),
    ]
    found = {predicate for one in rich for predicate in predicates_of(one)}
    rich_findings = (FindingShape("crash", error="boom"), FindingShape("part_lost", ("tides",), 1, 3, ("high tide",)))
    found |= {predicate for finding in rich_findings for predicate in told_of(finding)}
    assert {predicate.family for predicate in found} == FAMILIES.keys()
    assert FAMILIES.keys() < RANK.keys()
    assert all(predicate.sentence and predicate.as_addition for predicate in found)


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        (
            FindingShape("section_blank", ("ferry", "tides")),
            {"shown as section blank", "in the section of ferry", TIDES},
        ),
        (FindingShape("part_slow", parts=0b001, every=0b111), {"shown as part slow", "in the first part"}),
        (FindingShape("part_slow", parts=0b100, every=0b111), {"shown as part slow", "in the last part"}),
        (FindingShape("part_slow", parts=0b010, every=0b111), {"shown as part slow"}),
        (FindingShape("part_slow", parts=0b1, every=0b1), {"shown as part slow", "in the only part"}),
        (FindingShape("part_lost", missing=("low tide",)), {"shown as part lost", "without 'low tide' in the answer"}),
        (FindingShape("crash", error="KeyError: tide"), {"shown as crash", "ending in 'KeyError: tide'"}),
    ],
)
def test_what_is_told_of_a_finding_can_be_said_behind_what_is_said_of_a_query(
    finding: FindingShape, told: set[str]
) -> None:
    assert {predicate.as_addition for predicate in told_of(finding)} == told


def test_what_is_said_of_a_finding_holds_of_any_query_and_fits_such_findings_alone() -> None:
    lost = Predicate("shown_as", ("part_lost",))
    lost_pair = Predicate(BOTH, (), (Predicate("of_kind", ("pair",)), lost))
    assert lost.places(shape(HIGH, PAIR)) == 0b11
    assert lost_pair.places(shape(HIGH, PAIR)) == 0b10
    assert lost_pair.sentence == "a pair, shown as part lost"
    assert lost_pair.fits(told_of(FindingShape("part_lost")))
    assert not lost_pair.fits(told_of(FindingShape("part_differs")))
    assert (lost_pair.of_query, lost.of_query) == (lost_pair.of[0], ANY)


def test_a_predicate_of_another_version_is_not_known() -> None:
    unknown = Predicate("of_another_version")
    assert not Predicate(BOTH, (), (ANY, Predicate(BOTH, (), (ANY, unknown)))).is_known
    assert Predicate(BOTH, (), (ANY, ANY)).is_known
