"""Queries as rows keep them, and as they kept them before parts knew their plain phrase."""

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.storage.serialization import query_document, query_of

SAID = Query(
    "keywords_in_other_case",
    (
        Part(PartKind.INTENT, "HEADLINES", "news", "headlines"),
        Part(PartKind.CONJUNCTION, " and "),
        Part(PartKind.INTENT, "rss", "news"),
    ),
)


def test_a_part_is_kept_with_its_plain_phrase_where_it_has_one() -> None:
    assert query_document(SAID) == {
        "recipe": "keywords_in_other_case",
        "parts": [["intent", "HEADLINES", "news", "headlines"], ["joint", " and ", ""], ["intent", "rss", "news"]],
    }


def test_a_query_comes_back_as_it_was() -> None:
    assert query_of(query_document(SAID)) == SAID


def test_a_document_of_before_is_read_too() -> None:
    document = {"recipe": "multi_intent_chain", "parts": [["intent", "rss", "news"], ["mark", ", ", ""]]}
    assert query_of(document).parts == (Part(PartKind.INTENT, "rss", "news"), Part(PartKind.MARK, ", "))
