"""A healthy router is not accused, whatever the shape of what it is asked."""

import random

import pytest

from selftest.core.generation.combination_space import Layer
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.check_table import specified_findings
from selftest.core.judging.context import CheckInput
from selftest.targets.reference.target import ReferenceTarget

FEW_QUERIES, QUERIES = 30, 300  # of each recipe


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_no_query_of_any_shape_gets_a_finding(
    name: str, honest: ReferenceTarget, vocabulary: Vocabulary, is_full: bool
) -> None:
    layer = Layer(name, RECIPES[name].space(vocabulary), lambda part: 0, 0)
    rng = random.Random(name)
    for _ in range(QUERIES if is_full else FEW_QUERIES):
        query = RECIPES[name].query(layer.at(rng.randrange(layer.size)), rng)
        assert specified_findings(CheckInput(query, honest.ask(query.text), vocabulary)) == (), query.text
