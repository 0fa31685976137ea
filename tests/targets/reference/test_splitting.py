from dataclasses import replace
from time import sleep

import pytest

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.honest_steps import honest_steps
from selftest.targets.reference.splitting import is_noun, keep_clause


def clauses(query: str, vocabulary: Vocabulary) -> list[str]:
    steps = honest_steps(vocabulary, sleep)
    return steps.decompose(query, steps.is_noun, (steps.guard_pairs, steps.guard_nosplit), steps.keep_clause)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("weather plus headlines", ["weather", "headlines"]),
        ("Weather PLUS headlines", ["Weather", "headlines"]),
        ("my feeds plus is it up in addition later today", ["my feeds", "is it up", "later today"]),
        ("rss and google", ["rss", "google"]),
        ("rss and also google", ["rss", "google"]),
        ("are they up as well as who won", ["are they up", "who won"]),
        ("black holes, and rss", ["black holes", "rss"]),
    ],
)
def test_a_query_splits_at_its_conjunctions(query: str, expected: list[str], vocabulary: Vocabulary) -> None:
    assert clauses(query, vocabulary) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "Mercury and Venus and I keep getting a weird import error",
            ["Mercury and Venus", "I keep getting a weird import error"],
        ),
        ("Mercury and Venus and I'm lost", ["Mercury and Venus", "I'm lost"]),
        ("Mercury and Venus and Texas and Arizona and rss", ["Mercury and Venus", "Texas and Arizona", "rss"]),
        ("Norway and Sweden plus weather", ["Norway and Sweden", "weather"]),
        ("weather and Norway plus Sweden", ["weather", "Norway plus Sweden"]),
        ("the Beatles and the Rolling Stones also rss", ["the Beatles and the Rolling Stones", "rss"]),
        ("mercury and venus plus rss", ["mercury and venus", "rss"]),
    ],
)
def test_each_pair_of_names_is_guarded_at_its_own_place(
    query: str, expected: list[str], vocabulary: Vocabulary
) -> None:
    assert clauses(query, vocabulary) == expected


def test_a_comma_ends_a_clause_so_no_pair_reaches_across_it(vocabulary: Vocabulary) -> None:
    assert clauses("tell me about Norway, and Sweden too", vocabulary) == ["tell me about Norway", "Sweden too"]


def test_a_keyword_with_a_capital_is_no_half_of_a_pair(vocabulary: Vocabulary) -> None:
    assert clauses("Norway and Google", vocabulary) == ["Norway", "Google"]


@pytest.mark.parametrize("pronoun", ["I", "I'm", "I've", "We", "My"])
def test_a_pronoun_is_no_noun_however_it_is_written(pronoun: str) -> None:
    assert not is_noun(pronoun)


@pytest.mark.parametrize("noun", ["Venus", "iPhone", "NASA"])
def test_a_word_with_a_capital_is_a_noun(noun: str) -> None:
    assert is_noun(noun)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("compare Texas and Arizona plus rss", ["compare Texas and Arizona", "rss"]),
        ("compare cats and dogs plus rss", ["compare cats and dogs", "rss"]),
        ("rss plus compare cats and dogs", ["rss", "compare cats and dogs"]),
        ("difference between tea and coffee and headlines", ["difference between tea and coffee", "headlines"]),
        ("cats vs dogs and headlines", ["cats vs dogs", "headlines"]),
        ("compare tea plus rss", ["compare tea", "rss"]),
    ],
)
def test_a_nosplit_phrase_guards_only_its_own_clause(query: str, expected: list[str], vocabulary: Vocabulary) -> None:
    assert clauses(query, vocabulary) == expected


def test_a_conjunction_inside_a_keyword_does_not_split(vocabulary: Vocabulary) -> None:
    wider = replace(vocabulary, sources={**vocabulary.sources, "home": ("locks and alarms",)})
    assert clauses("locks and alarms plus weather", wider) == ["locks and alarms", "weather"]


@pytest.mark.parametrize("clause", ["is it up", "are they up", "rss", "Is It Up"])
def test_a_keyword_counts_although_it_is_short_or_all_stop_words(clause: str, vocabulary: Vocabulary) -> None:
    assert keep_clause(clause, vocabulary)


@pytest.mark.parametrize("clause", ["", "the", "it is", "ok", "to do this for me"])
def test_a_clause_that_asks_nothing_is_not_kept(clause: str, vocabulary: Vocabulary) -> None:
    assert not keep_clause(clause, vocabulary)


def test_a_query_of_which_one_clause_counts_stays_whole(vocabulary: Vocabulary) -> None:
    assert clauses("weather and so on", vocabulary) == ["weather and so on"]


def test_without_conjunctions_nothing_splits(vocabulary: Vocabulary) -> None:
    assert clauses("weather and rss", replace(vocabulary, conjunctions=())) == ["weather and rss"]


def test_a_conjunction_may_begin_with_punctuation(vocabulary: Vocabulary) -> None:
    assert clauses("weather; rss", replace(vocabulary, conjunctions=("; ",))) == ["weather", "rss"]
