"""Where phrases stand in a text, as whole words and case apart. Decides nothing about routing."""

import re
from collections.abc import Iterable
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
Span = tuple[int, int]


def straightened(text: str) -> str:
    """`text` with single spaces, straight apostrophes and nothing invisible; its case is kept, capitals tell names."""
    return " ".join(INVISIBLE.sub("", text.replace("’", "'")).split())


def words(text: str) -> list[str]:
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
    """Where any of `phrases` stands in `text`, left to right, the longer of two at one place."""
    wanted = tuple(phrases)
    return [match.span() for match in _pattern(wanted).finditer(text)] if wanted else []


def holds(text: str, phrases: Iterable[str]) -> bool:
    return bool(spans(text, phrases))


def begins_with(text: str, phrases: Iterable[str]) -> bool:
    wanted = tuple(phrases)
    return bool(wanted) and _pattern(wanted).match(text.lstrip()) is not None


def without(text: str, phrases: Iterable[str]) -> str:
    """`text` with every one of `phrases` taken out."""
    wanted = tuple(phrases)
    return straightened(_pattern(wanted).sub(" ", text)) if wanted else straightened(text)
