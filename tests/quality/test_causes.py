"""Causes of planted faults: as many as there are faults, each with its own flags, and named after what triggers it."""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from selftest.management.commands import measure_causes
from selftest.measuring.causes import TRIGGERS, CauseFigures, SetFigures, measure_fault_causes, measure_set
from selftest.measuring.detection import fault_names
from tests.commands.process import Manage

pytestmark = pytest.mark.slow("asks routers hundreds of queries")

FEW = ("clause_swallowed_after_third", "exception_on_phrase", "section_twice")


@pytest.mark.parametrize("fault", FEW)
def test_one_fault_is_one_cause(fault: str, is_full: bool) -> None:
    figures = measure_fault_causes(fault, 20 if is_full else 1, 200)
    assert figures.median <= 1 + (not is_full)  # a single seed may have a stray flag
    assert min(figures.largest) >= 0.95
    assert figures.named in (None, len(figures.causes))


def test_two_faults_are_two_causes_and_the_flags_of_each_are_together() -> None:
    figures = measure_set(0, 120)
    assert len(figures.faults) == 2
    assert abs(figures.causes - figures.present) <= 1
    assert figures.pure >= 0.95 * figures.flags > 0


def test_a_fault_that_is_not_seen_is_told_with_the_flags_that_it_alone_brings_about() -> None:
    """With headers gone, every flag is of that: what the swallowed condition does shows in the same checks."""
    figures = measure_set(0, 120)
    assert figures.faults == ("later_condition_swallowed", "merged_without_headers")
    assert figures.unseen == {"later_condition_swallowed": 0}
    assert not figures.is_one_missed


def test_a_fault_whose_flags_stand_behind_those_of_another_is_hidden_and_seen_all_the_same() -> None:
    """Items come twice in every answer, which is found first; what a conjunction does is found behind that."""
    figures = measure_set(70, 80)
    assert figures.faults == ("conjunction_overlooked", "items_twice")
    assert figures.hidden == {"conjunction_overlooked"}
    assert figures.unseen == {}


def test_a_trigger_is_declared_of_known_faults_only() -> None:
    assert TRIGGERS.keys() <= set(fault_names())


@pytest.mark.process
def test_the_command_prints_one_line_of_json(manage: Manage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_causes, "fault_names", lambda: FEW[:1])
    ran = manage("measure_causes", "--seeds", "1", "--queries", "30", "--sets", "1", "--json")
    (line,) = ran.stdout.splitlines()
    document = json.loads(line)
    assert [(row["fault"], row["causes"]) for row in document["faults"]] == [(FEW[0], [1])]
    assert len(document["sets"][0]["faults"]) == 2


def test_the_command_prints_each_fault_and_all_sets_in_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    known = CauseFigures("slow_path", [1, 3, 1], [1.0, 0.96, 1.0], 2, Counter({"'rss'": 2}), (40, 30), (20, 19))
    silent = CauseFigures("exception_on_phrase")
    mixed = [
        SetFigures(("a", "b"), 2, 2, 60, 57, {"a": 4}, frozenset({"b"})),
        SetFigures(("a", "b", "c"), 3, 5, 40, 40, {"b": 5, "c": 0}, frozenset({"a", "b"})),
    ]
    monkeypatch.setattr(measure_causes, "_measured", lambda *arguments, **options: ([known, silent], mixed))
    said = StringIO()
    call_command("measure_causes", stdout=said)
    rows = [" ".join(line.split()) for line in said.getvalue().splitlines()]
    assert "slow_path 1 3 96% or more 2 of 3 'rss'" in rows
    assert "exception_on_phrase never flagged" in rows
    assert "flags of the first queries that have their cause by then: 75.0%" in rows
    assert "causes that keep their number over ten further cycles: 95.0%" in rows
    assert "2 50.0% 97.0% 2 1 2 of 3" in rows
