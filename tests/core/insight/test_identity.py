"""A cause keeps its number as long as most of its flags stay together."""

from selftest.core.insight.identity import identities


def sets(*flags: set[int]) -> list[frozenset[int]]:
    return list(map(frozenset, flags))


def known(**flags: set[int]) -> dict[int, frozenset[int]]:
    return {int(name[1:]): frozenset(keys) for name, keys in flags.items()}


def test_a_cause_that_grows_keeps_its_number_and_a_new_one_has_none() -> None:
    assert identities(known(c7={1, 2}), sets({1, 2, 3}, {4})) == [7, None]


def test_of_a_cause_that_splits_the_larger_piece_keeps_the_number() -> None:
    assert identities(known(c7={1, 2, 3}), sets({1}, {2, 3})) == [None, 7]


def test_of_causes_that_merge_the_one_with_more_flags_lives_on() -> None:
    assert identities(known(c7={1}, c8={2, 3}), sets({1, 2, 3})) == [8]


def test_among_equals_the_older_cause_lives_on() -> None:
    assert identities(known(c8={2}, c7={1}), sets({1, 2})) == [7]


def test_flags_that_change_places_take_no_number_from_another_cause() -> None:
    assert identities(known(c7={1, 2, 3, 4}, c8={5, 6}), sets({1, 2, 3}, {4, 5, 6})) == [7, 8]


def test_without_known_causes_all_are_new() -> None:
    assert identities({}, sets({1}, {2})) == [None, None]
