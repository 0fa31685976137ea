"""Which sentence of a documentation makes the promise of a check."""

from pathlib import Path

import pytest

from selftest.core.judging.check_table import CHECKS
from selftest.core.judging.findings import CheckName
from selftest.knowledge.core.markdown import read_markdown
from selftest.knowledge.core.promises import IDEAS, Passage, promises_in

DOCUMENTATION = Path(__file__).parent / "documentation"


def promises(name: str) -> dict[CheckName, str]:
    read = read_markdown((DOCUMENTATION / name).read_text("utf-8"), name)
    found = promises_in(Passage(one.body, one.path, one.anchor) for one in read.sections)
    return {check: one.text for check, one in found.items()}


def test_every_check_has_ideas_of_its_promise() -> None:
    assert set(IDEAS) == set(CHECKS)


def test_the_documentation_of_the_bundled_router_promises_what_every_check_looks_for() -> None:
    found = promises("reference.md")
    assert set(found) == set(CHECKS)
    assert found[CheckName.ITEM_REPEATED] == "An item appears only once, even where two parts ask for it."
    assert found[CheckName.ASKED_TWICE_DIFFERS].startswith("Routing is deterministic: the same query")


@pytest.mark.parametrize(
    ("check", "beginning"),
    [
        (CheckName.PART_LOST, "Each question in a longer request is looked up by itself"),
        (CheckName.CONJUNCTION_MATTERS, '"and", "also" and "plus" are interchangeable'),
        (CheckName.PAIR_BROKEN, 'Ship names with an "and" in them'),
        (CheckName.LATENCY_OUTLIER, "95 % of requests are answered"),
        (CheckName.SECTION_BLANK, "Empty sections are omitted."),
    ],
)
def test_a_router_that_no_rule_was_made_for_says_it_in_its_own_words(check: CheckName, beginning: str) -> None:
    assert promises("harbour.md")[check].startswith(beginning)


def test_where_nothing_is_promised_nothing_is_shown() -> None:
    found = promises("harbour.md")
    assert CheckName.SYNTHETIC_QUERY_CACHED not in found  # "Caching is described in the manual for operators."
    assert CheckName.DISCOURSE_FRAMING_DROPPED_KIWIX not in found
    assert CheckName.FRAME_DEBRIS not in found
