"""Where phrases occur in a text, as whole words in any case. Knows plain phrases, and nothing of routing."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff]")  # zero-width marks come along when text is copied from a page
WORD = re.compile(r"\w+(?:'\w+)?")
# Words that say nothing about a subject. Every word of "is it up" and "are they up" is among them, on purpose.
STOP_WORDS = frozenset(
    WORD.findall(
        """a about again all am an and any are as at be been but by can could did do does for from get getting had has
        have he her his how i if in into is it its i'd i'll i'm i've just keep like me my no not of off on or our
        please she should so some that the their them then there they this to too up us was we were what what's whats
        when where which who whom whose why will with would you your"""
    )
)
Span = tuple[int, int]  # start and end, in characters
PhrasesBySource = Mapping[str, Sequence[str]]  # the intent map of a vocabulary: source → its keywords


def straightened(text: str) -> str:
    """`text` with single spaces, straight apostrophes and nothing invisible; its case is kept, capitals tell names."""
    return " ".join(INVISIBLE.sub("", text.replace("’", "'")).split())


def words(text: str) -> list[str]:
    """The words of `text` in order, in lower case and straightened; an apostrophe inside belongs to its word."""
    return WORD.findall(straightened(text).casefold())


def content_words(text: str) -> list[str]:
    """The words of `text` that name a subject, in order."""
    return [word for word in words(text) if word not in STOP_WORDS]


@lru_cache(maxsize=1024)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted({straightened(phrase) for phrase in phrases}, key=len, reverse=True)
    alternatives = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


def spans(text: str, phrases: Iterable[str]) -> list[Span]:
    """Where any of `phrases` occurs in `text`, left to right; the longer of two that begin at one position."""
    looked_for = tuple(phrases)
    return [match.span() for match in _pattern(looked_for).finditer(text)] if looked_for else []


def holds(text: str, phrases: Iterable[str]) -> bool:
    """Whether any of `phrases` occurs in `text`."""
    return bool(spans(text, phrases))


def begins_with(text: str, phrases: Iterable[str]) -> bool:
    """Whether `text`, spaces in front of it aside, begins with any of `phrases`."""
    looked_for = tuple(phrases)
    return bool(looked_for) and _pattern(looked_for).match(text.lstrip()) is not None


def without(text: str, phrases: Iterable[str]) -> str:
    """`text` with every one of `phrases` taken out, straightened."""
    looked_for = tuple(phrases)
    return straightened(_pattern(looked_for).sub(" ", text)) if looked_for else straightened(text)


def keywords(sources: PhrasesBySource) -> tuple[str, ...]:
    """Every keyword of every source, in the order of the vocabulary."""
    return tuple(phrase for phrases in sources.values() for phrase in phrases)


def named_sources(text: str, sources: PhrasesBySource) -> tuple[str, ...]:
    """The sources whose keywords occur in `text`, in the order in which they are first named."""
    firsts = {source: found[0] for source, phrases in sources.items() if (found := spans(text, phrases))}
    return tuple(sorted(firsts, key=lambda source: firsts[source]))


def find_conjunctions(text: str, conjunctions: tuple[str, ...], unbroken: Iterable[str]) -> tuple[Span, ...]:
    """Every one of `conjunctions` in `text`, left to right, that is no part of a phrase of `unbroken`."""
    pattern = _conjunction_pattern(conjunctions)
    if pattern is None:
        return ()
    whole = spans(text, unbroken)
    found = (match.span() for match in pattern.finditer(text))
    return tuple(span for span in found if not any(start < span[1] and span[0] < end for start, end in whole))


@lru_cache(maxsize=64)
def _conjunction_pattern(conjunctions: tuple[str, ...]) -> re.Pattern[str] | None:
    if not conjunctions:
        return None
    longest_first = sorted(conjunctions, key=len, reverse=True)
    # The space before a conjunction is looked at, not consumed: in "rss and also google" both words are conjunctions.
    alternatives = (
        (r"(?<=\s)" if conjunction[0].isspace() else "") + r"\s+".join(map(re.escape, conjunction.split()))
        for conjunction in longest_first
    )
    return re.compile(rf"(?:{'|'.join(alternatives)})(?=\s)", re.IGNORECASE)
