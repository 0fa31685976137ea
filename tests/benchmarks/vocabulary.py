"""A vocabulary as rich as a router's that is in use: its chains alone make many millions of combinations."""

from typing import Any

from tests.vocabularies import example_document

PHRASES_A_SOURCE = 19  # some 113 keyword phrases over six sources, as the specification counts them
TOPICS = 60


def rich_document() -> dict[str, Any]:
    document = example_document()
    for source, phrases in document["sources"].items():
        phrases += [f"{source} matter {number}" for number in range(len(phrases), PHRASES_A_SOURCE)]
    seeds = document["seeds"]
    seeds["proper_noun_pairs"] += [f"Castor {number} and Pollux {number}" for number in range(20)]
    seeds["discourse_topics"] += [f"fashion {number}" for number in range(TOPICS)]
    seeds["open_topics"] += [f"subject {number}" for number in range(TOPICS)]
    return document
