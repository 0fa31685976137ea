"""Full text: each database's own index of words, behind one meaning.

SQLite: FTS5 with Porter's stemmer; pieces in another language bring their stems along. PostgreSQL: a tsvector by the
configuration of each piece's language. Both only find candidates: their order is `core/ranking.py`'s, on both the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction

from selftest.knowledge.core.chunks import Chunk
from selftest.knowledge.core.words import stem, words_of, words_of_name

CONFIGURATIONS = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "ru": "russian"}
MOST_CANDIDATES = 200  # of one search in this lane; the ranking reads each of them
MOST_WORDS = 20_000  # of a body; PostgreSQL refuses a vector above one megabyte

Alternatives = Sequence[tuple[str, ...]]  # ways to say one thing, each a phrase


def put(entries: Sequence[tuple[int, Chunk]]) -> None:
    """Makes pieces, as rows by their key, findable by their words; their earlier words must have been dropped."""
    if not entries:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columns = zip(
                *((pk, _configuration(chunk.language), *_fields(chunk)) for pk, chunk in entries), strict=True
            )
            cursor.execute(
                "INSERT INTO knowledge_words (chunk_id, words) SELECT pk, "
                "setweight(to_tsvector(language, title), 'A') || setweight(to_tsvector(language, names), 'B') || "
                "setweight(to_tsvector(language, section), 'C') || to_tsvector(language, body) "
                "FROM unnest(%s::bigint[], %s::regconfig[], %s::text[], %s::text[], %s::text[], %s::text[]) "
                "AS entered (pk, language, title, names, section, body)",
                [list(column) for column in columns],
            )
        else:
            cursor.executemany(
                "INSERT INTO knowledge_words (rowid, title, names, section, body, stems) "
                "VALUES (%s, %s, %s, %s, %s, %s)",
                [(pk, *_fields(chunk), _stems(chunk)) for pk, chunk in entries],
            )


def drop(pks: Iterable[int]) -> None:
    """Makes pieces, by the keys of their rows, unfindable by words."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DELETE FROM knowledge_words WHERE chunk_id = ANY(%s::bigint[])", [list(pks)])
        else:
            cursor.executemany("DELETE FROM knowledge_words WHERE rowid = %s", [(pk,) for pk in pks])


def candidates(
    concepts: Sequence[Alternatives], every: bool, condition: tuple[str, list[str | int]], limit: int = MOST_CANDIDATES
) -> list[int]:
    """The keys of rows that hold all of the concepts (every) or any of them, the likeliest first.

    concepts: words in lower case. condition: what pieces must be, over the table `c`, with its parameters.
    """
    if not concepts:
        return []
    where, values = condition
    if connection.vendor == "postgresql":
        statement = (
            "WITH asked AS (SELECT %s::tsquery AS q) SELECT c.id FROM asked, knowledge_words w "  # noqa: S608 - ours
            f"JOIN knowledge_chunk c ON c.id = w.chunk_id WHERE w.words @@ asked.q AND {where} "
            f"ORDER BY ts_rank(w.words, asked.q) DESC, c.key LIMIT {limit:d}"
        )
        parameters = [_tsquery(concepts, every), *values]
    else:
        statement = (
            "SELECT c.id FROM knowledge_words JOIN knowledge_chunk c ON c.id = knowledge_words.rowid "  # noqa: S608
            f"WHERE knowledge_words MATCH %s AND {where} "
            f"ORDER BY bm25(knowledge_words, 3, 2, 1, 1, 1), c.key LIMIT {limit:d}"
        )
        parameters = [_match(concepts, every), *values]
    with _by_index(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [pk for (pk,) in cursor.fetchall()]


@contextmanager
def _by_index() -> Iterator[None]:
    """PostgreSQL takes a page out of order for four times as costly as the next one, and reads a table of vectors as a
    whole, with a process to help, where its index leads to a twentieth of them. Here they are in memory.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(savepoint=False):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL random_page_cost = 1.1; SET LOCAL max_parallel_workers_per_gather = 0")
        yield


def _fields(chunk: Chunk) -> tuple[str, str, str, str]:
    """Title, names, section and body, as words in lower case: neither database parts words as the other does."""
    return (
        " ".join(words_of(chunk.title)),
        " ".join(word for name in (*chunk.identifiers, *chunk.tags) for word in words_of_name(name)),
        " ".join(word for heading in chunk.section_path for word in words_of(heading)),
        " ".join(words_of(chunk.body)[:MOST_WORDS]),
    )


def _stems(chunk: Chunk) -> str:
    if chunk.language not in CONFIGURATIONS or chunk.language == "en":
        return ""
    return " ".join(dict.fromkeys(stem(word, chunk.language) for field in _fields(chunk) for word in field.split()))


def _configuration(language: str) -> str:
    return CONFIGURATIONS.get(language, "simple")


def _tsquery(concepts: Sequence[Alternatives], every: bool) -> str:
    """In each language the same words: `a AND b` in English, or the same in German, and so on; each form of them once.

    Most words have one form in most languages, and what a row is ranked by costs as much as there are forms.
    """
    phrases = list(dict.fromkeys(" ".join(phrase) for ways in concepts for phrase in ways))
    forms: dict[str, dict[str, None]] = {phrase: {} for phrase in phrases}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT said, phraseto_tsquery(language::regconfig, said)::text FROM unnest(%s::text[]) said, "
            "unnest(%s::text[]) language",
            [phrases, [*CONFIGURATIONS.values(), "simple"]],
        )
        for phrase, form in cursor.fetchall():
            if form:  # in its language it is not only stop words
                forms[phrase][f"({form})"] = None
    asked = [dict.fromkeys(form for phrase in ways for form in forms[" ".join(phrase)]) for ways in concepts]
    return (" & " if every else " | ").join(f"({' | '.join(ways)})" for ways in asked if ways)


def _match(concepts: Sequence[Alternatives], every: bool) -> str:
    """What words are is decided by `words_of`: letters and digits alone, so that quotes need no escape."""
    said = []
    for ways in concepts:
        forms = []
        for phrase in ways:
            forms.append(f'"{" ".join(phrase)}"')
            if len(phrase) == 1:
                stems = dict.fromkeys(stem(phrase[0], language) for language in CONFIGURATIONS if language != "en")
                forms += [f'stems : "{each}"' for each in stems]
        said.append(f"({' OR '.join(dict.fromkeys(forms))})")
    return (" AND " if every else " OR ").join(said)
