"""Full text: each database's own index of words, behind one meaning.

SQLite: FTS5 with Porter's stemmer; pieces in another language bring their stems along. PostgreSQL: a tsvector by the
configuration of each piece's language. Both only find candidates: their order is `core/ranking.py`'s, on both the same.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from selftest.knowledge.core.chunks import Chunk
from selftest.knowledge.core.words import stem, words_of, words_of_name

CONFIGURATIONS = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "ru": "russian"}
MOST_CANDIDATES = 200  # of one search in this lane; the ranking reads each of them
MOST_FORMS = 20_000  # that a process keeps
MANY = 2_000  # pieces; from here on PostgreSQL looks among titles first
MOST_WORDS = 20_000  # of a body; PostgreSQL refuses a vector above one megabyte

# A word in the title counts ten times as much as one in the text: where more pieces than are wanted have it there, the
# others are not among the best, and the vectors of tens of thousands need not be read.
IN_TITLE = "ts_filter(w.words, '{a}') @@ asked.q"
BY_INDEX = "SET LOCAL random_page_cost = 1.1; SET LOCAL max_parallel_workers_per_gather = 0"

_known_forms: dict[tuple[str, str], str] = {}

Condition = tuple[str, list[str | int]]
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
    concepts: Sequence[Alternatives],
    every: bool,
    condition: Condition,
    limit: int = MOST_CANDIDATES,
    having: int = 0,
    held: Collection[tuple[str, str]] | None = None,
) -> list[int]:
    """The keys of rows that hold all of the concepts (every) or any of them, the likeliest first.

    concepts: words in lower case. condition: what pieces must be, over the table `c`, with its parameters. having: in
    how many pieces they may be. held: languages with stems that pieces have, as `Term` says; None: not looked up.
    """
    if not concepts:
        return []
    if connection.vendor == "postgresql":
        found = (
            "SELECT w.chunk_id AS pk, -ts_rank(w.words, asked.q, 1) AS badness "
            "FROM (SELECT %s::tsquery AS q) asked, knowledge_words w WHERE w.words @@ asked.q"
        )
        asked = _tsquery(concepts, every, held)
    else:
        found = (
            "SELECT rowid AS pk, bm25(knowledge_words, 3, 2, 1, 1, 1) AS badness "
            "FROM knowledge_words WHERE knowledge_words MATCH %s"
        )
        asked = _match(concepts, every, held)
    with connection.cursor() as cursor:
        if having >= MANY and connection.vendor == "postgresql":
            best = _of_the_best(cursor, f"{found} AND {IN_TITLE}", asked, condition, limit)
            if best is not None and len(best) == limit:
                return best
        best = _of_the_best(cursor, found, asked, condition, limit)
        return _of_all(cursor, found, asked, condition, limit) if best is None else best


def _of_the_best(cursor: CursorWrapper, found: str, asked: str, condition: Condition, limit: int) -> list[int] | None:
    """The first `limit` rows, of five times as many; None where these may not hold them all.

    A common word is in many thousands of pieces. To look each of them up, for what it must be and for an order of
    those that fit equally well, takes longer than to find it.
    """
    where, values = condition
    most = limit * 5
    rows = _selected(
        cursor,
        f"WITH found AS MATERIALIZED ({found} ORDER BY badness LIMIT {most:d}) "  # noqa: S608 - ours
        "SELECT every.pieces, every.worst, kept.id, kept.badness "
        "FROM (SELECT count(*) AS pieces, max(badness) AS worst FROM found) every LEFT JOIN ("
        f"SELECT c.id, c.key, found.badness FROM found JOIN knowledge_chunk c ON c.id = found.pk WHERE {where}"
        f") kept ON TRUE ORDER BY kept.badness, kept.key LIMIT {limit:d}",
        [asked, *values],
    )
    (pieces, worst, _, last) = rows[-1]
    if pieces == most and (len(rows) < limit or last == worst):
        return None
    return [pk for _, _, pk, _ in rows if pk is not None]


def _of_all(cursor: CursorWrapper, found: str, asked: str, condition: Condition, limit: int) -> list[int]:
    where, values = condition
    rows = _selected(
        cursor,
        f"SELECT c.id FROM ({found}) found JOIN knowledge_chunk c ON c.id = found.pk WHERE {where} "  # noqa: S608 - ours
        f"ORDER BY found.badness, c.key LIMIT {limit:d}",
        [asked, *values],
    )
    return [pk for (pk,) in rows]


def _selected(cursor: CursorWrapper, statement: str, values: Sequence[str | int]) -> list[tuple[Any, ...]]:
    """PostgreSQL takes a page out of order for four times as costly as the next one, and reads a table of vectors as a
    whole, with a process to help, where its index leads to a twentieth of them. Here they are in memory: for the one
    transaction that statements sent together are, it is told so.
    """
    is_told = connection.vendor == "postgresql"
    cursor.execute(f"{BY_INDEX}; {statement}" if is_told else statement, values)
    while is_told and cursor.nextset():
        pass
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


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


def _tsquery(concepts: Sequence[Alternatives], every: bool, held: Collection[tuple[str, str]] | None) -> str:
    """In each language the same words: `a AND b` in English, or the same in German, and so on; each form of them once.

    Most words have one form in most languages, and what a row is ranked by costs as much as there are forms.
    """
    asked = [
        [(" ".join(phrase), _configuration(language)) for phrase in ways for language in _languages(phrase, held)]
        for ways in concepts
    ]
    forms = _forms({each for ways in asked for each in ways})
    said = [dict.fromkeys(f"({forms[each]})" for each in ways if forms[each]) for ways in asked]
    return (" & " if every else " | ").join(f"({' | '.join(ways)})" for ways in said if ways)


def _languages(phrase: tuple[str, ...], held: Collection[tuple[str, str]] | None) -> Sequence[str]:
    """Those in which pieces have all words of a phrase; all where none has: what only headings above say is no term."""
    every = (*CONFIGURATIONS, "")
    if held is None:
        return every
    return [each for each in every if all((each, stem(word, each)) in held for word in phrase)] or every


def _forms(wanted: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Phrases, each with a configuration, as PostgreSQL reads them; "" where all are stop words. Each is asked once."""
    found = {each: form for each in wanted if (form := _known_forms.get(each)) is not None}
    unknown = sorted(set(wanted) - found.keys())
    if unknown:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT said, language, phraseto_tsquery(language::regconfig, said)::text "
                "FROM unnest(%s::text[], %s::text[]) AS wanted (said, language)",
                [[said for said, _ in unknown], [language for _, language in unknown]],
            )
            found.update({(said, language): form for said, language, form in cursor.fetchall()})
        if len(_known_forms) > MOST_FORMS:
            _known_forms.clear()
        _known_forms.update(found)
    return found


def _match(concepts: Sequence[Alternatives], every: bool, held: Collection[tuple[str, str]] | None) -> str:
    """What words are is decided by `words_of`: letters and digits alone, so that quotes need no escape."""
    said = []
    for ways in concepts:
        forms = []
        for phrase in ways:
            forms.append(f'"{" ".join(phrase)}"')
            if len(phrase) == 1:
                others = [each for each in _languages(phrase, held) if each not in ("en", "")]
                forms += [f'stems : "{stem(phrase[0], each)}"' for each in others]
        said.append(f"({' OR '.join(dict.fromkeys(forms))})")
    return (" AND " if every else " OR ").join(said)
