"""Two ingredients in one name are told from one, whatever that looks like."""

import pytest

from selftest.core.generation.ingredient_pairs import members, pair_name


def test_a_pair_is_named_and_read_again() -> None:
    pair = ("intent:news:headlines", 'topic:Jürgen "the Grey"')
    assert members(pair_name(pair)) == pair


@pytest.mark.parametrize("name", ["topic:[1, 2]", "", "[", "[]", '["one"]', '["a", "b", "c"]', '{"a": "b"}', "[1"])
def test_anything_else_is_one_ingredient(name: str) -> None:
    assert members(name) == (name,)
