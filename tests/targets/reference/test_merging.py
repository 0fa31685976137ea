from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.merging import Section, header_of, merge, write_merged
from selftest.targets.reference.sources.base import Item

RAIN, SUN, OLDER_SUN = Item("mon", "Monday: rain"), Item("tue", "Tuesday: sun"), Item("tue", "Tuesday: sun, perhaps")


def test_sections_of_one_source_become_one_with_each_thing_once() -> None:
    found = [
        Section("forecast", (RAIN, SUN)),
        Section("home", (Item("d", "Door: shut"),)),
        Section("forecast", (OLDER_SUN,)),
    ]
    assert merge(found) == (Section("forecast", (RAIN, SUN)), Section("home", (Item("d", "Door: shut"),)))


def test_empty_sections_are_dropped() -> None:
    assert merge([Section("news", ()), Section("forecast", (SUN,))]) == (Section("forecast", (SUN,)),)


def test_nothing_found_makes_no_section() -> None:
    assert merge([]) == merge([Section("news", ())]) == ()


def test_sections_are_written_under_exact_headers_and_parted_by_a_rule(vocabulary: Vocabulary) -> None:
    sections = [Section("news", (Item("a", "- One"), Item("b", "- Two"))), Section("forecast", (SUN,))]
    assert write_merged(sections, vocabulary, header_of) == (
        "[NEWS — RECENT HEADLINES — GENERAL]\n- One\n- Two\n\n---\n\n[FORECAST — WEATHER AT HOME]\nTuesday: sun"
    )
