"""Which sources are believed, by hand-counted comparisons."""

from selftest.core.judging.stability import WHOLE_QUERY, Stability


def noted(*agreed: bool) -> Stability:
    stability = Stability()
    stability.note(("ferry", same) for same in agreed)
    return stability


def test_of_a_source_that_was_never_or_once_compared_nothing_is_said() -> None:
    for stability in (noted(), noted(True), noted(False)):
        assert stability.steady() == stability.volatile() == frozenset()


def test_a_source_is_steady_when_all_of_six_askings_agreed() -> None:
    assert noted(*[True] * 5).steady() == frozenset()
    assert noted(*[True] * 6).steady() == {"ferry"}
    assert noted(*[True] * 6).volatile() == frozenset()
    assert noted(*[True] * 6, False).steady() == frozenset()


def test_a_source_that_now_and_then_answers_otherwise_is_volatile_once_eight_askings_tell() -> None:
    assert noted(*[True] * 6, False).volatile() == frozenset()
    assert noted(*[True] * 7, False).volatile() == {"ferry"}
    assert noted(*[True] * 9, False).volatile() == {"ferry"}
    assert noted(*[True] * 10, False).volatile() == frozenset()


def test_a_source_is_volatile_when_no_more_than_half_of_its_askings_agreed() -> None:
    assert noted(True, False).volatile() == {"ferry"}
    assert noted(False, False).volatile() == {"ferry"}
    assert noted(True, True, False).volatile() == frozenset()


def test_sources_are_counted_apart() -> None:
    stability = Stability()
    stability.note([("ferry", True), ("tides", False)] * 6)
    assert (stability.steady(), stability.volatile()) == ({"ferry"}, {"tides"})
    assert stability.counts == {"ferry": (6, 6), "tides": (0, 6)}


def test_the_fortieth_comparison_halves_the_counts() -> None:
    assert noted(*[False] * 39).counts == {"ferry": (0, 39)}
    assert noted(*[False] * 39, True).counts == {"ferry": (0, 19)}
    assert noted(*[False] * 20, *[True] * 20).counts == {"ferry": (10, 20)}
    assert noted(*[True] * 40).counts == {"ferry": (20, 20)}


def test_a_source_that_has_settled_is_believed_again() -> None:
    stability = noted(*[False] * 40)
    # From 0 of 20: halved at 20 of 40, 30 of 40 and 35 of 40 to 10 of 20, 15 of 20 and 17 of 19; then 18 of 20 agreed.
    stability.note([("ferry", True)] * 61)
    assert stability.volatile() == {"ferry"}
    stability.note([("ferry", True)])
    assert stability.volatile() == frozenset()


def test_one_disagreement_is_forgotten_with_the_fortieth_comparison() -> None:
    assert noted(False, *[True] * 38).steady() == frozenset()
    assert noted(False, *[True] * 39).steady() == {"ferry"}
    stability = Stability()
    stability.note((WHOLE_QUERY, place > 0) for place in range(40))
    assert stability.is_reproducible()


def test_the_longest_section_of_each_source_is_remembered() -> None:
    stability = noted(True)
    stability.measure({"ferry": 3, "tides": 1})
    stability.measure({"ferry": 2, "tides": 4})
    assert stability.longest == {"ferry": 3, "tides": 4}
    assert stability.of_all() == {"ferry": (1, 1), "tides": (0, 0)}


def test_a_query_with_findings_is_asked_again_three_times_until_twelve_askings_all_agreed() -> None:
    def repetitions(*agreed: bool) -> int:
        stability = Stability()
        stability.note((WHOLE_QUERY, same) for same in agreed)
        assert stability.steady() == stability.volatile() == frozenset(), "it is no source"
        return stability.repetitions()

    assert repetitions() == repetitions(*[True] * 11) == 3
    assert repetitions(*[True] * 12) == 1
    assert repetitions(*[True] * 30, False) == 3


def test_a_cause_is_known_after_eight_of_the_last_hundred_findings() -> None:
    lost, other = ("part_lost", "", "ferry"), ("part_differs", "extra_items", "tides")
    stability = Stability()
    stability.accusations += [lost] * 7 + [other]
    assert stability.known_causes() == frozenset()
    stability.accusations.append(lost)
    assert stability.known_causes() == {lost}
    stability.accusations += [other] * 100
    assert stability.known_causes() == {other}


def decided(*confirmed: bool) -> Stability:
    stability = Stability()
    stability.note_decided(("ferry", "items_missing", is_so) for is_so in confirmed)
    return stability


def test_a_kind_of_difference_is_seldom_confirmed_once_four_were_legal() -> None:
    which = {("ferry", "items_missing")}
    assert decided(*[False] * 3).seldom_confirmed() == frozenset()
    assert decided(*[False] * 4).seldom_confirmed() == which
    assert decided(*[False] * 9, True).seldom_confirmed() == frozenset()  # one of ten
    assert decided(*[False] * 10, True).seldom_confirmed() == which


def test_kinds_and_sources_of_differences_are_counted_apart() -> None:
    stability = decided(*[False] * 4)
    stability.note_decided([("ferry", "extra_items", True), ("tides", "items_missing", False)] * 4)
    assert stability.seldom_confirmed() == {("ferry", "items_missing"), ("tides", "items_missing")}
    assert stability.confirmed_of("ferry") == {"items_missing": (0, 4), "extra_items": (4, 4)}
    assert stability.of_all() == {"ferry": (0, 0), "tides": (0, 0)}, "no answers were compared"


def test_a_kind_that_begins_to_break_promises_is_looked_into_again() -> None:
    stability = decided(*[False] * 39)
    stability.note_decided([("ferry", "items_missing", True)])
    assert stability.confirmed_of("ferry") == {"items_missing": (0, 19)}, "the fortieth halves the counts"
    stability.note_decided([("ferry", "items_missing", True)] * 2)
    assert stability.seldom_confirmed() == {("ferry", "items_missing")}
    stability.note_decided([("ferry", "items_missing", True)])
    assert stability.seldom_confirmed() == frozenset(), "three of twenty-two"


def test_after_twelve_repetitions_that_agreed_other_probes_come_first() -> None:
    stability = Stability()
    stability.note([(WHOLE_QUERY, True)] * 11)
    assert not stability.is_reproducible()
    stability.note([(WHOLE_QUERY, True)])
    assert stability.is_reproducible()
    stability.note([(WHOLE_QUERY, False)])
    assert not stability.is_reproducible()
