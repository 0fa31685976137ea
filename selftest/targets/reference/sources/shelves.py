"""The indexes over the bundled texts, built once a process. Decides what is on which shelf."""

import os
from functools import lru_cache

from selftest.targets.reference.content import rows
from selftest.targets.reference.sources.fulltext import Document, Index


def articles() -> Index:
    return _index("articles", os.getpid())


def everything() -> Index:
    return _index("everything", os.getpid())


@lru_cache(maxsize=4)
def _index(shelf: str, process_id: int) -> Index:
    # A process of its own for each index: a lock or a connection taken over by fork could be held by nobody.
    if shelf == "articles":
        return Index(_articles())
    return Index((*_articles(), *_pages(), *_headlines()))


def _articles() -> tuple[Document, ...]:
    return tuple(
        Document(f"article:{row['title']}", row["title"], row["text"], "encyclopedia") for row in rows("articles")
    )


def _pages() -> tuple[Document, ...]:
    return tuple(Document(f"page:{row['title']}", row["title"], row["text"], row["site"]) for row in rows("pages"))


def _headlines() -> tuple[Document, ...]:
    return tuple(
        Document(f"headline:{row['headline']}", row["headline"], f"Reported under {row['topic']}.", "headlines")
        for row in rows("headlines")
    )
