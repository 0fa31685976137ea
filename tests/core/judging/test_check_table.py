"""Every check is one entry, and nothing about a check can be left out."""

from dataclasses import replace

import pytest

from selftest.core.judging.check_table import CHECKS, EXPLAINABLE, Export, table_of
from selftest.core.judging.findings import GROUPS, SPECIFIED, CheckName, Family

EVERY = tuple(CheckName)


def test_a_check_without_an_entry_is_refused_with_a_sentence() -> None:
    without = [check for check in CHECKS.values() if check.name is not CheckName.PART_SLOW]
    with pytest.raises(ValueError, match="the check part_slow has no entry in the table of checks"):
        table_of(without, EVERY)


def test_a_check_without_a_sentence_of_its_own_is_refused() -> None:
    entries = [replace(check, doc="") if check.name is CheckName.CRASH else check for check in CHECKS.values()]
    with pytest.raises(ValueError, match="the check crash does not say what it finds"):
        table_of(entries, EVERY)


def test_entries_out_of_order_or_twice_are_refused() -> None:
    entries = list(CHECKS.values())
    for wrong in (entries[::-1], [*entries, entries[0]]):
        with pytest.raises(ValueError, match="priority"):
            table_of(wrong, EVERY)


def test_the_families_are_all_checks_in_order() -> None:
    assert tuple(name for family in Family for name in GROUPS[family]) == EVERY
    assert (len(SPECIFIED), len(GROUPS[Family.AGAINST_ITSELF])) == (7, 8)


def test_what_may_have_an_explanation_says_that_a_source_is_missing_or_another_one_there() -> None:
    assert [str(check) for check in EXPLAINABLE] == [
        "source_mismatch",
        "part_count_mismatch",
        "discourse_framing_dropped_kiwix",
        "conditional_remainder_missing_sections",
        "unexpected_empty",
        "part_lost",
    ]


def test_what_the_answer_alone_shows_can_have_no_explanation() -> None:
    relations = GROUPS[Family.AGAINST_ITSELF]
    seen_at_once = [check.name for check in CHECKS.values() if not check.needs_probes]
    assert not {*seen_at_once} & {*EXPLAINABLE, *relations}
    assert {*seen_at_once, *EXPLAINABLE, *relations} == set(EVERY)


def test_only_what_the_answer_alone_shows_is_exported_as_source() -> None:
    for check in CHECKS.values():
        if check.name in GROUPS[Family.OF_ANY_ANSWER]:
            assert check.export is Export.SOURCE
        if check.name in GROUPS[Family.AGAINST_ITSELF]:
            assert check.export is not Export.SOURCE
