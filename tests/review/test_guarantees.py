"""The pages on what each check rests on."""

from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from selftest import guarantees
from selftest.core.judging.findings import CheckName
from selftest.guarantees import GUARANTEES, parse


def test_every_check_has_one_with_a_name_of_its_own() -> None:
    assert list(GUARANTEES) == list(CheckName)
    assert len({guarantee.name for guarantee in GUARANTEES.values()}) == len(CheckName)


def test_every_check_has_a_shape_of_its_own() -> None:
    sprite = (settings.BASE_DIR / "static" / "shapes.svg").read_text()
    drawings = [sprite.split(f'<symbol id="{check}"')[1].split("</symbol>")[0] for check in CheckName]
    assert len(set(drawings)) == len(CheckName)


def test_every_check_has_a_row_in_the_readme() -> None:
    readme = (settings.BASE_DIR / "README.md").read_text()
    rows = [line.split("`")[1] for line in readme.splitlines() if line.startswith("| `")]
    assert [row for row in rows if row in tuple(CheckName)] == list(CheckName)


def test_every_page_is_of_a_check() -> None:
    pages = {path.stem for path in (settings.BASE_DIR / "selftest" / "guarantees").glob("*.md")}
    assert pages == set(CheckName)


def test_a_check_without_a_page_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(guarantees.resources, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=r"the check crash has no page crash\.md"):
        guarantees.read(CheckName.CRASH)


def test_a_new_check_needs_no_migration() -> None:
    fields = [field for model in apps.get_app_config("selftest").get_models() for field in model._meta.get_fields()]
    of_checks = [f for f in fields if getattr(f, "name", "") in ("check_name", "flagged_check")]
    assert of_checks
    assert not any(field.choices for field in of_checks)


def test_a_page_without_its_headings_is_refused() -> None:
    with pytest.raises(ValueError, match="headings"):
        parse(CheckName.CRASH, "# Crash\n\nIt failed.\n\n## Promised\n\nNot to.\n")


def test_paragraphs_stay_apart_and_lines_flow() -> None:
    title = "# Crash\n\nIt\nfailed.\n\n"
    page = f"{title}## Promised\n\nOne\nline.\n\nTwo.\n\n## What breaks it\n\nA.\n\n## What does not\n\nB.\n"
    guarantee = parse(CheckName.CRASH, page)
    assert guarantee.sentence == "It failed."
    assert guarantee.promised == "One line.\n\nTwo."
    assert guarantee.does_not == "B."
