"""What must hold of an answer's structure. Pure; the wording of an answer is never judged, only where it came from.

Graders have no part in this.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer, Section, split_sections
from selftest.core.judging.check_table import broken_invariants
from selftest.core.judging.context import CheckInput, content_of
from selftest.core.judging.failure_phrases import failure_phrase
from selftest.evaluation.core.pairs import LIMITS_S, Expectations, LatencyClass, PartAsked

NO_RECIPE = "golden"  # a pair's query is of no recipe


@dataclass(frozen=True)
class SeenAnswer:
    """An answer and what its target promises by its vocabulary."""

    answer: Answer
    vocabulary: Vocabulary

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """In order; one without a source where text stands before any header."""
        return split_sections(self.answer.result, self.vocabulary.headers)

    @cached_property
    def headed(self) -> tuple[str, ...]:
        """The sources that opened a section, in order, as often as they did."""
        return tuple(section.source for section in self.sections if section.source is not None)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Those with content, in alphabetical order."""
        return tuple(sorted(content_of(self.answer, self.vocabulary).sources))

    @property
    def structure(self) -> tuple[str, ...]:
        """The sections by source, in order; of an answer without headers the one source it names."""
        return self.headed or (self.answer.source_used,)

    @property
    def refusal(self) -> str | None:
        """The failure phrase that the whole answer is; None where it is content."""
        if self.headed:
            return None
        return failure_phrase(self.answer.result, self.vocabulary.empty_phrases)


@dataclass(frozen=True)
class Judged:
    """One expectation held against an answer. kind: which; expected and seen: each in a sentence."""

    kind: str
    expected: str
    seen: str
    holds: bool


class Expectation(Protocol):
    """One thing that must hold. kind: its name in reports."""

    kind: str

    def judge(self, seen: SeenAnswer) -> Judged:
        """Whether it holds, with what was expected and seen."""
        ...


@dataclass(frozen=True)
class Answered:
    """There is an answer: no crash, nothing blank, no failure instead of content."""

    kind = "answered"

    def judge(self, seen: SeenAnswer) -> Judged:
        """A crash, a blank answer and a failure phrase each break it."""
        expected = "an answer with content"
        if seen.answer.error is not None:
            return Judged(self.kind, expected, f"a crash: {seen.answer.error}", holds=False)
        if not seen.answer.result.strip():
            return Judged(self.kind, expected, "a blank answer", holds=False)
        phrase = seen.refusal
        return Judged(self.kind, expected, f"“{phrase}”" if phrase else "content", holds=phrase is None)


@dataclass(frozen=True)
class Refused:
    """The answer says that there is nothing, and nothing else."""

    kind = "refused"

    def judge(self, seen: SeenAnswer) -> Judged:
        """A blank answer and a crash are no refusal."""
        crash = f"a crash: {seen.answer.error}" if seen.answer.error is not None else ""
        phrase = None if crash else seen.refusal
        words = crash or (f"“{phrase}”" if phrase else f"content from {_listed(seen.sources)}")
        return Judged(self.kind, "a failure phrase of the vocabulary", words, holds=phrase is not None)


@dataclass(frozen=True)
class WellFormed:
    """The answer keeps what holds of any answer: each section once, each header whole, no section blank."""

    kind = "well_formed"

    def judge(self, seen: SeenAnswer) -> Judged:
        """By the engine's own checks of a single answer."""
        found = broken_invariants(CheckInput(Query(NO_RECIPE, ()), seen.answer, seen.vocabulary))
        words = "; ".join(f"{finding.check}: {finding.summary}" for finding in found)
        return Judged(self.kind, "an answer laid out as promised", words or "nothing amiss", holds=not found)


@dataclass(frozen=True)
class ContentFrom:
    """The answer has content from these sources and from no others."""

    sources: tuple[str, ...]
    kind = "sources"

    def judge(self, seen: SeenAnswer) -> Judged:
        """By sections and by the source that the answer names, never by its text."""
        expected = f"content from {_listed(sorted(self.sources))}"
        return Judged(
            self.kind, expected, f"content from {_listed(seen.sources)}", holds=set(seen.sources) == set(self.sources)
        )


@dataclass(frozen=True)
class Headed:
    """The exact headers of these sources stand in the answer, each once, and no others; ordered: in this order."""

    sources: tuple[str, ...]
    ordered: bool
    kind = "headers"

    def judge(self, seen: SeenAnswer) -> Judged:
        """A header counts at the start of a line and as a whole."""
        order = " in this order" if self.ordered else ""
        holds = seen.headed == self.sources if self.ordered else Counter(seen.headed) == Counter(self.sources)
        return Judged(
            self.kind, f"headers of {_listed(self.sources)}{order}", f"headers of {_listed(seen.headed)}", holds
        )


@dataclass(frozen=True)
class PartsAnswered:
    """Each part of the query has content from its own source."""

    parts: tuple[PartAsked, ...]
    kind = "parts"

    def judge(self, seen: SeenAnswer) -> Judged:
        """A source without content loses each of its parts."""
        lost = [part for part in self.parts if part.source not in seen.sources]
        asked = "; ".join(f"“{part.text}” from {part.source}" for part in self.parts)
        words = "; ".join(f"“{part.text}”: nothing from {part.source}" for part in lost)
        return Judged(self.kind, f"each part answered: {asked}", words or "each part answered", holds=not lost)


@dataclass(frozen=True)
class PhrasesAbsent:
    """None of these phrases stands in the answer, in any case and with any space between its words."""

    phrases: tuple[str, ...]
    kind = "absent"

    def judge(self, seen: SeenAnswer) -> Judged:
        """Looks in the whole text, headers too."""
        text = " ".join(seen.answer.result.casefold().split())
        found = [phrase for phrase in self.phrases if " ".join(phrase.casefold().split()) in text]
        return Judged(self.kind, f"without {_quoted(self.phrases)}", _quoted(found) or "none of these", holds=not found)


@dataclass(frozen=True)
class AnsweredWithin:
    """The answer came within the time of its class. The one expectation that is held against the best of three."""

    latency: LatencyClass
    kind = "latency"

    def judge(self, seen: SeenAnswer) -> Judged:
        """By the class alone, so that two reports on the same target read alike."""
        limit_s = LIMITS_S[self.latency]
        holds = seen.answer.latency_ms <= limit_s * 1000
        expected = f"{self.latency}: within {limit_s:g} s"
        return Judged(self.kind, expected, "in time" if holds else f"more than {limit_s:g} s", holds)


def expectations_of(wanted: Expectations) -> tuple[Expectation, ...]:
    """What a pair expects, in the order of reports. That an answer is there and well formed goes without saying."""
    found: list[Expectation] = [Refused()] if wanted.refuses else [Answered(), WellFormed()]
    if wanted.sources:
        found.append(ContentFrom(wanted.sources))
    if wanted.headers:
        found.append(Headed(wanted.headers, wanted.headers_ordered))
    if wanted.parts:
        found.append(PartsAnswered(wanted.parts))
    if wanted.absent:
        found.append(PhrasesAbsent(wanted.absent))
    if wanted.latency is not None:
        found.append(AnsweredWithin(wanted.latency))
    return tuple(found)


def judge(wanted: Expectations, seen: SeenAnswer) -> tuple[Judged, ...]:
    """Each expectation held against the answer. After a crash the first one says it all."""
    judged = []
    for expectation in expectations_of(wanted):
        judged.append(expectation.judge(seen))
        if seen.answer.error is not None:
            break
    return tuple(judged)


def _listed(sources: Sequence[str]) -> str:
    return ", ".join(sources) or "no source"


def _quoted(phrases: Sequence[str]) -> str:
    return ", ".join(f"“{phrase}”" for phrase in phrases)
