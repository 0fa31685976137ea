"""The checks find what they exist for in the bundled router, and accuse no healthy one."""

import json
from collections import Counter
from io import StringIO
from itertools import count

import pytest
from django.core.management import call_command

from selftest.core.judging.findings import CheckName
from selftest.management.commands import measure_detection
from selftest.measuring.detection import (
    EMPTY_RATES,
    Engine,
    FaultFigures,
    FirstDetection,
    HealthyFigures,
    fault_names,
    measure_fault,
    measure_healthy,
    observed,
)
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.bundled_vocabulary import reference_vocabulary
from tests.commands.process import Manage
from tests.quality.cycles import found_by_query

pytestmark = pytest.mark.slow("looks for planted faults")

FAULT_OF = {
    CheckName.CRASH: "exception_on_phrase",
    CheckName.SOURCE_MISMATCH: "source_swapped",
    CheckName.PART_COUNT_MISMATCH: "collapses_to_first_intent",
    CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX: "keywords_ignore_discourse",
    CheckName.CONDITIONAL_REMAINDER_MISSING_SECTIONS: "remainder_swallowed",
    CheckName.UNEXPECTED_EMPTY: "failure_phrase_as_content",
    CheckName.LATENCY_OUTLIER: "slow_path",
    CheckName.SECTION_REPEATED: "section_twice",
    CheckName.ITEM_REPEATED: "items_twice",
    CheckName.SECTION_BLANK: "empty_section_kept",
    CheckName.TEXT_BEFORE_HEADER: "text_before_sections",
    CheckName.HEADER_UNKNOWN: "made_up_header",
    CheckName.SOURCE_CONTRADICTS_SECTIONS: "merged_without_headers",
    CheckName.PIECE_BLANK: "rules_doubled",
    CheckName.FRAME_DEBRIS: "rule_after_last_section",
    CheckName.PART_LOST: "clause_swallowed_after_third",
    CheckName.PART_DIFFERS: "whole_query_to_every_source",
    CheckName.PAIR_BROKEN: "only_first_pair_guarded",
    CheckName.ORDER_MATTERS: "first_source_asked_for_all",
    CheckName.CONJUNCTION_MATTERS: "conjunction_overlooked",
    CheckName.ASKED_TWICE_DIFFERS: "last_section_comes_and_goes",
    CheckName.SYNTHETIC_QUERY_CACHED: "cache_not_suppressed",
    CheckName.PART_SLOW: "slow_path",
}
MOST_QUERIES = 500
FEW_SEEDS, FEW_QUERIES, FEW_HEALTHY = 1, 250, 150  # seconds; --full has the size of the bars
FEW_FAULTS = ("section_twice", "exception_on_phrase", "slow_path")
BAR_SEEDS, BAR_QUERIES, BAR_MEDIAN = 20, 500, 12
BAR_FLAGS_PER_THOUSAND = {0.0: 1.0, 0.05: 1.0, 0.20: 3.0}


@pytest.mark.parametrize("check", CheckName)
def test_each_check_has_a_planted_fault_that_it_finds(check: CheckName) -> None:
    found = zip(count(1), found_by_query(FAULT_OF[check], MOST_QUERIES))
    assert next((number for number, checks in found if check in checks), None) is not None


@pytest.mark.parametrize("fault", fault_names())
def test_each_fault_is_found_from_every_seed(fault: str, is_full: bool) -> None:
    seeds, queries = (BAR_SEEDS, BAR_QUERIES) if is_full else (FEW_SEEDS, FEW_QUERIES)
    figures = measure_fault(fault, seeds, queries)
    assert len(figures.found) == seeds
    if is_full:
        assert figures.median_queries is not None
        assert figures.median_queries <= BAR_MEDIAN


@pytest.mark.parametrize("empty_rate", EMPTY_RATES)
def test_a_healthy_router_is_spared(empty_rate: float, is_full: bool) -> None:
    seeds, queries = (BAR_SEEDS, BAR_QUERIES) if is_full else (FEW_SEEDS, FEW_HEALTHY)
    figures = measure_healthy(empty_rate, seeds, queries)
    if is_full:
        assert figures.per_thousand(figures.flags.total()) <= BAR_FLAGS_PER_THOUSAND[empty_rate]
    else:
        assert figures.flags == {}
    assert figures.warm_probes <= figures.warm_queries


def test_the_specified_engine_sends_no_probe_and_finds_less() -> None:
    whole = measure_fault("last_item_cut_off", 1, 60)
    specified = measure_fault("last_item_cut_off", 1, 60, Engine.SPECIFIED)
    assert (len(whole.found), len(specified.found)) == (1, 0)
    assert measure_healthy(0.0, 1, 60, Engine.SPECIFIED).probes == 0


def test_a_fault_that_the_seven_checks_find_is_found_by_the_specified_engine() -> None:
    figures = measure_fault("collapses_to_first_intent", 2, 60, Engine.SPECIFIED)
    assert set(figures.checks) == {CheckName.PART_COUNT_MISMATCH}
    assert [found.probes for found in figures.found] == [0, 0]


@pytest.mark.process
def test_the_command_prints_one_line_of_json(manage: Manage, is_full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = fault_names() if is_full else FEW_FAULTS
    monkeypatch.setattr(measure_detection, "fault_names", lambda: faults)
    ran = manage("measure_detection", "--seeds", "1", "--queries", "3", "--json")
    (line,) = ran.stdout.splitlines()
    said = json.loads(line)
    assert (said["seeds"], said["queries"]) == (1, 3)
    assert {(row["engine"], row["fault"]) for row in said["faults"]} == {
        (engine, fault) for engine in ("whole", "specified") for fault in faults
    }
    assert [(row["engine"], row["empty_rate"]) for row in said["healthy"]] == [
        (engine, rate) for rate in (0.0, 0.05, 0.2) for engine in ("whole", "specified")
    ]
    (repeated,) = [row for row in said["faults"] if (row["engine"], row["fault"]) == ("whole", "section_twice")]
    assert (repeated["seeds_found"], repeated["median_queries"], repeated["queries_to_first"]) == (1, 1, [1])
    assert repeated["checks"] == {"section_repeated": 1}
    assert len(repeated["probes_to_first"]) == 1
    assert all(row["queries"] == 3 for row in said["healthy"])


def test_the_command_prints_each_fault_and_each_rate_in_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = CheckName.CRASH
    found = tuple(FirstDetection(queries, probes, crash) for queries, probes in ((4, 9), (12, 3), (7, 8)))
    seldom = FaultFigures("exception_on_phrase", 4, found)
    never = FaultFigures("exception_on_phrase", 4, ())
    healthy = HealthyFigures(0.05, 400, 300, 200, 100, Counter({crash: 2}), Counter({CheckName.PART_LOST: 10}))
    spared = HealthyFigures(0.05, 400, 0, 200, 0, Counter(), Counter())
    measured = (
        {(Engine.WHOLE, "exception_on_phrase"): seldom, (Engine.SPECIFIED, "exception_on_phrase"): never},
        {(Engine.WHOLE, 0.05): healthy, (Engine.SPECIFIED, 0.05): spared},
    )
    monkeypatch.setattr(measure_detection, "_measured", lambda *arguments, **options: measured)
    monkeypatch.setattr(measure_detection, "fault_names", lambda: ("exception_on_phrase",))
    monkeypatch.setattr(measure_detection, "EMPTY_RATES", (0.05,))
    said = StringIO()
    call_command("measure_detection", stdout=said)
    rows = [" ".join(line.split()) for line in said.getvalue().splitlines()]
    assert "exception_on_phrase 3 of 4 7 8 crash 3 0 of 4 not found" in rows
    assert "5% 5.0 crash 5.0 25.0 0.75, in the second half 0.50 0.0" in rows


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("discourse_words_searched", CheckName.PART_DIFFERS),
        ("conjunction_overlooked", CheckName.CONJUNCTION_MATTERS),
        ("first_source_asked_for_all", CheckName.ORDER_MATTERS),
        ("clause_swallowed_after_third", CheckName.PART_LOST),
    ],
)
def test_what_is_always_so_comes_again_each_time_it_is_asked(fault: str, check: CheckName) -> None:
    router = observed(Engine.WHOLE, (fault,), seed=1, is_thrifty=False)
    verdicts = (router.verdict(query) for query in generated_queries(reference_vocabulary(), 1, 80))
    found = next(verdict for verdict in verdicts if check in {finding.check for finding in verdict.findings})
    router.close()
    assert found.reproduced[check] == found.repeats >= 1
