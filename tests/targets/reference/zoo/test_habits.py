"""Whatever its habits, a healthy router keeps its promises."""

import random

import pytest

from selftest.core.generation.queries import Clause, PartKind
from selftest.core.generation.vocabulary import parse_vocabulary
from selftest.targets.reference.zoo.habit_table import HABITS
from selftest.targets.reference.zoo.habits import (
    FIFTH,
    FOURTH,
    REPORTING,
    THIRD,
    TUNING,
    document_of,
    manner_of,
    random_subset,
)
from selftest.targets.reference.zoo.target import zoo_target

from .conftest import Queries
from .promises import check_promises, sections_of

pytestmark = pytest.mark.slow("asks routers of many habits dozens of queries")

# What generated queries do not hold: names that no list knows, commas between keywords, accents.
BY_HAND = ("Romulus and Remus", "weather, headlines", "crème brûlée", "if it is raining, let me know, molybdenum")
SUBSETS, QUERIES_A_SUBSET = 40, 60


def subset(number: int) -> tuple[str, ...]:
    return random_subset(random.Random(f"subset {number}"))


@pytest.mark.parametrize("number", range(SUBSETS))
def test_any_subset_keeps_every_promise(number: int, queries_for: Queries) -> None:
    habits = subset(number)
    target = zoo_target(habits, seed=number)
    for query in queries_for(habits, QUERIES_A_SUBSET, number):
        check_promises(query, target.ask(query.text), target.vocabulary)


def test_every_habit_has_a_name_and_a_sentence() -> None:
    assert len(HABITS) >= 30
    assert all(habit.documentation.endswith(".") for habit in HABITS.values())
    assert len({habit.documentation for habit in HABITS.values()}) == len(HABITS)


def test_habits_that_exclude_each_other_are_refused_and_never_chosen_together() -> None:
    with pytest.raises(ValueError, match="exclude each other"):
        zoo_target(["bullets", "numbers"])
    with pytest.raises(ValueError, match="unknown habit 'humming'"):
        zoo_target(["humming"])


@pytest.mark.parametrize("number", range(0, SUBSETS, 4))
def test_a_source_with_nothing_is_left_out_or_says_so(number: int, queries_for: Queries) -> None:
    habits = subset(number)
    target = zoo_target(habits, seed=number, empty_rate=0.3)
    for query in queries_for(habits, QUERIES_A_SUBSET, number):
        check_promises(query, target.ask(query.text), target.vocabulary, may_be_empty=True)


@pytest.mark.parametrize("name", HABITS)
def test_each_habit_alone_keeps_every_promise_and_shows(name: str, queries_for: Queries) -> None:
    target, plain = zoo_target([name], empty_rate=0.15), zoo_target(empty_rate=0.15)
    queries = queries_for((name,), 80, 1)
    for query in queries:
        check_promises(query, target.ask(query.text), target.vocabulary, may_be_empty=True)
    texts = [*(query.text for query in queries), *BY_HAND]
    shows = [text for text in texts if target.ask(text) != plain.ask(text)]
    assert shows


@pytest.mark.parametrize("number", range(SUBSETS))
def test_the_vocabulary_of_any_subset_has_no_fault(number: int) -> None:
    manner = manner_of(subset(number))
    vocabulary = parse_vocabulary(document_of(manner))
    assert vocabulary.encyclopedia in vocabulary.headers


@pytest.mark.parametrize("number", range(0, SUBSETS, 8))
def test_the_same_habits_and_seed_give_the_same_answers(number: int, queries_for: Queries) -> None:
    habits = subset(number)
    one, other = zoo_target(habits, seed=5, empty_rate=0.1), zoo_target(habits, seed=5, empty_rate=0.1)
    queries = queries_for(habits, QUERIES_A_SUBSET, number)
    answers = [one.ask(query.text) for query in queries]
    in_reverse = [other.ask(query.text) for query in reversed(queries)]
    assert answers == in_reverse[::-1]


def test_a_healthy_router_never_counts_as_changed(queries_for: Queries) -> None:
    target = zoo_target()
    assert not any(target.is_changed(query.text) for query in queries_for((), 50, 1))


def is_comparable(clause: Clause) -> bool:
    """A conditional has more than one part, and a look-alike may be read in two ways."""
    return not {PartKind.CONDITION, PartKind.CONSEQUENCE, PartKind.LOOKALIKE} & clause.kinds


@pytest.mark.parametrize("habits", [(), ("office_domain",), ("city_domain",)])
def test_a_part_brings_alone_what_it_brings_among_others(habits: tuple[str, ...], queries_for: Queries) -> None:
    target = zoo_target(habits)
    for query in queries_for(habits, 150, 2):
        whole = target.ask(query.text).result
        for clause in filter(is_comparable, query.clauses):
            for text in (clause.text, clause.plain):
                for section in sections_of(target.ask(text), target.vocabulary).values():
                    assert all(item in whole for item in section.split("\n\n")), (query.text, text)


def test_a_named_source_answers_alone_and_without_a_header() -> None:
    target = zoo_target()
    answer = target.ask("weather and headlines", "web")
    assert answer.source_used == "web"
    assert "WEB" not in answer.result
    with pytest.raises(ValueError, match="unknown source 'attic'"):
        target.ask("weather", "attic")


def test_the_halves_share_no_habit_and_cover_all_but_the_later_sets() -> None:
    assert sorted((*TUNING, *REPORTING, *THIRD, *FOURTH, *FIFTH)) == sorted(HABITS)
    assert abs(len(TUNING) - len(REPORTING)) <= 1


def test_a_subset_stays_within_what_it_is_chosen_of() -> None:
    for number in range(50):
        chosen = random_subset(random.Random(number), of=TUNING)
        assert set(chosen) <= set(TUNING)
        manner_of(chosen)
