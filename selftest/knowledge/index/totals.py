"""What the index is in all: how many pieces, how long, and each word with how many pieces have it.

Gathered while pieces are written, and written at their end: a word that a thousand pieces have is counted up once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.models import F

from selftest.knowledge.core.chunks import Chunk
from selftest.knowledge.core.words import LANGUAGES, LONGEST_WORD, stem, words_of, words_of_name
from selftest.knowledge.models import IndexState

LONGEST_STEM = 60  # characters that its column holds

Counted = tuple[str, str, str, int]  # language, word, stem and by how many pieces more or fewer


class Write:
    """One change of the index, in a transaction."""

    def __init__(self) -> None:
        self._words: Counter[tuple[str, str]] = Counter()
        self._pieces, self._length = 0, 0.0
        self._encoder: str | None = None
        self._number: int | None = None

    def begin(self) -> int:
        """Before its first change; its number. Another write waits until the transaction ends: numbers grow in the
        order of what is seen.
        """
        if self._number is None:
            IndexState.objects.get_or_create(pk=1)
            IndexState.objects.filter(pk=1).update(writes=F("writes") + 1)
            self._number = IndexState.objects.values_list("writes", flat=True).get(pk=1)
        return self._number

    def add(self, chunk: Chunk, length: float, encoder: str) -> None:
        """A piece that is there now. encoder: what its vector was made by; "" where it has none."""
        self._words.update(_words(chunk))
        self._pieces += 1
        self._length += length
        self._encoder = encoder

    def remove(self, chunk: Chunk, length: float) -> None:
        """A piece that was there before."""
        self._words.subtract(_words(chunk))
        self._pieces -= 1
        self._length -= length

    def finish(self) -> None:
        """Writes what it came to. In one order of words, so that two who do it at once cannot block each other."""
        rows = [
            (language, word, stem(word, language)[:LONGEST_STEM], by)
            for (language, word), by in sorted(self._words.items())
            if by
        ]
        _count(rows)
        state = IndexState.objects.filter(pk=1)
        if self._encoder is not None:
            # Vectors of two encoders cannot be compared: then none is searched by, until a rebuild makes all again.
            state.filter(pieces__gt=0).exclude(encoder=self._encoder).update(encoder="")
            state.filter(pieces=0).update(encoder=self._encoder)
        if self._pieces or self._length:
            state.update(pieces=F("pieces") + self._pieces, total_length=F("total_length") + self._length)


@contextmanager
def one_write() -> Iterator[Write]:
    """All that is written within it is seen at once."""
    with transaction.atomic():
        write = Write()
        yield write
        write.finish()


def _words(chunk: Chunk) -> set[tuple[str, str]]:
    """Those of a piece, each with its language."""
    language = chunk.language if chunk.language in LANGUAGES else ""
    found = {*words_of(chunk.title), *words_of(chunk.body)}
    found.update(word for name in (*chunk.identifiers, *chunk.tags) for word in words_of_name(name))
    return {(language, word) for word in found if 2 <= len(word) < LONGEST_WORD}


def _count(rows: Sequence[Counted]) -> None:
    if not rows:
        return
    into = "INSERT INTO knowledge_term (language, word, stem, pieces) "
    twice = "ON CONFLICT (language, word) DO UPDATE SET pieces = knowledge_term.pieces + excluded.pieces"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columns = [list(column) for column in zip(*rows, strict=True)]
            cursor.execute(
                f"{into} SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::integer[]) {twice}",  # noqa: S608
                columns,
            )
        else:
            cursor.executemany(f"{into} VALUES (%s, %s, %s, %s) {twice}", rows)
            _note_trigrams(sorted({word for _, word, _, by in rows if by > 0}))


def _note_trigrams(found: Sequence[str]) -> None:
    """New words only: a word that no piece has any more stays, and counts as none."""
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO knowledge_trigrams (rowid, word) SELECT id, word FROM knowledge_term WHERE word = %s "
            "AND id = (SELECT min(id) FROM knowledge_term WHERE word = %s) "
            "AND NOT EXISTS (SELECT 1 FROM knowledge_trigrams WHERE rowid = knowledge_term.id)",
            [(word, word) for word in found],
        )
