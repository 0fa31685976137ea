"""Finding combinations by the words of their query: each database's own full-text index, behind one meaning.

A text is found by words, in any order and any case; each stands for every word that begins with it.
SQLite keeps the words in two tables of its own, which rows enter when they are made and when they are first flagged: a
fingerprint's words never change. PostgreSQL has indexes on the column.
"""

import re
from collections.abc import Iterable, Sequence

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from selftest.models import Combination

WORD = re.compile(r"\w+")
MAX_WORDS = 12  # more only narrow what is found already
ALL_WORDS = "selftest_combination_words"
FLAGGED_WORDS = "selftest_flagged_words"


def words_of(text: str) -> list[str]:
    return WORD.findall(text.casefold().replace("_", " "))


def note_new(combinations: Sequence[Combination]) -> None:
    """Makes these saved combinations findable."""
    enter(ALL_WORDS, ((combination.pk, combination.last_query_text) for combination in combinations))


def note_flagged(combinations: Sequence[Combination]) -> None:
    """Makes combinations that are flagged for the first time findable among the flagged."""
    enter(FLAGGED_WORDS, ((combination.pk, combination.last_query_text) for combination in combinations))


def enter(table: str, texts: Iterable[tuple[int, str]]) -> None:
    """Puts combinations, as their keys and query texts, into one of the two tables; each goes into either but once."""
    if connection.vendor != "sqlite":
        return
    rows = [(key, " ".join(words_of(text))) for key, text in texts]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {table} (rowid, words) VALUES (%s, %s)", rows)  # noqa: S608 - ours


def settle() -> None:
    """After very many were entered: makes one index of the many small ones that they went into."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for table in (ALL_WORDS, FLAGGED_WORDS):
            cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - ours


def among_flagged(rows: QuerySet[Combination], text: str) -> QuerySet[Combination]:
    """Those of `rows`, which were flagged one time or other, whose query holds all words of `text`; all for no word."""
    words = words_of(text)[:MAX_WORDS]
    if not words:
        return rows
    if connection.vendor == "postgresql":
        return _holding(rows, words)
    found = RawSQL(f"SELECT rowid FROM {FLAGGED_WORDS} WHERE words MATCH %s", (_match(words),))  # noqa: S608, S611
    return rows.filter(Q(pk__in=found))


def newest_holding(text: str, below: int | None, limit: int) -> list[int]:
    """The keys of the newest combinations whose query holds all words of `text`, the newest first.

    below: only keys less than this. A text without words holds nothing.
    """
    words = words_of(text)[:MAX_WORDS]
    if not words:
        return []
    if connection.vendor == "postgresql":
        rows = _holding(Combination.objects.all(), words)
        rows = rows if below is None else rows.filter(pk__lt=below)
        return list(rows.order_by("-id").values_list("pk", flat=True)[:limit])
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid FROM {ALL_WORDS} WHERE words MATCH %s AND rowid < %s ORDER BY rowid DESC LIMIT %s",  # noqa: S608
            (_match(words), 2**63 - 1 if below is None else below, limit),
        )
        return [key for (key,) in cursor.fetchall()]


def _match(words: Iterable[str]) -> str:
    return " ".join(f'"{word}"*' for word in words)


def _holding(rows: QuerySet[Combination], words: Iterable[str]) -> QuerySet[Combination]:
    wanted = SearchQuery(" & ".join(f"{word}:*" for word in words), config="simple", search_type="raw")
    return rows.annotate(words=SearchVector("last_query_text", config="simple")).filter(words=wanted)
