"""Each fault changes what its sentence says, on a query on which the honest router does otherwise."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer
from selftest.targets.reference.faults.registry import FAULTS, PlantedFault
from selftest.targets.reference.target import ReferenceTarget

from .sections import sections_of

CHAIN = "headlines plus is it up also later today and door locked as well as google"
CONDITIONAL = "if any services are down, let me know, headlines"
COMPARED = "compare Texas and Arizona plus rss"
FRAMED = "everyone keeps talking about black holes, and rss"
TWO_PAIRS = "Mercury and Venus plus Texas and Arizona also rss"
TWO = "rss plus door locked"
Seen = Callable[[Answer, Vocabulary], object]


def sources(answer: Answer, vocabulary: Vocabulary) -> list[str]:
    """Who took part; for a bare answer, its source."""
    return list(sections_of(answer, vocabulary)) if answer.source_used == "fusion" else [answer.source_used]


def articles(answer: Answer, vocabulary: Vocabulary) -> list[str]:
    return [line.split(":")[0] for line in sections_of(answer, vocabulary)["kiwix"]]


def first_lines(answer: Answer, vocabulary: Vocabulary) -> list[str]:
    return [part.split("\n")[0] for part in answer.result.split("\n\n---\n\n")]


def has_headers(answer: Answer, vocabulary: Vocabulary) -> bool:
    return bool(set(answer.result.splitlines()) & set(vocabulary.headers.values()))


def texts_per_source(answer: Answer, vocabulary: Vocabulary) -> list[tuple[str, int]]:
    return [(source, len(lines)) for source, lines in sections_of(answer, vocabulary).items()]


def rules(answer: Answer, vocabulary: Vocabulary) -> int:
    return answer.result.splitlines().count("---")


def last_line(answer: Answer, vocabulary: Vocabulary) -> str:
    return answer.result.splitlines()[-1]


@dataclass(frozen=True)
class Case:
    fault: str
    query: str
    seen: Seen
    honest: object
    faulty: object


CASES = [
    Case(
        "pronoun_as_noun",
        "Mercury and Venus and I forgot to ask about the weather",
        sources,
        honest=["kiwix", "forecast"],
        faulty=["forecast"],
    ),
    Case("pair_vetoes_splitting", TWO_PAIRS, sources, honest=["kiwix", "news"], faulty=["news"]),
    Case("nosplit_vetoes_splitting", COMPARED, sources, honest=["kiwix", "news"], faulty=["news"]),
    Case("keywords_ignore_discourse", FRAMED, sources, honest=["kiwix", "news"], faulty=["news"]),
    Case(
        "stop_word_keywords_dropped",
        CHAIN,
        sources,
        honest=["news", "uptime", "forecast", "home", "web"],
        faulty=["news", "forecast", "home", "web"],
    ),
    Case("short_keywords_dropped", COMPARED, sources, honest=["kiwix", "news"], faulty=["news"]),
    Case(
        "discourse_words_searched",
        FRAMED,
        lambda answer, vocabulary: "Rumour" in articles(answer, vocabulary),
        honest=False,
        faulty=True,
    ),
    Case("remainder_swallowed", CONDITIONAL, sources, honest=["kiwix", "news"], faulty=["kiwix"]),
    Case("condition_swallowed", CONDITIONAL, sources, honest=["kiwix", "news"], faulty=["news"]),
    Case(
        "clause_swallowed_after_third",
        CHAIN,
        sources,
        honest=["news", "uptime", "forecast", "home", "web"],
        faulty=["news", "uptime", "forecast"],
    ),
    Case(
        "collapses_to_first_intent",
        CHAIN,
        sources,
        honest=["news", "uptime", "forecast", "home", "web"],
        faulty=["news"],
    ),
    Case(
        "section_twice",
        "rss plus door locked",
        first_lines,
        honest=["[NEWS — RECENT HEADLINES — GENERAL]", "[HOME — STATES OF THE HOUSE]"],
        faulty=[
            "[NEWS — RECENT HEADLINES — GENERAL]",
            "[HOME — STATES OF THE HOUSE]",
            "[NEWS — RECENT HEADLINES — GENERAL]",
        ],
    ),
    Case(
        "items_twice",
        "rss plus door locked",
        texts_per_source,
        honest=[("news", 5), ("home", 3)],
        faulty=[("news", 10), ("home", 6)],
    ),
    Case(
        "empty_section_kept",
        "rss plus door locked",
        lambda answer, vocabulary: answer.result.endswith("[HOME — STATES OF THE HOUSE]\n"),
        honest=False,
        faulty=True,
    ),
    Case(
        "made_up_header",
        "rss plus door locked",
        first_lines,
        honest=["[NEWS — RECENT HEADLINES — GENERAL]", "[HOME — STATES OF THE HOUSE]"],
        faulty=["[NEWS — ASSORTED FINDINGS]", "[HOME — ASSORTED FINDINGS]"],
    ),
    Case("merged_without_headers", "rss plus door locked", has_headers, honest=True, faulty=False),
    Case(
        "text_before_sections",
        TWO,
        lambda answer, vocabulary: answer.result.split("[")[0],
        honest="",
        faulty="Sure, here is what I found for you:\n\n",
    ),
    Case("rules_doubled", TWO, rules, honest=1, faulty=2),
    Case("rule_after_last_section", TWO, last_line, honest="- Garage: shut", faulty="---"),
    Case(
        "last_header_cut",
        TWO,
        first_lines,
        honest=["[NEWS — RECENT HEADLINES — GENERAL]", "[HOME — STATES OF THE HOUSE]"],
        faulty=["[NEWS — RECENT HEADLINES — GENERAL]", "[HOME — STATES"],
    ),
    Case(
        "headers_swapped", TWO, texts_per_source, honest=[("news", 5), ("home", 3)], faulty=[("home", 5), ("news", 3)]
    ),
    Case("header_of_another_source", TWO, sources, honest=["news", "home"], faulty=["news", "uptime"]),
    Case(
        "last_item_cut_off", TWO, texts_per_source, honest=[("news", 5), ("home", 3)], faulty=[("news", 5), ("home", 2)]
    ),
    Case(
        "doubles_kept",
        "weather plus later today also rss",
        texts_per_source,
        honest=[("forecast", 4), ("news", 5)],
        faulty=[("forecast", 5), ("news", 5)],
    ),
    Case(
        "first_source_asked_for_all",
        "google plus door locked",
        texts_per_source,
        honest=[("web", 2), ("home", 3)],
        faulty=[("web", 4), ("home", 3)],
    ),
    Case("capitals_not_recognised", "RSS plus door locked", sources, honest=["news", "home"], faulty=["kiwix", "home"]),
    Case(
        "quoted_keyword_not_recognised",
        '"rss" plus door locked',
        sources,
        honest=["news", "home"],
        faulty=["kiwix", "home"],
    ),
    Case("fallback_asked_instead", TWO, sources, honest=["news", "home"], faulty=["web", "home"]),
    Case(
        "answered_only_in_first_place",
        "door locked also rss as well as weather",
        sources,
        honest=["home", "news", "forecast"],
        faulty=["home", "news"],
    ),
    Case(
        "one_intent_a_source",
        "lights on plus door locked also rss",
        texts_per_source,
        honest=[("home", 6), ("news", 5)],
        faulty=[("home", 3), ("news", 5)],
    ),
    Case("only_first_sentence_read", "rss? plus door locked", sources, honest=["news", "home"], faulty=["news"]),
    Case(
        "later_condition_swallowed",
        "headlines and if any services are down, let me know, google",
        sources,
        honest=["news", "kiwix", "web"],
        faulty=["news", "web"],
    ),
    Case(
        "source_swapped",
        "molybdenum",
        lambda answer, vocabulary: (answer.source_used, answer.result[:10]),
        honest=("kiwix", "Molybdenum"),
        faulty=("forecast", "Molybdenum"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.fault)
def test_a_fault_brings_back_its_mistake(
    case: Case, vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    assert case.seen(open_target(vocabulary).ask(case.query), vocabulary) == case.honest
    assert case.seen(open_target(vocabulary, faults=[case.fault]).ask(case.query), vocabulary) == case.faulty


def test_the_halves_of_a_second_pair_are_looked_up_apart(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    query = "Mercury and Venus plus the Beatles and the Rolling Stones"
    apart = articles_bare(open_target(vocabulary, faults=["only_first_pair_guarded"]).ask(query))
    whole = articles_bare(open_target(vocabulary).ask(query))
    assert whole[-2:] == ["The Rolling Stones", "The Beatles"]
    assert apart[-2:] == ["The Beatles", "The Rolling Stones"]


def articles_bare(answer: Answer) -> list[str]:
    return [line.split(":")[0] for line in answer.result.splitlines()]


def test_the_whole_query_to_every_source_brings_articles_on_the_other_intents(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    query = "black holes plus weather"
    assert articles(open_target(vocabulary).ask(query), vocabulary) == ["Black hole"]
    faulty = open_target(vocabulary, faults=["whole_query_to_every_source"]).ask(query)
    assert "Weather forecasting" in articles(faulty, vocabulary)


# --- faults that strike at some phrases only ---


def test_after_one_conjunction_alone_nothing_is_answered(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target = open_target(vocabulary, faults=["clause_after_conjunction_dropped"])
    joined = {word: sources(target.ask(f"rss{word}door locked"), vocabulary) for word in vocabulary.conjunctions}
    assert sorted(joined.values()) == [["news"], *([["news", "home"]] * 4)]


def test_one_conjunction_alone_is_overlooked(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target = open_target(vocabulary, faults=["conjunction_overlooked"])
    joined = {word: articles_bare(target.ask(f"molybdenum{word}sunspots")) for word in vocabulary.conjunctions}
    honest = {word: articles_bare(open_target(vocabulary).ask(f"molybdenum{word}sunspots")) for word in joined}
    assert len([word for word in joined if joined[word] != honest[word]]) == 1


def test_one_keyword_alone_is_answered_by_a_source_that_it_does_not_name(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target, honest = open_target(vocabulary, faults=["keyword_sent_astray"]), open_target(vocabulary)
    astray = [p for p in phrases(vocabulary) if target.ask(p).source_used != honest.ask(p).source_used]
    assert astray == ["headlines"]
    assert target.ask("headlines").source_used == "forecast"


def test_the_last_section_is_missing_every_other_time(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target = open_target(vocabulary, faults=["last_section_comes_and_goes"])
    assert [len(first_lines(target.ask(TWO), vocabulary)) for _ in range(4)] == [2, 1, 2, 1]
    assert target.ask("rss").result == target.ask("rss").result


def phrases(vocabulary: Vocabulary) -> list[str]:
    keywords = [phrase for phrases in vocabulary.sources.values() for phrase in phrases]
    return [*keywords, *vocabulary.seeds.open_topics, *vocabulary.seeds.proper_noun_pairs]


def test_one_keyword_alone_ends_in_an_exception(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target = open_target(vocabulary, faults=["exception_on_phrase"])
    crashed = [phrase for phrase in phrases(vocabulary) if target.ask(phrase).error]
    assert len(crashed) == 1
    assert target.ask(f"molybdenum plus {crashed[0]} also rss").error == "IndexError: list index out of range"


def test_one_keyword_alone_is_slow(vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]) -> None:
    slept: list[float] = []
    target = open_target(vocabulary, faults=["slow_path"], sleep=slept.append)
    for phrase in phrases(vocabulary):
        target.ask(phrase)
    assert len(slept) == 1
    assert slept[0] > 1.5


@pytest.mark.parametrize(
    ("fault", "is_struck"),
    [
        ("traceback_in_text", lambda answer: "\nTraceback (most recent call last):\n  File " in f"\n{answer.result}"),
        ("failure_phrase_as_content", lambda answer: answer.result == "No results found."),
        ("empty_answer", lambda answer: answer.result == ""),
    ],
)
def test_some_questions_are_struck_and_always_the_same(
    fault: str,
    is_struck: Callable[[Answer], bool],
    vocabulary: Vocabulary,
    open_target: Callable[..., ReferenceTarget],
) -> None:
    target = open_target(vocabulary, faults=[fault])
    struck = [is_struck(target.ask(phrase)) for phrase in phrases(vocabulary)]
    assert 0 < sum(struck) < len(struck) / 2
    assert struck == [is_struck(target.ask(phrase)) for phrase in phrases(vocabulary)]
    assert not any(is_struck(open_target(vocabulary).ask(phrase)) for phrase in phrases(vocabulary))


def test_a_synthetic_question_comes_back_cached(
    vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]
) -> None:
    target = open_target(vocabulary, faults=["cache_not_suppressed"])
    assert [target.ask("weather").cached, target.ask("weather").cached] == [False, True]


# --- all of them ---


TESTED_APART = {
    "only_first_pair_guarded",
    "whole_query_to_every_source",
    "exception_on_phrase",
    "slow_path",
    "traceback_in_text",
    "failure_phrase_as_content",
    "empty_answer",
    "cache_not_suppressed",
    "clause_after_conjunction_dropped",
    "conjunction_overlooked",
    "keyword_sent_astray",
    "last_section_comes_and_goes",
}


def test_each_fault_is_tested_here() -> None:
    assert set(FAULTS) == {case.fault for case in CASES} | TESTED_APART


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_a_fault_says_in_one_sentence_what_a_caller_sees(fault: PlantedFault) -> None:
    assert fault.seen.endswith(".")
    assert ". " not in fault.seen


def test_faults_can_be_planted_together(vocabulary: Vocabulary, open_target: Callable[..., ReferenceTarget]) -> None:
    target = open_target(vocabulary, faults=["items_twice", "made_up_header", "clause_swallowed_after_third"])
    answer = target.ask(CHAIN)
    assert first_lines(answer, vocabulary) == [
        "[NEWS — ASSORTED FINDINGS]",
        "[UPTIME — ASSORTED FINDINGS]",
        "[FORECAST — ASSORTED FINDINGS]",
    ]
    assert answer.result.count("- Volcano on the northern rift") == 2
