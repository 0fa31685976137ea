"""How well a piece answers words: one measure for every database. Pure.

The databases find candidates; their own measures differ, so candidates are ranked here. Source: BM25F, Robertson &
Zaragoza (2009), with the weighted counts of all fields taken as one text.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selftest.knowledge.core.chunks import Chunk
from selftest.knowledge.core.words import LANGUAGES, stem, words_of, words_of_name

K1 = 1.2  # how soon more of the same word stops to matter; the usual value
B = 0.4  # how much longer texts are held back: sections of documents differ less than whole documents
WEIGHT_TITLE = 3.0
WEIGHT_NAMES = 2.0
WEIGHT_SECTION = 1.0
WEIGHT_BODY = 1.0
MOST_BODY_WORDS = 2_000  # of one piece; what comes later is found by the database and ranked by the beginning
SYNONYM = 0.7  # of a word's own weight
COVERAGE = 1.5  # power of the share of the query that a piece has: a piece with all words beats one with a rare one


@dataclass(frozen=True, slots=True)
class Concept:
    """One word of the query with what may stand for it.

    options: for each language, (stems, weight) of each way to say it; several stems: all of them are needed.
    rarity: how much it says, 0 and above.
    """

    options: Mapping[str, tuple[tuple[tuple[str, ...], float], ...]]
    rarity: float


class Counts:
    """The counts of one piece as one text, of which a search reads a few: ` brew=3 cup=1.5 `."""

    __slots__ = ("_read", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[str, float] = {}

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> "Counts":
        """As it is kept."""
        return cls("".join(f" {each}={count:g}" for each, count in sorted(counts.items())) + " ")

    def get(self, wanted: str) -> float:
        """How often the piece has this stem, weighted."""
        count = self._read.get(wanted)
        if count is None:
            place = self.text.find(f" {wanted}=")
            start = place + len(wanted) + 2
            count = self._read[wanted] = float(self.text[start : self.text.index(" ", start)]) if place >= 0 else 0.0
        return count


def counted(chunk: Chunk) -> dict[str, float]:
    """The stems of a piece with their weighted counts."""
    language = chunk.language if chunk.language in LANGUAGES else ""
    counts: dict[str, float] = {}
    fields = (
        (words_of(chunk.title), WEIGHT_TITLE),
        ([word for name in (*chunk.identifiers, *chunk.tags) for word in words_of_name(name)], WEIGHT_NAMES),
        ([word for heading in chunk.section_path for word in words_of(heading)], WEIGHT_SECTION),
        (words_of(chunk.body)[:MOST_BODY_WORDS], WEIGHT_BODY),
    )
    for words, weight in fields:
        for word in words:
            key = stem(word, language)
            counts[key] = counts.get(key, 0.0) + weight
    return counts


def rarity(having: int, pieces: int) -> float:
    """The inverse document frequency of BM25, never below a little. having: how many of all pieces have the word."""
    return max(math.log(1 + (pieces - min(having, pieces) + 0.5) / (having + 0.5)), 0.05)


def score(
    concepts: Sequence[Concept], language: str, counts: Counts, length: float, usual: float
) -> tuple[float, float]:
    """How well a piece of this language answers, 0: not at all; and the share of what was asked that it has.

    usual: the average length of all pieces.
    """
    held, wanted, total = 0.0, 0.0, 0.0
    norm = K1 * (1 - B + B * length / usual) if usual else K1
    for concept in concepts:
        wanted += concept.rarity
        best = 0.0
        for stems, weight in concept.options.get(language, ()):
            count = counts.get(stems[0]) if len(stems) == 1 else min(map(counts.get, stems), default=0.0)
            if count:
                best = max(best, weight * count * (K1 + 1) / (count + norm))
        total += concept.rarity * best
        held += concept.rarity if best else 0.0  # in other words as well: a paraphrase has all of it
    share = held / wanted if wanted else 0.0
    return total * share**COVERAGE, share
