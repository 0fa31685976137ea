"""Vectors of texts without a model: words, their parts and what they stand for, hashed. Pure.

What it can do: find texts that share words, word parts (a typo, a compound) or groups of synonyms. What it cannot:
know that two words are related that share none of these. Source: feature hashing, Weinberger et al. (2009).
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from selftest.knowledge.core.synonyms import alternatives, groups_of
from selftest.knowledge.core.words import STOP_WORDS, folded, stem, words_of

DIMENSIONS = 256
PART = 4  # letters
MOST_WORDS = 400  # of a text: its beginning says what it is about
WEIGHT_STEM, WEIGHT_GROUP, WEIGHT_PART = 1.0, 1.2, 0.25


Places = tuple[tuple[int, float], ...]  # of a vector, with what is added there


class Encoder(Protocol):
    """Makes vectors of texts. name: changes with all that changes its vectors.

    least_alike: the cosine below which two texts have nothing to do with each other. is_by_words: whether what is alike
    must share a word, most of one, or a synonym.
    """

    name: str
    dimensions: int
    least_alike: float
    is_by_words: bool

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        """One row of length 1 for each text; all zeros where there is nothing to go by."""
        ...


class HashEncoder:
    """The default: works anywhere, the same everywhere."""

    name = "hash-1"
    dimensions = DIMENSIONS
    least_alike = 0.18  # texts that share nothing reach some 0.1, and among many texts a few reach more
    is_by_words = True

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        """As `Encoder` says."""
        return [_row(text, language) for text, language in zip(texts, languages, strict=True)]


@dataclass(frozen=True, slots=True)
class Signs:
    """What a text must have some of to be like a query. parts: of each word; phrases: other words for the same."""

    stems: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    phrases: tuple[tuple[str, ...], ...]

    def stand_in(self, has: Callable[[str], bool], text: str) -> bool:
        """Whether one of them does; if none, a hash fell on another's place. has: a stem. text: all stems."""
        return (
            any(map(has, self.stems))
            or any(sum(part in text for part in parts) * 2 >= len(parts) for parts in self.parts)
            or any(all(map(has, phrase)) for phrase in self.phrases)
        )


@lru_cache(maxsize=100)
def signs_of(words: tuple[str, ...], language: str) -> Signs:
    """words: of a query, in lower case. language: of the text."""
    said = (phrase for _, _, numbers in groups_of(words, language) for phrase in alternatives((), numbers))
    return Signs(
        tuple(stem(word, language) for word in words),
        tuple(parts for word in words if (parts := tuple(_parts(folded(word))))),
        tuple(tuple(stem(word, language) for word in phrase) for phrase in said),
    )


def _row(text: str, language: str) -> list[float]:
    row = [0.0] * DIMENSIONS
    for places, weight in _weights(text, language).items():
        for place, value in places:
            row[place] += value * weight
    length = math.hypot(*row)
    return [value / length for value in row] if length else row


def _weights(text: str, language: str) -> dict[Places, float]:
    """What stands in a text, each with how much: what is said again adds ever less."""
    words = words_of(text)[:MOST_WORDS]
    stops = STOP_WORDS.get(language, frozenset())
    counts: Counter[Places] = Counter(_of_word(word, language) for word in words if word not in stops)
    counts.update(_of_group(group) for _, _, groups in groups_of(words, language) for group in groups)
    return {places: 1 + math.log(count) for places, count in counts.items()}


@lru_cache(maxsize=50_000)
def _of_word(word: str, language: str) -> Places:
    """A word's stem, and its runs of four letters: compounds and misspelt words share most of them."""
    plain = folded(word)
    stemmed = _hashed(f"s {stem(word, language)}", WEIGHT_STEM)
    return (stemmed, *(_hashed(f"p {part}", WEIGHT_PART) for part in _parts(plain)))


def _parts(plain: str) -> list[str]:
    return [plain[start : start + PART] for start in range(len(plain) - PART + 1)] if len(plain) > PART + 1 else []


@lru_cache(maxsize=5_000)
def _of_group(group: int) -> Places:
    return (_hashed(f"g {group}", WEIGHT_GROUP),)


def _hashed(feature: str, weight: float) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode(errors="surrogatepass"), digest_size=4).digest()
    number = int.from_bytes(digest, "big")
    return number % DIMENSIONS, weight if number & 0x8000_0000 else -weight
