"""Routers that the checks were not made with: what is legal is spared, and what is broken is found."""

import json

import pytest

from selftest.measuring.zoo import measure_habits, measure_subset, measure_zoo_fault
from selftest.targets.reference.zoo.habits import TUNING
from tests.commands.process import Manage

pytestmark = pytest.mark.slow("asks routers thousands of queries")

QUERIES, FEW_QUERIES = 1000, 60


@pytest.mark.parametrize("habit", TUNING)
def test_a_healthy_router_is_spared_whatever_its_habit(habit: str, is_full: bool) -> None:
    figures = measure_habits((habit,), QUERIES if is_full else FEW_QUERIES)
    if is_full:
        assert figures.per_thousand <= 10, figures.examples
    else:
        assert figures.flags == {}, figures.examples


@pytest.mark.parametrize(
    "fault",
    [
        "third_clause_lost",
        "remainder_lost",
        "keyword_misrouted",
        "section_repeated",
        "crash_on_keyword",
        "answer_blank",
    ],
)
def test_a_fault_of_another_make_is_found(fault: str, is_full: bool) -> None:
    seeds, queries = (20, 500) if is_full else (1, FEW_QUERIES)
    figures = measure_zoo_fault(fault, seeds, queries)
    assert len(figures.found) == seeds
    assert figures.share_flagged > 0.6


def test_a_fault_is_found_beside_three_others_and_legal_habits() -> None:
    figures = measure_zoo_fault("remainder_lost", 2, FEW_QUERIES, standing=3, habits=TUNING)
    assert len(figures.found) == 2


def test_a_seed_in_which_a_fault_changes_nothing_is_told() -> None:
    figures = measure_zoo_fault("crash_on_long_query", 1, 1)
    assert (figures.silent, figures.changed, figures.found) == (1, 0, [])


def test_the_number_of_a_subset_says_which_it_is() -> None:
    one, again, other = (measure_subset(TUNING, number, 1) for number in (1, 1, 2))
    assert one.habits == again.habits != other.habits


@pytest.mark.process
def test_the_command_measures_the_zoo_as_json(manage: Manage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selftest.management.zoo_figures.FAULTS", {"remainder_lost": None})
    monkeypatch.setattr("selftest.management.zoo_figures.HABITS", {"bullets": None})
    ran = manage("measure_detection", "--zoo", "--seeds", "1", "--queries", "20", "--subsets", "1", "--json")
    document = json.loads(ran.stdout)
    found = [(fault["fault"], fault["standing"], fault["seeds_found"]) for fault in document["faults"]]
    assert found == [("remainder_lost", 0, 1), ("remainder_lost", 3, 1)]
    assert document["habits"] == {"bullets": {"0.0": 0.0, "0.05": 0.0, "0.2": 0.0}}
    assert {(row["set"], row["empty_rate"]) for row in document["healthy"]} == {
        (name, rate) for name in ("tuning", "reporting", "third") for rate in (0.0, 0.05, 0.2)
    }
