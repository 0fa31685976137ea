"""Vectors of texts without a model: words, their parts and what they stand for, hashed. Pure.

What it can do: find texts that share words, word parts (a typo, a compound) or groups of synonyms. What it cannot:
know that two words are related that share none of these. Source: feature hashing, Weinberger et al. (2009).
"""

import hashlib
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy
from numpy.typing import NDArray

from selftest.knowledge.core.synonyms import groups_of
from selftest.knowledge.core.words import STOP_WORDS, folded, stem, words_of

DIMENSIONS = 256
MOST_WORDS = 400  # of a text: its beginning says what it is about
WEIGHT_STEM, WEIGHT_GROUP, WEIGHT_PART = 1.0, 1.2, 0.25


class Encoder(Protocol):
    """Makes vectors of texts. name: changes with all that changes its vectors."""

    name: str
    dimensions: int

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> NDArray[numpy.float32]:
        """One row of length 1 for each text; all zeros where there is nothing to go by."""
        ...


class HashEncoder:
    """The default: works anywhere, the same everywhere."""

    name = "hash-1"
    dimensions = DIMENSIONS

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> NDArray[numpy.float32]:
        """As `Encoder` says."""
        rows = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        for row, text, language in zip(rows, texts, languages, strict=True):
            for feature, weight in _features(text, language).items():
                place, sign = _place(feature)
                row[place] += sign * weight
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        numpy.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows


def _features(text: str, language: str) -> dict[str, float]:
    words = words_of(text)[:MOST_WORDS]
    stops = STOP_WORDS.get(language, frozenset())
    counts: dict[str, float] = {}
    for word in words:
        if word in stops:
            continue
        root = stem(word, language)
        _add(counts, f"s {root}", WEIGHT_STEM)
        for part in _parts(folded(word)):
            _add(counts, f"p {part}", WEIGHT_PART)
    for _, _, groups in groups_of(words, language):
        for group in groups:
            _add(counts, f"g {group}", WEIGHT_GROUP)
    return {feature: 1 + math.log(1 + weight) if weight >= 1 else weight for feature, weight in counts.items()}


def _add(counts: dict[str, float], feature: str, weight: float) -> None:
    counts[feature] = counts.get(feature, 0.0) + weight


def _parts(word: str) -> list[str]:
    """Its runs of four letters: compounds and misspelt words share most of them."""
    return [word[start : start + 4] for start in range(len(word) - 3)] if len(word) > 5 else []


@lru_cache(maxsize=100_000)
def _place(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode(errors="surrogatepass"), digest_size=4).digest()
    number = int.from_bytes(digest, "big")
    return number % DIMENSIONS, 1.0 if number & 0x8000_0000 else -1.0
