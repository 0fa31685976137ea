import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.conditional import read_conditional
from selftest.targets.reference.steps import Conditional
from selftest.targets.reference.target import ReferenceTarget

from .sections import sections_of


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("if it rains, let me know, as well as headlines", Conditional("it rains", "let me know", "headlines", "")),
        ("if it rains, let me know, plus headlines", Conditional("it rains", "let me know", "headlines", "")),
        (
            "if any services are down, let me know, headlines",
            Conditional("any services are down", "let me know", "headlines"),
        ),
        (
            "if it is raining, or nearly so, remind me to bring an umbrella, rss",
            Conditional("it is raining, or nearly so", "remind me to bring an umbrella", "rss"),
        ),
        (
            "When the cat is out, shut the door, weather, and rss",
            Conditional("the cat is out", "shut the door", "weather, and rss"),
        ),
        ("if it snows, tell me", Conditional("it snows", "tell me", "")),
        (
            "headlines and if it is raining, let me know",
            Conditional("it is raining", "let me know", "", before="headlines"),
        ),
        (
            "rss plus what changed, and if it snows, tell me, weather and google",
            Conditional("it snows", "tell me", "weather and google", before="rss plus what changed"),
        ),
    ],
)
def test_a_conditional_is_read_into_its_parts(query: str, expected: Conditional, vocabulary: Vocabulary) -> None:
    assert read_conditional(query, vocabulary) == expected


@pytest.mark.parametrize(
    "query",
    ["weather, headlines, rss", "tell me if it rains, please, now", "if only", "iffy, so, so", "weather and if only"],
)
def test_other_queries_are_no_conditionals(query: str, vocabulary: Vocabulary) -> None:
    assert read_conditional(query, vocabulary) is None


def test_both_halves_are_answered_under_headers(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("if any services are down, let me know, headlines")
    assert answer.source_used == "fusion"
    assert list(sections_of(answer, vocabulary)) == ["kiwix", "news"]


def test_halves_of_one_source_share_one_section_with_its_header(
    honest: ReferenceTarget, vocabulary: Vocabulary
) -> None:
    answer = honest.ask("if my feeds mention sunspots, let me know, headlines")
    assert answer.source_used == "fusion"
    assert list(sections_of(answer, vocabulary)) == ["news"]


def test_a_consequence_that_asks_something_is_answered_too(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("if the lights on the porch flicker, tell me what changed, rss")
    assert list(sections_of(answer, vocabulary)) == ["home", "changes", "news"]


def test_without_a_remainder_the_condition_is_answered_bare(honest: ReferenceTarget) -> None:
    answer = honest.ask("if the door locked itself, let me know")
    assert answer.source_used == "home"
    assert answer.result.splitlines()[0] == "- Front door: unlocked"


def test_what_is_asked_ahead_of_a_condition_is_answered_too(honest: ReferenceTarget, vocabulary: Vocabulary) -> None:
    answer = honest.ask("headlines plus what changed and if any services are down, let me know, google")
    assert list(sections_of(answer, vocabulary)) == ["news", "changes", "kiwix", "web"]
