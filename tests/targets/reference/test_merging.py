from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.merging import merge, write_merged
from selftest.targets.reference.steps import FoundItem, FoundSection

RAIN, SUN = FoundItem("mon", "Monday: rain"), FoundItem("tue", "Tuesday: sun")
OLDER_SUN = FoundItem("tue", "Tuesday: sun, perhaps")
DOOR = FoundItem("d", "Door: shut")


def test_sections_of_one_source_become_one_with_each_thing_once() -> None:
    found = [
        FoundSection("forecast", (RAIN, SUN)),
        FoundSection("home", (DOOR,)),
        FoundSection("forecast", (OLDER_SUN,)),
    ]
    assert merge(found) == (
        FoundSection("forecast", (RAIN, SUN)),
        FoundSection("home", (DOOR,)),
    )


def test_empty_sections_are_dropped() -> None:
    assert merge([FoundSection("news", ()), FoundSection("forecast", (SUN,))]) == (FoundSection("forecast", (SUN,)),)


def test_nothing_found_makes_no_section() -> None:
    assert merge([]) == merge([FoundSection("news", ())]) == ()


def test_sections_are_written_under_exact_headers_with_a_rule_between_them(vocabulary: Vocabulary) -> None:
    sections = [
        FoundSection("news", (FoundItem("a", "- One"), FoundItem("b", "- Two"))),
        FoundSection("forecast", (SUN,)),
    ]
    assert write_merged(sections, vocabulary.headers.__getitem__) == (
        "[NEWS — RECENT HEADLINES — GENERAL]\n- One\n- Two\n\n---\n\n[FORECAST — WEATHER AT HOME]\nTuesday: sun"
    )
