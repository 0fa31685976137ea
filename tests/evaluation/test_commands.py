"""`manage.py golden`: pairs in and out as a file, and what a refusal says."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selftest.evaluation.models import GoldenPair, GoldenSet
from selftest.models import Target
from tests.evaluation.test_saving import WEATHER, jsonl

pytestmark = pytest.mark.django_db(transaction=True)

Capture = pytest.CaptureFixture[str]


def test_the_pairs_of_the_bundled_router_come_with_the_product(target: Target, capsys: Capture) -> None:
    call_command("golden", "import", "bundled")
    assert "58 new" in capsys.readouterr().out
    call_command("golden", "list", "--json")
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == GoldenPair.objects.count() == 58


def test_a_file_goes_in_and_comes_out(target: Target, tmp_path: Path, capsys: Capture) -> None:
    before, after = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    before.write_text(jsonl(WEATHER))
    call_command("golden", "import", str(before), "--set", "release", "--why", "from CI", "--json")
    assert json.loads(capsys.readouterr().out) == {"new": 1, "changed": 0, "same": 0}
    call_command("golden", "export", str(after), "--set", "release")
    assert json.loads(after.read_text())["name"] == "weather alone"
    assert GoldenPair.objects.get().current.why == "from CI"  # type: ignore[union-attr]


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_its_first_line(target: Target, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(jsonl(WEATHER), encoding="utf-8-sig")
    call_command("golden", "import", str(file))
    assert GoldenPair.objects.get().name == "weather alone"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (jsonl({**WEATHER, "kind": "odd"}), "line 1: kind: input should be 'happy'"),
        ("{", "line 1: not JSON"),
        ("", "line 1: there is no pair in the file"),
    ],
)
def test_a_refusal_names_the_line_and_exits_with_2(target: Target, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(text)
    with pytest.raises(CommandError, match="nothing was imported") as refused:
        call_command("golden", "import", str(file))
    assert said in str(refused.value)
    assert refused.value.returncode == 2
    assert not GoldenSet.objects.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", "/no/such/file"),
        ("import", "bundled", "--set", "a b"),
        ("import", "bundled", "--set", "a" * 101),
        ("export", "-", "--set", "nothing"),
    ],
)
def test_what_cannot_be_done_exits_with_2(target: Target, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("golden", *arguments)
    assert refused.value.returncode == 2
