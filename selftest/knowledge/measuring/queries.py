"""Queries with what should be found: read from a file, or made of pieces. Pure but for reading a file."""

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selftest.knowledge.core.answers import LONGEST_QUERY
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.core.words import STOP_WORDS, WORD

LONGEST_FILE_BYTES = 20_000_000
RARE = 2  # pieces that may have a word which tells one from the others
OF_EACH = 2  # queries of a piece in each category, of other words
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
QUESTIONS = (
    "how do I {}",
    "what happens with {}",
    "where can I read about {}",
    "I need help with {}",
    "why {}",
    "tell me about {}",
)


class QueriesError(ValueError):
    """A line that is no query. The message names it and says what is expected."""


@dataclass(frozen=True, slots=True)
class MeasuredQuery:
    """One query. expect: ids or `path#anchor`, any of which is right. half: "tuning" or "held_out", where told."""

    q: str
    expect: tuple[str, ...]
    category: str = "file"
    filters: Mapping[str, Any] = field(default_factory=dict)
    half: str = ""


def read_queries(path: Path) -> list[MeasuredQuery]:
    """Each line a query: `{"q", "filters", "expect": ["id or path#anchor"]}`. Raises QueriesError and OSError."""
    if path.stat().st_size > LONGEST_FILE_BYTES:
        raise QueriesError(f"{path.name} has more than {LONGEST_FILE_BYTES:,} bytes: split it")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as fault:
        raise QueriesError(f"{path.name} is not UTF-8 text") from fault
    found = [_query(line, f"{path.name}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise QueriesError(f'{path.name} has no queries; a line is {{"q": "…", "expect": ["README.md#start"]}}')
    return found


def _query(line: str, where: str) -> MeasuredQuery:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise QueriesError(f"{where}: this is no JSON") from fault
    if not isinstance(said, dict):
        raise QueriesError(f"{where}: an object is expected")
    q, expect, filters = said.get("q"), said.get("expect"), said.get("filters", {})
    if not isinstance(q, str) or not 0 < len(q.strip()) <= len(q) <= LONGEST_QUERY:
        raise QueriesError(f'{where}: "q" must be text of 1 to {LONGEST_QUERY} characters')
    if not isinstance(expect, list) or not expect or not all(isinstance(each, str) and each for each in expect):
        raise QueriesError(f'{where}: "expect" must list ids or path#anchor, one at least')
    if not isinstance(filters, dict):
        raise QueriesError(f'{where}: "filters" must be an object')
    return MeasuredQuery(q, tuple(expect), str(said.get("category", "file")), filters, str(said.get("half", "")))


def made_of(pieces: Sequence[Chunk], seed: int = 1) -> list[MeasuredQuery]:
    """Queries whose truth is known by how they are made: exact, words, stems, typo, short, natural and by language.

    The same for the same pieces, in any order, and seed.
    """
    rng = random.Random(seed)
    ordered = sorted(pieces, key=lambda piece: piece.id)
    having: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for piece in ordered:
        for word in sorted(_words(piece)):
            having[(piece.language, word)].append(piece)
    made: list[MeasuredQuery] = []
    for piece in ordered:
        telling = sorted(word for word in _words(piece) if len(having[(piece.language, word)]) <= RARE)
        made += _exact(piece, rng)
        if len(telling) >= 3:
            made += (query for _ in range(OF_EACH) for query in _of_words(piece, telling, having, rng))
    return list(_once(made))


def _once(queries: Sequence[MeasuredQuery]) -> Iterator[MeasuredQuery]:
    """Each text once in a category; what is right for either is right."""
    right: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for each in queries:
        right[(each.category, each.q)].update(dict.fromkeys(each.expect))
    seen: set[tuple[str, str]] = set()
    for each in queries:
        key = (each.category, each.q)
        if key not in seen:
            seen.add(key)
            yield MeasuredQuery(each.q, tuple(right[key]), each.category, _NO_FILTERS, each.half)


_NO_FILTERS: Mapping[str, Any] = {}


def _words(piece: Chunk) -> set[str]:
    """Those of letters alone that can tell a piece from others."""
    stops = STOP_WORDS.get(piece.language, frozenset())
    found = {word.casefold() for word in WORD.findall(f"{piece.title} {piece.body}")}
    return {word for word in found if len(word) >= 5 and word.isalpha() and word not in stops}


def _exact(piece: Chunk, rng: random.Random) -> Iterator[MeasuredQuery]:
    for name in piece.identifiers[:2]:
        said = rng.choice((name, name.upper() if name.isascii() else name, f" {name} "))
        yield MeasuredQuery(said, _right(piece), "exact", _NO_FILTERS)


def _of_words(
    piece: Chunk, telling: Sequence[str], having: Mapping[tuple[str, str], Sequence[Chunk]], rng: random.Random
) -> Iterator[MeasuredQuery]:
    first, second, third = rng.sample(list(telling), 3)
    words = "language" if piece.language != "en" else "words"
    yield MeasuredQuery(f"{first} {second} {third}", _right(piece), words, _NO_FILTERS)
    typo = "language" if piece.language != "en" else "typo"
    yield MeasuredQuery(f"{slipped(first, rng)} {second}", _right(piece), typo, _NO_FILTERS)
    if piece.language != "en":
        return
    right = tuple(name for each in having[("en", third)] for name in _right(each))
    yield MeasuredQuery(third, right, "short", _NO_FILTERS)
    yield MeasuredQuery(f"{formed(first, rng)} {formed(second, rng)}", _right(piece), "stems", _NO_FILTERS)
    yield MeasuredQuery(rng.choice(QUESTIONS).format(_passage(piece, first)), _right(piece), "natural", _NO_FILTERS)


def _right(piece: Chunk) -> tuple[str, ...]:
    """A check says the same in each of its languages; of a long section the piece that fits best is found."""
    if piece.kind == Kind.DOCTOR and piece.identifiers:
        return (piece.id, piece.identifiers[0])
    if piece.kind == Kind.DOCS and piece.path:
        return (piece.id, f"{piece.path}#{piece.anchor}")
    return (piece.id,)


def _passage(piece: Chunk, word: str) -> str:
    """Three words of the text on each side of a word, as they stand there."""
    words = WORD.findall(f"{piece.title} {piece.body}")
    place = next(number for number, each in enumerate(words) if each.casefold() == word)
    return " ".join(words[max(0, place - 3) : place + 4]).lower()


def formed(word: str, rng: random.Random) -> str:
    """Another form of an English word, as regular words have them."""
    if word.endswith("s"):
        return word if word.endswith("ss") else word[:-1]
    if word.endswith(("ed", "ing", "ly", "er", "ion", "y", "al", "en")):
        return f"{word}s" if word.endswith(("er", "ion", "ing")) else word
    root = word[:-1] if word.endswith("e") else word
    return rng.choice((f"{word}s", f"{root}ing", f"{root}ed"))


def slipped(word: str, rng: random.Random) -> str:
    """A word with one slip: a letter dropped, doubled, swapped with the next, or a neighbour's key; never the first."""
    place = rng.randrange(1, len(word) - 1)
    kind = rng.choice(("drop", "double", "swap", "key"))
    if kind == "drop":
        return word[:place] + word[place + 1 :]
    if kind == "double":
        return word[: place + 1] + word[place:]
    if kind == "swap" and word[place] != word[place + 1]:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    row = next((row for row in KEYS if word[place] in row), "")
    near = row[max(0, row.index(word[place]) - 1) : row.index(word[place]) + 2].replace(word[place], "") if row else ""
    return word[:place] + rng.choice(near or "x") + word[place + 1 :]
