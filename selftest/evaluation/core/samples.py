"""What a grader is given, and what it says."""

from dataclasses import dataclass
from typing import Protocol

NO_DICTIONARY, NO_KEYPHRASES, NO_REFERENCE = "no dictionary", "no keyphrases", "no reference"
NO_JUDGEMENT = "no judgement"  # the label where a model was asked and failed
REFUSAL = "refusal"  # the label of an answer that claims nothing: counted apart
NOTHING_SET = frozenset({NO_DICTIONARY, NO_KEYPHRASES, NO_REFERENCE})  # labels: a person has set nothing to grade by


@dataclass(frozen=True)
class Part:
    """A section of an answer, or what a source brought alone. source: None for text before the first header."""

    source: str | None
    text: str


@dataclass(frozen=True)
class ChangingFigure:
    """A figure that follows the clock: a source that is asked twice says the same sentence with another one.

    words: of the sentence, as `figures` has them. place: among its figures, from 0.
    """

    source: str | None
    words: tuple[str, ...]
    place: int


@dataclass(frozen=True)
class Sample:
    """An answer with what is known about its query.

    sections: of the answer, in order, without their headers. context: what the sources brought alone (probes), None
    where they were not asked. reference: a text that says what a good answer holds. keyphrases: that it should name.
    language: a code of ISO 639-1.
    """

    query: str
    answer: str
    sections: tuple[Part, ...] = ()
    context: tuple[Part, ...] | None = None
    reference: str | None = None
    keyphrases: tuple[str, ...] = ()
    language: str = "en"
    changing: frozenset[ChangingFigure] = frozenset()


@dataclass(frozen=True)
class Score:
    """What a grader says of a sample. value: within the grader's range, None where it cannot say; `reason` says why.

    label: a short word for the kind of result ("graded", "refusal", "no context", …), counted apart. details: a line
    for each thing that was looked at, such as a claim and the sentence that supports it.
    """

    value: float | None
    label: str
    reason: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A word that the target uses, and others that must not stand in its place. None of them is blank."""

    name: str
    rivals: tuple[str, ...]


class Grader(Protocol):
    """One measure of an answer. It advises: no flag, verdict or gate depends on it.

    name: as in settings and reports. low, high: the range of values, higher is better. says: what it measures, in a
    sentence. cannot_see: what it misses, in a sentence.
    """

    name: str
    low: float
    high: float
    says: str
    cannot_see: str

    def grade(self, sample: Sample) -> Score:
        """The score of `sample`. Never raises for any text."""
        ...
