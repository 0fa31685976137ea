"""The smallest query with the same finding. Which texts are tried, and what is left, worked out by hand."""

from collections.abc import Callable

import pytest

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.judging.delta_debugging import NEEDED_KINDS, Minimised, minimise
from selftest.core.judging.findings import CheckName

AND = Part(PartKind.CONJUNCTION, " and ")
THEN = Part(PartKind.CONJUNCTION, " then ")
COMMA = Part(PartKind.MARK, ", ")
SPACE = Part(PartKind.MARK, " ")
A, B, C, D, E = (Part(PartKind.INTENT, letter * 3, letter) for letter in "abcde")
FIVE = Query("multi_intent_chain", (A, AND, B, THEN, C, AND, D, THEN, E))  # "aaa and bbb then ccc and ddd then eee"
PAIR = Part(PartKind.PAIR, "Romeo and Juliet")
NOSPLIT = Part(PartKind.NOSPLIT, "compare")
DISCOURSE = Part(PartKind.DISCOURSE, "what does everyone think of")
TOPIC = Part(PartKind.TOPIC, "tidal power")
CONDITION = Part(PartKind.CONDITION, "if it rains")
CONSEQUENCE = Part(PartKind.CONSEQUENCE, "tell me")

Says = Callable[[str], bool | None]


@pytest.fixture
def search() -> Callable[..., tuple[Minimised, list[str]]]:
    """Shrinks with a rule in the place of a target: the result, and the texts that were tried, in order."""

    def run(
        query: Query, shows: Says, check: CheckName = CheckName.CRASH, most: int = 40
    ) -> tuple[Minimised, list[str]]:
        minimising = minimise(query, check, most)
        tried: list[str] = []
        try:
            candidate = next(minimising)
            while True:
                tried.append(candidate.text)
                candidate = minimising.send(shows(candidate.text))
        except StopIteration as over:
            assert len(set(tried)) == len(tried), "a text was asked twice"
            return over.value, tried

    return run


Search = Callable[..., tuple[Minimised, list[str]]]


def test_the_second_clause_alone_is_found_at_the_second_try(search: Search) -> None:
    minimised, tried = search(FIVE, lambda text: "bbb" in text)
    assert tried == ["aaa", "bbb"]
    assert minimised == Minimised(Query("multi_intent_chain", (B,)), (2,), True, 2)


def test_the_first_and_the_fourth_together_keep_the_conjunction_before_the_later_one(search: Search) -> None:
    minimised, tried = search(FIVE, lambda text: "aaa" in text and "ddd" in text)
    assert tried[:5] == ["aaa", "bbb", "ccc", "ddd", "eee"]
    assert tried[5:] == ["aaa and bbb", "aaa then ccc", "aaa and ddd"]
    assert minimised.query.text == "aaa and ddd"
    assert (minimised.kept, minimised.is_minimal, minimised.tried) == ((0, 5, 6), True, 8)


def test_where_all_five_are_needed_nothing_is_left_out(search: Search) -> None:
    minimised, tried = search(FIVE, lambda text: all(part.text in text for part in (A, B, C, D, E)))
    assert minimised.query == FIVE
    assert minimised.kept == tuple(range(9))
    assert minimised.is_minimal
    # 5 single ones, 10 pairs and 10 triples; then five times four of them, and no triple again.
    assert len(tried) == 30
    assert sorted(tried[25:]) == sorted(
        [
            "bbb then ccc and ddd then eee",
            "aaa then ccc and ddd then eee",
            "aaa and bbb and ddd then eee",
            "aaa and bbb then ccc then eee",
            "aaa and bbb then ccc and ddd",
        ]
    )


def test_a_long_chain_is_halved_and_not_tried_in_every_triple(search: Search) -> None:
    letters = "abcdefghijkl"
    parts: list[Part] = []
    for letter in letters:
        parts += [AND] * bool(parts) + [Part(PartKind.INTENT, letter * 3, letter)]
    minimised, tried = search(Query("multi_intent_chain", tuple(parts)), lambda text: "bbb" in text and "kkk" in text)
    assert minimised.query.text == "bbb and kkk"
    assert minimised.kept == (2, 19, 20)
    assert minimised.is_minimal
    assert len(tried) <= 40  # 298 subsets of up to three clauses


def test_without_any_answer_the_whole_query_is_left(search: Search) -> None:
    minimised, tried = search(FIVE, lambda text: None)
    assert tried == ["aaa"]
    assert minimised == Minimised(FIVE, tuple(range(9)), False, 0)


def test_an_answer_that_fails_half_way_loses_nothing(search: Search) -> None:
    query = Query("nosplit_adjacent_to_real_conjunction", (NOSPLIT, SPACE, PAIR, AND, A))
    shows: dict[str, bool | None] = {"compare Romeo and Juliet": True, "Romeo and Juliet": None}
    minimised, tried = search(query, lambda text: shows[text])
    assert tried == ["compare Romeo and Juliet", "Romeo and Juliet"]
    assert minimised == Minimised(Query(query.recipe, (NOSPLIT, SPACE, PAIR)), (0, 1, 2), False, 1)


# --- inside of a clause ---


def test_a_pair_loses_the_phrase_before_it(search: Search) -> None:
    query = Query("nosplit_adjacent_to_real_conjunction", (NOSPLIT, SPACE, PAIR, AND, A))
    minimised, tried = search(query, lambda text: "Romeo and Juliet" in text)
    assert tried == ["compare Romeo and Juliet", "Romeo and Juliet"]
    assert (minimised.query.text, minimised.kept, minimised.is_minimal) == ("Romeo and Juliet", (2,), True)


def test_a_topic_loses_its_framing(search: Search) -> None:
    query = Query("megaquery", (DISCOURSE, SPACE, TOPIC, Part(PartKind.MARK, ", and "), A))
    minimised, _ = search(query, lambda text: "tidal power" in text)
    assert (minimised.query.text, minimised.kept) == ("tidal power", (2,))


def test_a_framing_is_never_asked_without_its_topic(search: Search) -> None:
    query = Query("megaquery", (DISCOURSE, SPACE, TOPIC, Part(PartKind.MARK, ", and "), A))
    minimised, tried = search(query, lambda text: "everyone" in text)
    assert "what does everyone think of" not in tried
    assert minimised.query.text == "what does everyone think of tidal power"


def test_a_condition_loses_its_consequence_and_never_stays_as_one(search: Search) -> None:
    query = Query("conditional_with_remainder", (CONDITION, COMMA, CONSEQUENCE, COMMA, A))
    minimised, tried = search(query, lambda text: "if it rains" in text)
    assert tried == ["if it rains, tell me", "if it rains"]
    assert (minimised.query.text, minimised.kept) == ("if it rains", (0,))


def test_marks_at_the_edge_go(search: Search) -> None:
    marks = Part(PartKind.MARK, "?!"), Part(PartKind.MARK, "\N{LEFT DOUBLE QUOTATION MARK}")
    minimised, tried = search(Query("no_intent_fallthrough", (marks[1], TOPIC, marks[0])), lambda text: True)
    assert minimised.query.text == "tidal power"
    assert len(tried) == 2


def test_what_is_said_oddly_is_said_plainly(search: Search) -> None:
    odd = Part(PartKind.INTENT, "“AAA”", "a", plain="aaa")
    minimised, tried = search(Query("multi_intent_chain", (odd, AND, B)), lambda text: "aaa" in text.casefold())
    assert tried == ["“AAA”", "aaa"]
    assert (minimised.query.parts, minimised.kept) == ((A,), (0,))


def test_what_only_shows_when_it_is_said_oddly_stays_so(search: Search) -> None:
    odd = Part(PartKind.INTENT, "“AAA”", "a", plain="aaa")
    minimised, _ = search(Query("multi_intent_chain", (odd, AND, B)), lambda text: "AAA" in text)
    assert (minimised.query.parts, minimised.is_minimal) == ((odd,), True)


def test_a_long_filling_becomes_a_space(search: Search) -> None:
    filling = Part(PartKind.MARK, " please" * 40 + " ")
    minimised, tried = search(Query("no_intent_fallthrough", (NOSPLIT, filling, PAIR)), lambda text: "compare" in text)
    assert tried == ["Romeo and Juliet", "compare Romeo and Juliet"]
    assert minimised.kept == (0, 1, 2)


def test_a_keyword_and_a_topic_in_one_clause_stay_within_their_framing(search: Search) -> None:
    """No rule promises the encyclopedia for "aaa about tidal power"; the framing around it does."""
    about = Part(PartKind.MARK, " about ")
    query = Query("discourse_framing_around_keyword", (DISCOURSE, SPACE, A, about, TOPIC))
    minimised, tried = search(query, lambda text: "aaa" in text and "tidal power" in text)
    assert tried == ["what does everyone think of tidal power", "what does everyone think of aaa"]
    assert minimised.query == query


# --- the mark that ends a clause ---


CONDITIONAL = Query("megaquery", (PAIR, AND, CONDITION, COMMA, CONSEQUENCE, COMMA, A, THEN, B))


@pytest.mark.parametrize(
    ("needed", "left", "kept"),
    [
        ((PAIR, A), "Romeo and Juliet and aaa", (0, 1, 6)),  # the comma went with the consequence that it ended
        ((CONSEQUENCE, B), "if it rains, tell me, bbb", (2, 3, 4, 5, 8)),  # and stays with it before another
        ((CONSEQUENCE, A), "if it rains, tell me, aaa", (2, 3, 4, 5, 6)),
        ((PAIR, B), "Romeo and Juliet then bbb", (0, 7, 8)),
    ],
)
def test_the_comma_after_a_consequence_stays_with_it(
    search: Search, needed: tuple[Part, Part], left: str, kept: tuple[int, ...]
) -> None:
    minimised, _ = search(CONDITIONAL, lambda text: all(part.text in text for part in needed))
    assert (minimised.query.text, minimised.kept, minimised.is_minimal) == (left, kept, True)


def test_what_ends_a_framing_stays_with_it(search: Search) -> None:
    query = Query("megaquery", (A, THEN, DISCOURSE, SPACE, TOPIC, Part(PartKind.MARK, ", and "), B, AND, C))
    minimised, _ = search(query, lambda text: "aaa" in text and "bbb" in text)
    assert (minimised.query.text, minimised.kept) == ("aaa then bbb", (0, 1, 6))
    minimised, _ = search(query, lambda text: "everyone" in text and "ccc" in text)
    assert (minimised.query.text, minimised.kept) == (
        "what does everyone think of tidal power, and ccc",
        (2, 3, 4, 5, 8),
    )


# --- checks that go by the recipe's name ---


def test_a_conditional_finding_needs_a_condition_and_a_remainder(search: Search) -> None:
    query = Query("conditional_with_remainder", (CONDITION, COMMA, CONSEQUENCE, COMMA, A))
    check = CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS
    minimised, tried = search(query, lambda text: True, check)
    assert tried == ["if it rains, aaa"]
    assert (minimised.kept, minimised.is_minimal) == ((0, 3, 4), True)


def test_a_discourse_finding_needs_the_framing_and_the_keyword(search: Search) -> None:
    query = Query(
        "discourse_framing_plus_real_keyword", (DISCOURSE, SPACE, TOPIC, Part(PartKind.MARK, ", and "), A, AND, B)
    )
    minimised, tried = search(query, lambda text: True, CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX)
    assert tried == ["what does everyone think of tidal power, and aaa"]
    assert minimised.kept == (0, 1, 2, 3, 4)


def test_the_checks_with_needs_are_those_that_hold_for_their_recipe_whatever_is_said() -> None:
    assert set(NEEDED_KINDS) == {
        CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX,
        CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS,
    }


def test_a_query_of_one_clause_is_small_already(search: Search) -> None:
    minimised, tried = search(Query("no_intent_fallthrough", (TOPIC,)), lambda text: True)
    assert tried == []
    assert minimised == Minimised(Query("no_intent_fallthrough", (TOPIC,)), (0,), True, 0)
