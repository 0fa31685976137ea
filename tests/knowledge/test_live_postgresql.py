"""Search on a real PostgreSQL: what its own means do there, and that it does without pg_trgm where there is none."""

import pytest
from django.db import connection

from selftest.knowledge.core.answers import SearchRequest
from selftest.knowledge.index import spellings, words, writing
from selftest.knowledge.searching import search
from tests.knowledge.pieces import EVERY, FILTERS, GRINDER, VALVES

pytestmark = [pytest.mark.django_db, pytest.mark.database("postgresql")]


@pytest.fixture(autouse=True)
def _pieces(db: None) -> None:
    writing.put(EVERY)


def asked(statement: str, *values: object) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return [str(row[0]) for row in cursor.fetchall()]


def titles(text: str) -> list[str]:
    return [hit.title for hit in search(SearchRequest(text)).hits]


def test_words_of_a_piece_are_stemmed_as_its_language_has_it() -> None:
    rows = "SELECT words FROM knowledge_words w JOIN knowledge_chunk c ON c.id = w.chunk_id WHERE c.key = %s"
    assert "'ventil'" in asked(rows, VALVES.id)[0]
    assert "'trimestr'" in asked(rows, FILTERS.id)[0]
    assert "'bean'" in asked(rows, GRINDER.id)[0]


def test_full_text_and_misspelt_words_are_looked_up_by_their_indexes() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO knowledge_term (language, word, stem, pieces) "
            "SELECT 'en', left(md5(n::text), 12), left(md5(n::text), 12), 1 FROM generate_series(1, 20000) n"
        )
        cursor.execute("ANALYZE knowledge_term")
        cursor.execute("SELECT gin_clean_pending_list('knowledge_term_by_trigram')")  # as autovacuum does
    asked("SELECT set_config('enable_seqscan', 'off', true)")
    plan = "EXPLAIN SELECT chunk_id FROM knowledge_words WHERE words @@ websearch_to_tsquery('english', 'grinder')"
    assert "knowledge_words_by_word" in "\n".join(asked(plan))
    plan = "EXPLAIN SELECT chunk_id FROM knowledge_words w, (SELECT 'grinder'::tsquery AS q) asked WHERE "
    assert "knowledge_words_by_title" in "\n".join(asked(plan + words.IN_TITLE))
    plan = "EXPLAIN SELECT word FROM knowledge_term WHERE word % 'grindr'"
    assert "knowledge_term_by_trigram" in "\n".join(asked(plan))


def test_a_misspelt_word_is_alike_by_its_trigrams_from_a_similarity_on() -> None:
    assert "descaling" in dict(spellings.alike("descalinng", 0.3))
    assert "descaling" not in dict(spellings.alike("descalinng", 0.95))


def test_without_pg_trgm_words_that_begin_alike_are_meant() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
    assert titles("grindre")[0] == GRINDER.title
    assert titles("grinder")[0] == GRINDER.title


def test_quotes_and_operators_of_its_query_language_are_text() -> None:
    for said in ("grinder & ! (", "'grinder':*", "grinder <-> jams", "grinder | \\", "-grinder"):
        assert GRINDER.title in titles(said), said
