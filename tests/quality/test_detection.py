"""The checks find what they exist for in the bundled router, and accuse nobody else."""

import json

import pytest

from selftest.core.checks import CheckName
from selftest.detection import measure_fault, measure_healthy
from tests.commands.process import Manage

SEEDS = 3
QUERIES = 60


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("exception_on_phrase", CheckName.CRASH),
        ("traceback_in_text", CheckName.CRASH),
        ("source_swapped", CheckName.SOURCE_MISMATCH),
        ("collapses_to_first_intent", CheckName.PART_COUNT_MISMATCH),
        ("keywords_ignore_discourse", CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX),
        ("remainder_swallowed", CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS),
        ("condition_swallowed", CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS),
        ("failure_phrase_as_content", CheckName.UNEXPECTED_EMPTY),
    ],
)
def test_each_check_finds_the_fault_it_exists_for_from_every_seed(fault: str, check: CheckName) -> None:
    figures = measure_fault(fault, SEEDS, QUERIES)
    assert len(figures.queries_to_first) == SEEDS
    assert figures.checks[check] == SEEDS


def test_a_slow_path_is_found_once_enough_runs_are_known() -> None:
    figures = measure_fault("slow_path", seeds=2, queries=400)
    assert set(figures.checks) == {CheckName.LATENCY_OUTLIER}


def test_a_healthy_router_is_accused_of_nothing() -> None:
    assert measure_healthy(0.0, seeds=3, queries=200).flags == {}


def test_the_command_prints_one_line_of_json(manage: Manage) -> None:
    ran = manage("measure_detection", "--seeds", "1", "--queries", "3", "--json")
    (line,) = ran.stdout.splitlines()
    said = json.loads(line)
    assert (said["seeds"], said["queries"]) == (1, 3)
    assert {row["fault"] for row in said["faults"]} >= {"pronoun_as_noun", "remainder_swallowed"}
    assert [row["empty_rate"] for row in said["healthy"]] == [0.0, 0.05, 0.2]
