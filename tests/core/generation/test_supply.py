"""What each recipe can make of a vocabulary: a shortage is named exactly where there is nothing to make."""

from collections.abc import Callable

import pytest

from selftest.core.generation.recipes import RECIPES
from selftest.core.generation.supply import supplies
from selftest.core.generation.vocabulary import parse_vocabulary
from tests.vocabularies import Document, example_document, small_document

LISTS = ("conjunctions", "nosplit_phrases", "discourse_phrases")
SEEDS = (
    "proper_noun_pairs",
    "conditions",
    "consequences",
    "pronoun_requests",
    "discourse_topics",
    "open_topics",
)


def six_phrases() -> Document:
    """The small document with one phrase more, so that there are six: as many as the longest recipe needs."""
    document = small_document()
    document["sources"]["tides"].append("spring tide")
    return document


def missing(document: Document) -> dict[str, str]:
    """By recipe, what it lacks, in words; of those that lack anything."""
    found = supplies(parse_vocabulary(document))
    assert [supply.recipe for supply in found] == list(RECIPES)
    for supply in found:
        assert (supply.combinations == 0) == bool(supply.missing), supply
    return {supply.recipe: "; ".join(map(str, supply.missing)) for supply in found if supply.missing}


def shortened(key: str, length: int, document: Document) -> Document:
    """`document` with only the first entries of one list."""
    if key in SEEDS:
        return document | {"seeds": document["seeds"] | {key: document["seeds"][key][:length]}}
    return document | {key: document[key][:length]}


def with_sources(sources: dict[str, list[str]]) -> Document:
    headers = {name: f"[{name.upper()}]" for name in (*sources, "almanac")}
    return small_document() | {"sources": sources, "headers": headers, "fallbacks": {}}


@pytest.mark.parametrize("document", [six_phrases, example_document])
def test_a_rich_vocabulary_lacks_nothing(document: Callable[[], Document]) -> None:
    assert missing(document()) == {}


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize("key", [*LISTS, *SEEDS])
@pytest.mark.parametrize("document", [six_phrases, example_document])
def test_a_shortage_is_named_where_and_only_where_nothing_can_be_made(
    document: Callable[[], Document], key: str, length: int
) -> None:
    path = f"seeds.{key}" if key in SEEDS else key
    assert all(f" in {path}" in text for text in missing(shortened(key, length, document())).values())


@pytest.mark.parametrize(
    ("key", "length", "expected"),
    [
        ("proper_noun_pairs", 1, {"nested_proper_noun_pairs": "needs one more pair in seeds.proper_noun_pairs"}),
        ("pronoun_requests", 1, {"pair_between_pronoun_intents": "needs one more request in seeds.pronoun_requests"}),
        ("open_topics", 1, {"very_long_input": "needs one more topic without a keyword in seeds.open_topics"}),
        ("nosplit_phrases", 0, "needs one more phrase that must not split in nosplit_phrases"),
        ("discourse_phrases", 0, "needs one more discourse phrase in discourse_phrases"),
        ("conditions", 0, "needs one more condition in seeds.conditions"),
        ("consequences", 0, "needs one more consequence in seeds.consequences"),
        ("conjunctions", 0, "needs one more conjunction in conjunctions"),
    ],
)
def test_the_sentence_names_the_key_and_how_many_more(key: str, length: int, expected: dict[str, str] | str) -> None:
    found = missing(shortened(key, length, example_document()))
    assert found == expected if isinstance(expected, dict) else expected in found.values()


def test_a_topic_that_holds_a_keyword_does_not_count() -> None:
    document = six_phrases()
    document["seeds"]["discourse_topics"] = ["the high tide myth"]
    assert missing(document) == {
        "discourse_framing_plus_real_keyword": "needs one more topic without a keyword in seeds.discourse_topics"
    }


def test_a_long_chain_needs_six_phrases() -> None:
    assert missing(small_document()) == {"long_intent_chain": "needs one more keyword phrase in sources"}


def test_a_router_of_one_source_makes_no_chains() -> None:
    found = missing(with_sources({"tides": ["high tide", "low tide"]}))
    assert found["multi_intent_chain"] == "needs one more source in sources"
    assert found["repeated_intent"] == "needs one more source in sources"
    assert found["long_intent_chain"] == "needs 4 more keyword phrases in sources"


def test_a_router_of_nothing_but_an_encyclopedia_has_no_keyword_beside_it() -> None:
    found = missing(with_sources({"almanac": ["high tide", "low tide"]}))
    assert (
        found["discourse_framing_around_keyword"]
        == "needs one more keyword phrase of a source other than the encyclopedia in sources"
    )


def test_phrases_without_letters_have_no_other_case() -> None:
    found = missing(with_sources({"tides": ["12"], "ferry": ["next ferry"]}))
    assert found["keywords_in_other_case"] == "needs one more source with a phrase that has another case in sources"


def test_phrases_of_three_letters_have_no_lookalikes() -> None:
    found = missing(with_sources({"tides": ["ebb"], "ferry": ["bus"]}))
    assert found["lookalike_keyword"] == "needs one more keyword phrase of more than 3 characters in sources"


def test_conditions_that_every_phrase_is_related_to_leave_no_remainder() -> None:
    document = with_sources({"tides": ["high tide"], "ferry": ["next ferry"]})
    document["seeds"]["conditions"] = ["if the next ferry is late at high tide"]
    found = missing(document)
    assert found["conditional_with_remainder"] == "needs one more keyword phrase unrelated to a condition in sources"
    assert found["condition_in_later_place"] == (
        "needs 2 more sources with a keyword phrase unrelated to a condition in sources"
    )


def test_of_several_shapes_the_one_that_lacks_least_is_named() -> None:
    document = small_document()
    document["seeds"] = {key: [] for key in SEEDS}
    found = missing(document)
    assert found["megaquery"] == "needs one more pair in seeds.proper_noun_pairs"
