"""`manage.py vocabulary`: check, import, export, diff."""

import json
from pathlib import Path

import pytest

from selftest.core.generation.recipes import RECIPES
from tests.commands.process import Manage
from tests.vocabularies import example_document


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "vocabulary.json"
    path.write_text(json.dumps(example_document()))
    return path


def test_a_valid_document_is_shown_with_what_each_recipe_makes_of_it(manage: Manage, document: Path) -> None:
    ran = manage("vocabulary", "check", str(document))
    assert ran.returncode == 0
    first, _, *rows = ran.stdout.splitlines()
    assert first == f"{document} is valid: 6 sources, 27 phrases"
    made = dict(row.split() for row in rows)
    assert list(made) == list(RECIPES)
    assert made["no_intent_fallthrough"] == "5"
    assert made["proper_noun_plus_pronoun_intent"] == "60"  # four pairs, five conjunctions, three requests
    assert all("," in made[name] for name in ("multi_intent_chain", "megaquery"))


def test_a_recipe_that_can_make_nothing_names_the_key_that_is_short(manage: Manage, document: Path) -> None:
    seeds = {"proper_noun_pairs": ["Saturn and Jupiter"], "pronoun_requests": ["I lost my keys"]}
    document.write_text(json.dumps(example_document() | {"seeds": seeds}))
    ran = manage("vocabulary", "check", str(document))
    assert ran.returncode == 0
    rows = {row.split()[0]: row.strip().split(maxsplit=2)[1:] for row in ran.stdout.splitlines()[2:]}
    assert rows["nested_proper_noun_pairs"] == ["0", "needs one more pair in seeds.proper_noun_pairs"]
    assert rows["proper_noun_plus_pronoun_intent"] == ["5"]
    assert rows["conditional_with_remainder"] == [
        "0",
        "needs one more condition in seeds.conditions; needs one more consequence in seeds.consequences",
    ]
    assert rows["very_long_input"] == ["0", "needs 2 more topics without a keyword in seeds.open_topics"]


def test_every_fault_of_a_document_is_named_with_its_key(manage: Manage, document: Path) -> None:
    broken = example_document() | {"conjunctions": ["and"], "nosplit_phrase": []}
    document.write_text(json.dumps(broken))
    ran = manage("vocabulary", "check", str(document))
    assert ran.returncode == 2
    assert "conjunctions[0]: 'and' would glue words together" in ran.stderr
    assert "nosplit_phrase: unknown key; did you mean 'nosplit_phrases'?" in ran.stderr


def test_an_imported_document_is_what_export_prints(manage: Manage, document: Path) -> None:
    manage("run_cycle", "--count", "1")
    assert "is in force" in manage("vocabulary", "import", str(document)).stdout
    assert "was in force already" in manage("vocabulary", "import", str(document)).stdout
    assert json.loads(manage("vocabulary", "export").stdout) == example_document()


def test_a_refused_document_leaves_the_one_in_force(manage: Manage, document: Path) -> None:
    manage("run_cycle", "--count", "1")
    manage("vocabulary", "import", str(document))
    broken = document.with_name("broken.json")
    broken.write_text(json.dumps(example_document() | {"sources": {}}))
    refused = manage("vocabulary", "import", str(broken))
    assert refused.returncode == 2
    assert "sources: no source" in refused.stderr
    assert json.loads(manage("vocabulary", "export").stdout) == example_document()


def test_diff_shows_what_the_last_import_changed(manage: Manage, document: Path) -> None:
    manage("run_cycle", "--count", "1")
    manage("vocabulary", "import", str(document))
    changed = example_document()
    changed["seeds"]["open_topics"].insert(0, "a topic of tomorrow")
    document.write_text(json.dumps(changed))
    manage("vocabulary", "import", str(document))
    lines = manage("vocabulary", "diff").stdout.splitlines()
    assert [line for line in lines if line.startswith("+ ")] == ['+      "a topic of tomorrow",']


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), ("{", "is not a JSON document")])
def test_a_file_that_is_none_is_said_to_be(manage: Manage, tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_text(content)
    ran = manage("vocabulary", "check", str(path))
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
