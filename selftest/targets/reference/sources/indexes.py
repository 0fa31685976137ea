"""The indexes over the bundled texts, built once a process. Decides which texts are in which index."""

import os
from functools import lru_cache

from selftest.targets.reference.content import rows
from selftest.targets.reference.sources.fulltext import Document, Index


def articles() -> Index:
    """The encyclopedia's articles."""
    return _index("articles", os.getpid())


def everything() -> Index:
    """Every bundled text: articles, web pages and headlines."""
    return _index("everything", os.getpid())


@lru_cache(maxsize=4)
def _index(name: str, process_id: int) -> Index:
    # Each process has its own: a lock copied by fork could be held by a thread that does not exist here.
    if name == "articles":
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
