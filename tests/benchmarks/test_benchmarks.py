"""Every benchmark and every command that measures runs to its end at its smallest size: a figure can be repeated.

How fast they find us says nothing at such a size, so whether a limit was kept is not looked at.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.commands.process import LIMIT_S, ROOT, Manage

HERE = Path(__file__).parent
SMALLEST = {
    "causes": ["--small", "40", "--large", "60", "--rounds", "1"],
    "clusters": ["--clusters", "1", "--queries", "24", "--latency-ms", "20"],
    "compare": ["--queries", "4", "--fault-queries", "4", "--faults", "section_twice"],
    "cycle": ["--queries", "2", "--cycles", "1"],
    "findings": ["--findings", "20", "--saves", "4"],
    "gate": ["--repeats", "1", "--faults", "1"],
    "generation": ["--small", "10", "--large", "20", "--queries", "2", "--rounds", "1"],
    "live_pieces": ["--causes", "20", "--changes", "30", "--flagged", "40"],
    "reviewers": ["--reviewers", "2", "--minutes", "0.2", "--combinations", "200", "--runs", "400"],
    "search": ["--pieces", "60", "--queries", "14"],
    "slow_target": ["--targets", "1", "--cycles", "1", "--latency-ms", "1"],
    "what_if": ["--runs", "20"],
}
ELSEWHERE = {
    "load": "test_pages_are_asked_for_by_many_at_once",
    "memory": "test_memory_is_told_when_it_is_up_and_when_pages_have_been_seen",
    "pages": "test_pages_are_measured_on_two_histories",
    "year": "test_a_year_is_computed_from_a_share_of_it",
    "measure_causes": "tests/quality/test_causes.py: test_the_command_prints_one_line_of_json",
    "measure_drift": "tests/evaluation/test_drift_statistics.py: test_the_command_prints_one_line_of_json",
    "measure_findings": "tests/findings/test_commands.py: test_pairs_of_a_file_are_measured",
    "measure_search": "tests/knowledge/test_measuring.py: test_without_a_file_it_measures_in_a_database_of_its_own",
    "measure_detection": "tests/quality/test_detection.py: test_the_command_prints_one_line_of_json",
}
KEPT_OR_NOT = (0, 1)  # what a benchmark ends with

Run = Callable[..., str]


@pytest.fixture
def run(fresh_environment: dict[str, str]) -> Run:
    """What a benchmark says."""

    def run(name: str, *arguments: str) -> str:
        command = [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments]
        done = subprocess.run(
            command, env=fresh_environment, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode in KEPT_OR_NOT, done.stderr
        return done.stdout

    return run


def test_none_is_left_out() -> None:
    benchmarks = {
        path.stem for path in HERE.glob("*.py") if "__main__" in path.read_text() and path.name[:5] != "test_"
    }
    measuring = {name for name in get_commands() if name.startswith("measure_")}
    assert benchmarks | measuring == set(SMALLEST) | set(ELSEWHERE)


@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_prints_its_figures(name: str, run: Run) -> None:
    assert " ms" in (said := run(name, *SMALLEST[name])) or " s of this process" in said


def test_a_year_is_computed_from_a_share_of_it(run: Run, own_environment: dict[str, str]) -> None:
    place = own_environment["DATA_DIR"]
    said = json.loads(run("year", "--data-dir", place, "--queries", "100", "--minutes", "1", "--runs", "400"))
    assert said["runs"] == 400
    assert said["deleted"] > 0
    assert said["year_30_days"] < said["year_for_ever"]


def test_pages_are_measured_on_two_histories(run: Run, own_environment: dict[str, str], manage_process: Manage) -> None:
    manage_process("seed_history", "--combinations", "60", "--runs", "120")
    place = own_environment["DATA_DIR"]
    said = run("pages", "--data-dir", place, "--against", place, "--requests", "1", "--pages", "combination")
    assert "combination with many runs" in said
    assert "STATUS" not in said
    wish = ("pages", "--data-dir", place, "--requests", "1", "--pages", "queue of a target")
    asked = [int(re.findall(r"[\d.]+", run(*wish, *more).splitlines()[1])[3]) for more in ((), ("--after-change",))]
    assert asked[0] < asked[1], "queries, as less is known of the queue"


def test_pages_are_asked_for_by_many_at_once(run: Run, own_environment: dict[str, str]) -> None:
    said = run("load", "--data-dir", own_environment["DATA_DIR"], "--connections", "2", "--seconds", "1")
    assert " a second, p50 " in said
    assert "REFUSED" not in said


def test_memory_is_told_when_it_is_up_and_when_pages_have_been_seen(run: Run) -> None:
    said = run("memory", "--pages", "5", "--rounds", "2", "--cycles", "0")
    up, seen = (float(line.split(" MB ")[0].split()[-1]) for line in said.splitlines()[:2])
    assert said.startswith("up ")
    assert "5 pages, 2 times" in said
    assert 100 < up < seen  # two web processes and six of the worker, each of some MB
