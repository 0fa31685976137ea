"""`manage.py vocabulary`: check, import, export, diff."""

import json
from pathlib import Path

import pytest

from tests.commands.process import Manage
from tests.vocabularies import example_document


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "vocabulary.json"
    path.write_text(json.dumps(example_document()))
    return path


def test_a_document_that_holds_is_said_to(manage: Manage, document: Path) -> None:
    ran = manage("vocabulary", "check", str(document))
    assert ran.returncode == 0
    assert ran.stdout.startswith(f"{document} holds: ")


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


@pytest.mark.parametrize(("content", "said"), [(None, "cannot be read"), ("{", "is no JSON document")])
def test_a_file_that_is_none_is_said_to_be(manage: Manage, tmp_path: Path, content: str | None, said: str) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_text(content)
    ran = manage("vocabulary", "check", str(path))
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
