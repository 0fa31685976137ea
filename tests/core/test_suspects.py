"""Which ingredient is suspected: figures worked out by hand."""

import pytest

from selftest.core.suspects import Together, most_suspect


def test_what_was_never_flagged_has_no_strength() -> None:
    assert Together(said=9, flagged=0).strength == 0.0
    assert Together(said=0, flagged=0).strength == 0.0


def test_half_of_its_runs_flagged_is_half_as_strong_as_all() -> None:
    assert Together(said=4, flagged=2).strength == 1.0  # 2 / √4
    assert Together(said=4, flagged=4).strength == 2.0


def test_a_joint_that_stands_everywhere_is_less_suspect_than_the_topic_that_always_fails() -> None:
    seen = {"joint: and ": Together(said=100, flagged=10), "topic:black holes": Together(said=8, flagged=8)}
    # 10 / √100 is 1; 8 / √8 is 2.83
    assert most_suspect(["joint: and ", "topic:black holes"], seen) == "topic:black holes"


def test_among_equals_the_first_in_the_alphabet_is_named_whatever_their_order() -> None:
    assert most_suspect(["b", "a"], {}) == "a"
    assert most_suspect(["a", "b"], {"a": Together(2, 1), "b": Together(2, 1)}) == "a"


def test_of_nothing_nobody_is_suspected() -> None:
    with pytest.raises(ValueError):
        most_suspect([], {})
