"""What the words of a sentence commit it to: content, numbers, names, negations, opposites. By words alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from selftest.evaluation.core.graders.word_lists import (
    CLAUSE_ENDS,
    MULTIPLIERS,
    NEGATORS,
    NUMBER_WORDS,
    OPPOSITES,
    PRONOUNS,
    REWRITTEN,
    STEMMERS,
    STOP_WORDS,
    TURNING,
)

NEGATED_WORDS = 4  # that carry meaning, on each side: farther away, a negator speaks of something else
LEAST_DENIED = 4  # letters after "un": "under" denies nothing
TOKENS = re.compile(
    r"https?://\S+|(?<!\w)\w[\w.+-]{0,63}@\w[\w.-]*"  # says where, not what
    r"|(?P<number>(?:(?<![\w.,])[-−])?\d+(?:[.,:/]\d+)*)(?:(?:st|nd|rd|th)\b)?"  # 3rd is 3
    r"|(?P<mixed>[^\W\d_]+\d\w*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<end>[.;:!?()–—\n])"
)
INNER_WORDS = re.compile(r"(?<=[\w,'’\"“”)] )[^\W\d_]\w+")  # the first word of a sentence has a capital anyway
REWRITES = tuple((re.compile(pattern), replacement) for pattern, replacement in REWRITTEN)
REWRITABLE = re.compile("|".join(f"(?:{pattern})" for pattern, _ in REWRITTEN))  # most sentences are not: one look
NOUN_CAPITALS = frozenset(("de", "lb"))  # languages that write every noun with a capital


@dataclass(frozen=True, slots=True)
class Statement:
    """words: stems that carry meaning. numbers: as figures. names: stems of words with a capital. tokens: all of these.

    negated: for each negator the stems that it speaks of. sides: word that has an opposite → which of the two it is.
    refers: whether it has a pronoun, which may name something of another sentence.
    """

    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    tokens: frozenset[str]
    negated: tuple[frozenset[str], ...]
    sides: tuple[tuple[str, frozenset[int]], ...]
    refers: bool

    @property
    def weight(self) -> int:
        """How many words and numbers it is made of."""
        return len(self.tokens)


@dataclass(slots=True)
class _Word:
    """A word of a clause, or a negator. side: as `sided` tells it, turned by a negator in front of it."""

    stem: str
    side: int = 0
    negates: str = ""


@lru_cache(maxsize=8192)  # an answer is held against the same sources at each asking
def statement_of(text: str, language: str) -> Statement:
    """What `text`, a sentence or a clause, says. language: a code of ISO 639-1."""
    stops = STOP_WORDS.get(language, STOP_WORDS["en"])
    clauses: list[list[_Word]] = [[]]
    numbers: set[str] = set()
    names: set[str] = set()
    refers = False
    last: _Word | None = None  # "on" and "up" have an opposite where they end a clause; elsewhere they lead on
    for kind, token, is_name in _tokens(text):
        if kind == "end" or token in CLAUSE_ENDS:
            clauses[-1] += [last] if last else []
            clauses.append([])
            last = None
            continue
        last = None
        refers = refers or token in PRONOUNS
        if kind == "number":
            numbers.add(token)
        elif token in NEGATORS:
            clauses[-1].append(_Word("", negates=token))
        else:
            word = _Word(*sided(token, language))
            if token in stops:
                last = word if word.side else None
                continue
            clauses[-1].append(word)
            if is_name:
                names.add(word.stem)
    clauses[-1] += [last] if last else []
    negated = tuple(scope for clause in clauses for scope in _negated(clause))
    words = frozenset(word.stem for clause in clauses for word in clause if word.stem)
    sides: dict[str, set[int]] = {}
    for word in (word for clause in clauses for word in clause if word.side):
        sides.setdefault(word.stem, set()).add(word.side)
    return Statement(
        words,
        frozenset(numbers),
        frozenset() if language in NOUN_CAPITALS else frozenset(names),
        words | numbers,
        negated,
        tuple((word, frozenset(both)) for word, both in sides.items()),
        refers,
    )


def _negated(clause: list[_Word]) -> Iterator[frozenset[str]]:
    """What each negator of a clause speaks of. One right in front of a word with an opposite makes it that instead."""
    for place, word in enumerate(clause):
        if not word.negates:
            continue
        following = clause[place + 1] if place + 1 < len(clause) else None
        if following and following.side and word.negates in TURNING:
            following.side = -following.side
            continue
        around = clause[max(0, place - NEGATED_WORDS) : place + 1 + NEGATED_WORDS]
        yield frozenset(other.stem for other in around if other.stem)


@lru_cache(maxsize=65536)
def stem_of(word: str, language: str) -> str:
    """The stem of `word`, in lower case; the word itself in a language without stemmer."""
    name = STEMMERS.get(language)
    return str(_stemmer(name).stemWord(word)) if name else word


def sided(word: str, language: str) -> tuple[str, int]:
    """The stem of `word`, and 1 or -1 where it has an opposite; the two share one stem then. Else 0."""
    stem = stem_of(word, language)
    if known := _opposites(language).get(word) or _opposites(language).get(stem):
        return known
    if word.startswith("un") and len(word) >= LEAST_DENIED + 2:
        return stem_of(word[2:], language), -1
    return stem, 0


@lru_cache(maxsize=16)
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)


@lru_cache(maxsize=16)
def _opposites(language: str) -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for line in OPPOSITES.strip().splitlines():
        one, other = line.split("|")
        key = stem_of(one.split()[0], language)
        for side, words in ((1, one.split()), (-1, other.split())):
            for word in words:
                found.setdefault(word, (key, side))
                found.setdefault(stem_of(word, language), (key, side))
    return found


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """Kind ("word", "number" or "end"), text in lower case, and whether it is written like a name."""
    capitals = {word.lower() for word in INNER_WORDS.findall(text) if word[0].isupper()}
    lowered = text.lower()
    if REWRITABLE.search(lowered):
        for pattern, replacement in REWRITES:
            lowered = pattern.sub(replacement, lowered)
    worded = ""  # a number in words that a multiplier may follow
    for match in TOKENS.finditer(lowered):
        kind, token = match.lastgroup, match[match.lastgroup or 0]
        if kind == "word" and token in MULTIPLIERS:
            worded = str(int(worded or 1) * MULTIPLIERS[token])
            continue
        if worded:
            yield "number", worded, False
            worded = ""
        if kind == "word" and token in NUMBER_WORDS:
            worded = str(NUMBER_WORDS[token])
        elif kind == "number":
            yield "number", figure_of(token), False
        elif kind == "mixed":
            yield "number", token, False
        elif kind == "word":
            word = re.sub(r"['’]s?$", "", token)
            yield "word", word, token in capitals or word in capitals
        elif kind == "end":
            yield "end", token, False
    if worded:
        yield "number", worded, False


def figure_of(written: str) -> str:
    """A number as it is compared: 1,000 is 1000, 07 is 7, 2.50 is 2.5."""
    number = written.replace("−", "-")
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", number):
        number = number.replace(",", "")
    number = re.sub(r"^(-?)0+(?=\d)", r"\1", number)
    if re.fullmatch(r"-?\d+[.,]\d+", number):
        number = number.replace(",", ".").rstrip("0").rstrip(".")
    return number
