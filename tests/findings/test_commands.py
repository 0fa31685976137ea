"""The commands of findings: what they print, what they refuse."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from selftest.findings.models import Finding
from tests.findings.conftest import AGENT, ALWAYS, NEVER, USER, save
from tests.findings.pairs import FILE


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def read(*arguments: str) -> Any:
    return json.loads(said(*arguments, "--json"))


@pytest.mark.django_db
def test_one_is_saved_and_what_it_superseded_is_told_with_its_why() -> None:
    older = save(ALWAYS).finding
    answer = read("findings", "add", USER, NEVER, "--tag", "style")
    assert answer["superseded"] == [older.pk]
    assert answer["superseded_by"] is None
    assert answer["why"][0]["why"]["rule"] == "opposite_directive"
    finding = answer["finding"]
    assert (finding["category"], finding["content"], finding["tags"]) == (USER, NEVER, ["style"])
    assert Finding.objects.get(pk=finding["id"]).actor == "command line"


@pytest.mark.django_db
def test_in_words_it_says_what_lost_to_what() -> None:
    older = save(NEVER, USER).finding
    lines = said("findings", "add", AGENT, ALWAYS).splitlines()
    assert lines[0] == f"Saved as {older.pk + 1}."
    assert lines[1].startswith(f"Superseded by {older.pk}: opposite directives about the same thing (")


@pytest.mark.django_db
def test_superseded_ones_are_listed_where_that_is_asked_for() -> None:
    older, newer = save(ALWAYS).finding, save(NEVER).finding
    assert [row["id"] for row in read("findings", "list")["findings"]] == [newer.pk]
    every = read("findings", "list", "--include-superseded")["findings"]
    assert [(row["id"], row["superseded_by"]) for row in every] == [(newer.pk, None), (older.pk, newer.pk)]
    assert read("findings", "list", "always")["findings"] == []
    assert NEVER in said("findings", "list", "never")


@pytest.mark.django_db
def test_a_sweep_says_what_it_did() -> None:
    save(ALWAYS, "feedback/from-agent/mails"), save(NEVER)
    assert read("findings", "sweep") == {
        "findings": 2,
        "superseded": 0,
        "proposed": 1,
        "ignored": {},
        "model": "not asked",
    }
    assert "Findings compared: 2." in said("findings", "sweep")


@pytest.mark.django_db
def test_an_empty_finding_is_refused() -> None:
    with pytest.raises(CommandError, match="the finding is empty") as refused:
        said("findings", "add", AGENT, " ")
    assert refused.value.returncode == 2


def test_pairs_of_a_file_are_measured() -> None:
    figures = read("measure_findings", "--pairs", str(FILE))
    assert (figures["pairs"], figures["precision"], figures["recall"], figures["mistakes"]) == (399, 1.0, 1.0, [])
    assert "precision: 100.0%" in said("measure_findings", "--pairs", str(FILE))


def test_without_a_file_the_sealed_pairs_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = {"older": {"category": AGENT, "content": ALWAYS}, "newer": {"category": AGENT, "content": NEVER}}
    line = json.dumps(sides | {"expect": "newer_wins"})
    for name, count in (("OWN_PAIRS", 1), ("SEALED_PAIRS", 2)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(f"{line}\n" * count)
        monkeypatch.setattr(f"selftest.management.commands.measure_findings.{name}", file)
    assert read("measure_findings")["pairs"] == 1
    assert read("measure_findings", "--sealed")["pairs"] == 2


def test_each_mistake_is_shown_with_its_why(tmp_path: Path) -> None:
    sides = {"older": {"category": AGENT, "content": ALWAYS}, "newer": {"category": AGENT, "content": NEVER}}
    lines = [
        sides | {"expect": "newer_wins", "about": "found"},
        sides | {"expect": "none", "about": "an alarm"},
        sides | {"expect": "older_wins", "about": "the wrong winner"},
        {"older": sides["older"], "newer": sides["older"], "expect": "newer_wins", "about": "missed"},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    figures = read("measure_findings", "--pairs", str(file), "--profile", "v1")
    # By hand: found 1; alarms 2; to be found 3, of which 2 were not.
    assert (figures["pairs"], figures["precision"], figures["recall"]) == (
        4,
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
    )
    assert [mistake["about"] for mistake in figures["mistakes"]] == ["an alarm", "the wrong winner", "missed"]
    assert figures["mistakes"][0]["why"]["rule"] == "opposite_directive"
    assert "opposite directives about the same thing" in said("measure_findings", "--pairs", str(file))


@pytest.mark.parametrize("line", ["no JSON", "[]", "{}", '{"older": 1, "newer": 2, "expect": "none"}'])
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(f"\n{line}\n")
    with pytest.raises(CommandError, match="line 2 is no pair") as refused:
        said("measure_findings", "--pairs", str(file))
    assert refused.value.returncode == 2
