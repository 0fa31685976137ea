"""Routers that the checks were not made with: what is legal is spared, and what is broken is found."""

import json
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selftest.management.zoo_figures import Extent, ZooFigures, read_earlier
from selftest.measuring.zoo import HabitFigures, ZooFaultFigures, measure_habits, measure_subset, measure_zoo_fault
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
    assert {row["queries"] for row in document["healthy"]} == {40}, "two for each of a router with a fault"
    assert document["habits"] == {"bullets": {"0.0": 0.0, "0.05": 0.0, "0.2": 0.0}}
    assert {(row["set"], row["empty_rate"]) for row in document["healthy"]} == {
        (name, rate)
        for name in ("tuning", "reporting", "third", "fourth", "fifth", "sixth", "all")
        for rate in (0.0, 0.05, 0.2)
    }


EXTENT = Extent(seeds=4, queries=500, subsets=1)


def figures_of(found: int, flags: int) -> ZooFigures:
    alone, beside = (ZooFaultFigures("remainder_lost", 4, standing, found=[3] * found) for standing in (0, 3))
    healthy = HabitFigures(("bullets",), queries=500, flags=Counter(part_lost=flags))
    return ZooFigures(EXTENT, (alone,), (beside,), {}, {("tuning", 0.05): (healthy,)})


def test_figures_of_an_earlier_version_stand_beside_these() -> None:
    shown = StringIO()
    earlier = read_earlier(json.dumps(figures_of(found=2, flags=7).document()), EXTENT)
    figures_of(found=4, flags=0).show(shown, earlier)
    assert (earlier.faults["remainder_lost", 3], earlier.healthy["tuning", 0.05]) == (2, 14.0)
    assert shown.getvalue().count("earlier") == 3
    assert "14.0" in shown.getvalue()


def test_what_is_still_accused_is_shown_with_an_example() -> None:
    shown, figures = StringIO(), figures_of(found=4, flags=1)
    figures.subsets["tuning", 0.05][0].examples["part_lost"] = (
        "tides plus knots",
        "part_lost: alone 'knots' is answered",
    )
    figures.show(shown)
    assert re.search(r"part_lost .*tides plus knots .*part_lost: alone 'knots' is answered", shown.getvalue())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "it is not what `measure_detection --zoo --json` prints"),
        ("seeds: 4", "it is not what `measure_detection --zoo --json` prints"),
        (
            json.dumps(figures_of(1, 1).document() | {"extent": {"seeds": 1, "queries": 20, "subsets": 3}}),
            "it has 1 seeds, 20 queries and 3 subsets, this run 4 seeds, 500 queries and 1 subsets",
        ),
    ],
)
def test_only_figures_measured_alike_stand_beside_these(text: str, said: str, tmp_path: Path) -> None:
    figures = tmp_path / "before.json"
    figures.write_text(text)
    options = {"zoo": True, "seeds": 4, "queries": 500, "subsets": 1, "beside": figures}
    with pytest.raises(CommandError, match=re.escape(f"--beside {figures}: {said}")):
        call_command("measure_detection", **options)
