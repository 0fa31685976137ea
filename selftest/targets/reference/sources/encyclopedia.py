"""Answers subjects from short articles. Finds by words; says nothing where no article holds any of them."""

from selftest.targets.reference.phrases import content_words, words
from selftest.targets.reference.sources.fulltext import Index
from selftest.targets.reference.steps import FoundItem, Question

MAX_ARTICLES = 3  # a pair needs two; more than three is a list of links, not an answer
WORTH_SHOWING = 0.45  # of the best score: below it an article merely mentions a word of the question


def encyclopedia(question: Question, articles: Index) -> tuple[FoundItem, ...]:
    """The articles that the question is about, best first, each whole; () where none holds a word of it."""
    hits = articles.search(content_words(question.text) or words(question.text), MAX_ARTICLES)
    return tuple(
        FoundItem(hit.document.key, f"{hit.document.title}: {hit.document.text}")
        for hit in hits
        if hit.score >= WORTH_SHOWING * hits[0].score
    )
