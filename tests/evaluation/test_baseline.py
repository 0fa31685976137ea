"""What bears on a pair: a source that it expects, a phrase in its query, a header; and nothing else."""

from dataclasses import replace
from typing import Any

import pytest

from selftest.core.generation.vocabulary import Seeds
from selftest.evaluation.core.baseline import bearing, changed_structure, changes
from selftest.evaluation.core.pairs import Baseline
from tests.evaluation.pairs import NEWS, VOCABULARY, content

PAIR = content("weather and headlines", sources=("forecast", "news"), headers=("forecast", "news"))
MADE_ON = Baseline(bears=bearing(PAIR, VOCABULARY), target_version="3.1", structure=("forecast", "news"))


def moved(**changed: Any) -> tuple[str, ...]:
    return changes(MADE_ON, bearing(PAIR, replace(VOCABULARY, **changed)))


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"headers": {**VOCABULARY.headers, "news": "[NEWS]"}}, f"header of news: was {NEWS}, is [NEWS]"),
        (
            {"sources": {**VOCABULARY.sources, "news": ("rss",)}},
            "“headlines”: was keyword of news, is not in the vocabulary",
        ),
        (
            {"sources": {"forecast": (), "news": ("headlines", "weather")}},
            "“weather”: was keyword of forecast, is keyword of news",
        ),
        ({"conjunctions": (" plus ",)}, "“and”: was conjunction, is not in the vocabulary"),
        ({"fallbacks": {}}, "fallbacks of news: was forecast, is not given"),
        ({"merged_source": "merged"}, "source of a merged answer: was fusion, is merged"),
        (
            {"nosplit_phrases": ("headlines",)},
            "“headlines”: was keyword of news, is keyword of news, phrase that does not split",
        ),
    ],
)
def test_a_change_that_bears_on_the_pair_is_told(changed: dict[str, Any], about: str) -> None:
    assert moved(**changed) == (about,)


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "another"},
        {"sources": {**VOCABULARY.sources, "news": ("headlines", "rss", "front page")}},
        {"sources": {**VOCABULARY.sources, "home": ("lights on",)}},
        {"headers": {**VOCABULARY.headers, "home": "[HOME]"}},
        {"empty_phrases": ("nothing",)},
        {"seeds": Seeds(open_topics=("glaciers",))},
    ],
)
def test_a_change_elsewhere_is_not(changed: dict[str, Any]) -> None:
    assert moved(**changed) == ()


def test_failure_phrases_bear_on_what_is_to_be_refused() -> None:
    pair = content("sing", refuses=True)
    made_on = Baseline(bears=bearing(pair, VOCABULARY))
    now = bearing(pair, replace(VOCABULARY, empty_phrases=("nothing",)))
    assert changes(made_on, now) == ("failure phrases: was no results found, is nothing",)


def test_another_version_that_answers_otherwise_is_told() -> None:
    said = changed_structure(MADE_ON, "3.2", ("news", "forecast"))
    assert said == ("sections: were forecast, news on 3.1, are news, forecast on 3.2",)


@pytest.mark.parametrize(
    ("version", "structure"), [("3.2", ("forecast", "news")), ("3.1", ("news",))], ids=["alike", "same version"]
)
def test_the_same_version_or_structure_is_not(version: str, structure: tuple[str, ...]) -> None:
    assert changed_structure(MADE_ON, version, structure) == ()


def test_a_structure_that_was_never_seen_says_nothing() -> None:
    assert changed_structure(Baseline(target_version="3.1"), "3.2", ("news",)) == ()
