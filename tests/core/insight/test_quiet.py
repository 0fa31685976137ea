"""When a cause counts as quiet, and when as back."""

import pytest

from selftest.core.insight.quiet import QuietSpell, chance_of_none, ended_spell, quiet_spell


@pytest.mark.parametrize(
    ("runs", "could", "did", "chance"),
    [
        (0, 5, 3, 1.0),
        (1, 0, 0, 1 / 2),
        (1, 1, 1, 1 / 3),
        (2, 1, 1, 1 / 3 * 2 / 4),
        (1, 8, 4, 5 / 10),
        (3, 8, 8, 1 / 10 * 2 / 11 * 3 / 12),
    ],
)
def test_the_chance_of_none_is_by_the_rule_of_succession(runs: int, could: int, did: int, chance: float) -> None:
    assert chance_of_none(runs, could, did) == pytest.approx(chance)


def test_it_is_quiet_after_enough_queries_that_could_have_shown_it() -> None:
    spell = quiet_spell([(4, 4), (4, 4), (3, 0)], (0, 0))
    assert spell is not None
    assert (spell.runs, spell.chance) == (3, pytest.approx(1 / 10 * 2 / 11 * 3 / 12))


def test_few_queries_say_nothing() -> None:
    assert quiet_spell([(8, 1), (8, 0)], (0, 0)) is None
    assert quiet_spell([(8, 1), (800, 0)], (0, 0)) is not None


def test_what_the_newest_cycle_shows_is_not_quiet() -> None:
    assert quiet_spell([(8, 8), (800, 0), (8, 1)], (0, 0)) is None
    assert quiet_spell([], (80, 60)) is None


def test_what_no_cycle_shows_that_is_kept_is_judged_by_all_that_is_known() -> None:
    assert quiet_spell([(30, 0), (30, 0)], (80, 60)) == QuietSpell(60, pytest.approx(chance_of_none(60, 80, 60)))


def test_cycles_before_its_first_flag_say_nothing_of_how_often_it_shows() -> None:
    assert quiet_spell([(500, 0), (8, 8), (20, 0)], (0, 0)) == quiet_spell([(8, 8), (20, 0)], (0, 0))


def test_it_is_back_where_a_recent_cycle_ended_a_quiet_spell() -> None:
    counts = [(8, 8), (20, 0), (20, 0), (8, 1)]
    assert ended_spell(counts) == QuietSpell(40, pytest.approx(chance_of_none(40, 8, 8)))
    assert ended_spell([*counts, (8, 8), (8, 0)]) == ended_spell(counts)
    assert ended_spell([*counts, (8, 8)], cycles=1) is None
    assert ended_spell([*counts, *[(8, 8)] * 5]) is None


def test_what_is_new_is_not_back() -> None:
    assert ended_spell([(400, 0), (8, 8)]) is None
    assert ended_spell([(8, 8)]) is None
