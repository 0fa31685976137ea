"""Generated queries for the routers of the zoo."""

from collections.abc import Callable
from functools import lru_cache

import pytest

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.zoo.habits import manner_of, vocabulary_of

Queries = Callable[[tuple[str, ...], int, int], tuple[Query, ...]]


def generated(vocabulary: Vocabulary, count: int, seed: int) -> tuple[Query, ...]:
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    return tuple(generator.next_queries(count))


@lru_cache(maxsize=64)
def _generated_for(habits: tuple[str, ...], count: int, seed: int) -> tuple[Query, ...]:
    return generated(vocabulary_of(manner_of(habits)), count, seed)


@pytest.fixture
def queries_for() -> Queries:
    """(habits, count, seed) → that many queries of all recipes."""
    return _generated_for
