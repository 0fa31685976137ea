"""The router's honest behaviour as a caller sees it."""

from collections.abc import Callable
from typing import Any

import pytest

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.targets.reference.source_choice import search_text, sources_of
from selftest.targets.reference.steps import ClauseInQuery
from selftest.targets.reference.target import ReferenceTarget

from .sections import sections_of


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("weather", "forecast"),
        ("what does my RSS say", "news"),
        ("is it up", "uptime"),
        ("are the lights on", "home"),
        ("what changed", "changes"),
        ("who won", "web"),
        ("molybdenum", "kiwix"),
        ("weatherproof lighthouses", "kiwix"),
    ],
)
def test_a_keyword_routes_as_whole_words_and_the_rest_falls_through(
    query: str, source: str, honest: ReferenceTarget
) -> None:
    answer = honest.ask(query)
    assert answer.source_used == source
    assert answer.result
    assert answer.error is None


def test_an_answer_of_one_source_carries_no_header(honest: ReferenceTarget) -> None:
    assert honest.ask("photosynthesis").result.startswith("Photosynthesis: Photosynthesis is the way plants")


def test_every_intent_of_a_chain_gets_its_section_in_order(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("my feeds plus is it up in addition later today also door locked as well as google")
    assert answer.source_used == "fusion"
    assert list(sections_of(answer, vocabulary)) == ["news", "uptime", "forecast", "home", "web"]


def test_a_clause_that_names_several_sources_goes_to_all_of_them(
    honest: ReferenceTarget, vocabulary: Vocabulary
) -> None:
    answer = honest.ask("headlines on the weather")
    assert list(sections_of(answer, vocabulary)) == ["news", "forecast"]


def test_parts_for_one_source_become_one_section_without_doubles(
    honest: ReferenceTarget, vocabulary: Vocabulary
) -> None:
    answer = honest.ask("headlines plus rss plus is it up also are they up")
    sections = sections_of(answer, vocabulary)
    assert list(sections) == ["news", "uptime"]
    assert len(sections["news"]) == len(set(sections["news"])) == 5
    assert len(sections["uptime"]) == len({line.split(":")[0] for line in sections["uptime"]}) == 4


def test_parts_for_one_source_alone_make_a_bare_answer(honest: ReferenceTarget) -> None:
    answer = honest.ask("headlines plus rss")
    assert answer.source_used == "news"
    assert not answer.result.startswith("[")


@pytest.mark.parametrize(
    "query", ["everyone keeps talking about black holes, and rss", "everyone is obsessed with rss"]
)
def test_discourse_framing_brings_the_encyclopedia_in(
    query: str, honest: ReferenceTarget, vocabulary: Vocabulary
) -> None:
    answer = honest.ask(query)
    assert list(sections_of(answer, vocabulary)) == ["kiwix", "news"]


def test_discourse_words_are_not_searched_for(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("everyone keeps talking about black holes, and rss")
    (article,) = sections_of(answer, vocabulary)["kiwix"]
    assert article.startswith("Black hole: ")


def test_each_source_is_asked_for_its_own_clause_only(vocabulary: Vocabulary) -> None:
    clause = ClauseInQuery("compare tea and coffee", "compare tea and coffee plus rss")
    assert sources_of(clause, vocabulary) == ("kiwix",)
    assert search_text(clause, "kiwix", vocabulary) == "tea and coffee"


def test_a_pair_and_a_pronoun_request_are_two_questions(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("Mercury and Venus and I forgot to ask about the weather")
    sections = sections_of(answer, vocabulary)
    assert list(sections) == ["kiwix", "forecast"]
    assert {line.split(":")[0] for line in sections["kiwix"]} >= {"Mercury (planet)", "Venus"}


def test_a_compared_pair_stays_whole_beside_another_intent(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("compare Texas and Arizona plus rss")
    sections = sections_of(answer, vocabulary)
    assert list(sections) == ["kiwix", "news"]
    assert {line.split(":")[0] for line in sections["kiwix"]} == {"Texas", "Arizona"}


def test_two_pairs_and_an_intent_bring_four_articles_and_the_intent(
    honest: ReferenceTarget, vocabulary: Vocabulary
) -> None:
    answer = honest.ask("Mercury and Venus and Texas and Arizona and rss")
    sections = sections_of(answer, vocabulary)
    assert list(sections) == ["kiwix", "news"]
    assert {line.split(":")[0] for line in sections["kiwix"]} >= {"Mercury (planet)", "Venus", "Texas", "Arizona"}


def test_what_no_article_mentions_goes_to_the_documented_fallback(honest: ReferenceTarget) -> None:
    answer = honest.ask("xyzzy plugh")
    assert answer.source_used == "web"
    assert len(answer.result.splitlines()) == 4


def test_a_named_source_is_asked_alone(honest: ReferenceTarget) -> None:
    answer = honest.ask("weather plus headlines on glaciers", source="kiwix")
    assert answer.source_used == "kiwix"
    assert "Glacier: " in answer.result


def test_a_named_source_with_nothing_says_so_and_uses_no_fallback(honest: ReferenceTarget) -> None:
    answer = honest.ask("xyzzy plugh", source="kiwix")
    assert (answer.source_used, answer.result) == ("kiwix", "No results found.")


def test_an_unknown_source_is_refused_with_the_known_ones(honest: ReferenceTarget) -> None:
    with pytest.raises(
        ValueError, match="unknown source 'wikipedia'; known: auto, changes, forecast, home, kiwix, news"
    ):
        honest.ask("weather", source="wikipedia")


def test_a_source_without_one_of_its_own_searches_everything(
    document: dict[str, Any], open_target: Callable[..., ReferenceTarget]
) -> None:
    document["sources"]["library"] = ["on the shelf"]
    document["headers"]["library"] = "[LIBRARY — BOOKS]"
    answer = open_target(parse_vocabulary(document)).ask("glaciers on the shelf")
    assert answer.source_used == "library"
    assert "Glacier" in answer.result


def test_the_same_question_at_the_same_moment_has_the_same_answer(honest: ReferenceTarget) -> None:
    query = "weather plus headlines as well as what changed also lights on and google and Mercury and Venus"
    assert honest.ask(query).result == honest.ask(query).result
