"""The vocabulary that comes with the reference router."""

import json
from functools import lru_cache
from importlib import resources

from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary


@lru_cache(maxsize=1)
def reference_vocabulary() -> Vocabulary:
    """The vocabulary, parsed once a process."""
    return parse_vocabulary(reference_document())


def reference_document() -> object:
    """The vocabulary as its document, decoded; a new one at every call."""
    return json.loads(resources.files(__package__).joinpath("vocabulary.json").read_text(encoding="utf-8"))
