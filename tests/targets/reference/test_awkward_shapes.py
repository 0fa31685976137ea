"""A healthy router is not accused, whatever the shape of what it is asked."""

import random

import pytest

from selftest.core.checks import Asking, findings
from selftest.core.combinations import Layer
from selftest.core.recipes import RECIPES
from selftest.core.vocabulary import Vocabulary
from selftest.targets.reference import ReferenceTarget

FEW_QUERIES, QUERIES = 30, 300  # of each recipe


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_no_query_of_any_shape_gets_a_finding(
    name: str, honest: ReferenceTarget, vocabulary: Vocabulary, is_full: bool
) -> None:
    layer = Layer(name, RECIPES[name].space(vocabulary), lambda part: 0, 0)
    rng = random.Random(name)
    for _ in range(QUERIES if is_full else FEW_QUERIES):
        query = RECIPES[name].query(layer.at(rng.randrange(layer.size)), rng)
        assert findings(Asking(query, honest.ask(query.text), vocabulary)) == (), query.text
