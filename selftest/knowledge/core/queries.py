"""A query as search understands it: identifiers typed as they are, words, a language, an intent. Pure.

Every character of a query is text: quotes, `-`, `*`, `OR` and `:` mean nothing.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from selftest.knowledge.core.answers import LONGEST_QUERY
from selftest.knowledge.core.words import HUMP, content_words, folded, language_of, words_of

METHOD = re.compile(r"(?i)^(get|post|put|patch|delete|head|options|trace)$")
NUMBERED = re.compile(r"^\d+$")
PLACEHOLDER = re.compile(r"\{[^{}/]*\}")
MOST_WORDS = 32  # of a query; more say nothing more
MOST_TOKENS = 24  # of a query that are tried as identifiers
_ASKS_HOW = {"how", "wie", "comment", "cómo", "como", "как", "steps", "guide", "tutorial", "anleitung"}
_ASKS_WHY = {
    "why", "error", "errors", "fail", "fails", "failed", "failure", "failing", "broken", "problem", "wrong",
    "crash", "cannot", "stuck", "warum", "fehler", "pourquoi", "erreur", "fallo", "почему", "ошибка",
}  # fmt: skip


class QueryRequiredError(ValueError):
    """There is nothing to search for."""


class QueryTooLongError(ValueError):
    """The query has more than LONGEST_QUERY characters."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked.

    text: spaces made one. identifiers: what may be one, as `identifier_key` writes it, the whole query first.
    words: those that say what it is about, in order, in lower case.
    last_is_open: whether the last word may be unfinished.
    """

    text: str
    identifiers: tuple[str, ...]
    words: tuple[str, ...]
    language: str
    intent: str
    last_is_open: bool


def normalized(text: str) -> str:
    """Spaces made one, control characters left out."""
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs") else letter for letter in text)
    return " ".join(unicodedata.normalize("NFC", shown).split())


def identifier_key(name: str) -> str:
    """How an identifier is compared: any case, any spaces, whatever its placeholders are called.

    `GET /runs/{run_id}` → `get /runs/{}`.
    """
    return PLACEHOLDER.sub("{}", " ".join(name.casefold().split()))[:300]


def parse(text: str, default_language: str = "en") -> Query:
    """text: what was typed. Raises QueryRequiredError and QueryTooLongError."""
    if len(text) > LONGEST_QUERY:
        raise QueryTooLongError
    said = normalized(text)
    if not said:
        raise QueryRequiredError
    language = language_of(said, default_language)
    words = words_of(said)
    intents = {folded(word) for word in words}
    identifiers = _identifiers(said)
    if len(said.split()) == 1 and not said.isalpha():
        intent = "identifier"
    elif intents & _ASKS_WHY:
        intent = "troubleshoot"
    elif intents & _ASKS_HOW:
        intent = "how_to"
    else:
        intent = "lookup"
    return Query(
        said, identifiers, tuple(content_words(words, language)[:MOST_WORDS]), language, intent,
        bool(words) and said[-1].isalnum() and not text[-1:].isspace(),
    )  # fmt: skip


def _identifiers(said: str) -> tuple[str, ...]:
    tokens = said.split()[:MOST_TOKENS]
    trimmed = [token.strip(".,;!?\"'`()<>“”„«»") or token for token in tokens]
    found = [said, *_pairs(trimmed), *(token for token in trimmed if not _is_plain_word(token))]
    found += [each.rstrip(":") for each in found]
    keys = [identifier_key(each) for each in found]
    keys += [_without_values(key) for key in keys]
    return tuple(dict.fromkeys(key for key in keys if key))


def _is_plain_word(token: str) -> bool:
    """In a longer query a word such as `report` is one of it, though an operation may be called so."""
    return token.isalpha() and not HUMP.search(token)


def _pairs(tokens: list[str]) -> list[str]:
    """`GET /path` and `cause 12`: two tokens that name one thing."""
    pairs = []
    for first, second in pairwise(tokens):
        if METHOD.match(first) or NUMBERED.match(second.lstrip("#")):
            pairs += [f"{first} {second}", f"{first} {second.lstrip('#')}"]
    return pairs


def _without_values(key: str) -> str:
    """A path with numbers in it, as the operation is written: `get /runs/12?x=1` → `get /runs/{}`."""
    if "/" not in key:
        return key
    path = key.split("?", 1)[0].rstrip("/") or key
    return re.sub(r"/\d+(?=/|$)", "/{}", path)
