"""The shapes beyond the specification's, over a vocabulary small enough to see through."""

import random
from collections import Counter

import pytest

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.recipes.composed import COMPOSITIONS
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from tests.vocabularies import small_document

NOT_A_PART = (PartKind.MARK, PartKind.CONJUNCTION)


def queries(name: str, vocabulary: Vocabulary, at_most: int = 400) -> list[Query]:
    """All of a recipe, or as many spread evenly over them; each said in some way of its own."""
    layer = Layer(name, RECIPES[name].space(vocabulary), lambda part: 0, 0)
    assert layer.size, "an empty space would test nothing"
    steps = range(0, layer.size, max(1, layer.size // at_most))
    return [RECIPES[name].query(layer.at(index), random.Random(index)) for index in steps]


def kinds(query: Query) -> list[str]:
    return [part.kind.value for part in query.parts if part.kind is not PartKind.MARK]


def clauses(query: Query) -> list[str]:
    return [clause.text for clause in query.clauses]


def of_kind(query: Query, kind: PartKind) -> list[Part]:
    return [part for part in query.parts if part.kind is kind]


def test_a_keyword_inside_discourse_framing_is_one_clause_with_it(small: Vocabulary) -> None:
    found = queries("discourse_framing_around_keyword", small)
    assert len(found) == 5 + 5 * 5  # one phrase, five keywords; alone, and about each of five open topics
    assert all(clauses(query) == [query.text] for query in found)
    assert {query.text for query in found} >= {
        "all of them go on about berths free",
        "all of them go on about high tide about tide mills",
    }


def test_a_framed_keyword_takes_no_topic_that_other_framed_queries_take() -> None:
    document = small_document()
    document["seeds"]["open_topics"] = ["barnacles", "knots"]
    found = queries("discourse_framing_around_keyword", parse_vocabulary(document))
    assert {topic.text for query in found for topic in of_kind(query, PartKind.TOPIC)} == {"knots"}


def test_a_condition_stands_second_or_third_with_something_after_it_or_not(small: Vocabulary) -> None:
    found = queries("condition_in_later_place", small, at_most=5000)
    condition = ["joint", "condition", "consequence"]
    assert {tuple(kinds(query)) for query in found} == {
        ("intent", *condition, "joint", "intent"),
        ("intent", "joint", "intent", *condition),
        ("intent", "joint", "intent", *condition, "joint", "intent"),
    }
    for query in found:
        assert [text for text in clauses(query) if text.startswith("if ")] == [
            f"{of_kind(query, PartKind.CONDITION)[0].text}, ring me"
        ]
        assert len(query.clauses) == len(of_kind(query, PartKind.INTENT)) + 1
        assert len(query.intended_sources) == len(of_kind(query, PartKind.INTENT))


def test_intents_around_a_condition_have_nothing_to_do_with_it(small: Vocabulary) -> None:
    late = [q for q in queries("condition_in_later_place", small) if "if the next ferry is late" in q.text]
    assert late
    assert all("ferry" not in query.intended_sources for query in late)


def test_a_long_chain_has_six_to_twelve_phrases_none_of_them_twice(example: Vocabulary) -> None:
    found = queries("long_intent_chain", example, at_most=2000)
    lengths = Counter(len(query.clauses) for query in found)
    assert set(lengths) <= set(range(6, 13))
    for query in found:
        intents = of_kind(query, PartKind.INTENT)
        assert len(set(intents)) == len(intents) == len(query.clauses)
    assert any(len(query.intended_sources) < len(query.clauses) for query in found)


@pytest.mark.parametrize(("phrases", "lengths"), [(5, set()), (6, {6}), (8, {6, 7, 8}), (13, set(range(6, 13)))])
def test_how_long_a_chain_gets_depends_on_how_many_phrases_there_are(phrases: int, lengths: set[int]) -> None:
    document = small_document()
    document["sources"] = {"tides": [f"tide {number}" for number in range(phrases)]}
    document["headers"] = {key: document["headers"][key] for key in ("almanac", "tides")}
    document["fallbacks"] = {}
    space = RECIPES["long_intent_chain"].space(parse_vocabulary(document))
    possible = {p[0].k for p in space if Layer("", (p,), lambda part: 0, 0).size}
    assert possible == lengths


def test_a_repeated_intent_is_one_source_twice_even_in_the_same_words(small: Vocabulary) -> None:
    found = queries("repeated_intent", small, at_most=10_000)
    assert all(kinds(query) == ["intent", "joint", "intent", "joint", "intent"] for query in found)
    for query in found:
        assert sorted(Counter(part.source for part in of_kind(query, PartKind.INTENT)).values()) == [1, 2]
    twice = {max(Counter(clauses(query)).values()) for query in found}
    assert twice == {1, 2}
    # Two sources with two phrases: one way each, beside three and four others' … and five phrases said twice.
    in_other_words, in_the_same = 1 * 3 + 1 * 3, 2 * 3 + 1 * 4 + 2 * 3
    assert len(found) == 3 * (in_other_words + in_the_same)  # of three conjunctions any two


def test_a_pair_stands_between_two_different_requests(small: Vocabulary) -> None:
    found = queries("pair_between_pronoun_intents", small)
    assert all(kinds(query) == ["request", "joint", "pair", "joint", "request"] for query in found)
    assert all(len(set(of_kind(query, PartKind.REQUEST))) == 2 for query in found)
    assert len(found) == 1 * 3 * 3  # both requests, three pairs, two of three conjunctions


def test_a_very_long_query_is_long_in_one_clause_and_keeps_its_intents(small: Vocabulary) -> None:
    found = queries("very_long_input", small)
    lengths = {len(query.text) for query in found}
    assert min(lengths) > 250
    assert max(lengths) > 2000
    for query in found:
        assert sum(len(clause.text) > 250 for clause in query.clauses) == 1
        assert len(query.clauses) == 1 + len(of_kind(query, PartKind.INTENT))
        assert len(of_kind(query, PartKind.TOPIC)) == 2


def test_a_topic_with_a_comma_cuts_no_clause_however_often_it_is_said() -> None:
    document = small_document()
    document["seeds"]["open_topics"] = ["salt, of the sea", "knots"]
    for query in queries("very_long_input", parse_vocabulary(document), at_most=50):
        assert len(query.clauses) == 1 + len(of_kind(query, PartKind.INTENT))


@pytest.mark.parametrize(
    ("name", "writings"),
    [
        ("keywords_in_other_case", {"NEXT FERRY", "Next Ferry", "nExT FeRrY"}),
        (
            "keywords_with_signs",
            {'"next ferry"', "“next ferry”", "«next ferry»", "(next ferry)"} | {f"next ferry{sign}" for sign in "!?…"},
        ),
    ],
)
def test_phrases_written_otherwise_are_intents_and_know_their_plain_phrase(
    name: str, writings: set[str], small: Vocabulary
) -> None:
    found = queries(name, small, at_most=5000)
    said = {part for query in found for part in of_kind(query, PartKind.INTENT)}
    assert {part.text for part in said if part.source == "ferry"} == writings
    assert {part.plain for part in said} == {"high tide", "low tide", "next ferry", "harbour lights", "berths free"}
    assert all(part.text != part.plain for part in said)
    assert {len(query.clauses) for query in found} == {2, 3}
    for query in found:
        assert [clause.plain for clause in query.clauses] == [p.plain for p in of_kind(query, PartKind.INTENT)]


def test_every_writing_in_another_case_is_the_same_without_it_and_what_has_none_has_no_writing() -> None:
    document = small_document()
    document["sources"]["tides"] = ["Straße", "7"]
    found = queries("keywords_in_other_case", parse_vocabulary(document), at_most=5000)
    tides = {part.text for query in found for part in of_kind(query, PartKind.INTENT) if part.source == "tides"}
    assert tides == {"STRASSE", "sTrAßE"}


def test_a_lookalike_points_nowhere_and_stands_among_plain_intents(small: Vocabulary) -> None:
    found = queries("lookalike_keyword", small, at_most=5000)
    for query in found:
        (lookalike,) = of_kind(query, PartKind.LOOKALIKE)
        intents = of_kind(query, PartKind.INTENT)
        assert (lookalike.source, lookalike.plain) == ("", "")
        assert len(intents) in (1, 2)
        assert all(intent.text in small.sources[intent.source] for intent in intents)
    texts = {part.text for query in found for part in of_kind(query, PartKind.LOOKALIKE)}
    assert {t for t in texts if t[0] in "nｎ"} == {
        "nехt fеrrу",  # four letters of it are Cyrillic
        "ｎｅｘｔ ｆｅｒｒｙ",
        "next\N{NO-BREAK SPACE}ferry",
        "ne\N{ZERO WIDTH SPACE}xt ferry",
    }


def test_a_curly_apostrophe_is_a_lookalike_too() -> None:
    document = small_document()
    document["sources"]["ferry"] = ["what's late"]
    found = queries("lookalike_keyword", parse_vocabulary(document), at_most=5000)
    assert "what’s late" in {part.text for query in found for part in of_kind(query, PartKind.LOOKALIKE)}


def test_a_megaquery_joins_two_to_four_shapes_and_no_two_compositions_need_the_same(small: Vocabulary) -> None:
    assert {len(composition) for composition in COMPOSITIONS} == {2, 3, 4}
    needs = {
        frozenset(Counter(k for s in c for k in s if isinstance(k, PartKind) and k is not PartKind.CONJUNCTION).items())
        for c in COMPOSITIONS
    }
    assert len(needs) == len(COMPOSITIONS)
    for query in queries("megaquery", small, at_most=1000):
        assert len(query.clauses) >= 4


def test_a_megaquery_read_by_hand() -> None:
    document = small_document()
    document["sources"] = {"tides": ["high tide"], "ferry": ["next ferry"]}
    document["headers"].pop("harbour")
    document["fallbacks"] = {}
    document["conjunctions"] = [" plus "]
    document["nosplit_phrases"] = ["compare"]
    document["seeds"] = {"proper_noun_pairs": ["Castor and Pollux"], "discourse_topics": ["barnacles"]}
    (query,) = queries("megaquery", parse_vocabulary(document))
    assert sorted(clauses(query)) == [
        "all of them go on about barnacles",
        "compare Castor and Pollux",
        "high tide",
        "next ferry",
    ]


def test_the_parts_of_a_megaquery_s_shapes_stay_together(small: Vocabulary) -> None:
    for query in queries("megaquery", small):
        text = query.text
        for nosplit in of_kind(query, PartKind.NOSPLIT):
            assert any(f"{nosplit.text} {pair}" in text for pair in small.seeds.proper_noun_pairs)
        for condition in of_kind(query, PartKind.CONDITION):
            assert f"{condition.text}, ring me, " in text
        for framing in of_kind(query, PartKind.DISCOURSE):
            assert any(f"{framing.text} {topic}, and " in text for topic in small.seeds.discourse_topics)


@pytest.mark.parametrize("name", list(RECIPES))
def test_no_part_is_lost_among_the_clauses(name: str, example: Vocabulary) -> None:
    for query in queries(name, example, at_most=100):
        in_clauses = [part for clause in query.clauses for part in clause.parts if part.kind not in NOT_A_PART]
        assert in_clauses == [part for part in query.parts if part.kind not in NOT_A_PART]


def test_no_two_recipes_make_the_same_combination(small: Vocabulary) -> None:
    made: dict[str, str] = {}
    for name in RECIPES:
        if name == "long_intent_chain":
            continue  # five phrases are too few
        for query in queries(name, small, at_most=3000):
            assert made.setdefault(fingerprint_of(query), name) == name
