"""The pages on what each check rests on."""

import pytest
from django.conf import settings

from selftest.core.judging.specified_checks import CheckName
from selftest.guarantees import GUARANTEES, parse


def test_every_check_has_one_with_a_name_of_its_own() -> None:
    assert list(GUARANTEES) == list(CheckName)
    assert len({guarantee.name for guarantee in GUARANTEES.values()}) == len(CheckName)


def test_every_check_has_a_shape_of_its_own() -> None:
    sprite = (settings.BASE_DIR / "static" / "shapes.svg").read_text()
    drawings = [sprite.split(f'<symbol id="{check}"')[1].split("</symbol>")[0] for check in CheckName]
    assert len(set(drawings)) == len(CheckName)


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
