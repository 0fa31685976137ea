"""Generated queries for the routers of the zoo."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest

from selftest.core.generation.generator import Generator, introductions
from selftest.core.generation.queries import Query
from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.targets.reference.zoo.habits import document_of, manner_of
from selftest.targets.reference.zoo.manner import Manner

Queries = Callable[[tuple[str, ...], int, int], tuple[Query, ...]]


def generated(vocabulary: Vocabulary, count: int, seed: int) -> tuple[Query, ...]:
    generator = Generator(vocabulary, introductions(vocabulary, 1, {}), list(RECIPES.values()), {}, seed)
    return tuple(generator.next_queries(count))


@lru_cache(maxsize=64)
def _generated_for(asked_by: str, count: int, seed: int) -> tuple[Query, ...]:
    return generated(parse_vocabulary(json.loads(asked_by)), count, seed)


@pytest.fixture
def queries_for() -> Queries:
    """(habits, count, seed) → that many queries of all recipes; made once for all habits that read them alike."""

    def queries(habits: tuple[str, ...], count: int, seed: int) -> tuple[Query, ...]:
        manner = manner_of(habits)
        asked_by = replace(Manner(), domain=manner.domain, encyclopedia_keywords=manner.encyclopedia_keywords)
        return _generated_for(json.dumps(document_of(asked_by)), count, seed)

    return queries
