"""Vectors of texts without a model: words, their parts and what they stand for, hashed. Pure.

What it can do: find texts that share words, word parts (a typo, a compound) or groups of synonyms. What it cannot:
know that two words are related that share none of these. Source: feature hashing, Weinberger et al. (2009).
"""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from selftest.knowledge.core.synonyms import groups_of
from selftest.knowledge.core.words import STOP_WORDS, folded, stem, words_of

DIMENSIONS = 256
MOST_WORDS = 400  # of a text: its beginning says what it is about
WEIGHT_STEM, WEIGHT_GROUP, WEIGHT_PART = 1.0, 1.2, 0.25


Places = tuple[tuple[int, float], ...]  # of a vector, with what is added there


class Encoder(Protocol):
    """Makes vectors of texts. name: changes with all that changes its vectors."""

    name: str
    dimensions: int

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        """One row of length 1 for each text; all zeros where there is nothing to go by."""
        ...


class HashEncoder:
    """The default: works anywhere, the same everywhere."""

    name = "hash-1"
    dimensions = DIMENSIONS

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> list[list[float]]:
        """As `Encoder` says."""
        return [_row(text, language) for text, language in zip(texts, languages, strict=True)]


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
    parts = [plain[start : start + 4] for start in range(len(plain) - 3)] if len(plain) > 5 else []
    return (_hashed(f"s {stem(word, language)}", WEIGHT_STEM), *(_hashed(f"p {part}", WEIGHT_PART) for part in parts))


@lru_cache(maxsize=5_000)
def _of_group(group: int) -> Places:
    return (_hashed(f"g {group}", WEIGHT_GROUP),)


def _hashed(feature: str, weight: float) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode(errors="surrogatepass"), digest_size=4).digest()
    number = int.from_bytes(digest, "big")
    return number % DIMENSIONS, weight if number & 0x8000_0000 else -weight
