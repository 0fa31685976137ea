"""Whether the answer's sections are those that a reference needs, and come first."""

from abc import ABC, abstractmethod
from functools import lru_cache

from selftest.evaluation.core.graders.sentences import sentences_of
from selftest.evaluation.core.graders.support import Backend, Lexical
from selftest.evaluation.core.graders.wording import statement_of
from selftest.evaluation.core.samples import NO_REFERENCE, Part, Sample, Score

MOST_CHARACTERS = 20_000  # of a reference: as many as a pair may have
MOST_NEEDED = 300  # sentences of a reference; each is held against each sentence of the answer
MOST_TOLD = 600  # sentences of the answer
TOO_LONG = "too long"
WITHOUT_REFERENCE = Score(None, NO_REFERENCE, "no reference text is set for this query")
NO_SECTIONS = Score(None, "no sections", "the answer is blank")

LEXICAL = Lexical()


class _Contextual(ABC):
    low, high = 0.0, 1.0

    def __init__(self, backend: Backend | None = None) -> None:
        """backend: None for the lexical one."""
        self._backend = backend or LEXICAL

    def grade(self, sample: Sample) -> Score:
        """None without a reference, for a blank answer, and where there is too much to compare."""
        if len(sample.reference or "") > MOST_CHARACTERS:
            return _too_long("reference", len(sample.reference or ""), MOST_CHARACTERS, "characters")
        needed = _needed(sample)
        if not needed:
            return WITHOUT_REFERENCE
        if len(needed) > MOST_NEEDED:
            return _too_long("reference", len(needed), MOST_NEEDED, "sentences")
        sections = sample.sections or (Part(None, sample.answer),)
        told = [sentences for section in sections if (sentences := sentences_of(section.text, sample.language))]
        if not told:
            return NO_SECTIONS
        if (count := sum(map(len, told))) > MOST_TOLD:
            return _too_long("answer", count, MOST_TOLD, "sentences")
        return self._score(_rows(self._backend, tuple(told), needed, sample.language), needed)

    @abstractmethod
    def _score(self, rows: list[tuple[bool, ...]], needed: tuple[str, ...]) -> Score:
        """rows: for each section, in order, which of the sentences `needed` it supports; one of each at least."""


def _too_long(what: str, count: int, most: int, of: str) -> Score:
    return Score(None, TOO_LONG, f"the {what} has {count:,} {of}; at most {most:,} are compared")


@lru_cache(maxsize=8)  # precision and recall look at the same rows
def _rows(
    backend: Backend, brought: tuple[tuple[str, ...], ...], needed: tuple[str, ...], language: str
) -> list[tuple[bool, ...]]:
    """For each section, in order, which sentences of the reference it supports."""
    return [
        tuple(support.value >= backend.supported_at for support in backend.support(needed, sentences, language))
        for sentences in brought
    ]


class ContextualPrecision(_Contextual):
    """How far up the needed sections stand."""

    name = "contextual_precision"
    says = (
        "Whether the sections that the reference needs come first: the mean, over those, of the share of needed ones "
        "up to there."
    )
    cannot_see = "Sections that are missing, and the order of what is needed among itself."

    def _score(self, rows: list[tuple[bool, ...]], needed: tuple[str, ...]) -> Score:
        """Average precision of the sections by rank; 0 where none is needed."""
        ranks = [rank for rank, row in enumerate(rows, start=1) if any(row)]
        shares = [found / rank for found, rank in enumerate(ranks, start=1)]
        value = sum(shares) / len(shares) if shares else 0.0
        return Score(value, "graded", f"{len(ranks)} of {len(rows)} sections are needed")


class ContextualRecall(_Contextual):
    """How much of the reference is there."""

    name = "contextual_recall"
    says = "The share of the reference's sentences that a sentence of one of the sections supports."
    cannot_see = "What the answer says beyond the reference, and in which order."

    def _score(self, rows: list[tuple[bool, ...]], needed: tuple[str, ...]) -> Score:
        """sentences of the reference that are supported / all of them."""
        there = [any(column) for column in zip(*rows, strict=True)]
        return Score(
            sum(there) / len(there),
            "graded",
            f"{sum(there)} of {len(there)} sentences of the reference are there",
            tuple(f"missing: {text}" for text, is_there in zip(needed, there, strict=True) if not is_there),
        )


def _needed(sample: Sample) -> tuple[str, ...]:
    sentences = sentences_of(sample.reference or "", sample.language)
    return tuple(sentence for sentence in sentences if statement_of(sentence, sample.language).weight)
