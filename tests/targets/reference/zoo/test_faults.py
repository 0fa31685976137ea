"""Each fault does something of its own, with whatever habits, and its changes can be told."""

import random
from collections.abc import Sequence

import pytest

from selftest.targets.reference.zoo.faults.registry import FAULTS
from selftest.targets.reference.zoo.habits import random_subset
from selftest.targets.reference.zoo.target import ZooTarget, zoo_target

from .conftest import Queries

pytestmark = pytest.mark.slow("asks each of the faulty routers hundreds of queries")

QUERIES, FEW_QUERIES, ASKED_AGAIN = 400, 100, 20
EMPTY_RATE = 0.1  # some faults are in what is done where a source has nothing
SUBSETS = 12
Told = tuple[tuple[str, str, str | None, int, bool], ...]


def told_by(name: str, texts: Sequence[str]) -> Told:
    """What the router with one fault answers, "" for the healthy one."""
    target = zoo_target(faults=[name] if name else [], empty_rate=EMPTY_RATE)
    answers = [target.ask(text) for text in texts]
    return tuple((a.result, a.source_used, a.error, round(a.latency_ms), a.cached) for a in answers)


@pytest.fixture
def texts(queries_for: Queries) -> tuple[str, ...]:
    """Those of 400 queries, the first of them a second time after some others."""
    asked = [query.text for query in queries_for((), QUERIES, 1)]
    return tuple(asked[: 2 * ASKED_AGAIN] + asked[:ASKED_AGAIN] + asked[2 * ASKED_AGAIN :])


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_changes_some_answer_and_not_all(name: str, texts: tuple[str, ...]) -> None:
    target = zoo_target(faults=[name], empty_rate=EMPTY_RATE)
    kinds: set[bool] = set()
    for text in texts:
        target.ask(text)
        kinds.add(target.is_changed(text))
        if len(kinds) == 2:
            break
    assert kinds == {True, False}


def test_no_two_faults_are_the_same(texts: tuple[str, ...], is_full: bool) -> None:
    """Of few queries those are compared that they change."""
    asked = texts if is_full else texts[:FEW_QUERIES]
    healthy = told_by("", asked)
    by_answers: dict[Told, str] = {}
    for name in FAULTS:
        told = told_by(name, asked)
        assert is_full <= (told != healthy)
        if told != healthy:
            assert by_answers.setdefault(told, name) == name
    assert len(by_answers) > 0.9 * len(FAULTS)


@pytest.mark.parametrize("number", range(SUBSETS))
def test_faults_compose_with_habits_and_crash_only_where_they_say_so(number: int, queries_for: Queries) -> None:
    rng = random.Random(number)
    habits, faults = random_subset(rng), rng.sample(sorted(FAULTS), 6)
    one, other = (zoo_target(habits, faults, number, EMPTY_RATE) for _ in range(2))
    for query in queries_for(habits, 60, number):
        answer = one.ask(query.text)
        assert answer.error is None or any(name.startswith("crash_") for name in faults), answer.result
        assert answer == other.ask(query.text)


def test_a_change_is_told_before_and_after_the_answer(queries_for: Queries) -> None:
    asked = [query.text for query in queries_for((), 60, 1)]
    before, after = zoo_target(faults=["last_section_lost"]), zoo_target(faults=["last_section_lost"])
    healthy = zoo_target()
    for text in asked:
        differs = after.ask(text).result != healthy.ask(text).result
        assert before.is_changed(text) == after.is_changed(text) == differs


def test_what_a_standing_fault_changes_is_no_change_of_the_others(queries_for: Queries) -> None:
    standing, own = "cached_by_sources", "last_section_lost"  # the first remembers what it was asked
    both = zoo_target(faults=[standing, own], standing=[standing])
    stands, healthy = zoo_target(faults=[standing]), zoo_target()
    by_standing = by_own = 0
    for query in queries_for((), 200, 1):
        without = stands.ask(query.text)
        differs = both.ask(query.text).result != without.result
        assert both.is_changed(query.text) == differs
        by_own += differs
        by_standing += not differs and without.result != healthy.ask(query.text).result
    assert by_own > 0
    assert by_standing > 0
    assert not zoo_target(faults=[own], standing=[own]).is_changed(query.text)


def test_a_time_alone_counts_as_a_change_only_where_it_is_long() -> None:
    target = zoo_target(faults=["slow_on_pair"])
    pairs = target.vocabulary.seeds.proper_noun_pairs
    assert sum(map(target.is_changed, pairs)) == 1


def test_every_fault_says_in_one_sentence_what_is_broken() -> None:
    assert len(FAULTS) >= 60
    for fault in FAULTS.values():
        assert fault.seen.endswith(".")
        assert "\n" not in fault.seen
    assert len({fault.seen for fault in FAULTS.values()}) == len(FAULTS)


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown fault 'gremlins'"):
        zoo_target(faults=["gremlins"])


def test_a_crash_is_an_answer_with_its_traceback() -> None:
    target: ZooTarget = zoo_target(faults=["crash_on_guillemets"])
    answer = target.ask("«weather»")
    assert answer.error == "ValueError: unbalanced quotation mark"
    assert "Traceback" in answer.result
