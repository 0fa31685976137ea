"""Searches every text there is, and shows the nearest where nothing matches: something for any word."""

from functools import lru_cache

from selftest.targets.reference.phrases import content_words, words
from selftest.targets.reference.sources.fulltext import Document, Index
from selftest.targets.reference.steps import FoundItem, Question

MAX_RESULTS = 4  # one screen of a phone


def web(question: Question, everything: Index) -> tuple[FoundItem, ...]:
    """Documents that hold the words; where none does, those whose titles are spelled most like the question.

    () where it has no word at all: signs are like nothing.
    """
    if not words(question.text):
        return ()
    hits = everything.search(content_words(question.text), MAX_RESULTS)
    found = [hit.document for hit in hits] or _nearest(question.text, everything.documents)
    return tuple(
        FoundItem(document.key, f"- {document.title} ({document.origin}) — {_teaser(document)}") for document in found
    )


def _teaser(document: Document) -> str:
    return document.text.split(". ")[0].rstrip(".") + "."


def _nearest(text: str, documents: tuple[Document, ...]) -> list[Document]:
    asked = _letter_triples(" ".join(words(text)))  # a quotation mark is no letter
    return sorted(documents, key=lambda document: -_likeness(asked, _letter_triples(document.title)))[:MAX_RESULTS]


@lru_cache(maxsize=1024)
def _letter_triples(text: str) -> frozenset[str]:
    padded = f"  {text.casefold()} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard index, 0 to 1."""
    return len(one & other) / len(one | other)
