"""Reads `if condition, consequence, remainder`, wherever in a query. Decides what the parts are, not who answers."""

from collections.abc import Iterable
from dataclasses import dataclass

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.decomposition import find_joints
from selftest.targets.reference.phrases import begins_with, straightened

OPENERS = ("if", "when", "whenever", "once", "in case", "as soon as")


@dataclass(frozen=True)
class Conditional:
    """condition: without its "if". consequence: what to do then. remainder: the unrelated rest, or "".

    before: what is asked ahead of the condition, or "".
    """

    condition: str
    consequence: str
    remainder: str
    before: str = ""


def read_conditional(query: str, vocabulary: Vocabulary) -> Conditional | None:
    """The parts of `query`, or None where it is no conditional. It may open the query or follow any joint."""
    query = straightened(query)
    starts = [(0, 0), *find_joints(query, vocabulary)]
    read = (_read(query[end:].strip(), query[:start].rstrip(" ,"), vocabulary) for start, end in starts)
    return next((conditional for conditional in read if conditional is not None), None)


def _read(text: str, before: str, vocabulary: Vocabulary) -> Conditional | None:
    """Known seeds may hold commas of their own."""
    known = vocabulary.seeds.conditions
    condition, rest = _head(text, known)
    if not rest or not begins_with(text, (*OPENERS, *known)):
        return None
    consequence, remainder = _head(rest, vocabulary.seeds.consequences)
    return Conditional(_without_opener(condition), consequence, remainder, before)


def _head(text: str, known: Iterable[str]) -> tuple[str, str]:
    """`text` parted at its first comma, or after the longest known phrase that it opens with."""
    for phrase in sorted(known, key=len, reverse=True):
        folded = f"{straightened(phrase).casefold()},"
        if text.casefold().startswith(folded):
            return text[: len(folded) - 1].strip(), text[len(folded) :].strip()
    head, _, rest = text.partition(",")
    return head.strip(), rest.strip()


def _without_opener(condition: str) -> str:
    for opener in sorted(OPENERS, key=len, reverse=True):
        if begins_with(condition, (opener,)):
            return condition[len(opener) :].strip() or condition
    return condition
