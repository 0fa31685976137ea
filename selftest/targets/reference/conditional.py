"""Reads `if condition, consequence, and remainder`, wherever in a query, also where a comma alone parts the remainder.

Decides what the parts are, not who answers.
"""

from collections.abc import Iterable

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.phrases import begins_with, find_conjunctions, keywords, straightened
from selftest.targets.reference.steps import Conditional

OPENERS = ("if", "when", "whenever", "once", "in case", "as soon as")


def read_conditional(query: str, vocabulary: Vocabulary) -> Conditional | None:
    """The parts of `query`, or None where it is no conditional. It may open the query or follow any conjunction."""
    query = straightened(query)
    unbroken = (*keywords(vocabulary.sources), *vocabulary.discourse_phrases)
    starts = [(0, 0), *find_conjunctions(query, vocabulary.conjunctions, unbroken)]
    read = (_read(query[end:].strip(), query[:start].rstrip(" ,"), vocabulary) for start, end in starts)
    return next((conditional for conditional in read if conditional is not None), None)


def _read(text: str, before: str, vocabulary: Vocabulary) -> Conditional | None:
    """A conditional that `text` opens with, or None. Known seeds may hold commas of their own."""
    known = vocabulary.seeds.conditions
    condition, rest = _head(text, known)
    if not rest or not begins_with(text, (*OPENERS, *known)):
        return None
    consequence, remainder = _head(rest, vocabulary.seeds.consequences)
    joins = sorted((conjunction.strip(" ,") for conjunction in vocabulary.conjunctions), key=len, reverse=True)
    return Conditional(_without_opener(condition), consequence, _without(joins, remainder), before)


def _head(text: str, known: Iterable[str]) -> tuple[str, str]:
    """`text` split at its first comma, or after the longest known phrase that it opens with."""
    for phrase in sorted(known, key=len, reverse=True):
        folded = f"{straightened(phrase).casefold()},"
        if text.casefold().startswith(folded):
            return text[: len(folded) - 1].strip(), text[len(folded) :].strip()
    head, _, rest = text.partition(",")
    return head.strip(), rest.strip()


def _without_opener(condition: str) -> str:
    return _without(sorted(OPENERS, key=len, reverse=True), condition)


def _without(openers: Iterable[str], text: str) -> str:
    """`text` without the first of these that it opens with; whole where nothing else is in it."""
    for opener in openers:
        if opener and begins_with(text, (opener,)):
            return text[len(opener) :].strip() or text
    return text
