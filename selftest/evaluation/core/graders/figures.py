"""Figures that follow the clock: a temperature, a counter, the time of an answer. Seen where a source is asked twice.

Decides which figure of which sentence changes from one asking to the next; whether a claim is true, it must not know.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from selftest.evaluation.core.graders.sentences import claims_of, sentences_of
from selftest.evaluation.core.graders.wording import figure_of, stem_of
from selftest.evaluation.core.samples import ChangingFigure

PIECES = re.compile(r"(?P<figure>(?:(?<![\w.,])[-−])?\d+(?:[.,:/]\d+)*)|[^\W\d_]+")
FIGURE = "#"  # stands for a figure among the words of a sentence
Shape = tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=8192)  # as of `statement_of`
def shape_of(sentence: str, language: str) -> Shape:
    """The stems of its words in order, FIGURE for each figure; and its figures."""
    words: list[str] = []
    figures: list[str] = []
    for piece in PIECES.finditer(sentence):
        if piece["figure"]:
            figures.append(figure_of(piece[0]))
            words.append(FIGURE)
        else:
            words.append(stem_of(piece[0].casefold(), language))
    return tuple(words), tuple(figures)


def changing_figures(source: str | None, one: str, other: str, language: str) -> Iterator[ChangingFigure]:
    """The figures that differ between two answers of `source` to the same question, in sentences otherwise the same.

    A sentence that stands in one of them more often than in the other tells nothing: it may be of something else.
    """
    were, are = _shapes(one, other, language), _shapes(other, one, language)
    for words in were.keys() & are.keys():
        if len(were[words]) != len(are[words]):
            continue
        common = Counter(were[words]) & Counter(are[words])
        for before, after in zip(_without(were[words], common), _without(are[words], common), strict=True):
            places = [place for place, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
            yield from (ChangingFigure(source, words, place) for place in places)


def _shapes(text: str, other: str, language: str) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """By words the figures of each claim of `text` that has any. Lines that `other` has as well are passed over."""
    known = Counter(other.splitlines())
    found: defaultdict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for line in text.splitlines():
        if known[line]:
            known[line] -= 1
            continue
        for sentence in sentences_of(line, language):
            for words, figures in claim_shapes(sentence, language):
                found[words].append(figures)
    return found


def claim_shapes(sentence: str, language: str) -> Iterator[Shape]:
    """The shapes of the claims of `sentence` that have a figure."""
    shapes = (shape_of(claim, language) for claim in claims_of(sentence, language))
    return (shape for shape in shapes if shape[1])


def _without(those: Iterable[tuple[str, ...]], common: Counter[tuple[str, ...]]) -> list[tuple[str, ...]]:
    left = Counter(common)
    kept = []
    for one in those:
        if left[one]:
            left[one] -= 1
        else:
            kept.append(one)
    return kept
