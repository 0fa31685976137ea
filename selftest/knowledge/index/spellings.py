"""The words that the index has: how rare they are, how they begin, and which are like one that it has not."""

from collections.abc import Collection, Mapping, Sequence

from django.db import connection
from django.db.models import Sum

from selftest.knowledge.core.spelling import trigrams
from selftest.knowledge.models import Term

MOST_ALIKE = 300  # words that a database names for one that is misspelt; the core chooses among them
SHORT = 8  # letters; shorter words with one slip may share no trigram with what was meant


def pieces_by_stem(stems: Collection[str]) -> Mapping[tuple[str, str], int]:
    """How many pieces have each stem, by language and stem; nothing for what the index has not."""
    rows = Term.objects.filter(stem__in=set(stems), pieces__gt=0).order_by()
    return {
        (language, each): int(pieces)
        for language, each, pieces in rows.values_list("language", "stem").annotate(Sum("pieces"))
    }


def beginning_with(start: str, limit: int) -> list[str]:
    """The most used words that begin so."""
    rows = Term.objects.filter(pieces__gt=0)
    if connection.vendor == "postgresql":
        rows = rows.filter(word__startswith=start)
    else:  # its LIKE uses no index
        rows = rows.filter(word__gte=start, word__lt=start + "\U0010ffff")
    found = rows.order_by().values_list("word").annotate(used=Sum("pieces")).order_by("-used", "word")
    return [word for word, _ in found[:limit]]


def alike(word: str, similar: float) -> list[tuple[str, int]]:
    """Words that may be meant by this one, each with how many pieces have it, in no order that means anything."""
    named = set(_by_trigrams(word, similar))
    rows = Term.objects.filter(pieces__gt=0, word__in=named).order_by()
    found = {each: int(used) for each, used in rows.values_list("word").annotate(Sum("pieces"))}
    if len(word) < SHORT:
        found.update(_short(word))
    return sorted(found.items())


def _by_trigrams(word: str, similar: float) -> Sequence[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            if not _has_trigrams():
                return [each for each, _ in _short(word)]
            cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, false)", (str(similar),))
            cursor.execute(
                "SELECT DISTINCT word, similarity(word, %s) AS alike FROM knowledge_term WHERE word %% %s "
                "ORDER BY alike DESC, word LIMIT %s",
                (word, word, MOST_ALIKE),
            )
            return [each for each, _ in cursor.fetchall()]
        parts = sorted(part for part in trigrams(word) if " " not in part)
        if not parts:
            return []
        cursor.execute(
            "SELECT word FROM knowledge_trigrams WHERE knowledge_trigrams MATCH %s "
            "ORDER BY bm25(knowledge_trigrams), word LIMIT %s",
            (" OR ".join(f'"{part}"' for part in parts), MOST_ALIKE),
        )
        return [each for (each,) in cursor.fetchall()]


def _has_trigrams() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
        return cursor.fetchone() is not None


def _short(word: str) -> list[tuple[str, int]]:
    """Words of about this length that begin as it does, or as it does with its first letters swapped."""
    starts = (word[0], word[1::-1])
    lengths = range(len(word) - 1, len(word) + 2)
    found: dict[str, int] = {}
    for start in starts:
        rows = Term.objects.filter(pieces__gt=0)
        if connection.vendor == "postgresql":
            rows = rows.filter(word__startswith=start)
        else:
            rows = rows.filter(word__gte=start, word__lt=start + "\U0010ffff")
        rows = rows.extra(where=[f"length(knowledge_term.word) IN ({', '.join(map(str, lengths))})"])  # noqa: S610
        found.update((each, int(used)) for each, used in rows.order_by().values_list("word").annotate(Sum("pieces")))
    return sorted(found.items())
