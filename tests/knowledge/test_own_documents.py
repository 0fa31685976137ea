"""Queries that people would ask of the product's own documents, written by a person who had not seen how search works.

The bars hold what is reached, a little below it: questions in wholly other words are beyond synonyms, and need a
sentence encoder. `manage.py measure_search --queries FILE` names each miss.
"""

from pathlib import Path

import pytest

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.measuring.measure import Measured, measure
from selftest.knowledge.measuring.queries import read_queries
from selftest.knowledge.rebuilding import rebuild

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent


def measured(name: str) -> Measured:
    rebuild()
    return measure(read_queries(HERE / name), lambda _: Filters())


def test_full_text_queries_are_answered() -> None:
    found = measured("full_text_queries.jsonl")
    assert found.every.queries == 34
    assert found.every.recall[5] >= 0.97, found.misses


def test_semantic_queries_are_answered_as_far_as_words_go() -> None:
    found = measured("semantic_queries.jsonl")
    assert found.every.queries == 48
    assert found.every.recall[5] >= 0.7, found.misses
    assert found.categories["exact"].recall[5] == 1.0, found.misses
    assert found.categories["synonym"].recall[5] >= 0.85, found.misses
