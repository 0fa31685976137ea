"""The vocabularies that the tests of the core share."""

import pytest

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from tests.vocabularies import example_document, small_document


@pytest.fixture(scope="session")
def small() -> Vocabulary:
    return parse_vocabulary(small_document())


@pytest.fixture(scope="session")
def example() -> Vocabulary:
    return parse_vocabulary(example_document())
