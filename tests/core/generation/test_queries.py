import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.generation.fingerprint import fingerprint_of
from selftest.core.generation.queries import Part, PartKind, Query

WEATHER = Part(PartKind.INTENT, "weather", "forecast")
HEADLINES = Part(PartKind.INTENT, "headlines", "news")
AND = Part(PartKind.CONJUNCTION, " and ")
COMMA = Part(PartKind.MARK, ", ")


def test_the_text_is_the_parts_said_one_after_the_other():
    assert Query("multi_intent_chain", (WEATHER, AND, HEADLINES)).text == "weather and headlines"


def test_space_at_the_ends_of_the_text_is_dropped():
    assert Query("r", (AND, WEATHER, COMMA)).text == "and weather,"


def test_the_fingerprint_is_the_sorted_json_array_of_the_ingredients():
    query = Query("multi_intent_chain", (WEATHER, AND, HEADLINES))
    assert fingerprint_of(query) == '["intent:forecast:weather", "intent:news:headlines", "joint: and "]'


def test_letters_beyond_ascii_stay_readable_in_the_fingerprint():
    assert fingerprint_of(Query("r", (Part(PartKind.TOPIC, "Æsir – “Odin”"),))) == '["topic:Æsir – “Odin”"]'


def test_every_order_of_the_same_ingredients_has_one_fingerprint():
    orders = itertools.permutations((WEATHER, AND, HEADLINES, COMMA))
    assert len({fingerprint_of(Query("r", order)) for order in orders}) == 1


def test_a_mark_is_no_ingredient():
    assert Query("r", (WEATHER, COMMA, HEADLINES)).ingredients == Query("r", (WEATHER, HEADLINES)).ingredients


def test_an_ingredient_used_twice_counts_twice():
    once, twice = Query("r", (WEATHER, AND, HEADLINES)), Query("r", (WEATHER, AND, HEADLINES, AND, HEADLINES))
    assert twice.ingredients.count("joint: and ") == 2
    assert fingerprint_of(once) != fingerprint_of(twice)


def test_the_same_words_for_another_source_or_purpose_are_another_ingredient():
    parts = (Part(PartKind.INTENT, "x", "a"), Part(PartKind.INTENT, "x", "b"), Part(PartKind.TOPIC, "x"))
    assert [part.ingredient for part in parts] == ["intent:a:x", "intent:b:x", "topic:x"]


def test_intended_sources_are_those_of_the_intents_in_order_and_once():
    request = Part(PartKind.REQUEST, "I want weather")
    again = Part(PartKind.INTENT, "rain", "forecast")
    assert Query("r", (HEADLINES, AND, request, AND, WEATHER, AND, again)).intended_sources == ("news", "forecast")


def test_queries_that_say_the_same_share_its_clauses():
    one = Query("r", (HEADLINES, AND, WEATHER))
    other = Query("r", (Part(PartKind.INTENT, "weather", "forecast"), COMMA, HEADLINES))
    assert other.clauses[0] is one.clauses[1]


PARTS = st.builds(Part, st.sampled_from(PartKind), st.text(max_size=6), st.sampled_from(["", "news", "web"]))


@given(parts=st.lists(PARTS, max_size=8), seed=st.integers())
def test_the_fingerprint_depends_on_the_ingredients_alone(parts: list[Part], seed: int):
    shuffled = random.Random(seed).sample(parts, len(parts))
    one, other = Query("a", tuple(parts)), Query("b", tuple(shuffled))
    assert fingerprint_of(one) == fingerprint_of(other)
    assert json.loads(fingerprint_of(one)) == sorted(p.ingredient for p in parts if p.kind is not PartKind.MARK)


def test_a_clause_in_plain_words_has_each_phrase_as_the_vocabulary_has_it() -> None:
    shouted = Part(PartKind.INTENT, "HEADLINES", "news", "headlines")
    quoted = Part(PartKind.INTENT, "“what changed”", "changes", "what changed")
    query = Query("any", (shouted, Part(PartKind.CONJUNCTION, " and "), quoted))
    assert [clause.text for clause in query.clauses] == ["HEADLINES", "“what changed”"]
    assert [clause.plain for clause in query.clauses] == ["headlines", "what changed"]


def test_framing_and_what_it_frames_stay_one_clause_in_plain_words() -> None:
    parts = (Part(PartKind.DISCOURSE, "everyone is on about"), Part(PartKind.MARK, " "), Part(PartKind.TOPIC, "comets"))
    (clause,) = Query("any", parts).clauses
    assert clause.plain == clause.text == "everyone is on about comets"


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("high tide", ""),
        ("«high tide»", "«…»"),
        ("high tide?", "…?"),
        ("HIGH TIDE", "AA"),
        ("High Tide", "Aa"),
        ("hIgH TiDe", "aA"),
    ],
)
def test_the_style_of_a_part_is_how_it_is_written_whatever_its_phrase(text: str, style: str):
    assert Part(PartKind.INTENT, text, "tides", "high tide" if text != "high tide" else "").style == style
