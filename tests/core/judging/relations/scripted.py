"""A harbour office that answers from a script: what these tests hand to a relation in place of a router."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.core.generation.vocabulary import Vocabulary, parse_vocabulary
from selftest.core.judging.answers import Answer
from selftest.core.judging.context import CheckInput, ExaminationContext
from selftest.core.judging.driving import drive
from selftest.core.judging.probes import Probe, Urgency
from tests.vocabularies import small_document

Result = TypeVar("Result")

VOCABULARY = parse_vocabulary(small_document())
PLUS = Part(PartKind.CONJUNCTION, " plus ")
HIGH = Part(PartKind.INTENT, "high tide", "tides")
LOW = Part(PartKind.INTENT, "low tide", "tides")
FERRY = Part(PartKind.INTENT, "next ferry", "ferry")
BERTHS = Part(PartKind.INTENT, "berths free", "harbour")
KNOTS = Part(PartKind.TOPIC, "knots")
PAIR = Part(PartKind.PAIR, "Castor and Pollux")

HIGH_SAID = "High water at six"
LOW_SAID = "Low ebb at noon"
FERRY_SAID = "Leaves at seven"
BERTHS_SAID = "Two berths"
EMPTY = Answer("Nothing to report.", "ferry", 10.0)
BLANK = Answer("", "ferry", 10.0)
CRASH = Answer("", "", 10.0, error="HTTP 500")

Script = dict[str, Answer | Sequence[Answer]]


def query_of(*parts: Part, recipe: str = "multi_intent_chain") -> Query:
    """The parts, joined by " plus "."""
    said = [parts[0]]
    for part in parts[1:]:
        said += [PLUS, part]
    return Query(recipe, tuple(said))


def bare(source: str, *items: str, latency_ms: float = 10.0, cached: bool = False) -> Answer:
    return Answer("\n".join(items), source, latency_ms, cached=cached)


def merged(vocabulary: Vocabulary = VOCABULARY, latency_ms: float = 10.0, **items: str | Sequence[str]) -> Answer:
    def section(source: str, said: str | Sequence[str]) -> str:
        return "\n".join([vocabulary.headers[source], *([said] if isinstance(said, str) else said)])

    written = "\n\n---\n\n".join(section(source, said) for source, said in items.items())
    return Answer(written, vocabulary.merged_source, latency_ms)


def case_of(
    query: Query,
    answer: Answer,
    vocabulary: Vocabulary = VOCABULARY,
    volatile: Iterable[str] = (),
    steady: Iterable[str] = (),
    history_ms: Sequence[float] = (),
) -> ExaminationContext:
    return ExaminationContext(CheckInput(query, answer, vocabulary, history_ms), frozenset(volatile), frozenset(steady))


@dataclass
class Office:
    """kept: what earlier probes were answered, by text. now: what is answered when asked afresh; the last for ever.

    A source asked by name is scripted as "source: text". A text that is in neither is not answered, and what is good to
    know only where it is kept.
    """

    now: Script = field(default_factory=dict)
    kept: Script = field(default_factory=dict)
    asked: list[Probe] = field(default_factory=list)

    def reply(self, probe: Probe) -> Answer | None:
        self.asked.append(probe)
        key = f"{probe.only}: {probe.text}" if probe.only else probe.text
        if not probe.fresh and key in self.kept:
            return self._nth(self.kept[key], 0)
        if key not in self.now or probe.urgency is Urgency.IF_KNOWN:
            return None
        return self._nth(self.now[key], max(probe.fresh, 1) - 1)

    @staticmethod
    def _nth(answers: Answer | Sequence[Answer], place: int) -> Answer:
        return answers if isinstance(answers, Answer) else answers[min(place, len(answers) - 1)]

    def answer(self, relation: Generator[Probe, Answer | None, Result]) -> Result:
        return drive(relation, self.reply)

    @property
    def texts(self) -> list[str]:
        return [probe.text for probe in self.asked]
