"""Answers subjects from short articles. Finds by words; says nothing where no article holds any of them."""

from selftest.targets.reference.phrases import content_words, words
from selftest.targets.reference.sources import shelves
from selftest.targets.reference.sources.base import Item, Question

MAX_ARTICLES = 3  # a pair needs two; more than three is a list of links, not an answer
WORTH_SHOWING = 0.45  # of the best score: below it an article merely mentions a word of the question


def encyclopedia(question: Question) -> tuple[Item, ...]:
    hits = shelves.articles().search(content_words(question.text) or words(question.text), MAX_ARTICLES)
    return tuple(
        Item(hit.document.key, f"{hit.document.title}: {hit.document.text}")
        for hit in hits
        if hit.score >= WORTH_SHOWING * hits[0].score
    )
