"""Who is to blame for a check's flags: figures worked out by hand."""

import time
from collections.abc import Mapping

import pytest

from selftest.core.generation.queries import PartKind
from selftest.core.insight.pair_names import Pair, members, pair_of
from selftest.core.insight.suspects import (
    KINDS_BY_SUSPICION,
    Accusation,
    Together,
    chance,
    flags_to_beat,
    ranked,
    tells_more,
    widespread,
)

AND, ALSO = "joint: and ", "joint:, and also "
WHAT_IS = "discourse:what is "
HOLES, KNOTS, TIDES = "topic:black holes", "topic:knots", "topic:tides"
NEWS = "intent:news:headlines"


def blamed(
    ingredients: list[str],
    whole: tuple[int, int],
    seen: Mapping[str, tuple[int, int]],
    pairs: Mapping[Pair, tuple[int, int]] | None = None,
) -> str:
    """Each tuple: in how many runs it was said, and in how many of those the check flagged."""
    singles = {name: Together(*counts) for name, counts in seen.items()}
    both = {pair: Together(*counts) for pair, counts in (pairs or {}).items()}
    return Accusation(ranked(Together(*whole), singles, both)).of(ingredients)


# --- Ochiai's coefficient ---


def test_what_is_flagged_whenever_it_is_said_and_never_else_is_one() -> None:
    assert Together(runs=5, flagged=5).ochiai(5) == pytest.approx(1.0)


def test_said_in_40_runs_31_of_them_flagged_33_flags_in_all() -> None:
    assert Together(runs=40, flagged=31).ochiai(33) == pytest.approx(31 / 36.3318, abs=1e-5)  # √(40 · 33)


def test_said_in_nine_and_flagged_in_three_of_sixteen_is_a_quarter() -> None:
    assert Together(runs=9, flagged=3).ochiai(16) == pytest.approx(0.25)  # 3 / √(9 · 16) = 3 / 12


def test_what_was_never_flagged_or_never_said_is_nought() -> None:
    assert Together(runs=9, flagged=0).ochiai(5) == 0.0
    assert Together(runs=0, flagged=0).ochiai(5) == 0.0
    assert Together(runs=0, flagged=0).ochiai(0) == 0.0


def test_half_of_its_runs_flagged_is_half_as_strong_as_all() -> None:
    assert Together(runs=4, flagged=2).strength == 1.0  # 2 / √4
    assert Together(runs=4, flagged=4).strength == 2.0


# --- chance ---


@pytest.mark.parametrize(
    ("part", "whole", "likely"),
    [
        ((4, 3), (8, 3), 4 / 56),  # C(4, 3) of the C(8, 3) ways to lay three flags
        ((2, 2), (10, 2), 1 / 45),
        ((3, 2), (6, 3), 10 / 20),  # two flagged in 3 · 3 ways, three in one
        ((5, 2), (10, 4), 1.0),  # just its share
        ((5, 1), (10, 4), 1.0),  # less than its share
        ((10, 4), (10, 4), 1.0),  # all there is
        ((0, 0), (10, 4), 1.0),
        ((5, 0), (10, 4), 1.0),
        ((5, 5), (0, 0), 1.0),  # nothing is known of the whole
        ((5, 3), (10, 9), 1.0),  # two clean ones of one: counts that contradict each other
        ((20, 3), (10, 3), 1.0),
    ],
)
def test_how_likely_so_many_flags_are_by_chance(part: tuple[int, int], whole: tuple[int, int], likely: float) -> None:
    assert chance(Together(*part), Together(*whole)) == pytest.approx(likely)


def test_millions_of_runs_are_worked_out_at_once() -> None:
    begun = time.perf_counter()
    assert chance(Together(200_000, 2_200), Together(3_000_000, 30_000)) < 1e-5
    assert chance(Together(1_000, 1_000), Together(3_000_000, 30_000)) == 0.0
    assert chance(Together(1_500_000, 15_010), Together(3_000_000, 30_000)) > 0.3
    assert time.perf_counter() - begun < 0.1


# --- one ingredient ---


def test_ninety_five_flags_from_two_topics_are_two_causes() -> None:
    seen = {HOLES: (50, 47), TIDES: (52, 48), AND: (600, 60), ALSO: (350, 35), NEWS: (300, 40), KNOTS: (20, 2)}
    # 47/√50 = 6.6 and 48/√52 = 6.7; the strongest of the others: 60/√600 = 2.4
    for said in ([HOLES, AND, NEWS], [HOLES, ALSO], [HOLES, KNOTS, AND]):
        assert blamed(said, (1000, 95), seen) == HOLES
    for said in ([TIDES, AND, NEWS], [TIDES, WHAT_IS]):
        assert blamed(said, (1000, 95), seen) == TIDES


def test_a_conjunction_is_not_suspected_while_chance_would_do_the_same() -> None:
    """3/√4 = 1.5 is stronger than 1/√1, but four of eight runs hold all three flags once in 14 times."""
    seen = {AND: (4, 3), HOLES: (1, 1), TIDES: (1, 1), KNOTS: (1, 1)}
    assert blamed([AND, HOLES], (8, 3), seen) == HOLES
    assert blamed([AND, TIDES], (8, 3), seen) == TIDES


def test_a_conjunction_is_suspected_once_it_is_evident() -> None:
    seen = {AND: (100, 100), ALSO: (100, 0), HOLES: (5, 1), TIDES: (3, 2)}
    assert blamed([AND, HOLES, TIDES], (1000, 100), seen) == AND


def test_where_all_fails_no_conjunction_is_suspected_for_being_everywhere() -> None:
    assert blamed([AND, HOLES], (1000, 1000), {AND: (500, 500), HOLES: (9, 9)}) == HOLES


def test_framing_alone_is_suspected_where_nothing_else_was_said() -> None:
    assert blamed([AND, WHAT_IS], (8, 3), {AND: (4, 3), WHAT_IS: (2, 1)}) == AND


def test_what_is_evident_goes_before_what_happened_once() -> None:
    """By chance HOLES has its one flag in three of a hundred runs; NEWS, 20 of 500, could not."""
    seen = {NEWS: (500, 20), HOLES: (1, 1)}
    assert Together(500, 20).strength < Together(1, 1).strength
    assert blamed([NEWS, HOLES], (3000, 30), seen) == NEWS


def test_where_nothing_is_known_what_names_one_thing_is_suspected_first() -> None:
    never = dict.fromkeys((AND, WHAT_IS, NEWS, HOLES, "nosplit:rock and roll", "mystery:x"), (0, 0))
    assert blamed(list(never), (0, 0), never) == HOLES
    assert blamed([AND, WHAT_IS, NEWS], (0, 0), never) == NEWS
    assert blamed([AND, WHAT_IS], (0, 0), never) == WHAT_IS
    assert blamed([AND, "mystery:x"], (0, 0), never) == "mystery:x"


def test_every_kind_of_ingredient_has_its_place() -> None:
    assert set(KINDS_BY_SUSPICION) == set(PartKind) - {PartKind.MARK}
    assert len(KINDS_BY_SUSPICION) == len(set(KINDS_BY_SUSPICION))


def test_of_equals_the_rarer_and_then_the_first_in_the_alphabet_is_suspected() -> None:
    assert blamed([KNOTS, TIDES], (0, 0), {KNOTS: (4, 2), TIDES: (1, 1)}) == TIDES  # 2/√4 = 1/√1
    assert blamed(["b", "a"], (0, 0), {"a": (2, 1), "b": (2, 1)}) == "a"
    assert blamed(["b", "a"], (0, 0), {}) == "a"


def test_what_was_never_counted_is_suspected_only_where_nothing_else_was_said() -> None:
    assert blamed([HOLES, KNOTS], (9, 1), {KNOTS: (9, 1)}) == KNOTS


def test_of_nothing_there_is_no_suspect() -> None:
    with pytest.raises(ValueError):
        Accusation([]).of([])


# --- two together ---

BOTH = pair_of(NEWS, HOLES)
BOTH_NAMED = '["intent:news:headlines", "topic:black holes"]'


def test_a_fault_that_strikes_only_where_two_stand_together_is_put_down_to_both() -> None:
    # 20/√20 = 4.5, against 20/√100 = 2 and 20/√200 = 1.4
    seen, pairs = {NEWS: (200, 20), HOLES: (100, 20), AND: (500, 20)}, {BOTH: (20, 20)}
    assert blamed([NEWS, AND, HOLES], (1000, 20), seen, pairs) == BOTH_NAMED
    assert blamed([HOLES, AND], (1000, 20), seen, pairs) == HOLES


def test_where_one_alone_does_it_nothing_beside_it_is_suspected() -> None:
    # 40/√40 = 6.3 against 20/√20 = 4.5
    assert blamed([NEWS, HOLES], (1000, 40), {HOLES: (40, 40), NEWS: (500, 20)}, {BOTH: (20, 20)}) == HOLES


def test_two_that_never_stand_apart_are_no_better_known_than_one() -> None:
    assert blamed([NEWS, HOLES], (1000, 20), {HOLES: (20, 20), NEWS: (20, 20)}, {BOTH: (20, 20)}) == HOLES
    assert blamed([NEWS, HOLES], (1000, 20), {HOLES: (20, 20), NEWS: (90, 20)}, {BOTH: (20, 20)}) == HOLES


def test_three_flags_are_too_few_for_a_pair_and_four_enough() -> None:
    few = {HOLES: (100, 3), NEWS: (100, 3)}
    assert blamed([NEWS, HOLES], (1000, 3), few, {BOTH: (3, 3)}) == HOLES
    more = {HOLES: (100, 4), NEWS: (100, 4)}
    assert blamed([NEWS, HOLES], (1000, 4), more, {BOTH: (4, 4)}) == BOTH_NAMED  # one in C(100, 4), 3.9 million


def test_what_is_said_beside_a_fault_that_comes_and_goes_is_not_suspected_with_it() -> None:
    """4/√6 = 1.6 is more than 10/√100 = 1; but among the ten flags of a hundred, four of six come by chance.

    C(10, 4) · C(90, 2) / C(100, 6) = 0.0007, and there are thousands of pairs to see it in.
    """
    seen = {HOLES: (100, 10), NEWS: (200, 14)}
    assert Together(6, 4).strength > max(Together(*counts).strength for counts in seen.values())
    assert blamed([NEWS, HOLES], (1000, 60), seen, {BOTH: (6, 4)}) == HOLES


def test_counts_of_a_pair_without_those_of_its_two_give_no_suspect() -> None:
    assert not tells_more(Together(20, 20), [Together(), Together(100, 20)], Together(1000, 20))
    assert not tells_more(Together(20, 20), [Together(100, 20), Together(100, 20)], Together())


def test_a_pair_is_read_only_where_it_can_be_stronger_than_its_two() -> None:
    assert flags_to_beat(Together(40, 31)) == pytest.approx(961 / 40)  # with 24 flags in 24 runs it would be weaker
    assert flags_to_beat(Together(100, 1)) == 3  # fewer than four never will do


def test_a_pair_needs_three_different_queries() -> None:
    """One that is asked twenty times over has all of its parts in twenty flagged runs, and any two of them too."""
    seen = {NEWS: Together(200, 20), HOLES: Together(100, 20)}
    suspects = ranked(Together(1000, 20), seen, {BOTH: Together(20, 20)})
    assert [suspect.name for suspect in suspects] == [BOTH_NAMED, HOLES, NEWS]
    queries = [{NEWS, HOLES}, {NEWS, HOLES, AND}, {NEWS, AND}, {HOLES, AND}]
    assert [suspect.name for suspect in widespread(suspects, queries)] == [HOLES, NEWS]
    assert widespread(suspects, [*queries, {NEWS, HOLES, KNOTS}]) == suspects


def test_the_stronger_pair_is_suspected() -> None:
    seen = {HOLES: (100, 24), NEWS: (200, 24), AND: (500, 24)}
    pairs = {BOTH: (24, 24), pair_of(AND, HOLES): (50, 24), pair_of(AND, NEWS): (100, 24)}
    assert blamed([NEWS, AND, HOLES], (1000, 24), seen, pairs) == BOTH_NAMED


def test_a_name_stands_for_one_or_for_two() -> None:
    assert members(HOLES) == (HOLES,)
    assert members(BOTH_NAMED) == (NEWS, HOLES)
    assert members("[a bracket") == ("[a bracket",)
    assert members("[1]") == ("[1]",)
    assert members("") == ("",)


def test_whatever_its_two_are_called_a_pair_names_both() -> None:
    odd = pair_of('topic:a "quoted" one', "joint: и ")
    named = blamed(list(odd), (1000, 20), dict.fromkeys(odd, (100, 20)), {odd: (20, 20)})
    assert members(named) == odd
