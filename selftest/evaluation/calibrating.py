"""Good answers to calibrate graders by, spoiled ones made of them, and what each grader says of both.

Good are answers to a golden set (`good_samples` of `evaluating`), those of a file (`sample_lines`), or the bundled
router's own answers: what they hold is what its sources brought.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.core.judging.answers import Answer, split_sections
from selftest.evaluation.core.calibration import Calibration, Graded, calibrate
from selftest.evaluation.core.graders.sentences import sentences_of
from selftest.evaluation.core.samples import Grader, Part, Sample
from selftest.evaluation.core.spoiling import Spoiling, spoil
from selftest.measuring.observation import generated_queries
from selftest.targets.reference.target import ReferenceTarget

FROZEN = datetime(2026, 3, 9, 12, tzinfo=UTC)  # the router's forecast and headlines follow the clock


@dataclass(frozen=True)
class Calibrated:
    """samples: good ones; of each way to spoil, how many could be spoiled so. calibrations: one for each grader."""

    samples: int
    spoiled: Mapping[Spoiling, int]
    calibrations: tuple[Calibration, ...]


def calibrated(graders: Sequence[Grader], samples: Sequence[Sample], seed: int) -> Calibrated:
    """What each grader says of `samples` and of each of them spoiled in each way that it can be."""
    rng = random.Random(seed)
    answers: list[tuple[Spoiling | None, Sample]] = [(None, sample) for sample in samples]
    told = [sentences_of(sample.answer, sample.language) for sample in samples]
    for place, sample in enumerate(samples):
        strangers = told[(place + 1) % len(told)]
        for way in Spoiling:
            spoiled = spoil(sample, way, rng, strangers)
            if spoiled is not None:
                answers.append((way, spoiled))
    return Calibrated(
        len(samples),
        {way: sum(way is spoiling for spoiling, _ in answers) for way in Spoiling},
        tuple(calibrate(grader.name, [_graded(grader, *answer) for answer in answers]) for grader in graders),
    )


def _graded(grader: Grader, spoiling: Spoiling | None, sample: Sample) -> Graded:
    score = grader.grade(sample)
    return Graded(spoiling, score.value, score.label)


def bundled_samples(count: int, seed: int) -> list[Sample]:
    """Answers of the bundled router, each with what its clauses bring alone. What they bring is the reference too."""
    target = ReferenceTarget(services=(("library", "127.0.0.1", 9),), now=lambda: FROZEN)
    try:
        queries = generated_queries(target.vocabulary, seed, count)
        return [_answered(target, query) for query in queries]
    finally:
        target.close()


def _answered(target: ReferenceTarget, query: Query) -> Sample:
    answer = target.ask(query.text)
    brought = tuple(part for clause in query.clauses for part in _parts(target.ask(clause.text), target.vocabulary))
    sample = Sample(query.text, answer.result, _sections(answer, target.vocabulary), brought)
    return replace(sample, reference="\n".join(dict.fromkeys(part.text for part in brought)))


def _parts(answer: Answer, vocabulary: Vocabulary) -> Iterator[Part]:
    yield from _sections(answer, vocabulary) or (Part(answer.source_used, answer.result),)


def _sections(answer: Answer, vocabulary: Vocabulary) -> tuple[Part, ...]:
    """Of a merged answer; none of an answer without headers."""
    sections = split_sections(answer.result, vocabulary.headers)
    if not any(section.source for section in sections):
        return ()
    return tuple(Part(section.source, section.text) for section in sections)
