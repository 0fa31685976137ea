"""Full-text search in memory with SQLite FTS5, ranked by bm25. Knows documents, not sources."""

import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass

TITLE_WEIGHT = 8.0  # a word in the title says what a document is about, one in the text only what it mentions
TEXT_WEIGHT = 1.0


@dataclass(frozen=True)
class Document:
    """key: unique within an index. origin: where it is from, for people."""

    key: str
    title: str
    text: str
    origin: str = ""


@dataclass(frozen=True)
class Hit:
    """score: higher is better, comparable within one search only."""

    document: Document
    score: float


class Index:
    """An index over documents. One connection behind a lock: a search takes a fraction of a millisecond."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            "CREATE VIRTUAL TABLE documents USING fts5(title, text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._connection.executemany(
            "INSERT INTO documents (rowid, title, text) VALUES (?, ?, ?)",
            [(number, document.title, document.text) for number, document in enumerate(self.documents)],
        )

    def search(self, words: Sequence[str], limit: int) -> list[Hit]:
        """The documents that hold any of `words`, stemmed, best first; at most `limit`."""
        if not words:
            return []
        any_of = " OR ".join(f'"{word}"' for word in dict.fromkeys(words) if '"' not in word)
        with self._lock:
            rows = self._connection.execute(
                "SELECT rowid, bm25(documents, ?, ?) AS badness FROM documents"
                " WHERE documents MATCH ? ORDER BY badness, rowid LIMIT ?",
                (TITLE_WEIGHT, TEXT_WEIGHT, any_of, limit),
            ).fetchall()
        return [Hit(self.documents[number], -badness) for number, badness in rows]
